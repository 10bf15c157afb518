"""The review of a draft as moderators work through it: buttons, lists, forms, by two at once, after a restart."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.cogs.conftest import NOW, Desk

DUE = NOW.replace(day=13, hour=9)  # the Monday after
SHOWN = DUE - timedelta(hours=24)


async def _talk(desk: Desk) -> None:
    await desk.say(desk.member, "Hello, I am Anna and I build small boats out of driftwood in Norway.", "introductions")
    message = await desk.say(desk.member, "The new slipway in the harbour takes boats of up to nine metres now.")
    await desk.services.tagging.tag(
        desk.guild.id, message.channel.id, message.id, by=desk.moderator.id, source="menu", note="Come and see it."
    )


async def _drafted(desk: Desk, **settings: Any) -> Any:
    """A guild with a review channel, at the moment when the draft stands in it; the draft's message."""
    channels = {name: str(channel.id) for name, channel in desk.channels.items()}
    await desk.set(
        {
            "publish.channel": channels["digest"],
            "channels.introductions": channels["introductions"],
            "moderation.review_channel": channels["moderators"],
            **settings,
        }
    )
    await _talk(desk)
    await desk.as_of(SHOWN)
    return _draft(desk)


def _draft(desk: Desk) -> Any:
    found = [each for each in desk.channels["moderators"].history() if each.content.startswith("**Draft")]
    assert len(found) == 1
    return found[0]


async def test_a_draft_is_shown_in_time_and_posted_when_nobody_acts(desk: Desk) -> None:
    draft = await _drafted(desk)
    print(draft.content, draft.components)
    await desk.as_of(DUE)
    print([m.content for m in desk.channels["digest"].history()])
