"""The review of a draft as moderators work through it: buttons, lists, forms, by two at once, after a restart."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from sqlalchemy import update

from bot.errors import ConflictError
from bot.store.reviews import edits_made
from bot.store.tables.editions import EditionRow
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


def _thread(desk: Desk) -> list[str]:
    (thread,) = desk.channels["moderators"].threads
    return [message.content for message in thread.history()]


def _posted(desk: Desk) -> str:
    threads = desk.channels["digest"].threads
    return "\n".join(m.content for place in [desk.channels["digest"], *threads] for m in place.history())


def _mark_of(shown: Any, *, text: str) -> str:
    (options,) = [row["components"][0]["options"] for row in shown.components if "options" in row["components"][0]]
    labels = {option["label"]: option["value"] for option in options}
    found = [value for label, value in labels.items() if text in label]
    assert found, labels
    return found[0]


async def _rewrite(desk: Desk, text: str, *, where: str, who: Any = None) -> list[Any]:
    """Rewrite the paragraph that holds `where`, as a moderator does it."""
    who = who or desk.moderator
    (listed,) = await desk.press(_draft(desk), "Edit", who=who)
    shown = await who.select(listed, [_mark_of(listed, text=where)])
    assert where in shown.modal["components"][0]["component"]["value"]
    return await desk.answers(await who.submit_modal(shown, {"text": text}))


async def test_a_draft_is_shown_in_time_and_posted_when_nobody_acts(desk: Desk) -> None:
    draft = await _drafted(desk)
    assert "(version 1)" in draft.content and "unless somebody presses Hold" in draft.content
    assert "2 messages, 1 introduction," in draft.content and "Read: 2 channels" in draft.content
    assert any("slipway" in content for content in _thread(desk))
    assert "slipway" not in _posted(desk)
    await desk.say(desk.member, "A second slipway, for canoes alone, is being built beside the old crane.")
    await desk.as_of(DUE)
    assert "slipway" in _posted(desk)
    assert "Posted: https://discord.com/channels/" in (await _refreshed(desk))
    assert not (_first(desk)).components


async def test_a_held_draft_waits_and_is_posted_on_approval(desk: Desk) -> None:
    draft = await _drafted(desk)
    (told,) = await desk.press(draft, "Hold")
    assert "only once somebody presses Approve" in told.content
    await desk.as_of(DUE)
    assert _posted(desk) == ""
    assert "held back" in await desk.told("digest status")
    (told,) = await desk.press(_draft(desk), "Approve", who=desk.other)
    assert "posted now" in told.content
    await desk.app.publishing.scheduler.idle()
    assert "slipway" in _posted(desk)


async def test_without_a_word_the_digest_is_held_where_the_guild_wants_it_so(desk: Desk) -> None:
    draft = await _drafted(desk, **{"moderation.without_review": "hold"})
    assert "waits for somebody to press Approve" in draft.content
    await desk.as_of(DUE)
    assert _posted(desk) == ""
    assert "Held back" in _draft(desk).content


async def test_what_a_moderator_writes_stays_through_rebuilds_to_the_posting(desk: Desk) -> None:
    await _drafted(desk)
    (done,) = await _rewrite(desk, "Boats of **every** length are welcome. @everyone", where="slipway")
    assert "version 2" in done.content
    assert "rewrote a paragraph" in _draft(desk).content
    await desk.say(
        desk.member, "Hello from me as well, I am an old friend of the sea and of its birds.", "introductions"
    )
    (told,) = await desk.press(_draft(desk), "Rebuild")
    assert "version 3" in told.content
    await desk.as_of(DUE)
    posted = _posted(desk)
    assert "Boats of" in posted and "every" in posted and "nine metres" not in posted.split("Boats of")[0]
    assert "@everyone" not in posted


async def test_changes_are_undone_one_by_one(desk: Desk) -> None:
    await _drafted(desk)
    await _rewrite(desk, "Only boats.", where="slipway")
    form = await desk.moderator.click(_draft(desk), label="Editor's note")
    (noted,) = await desk.answers(await desk.moderator.submit_modal(form, {"text": "Dear all,\n\nread on."}))
    assert _thread(desk)[0].index("Dear all,") < _thread(desk)[0].index("Only boats")
    (told,) = await desk.press(_draft(desk), "Undo")
    assert told.content == "Taken back: wrote the editor's note."
    assert "Dear all" not in _thread(desk)[0] and "Only boats" in _thread(desk)[0]
    (told,) = await desk.press(_draft(desk), "Undo", who=desk.other)
    assert "nine metres" in _thread(desk)[0]
    told = await desk.press(noted, "Undo")
    assert "nothing (any more) to take back" in told[-1].content


async def test_a_press_on_an_outdated_draft_changes_nothing_and_shows_the_current_one(desk: Desk) -> None:
    draft = await _drafted(desk)
    (listed,) = await desk.press(draft, "Drop an item")
    form = await desk.moderator.click(draft, label="Edit")
    await _rewrite(desk, "Boats, boats, boats.", where="slipway", who=desk.other)
    (told,) = await desk.answers(await desk.moderator.select(listed, [_mark_of(listed, text="slipway")]))
    assert "That was version 1 of the draft" in told.content and "https://discord.com/channels/" in told.content
    assert form.acknowledged
    assert "Boats, boats" in _thread(desk)[0]


async def test_a_text_written_over_a_changed_paragraph_is_given_back(desk: Desk) -> None:
    draft = await _drafted(desk)
    (listed,) = await desk.press(draft, "Edit")
    form = await desk.moderator.select(listed, [_mark_of(listed, text="slipway")])
    await _rewrite(desk, "The other was faster.", where="slipway", who=desk.other)
    (told,) = await desk.answers(await desk.moderator.submit_modal(form, {"text": "My careful words."}))
    assert "nothing was changed" in told.content and "My careful words." in told.content
    assert "The other was faster." in _thread(desk)[0]


async def test_a_conversation_is_left_out(desk: Desk) -> None:
    draft = await _drafted(desk)
    (listed,) = await desk.press(draft, "Drop an item")
    await desk.answers(await desk.moderator.select(listed, [_mark_of(listed, text="slipway")]))
    assert all("slipway" not in content for content in _thread(desk))
    assert "left out a conversation" in _draft(desk).content


async def test_members_cannot_decide(desk: Desk) -> None:
    draft = await _drafted(desk)
    (told,) = await desk.press(draft, "Approve", who=desk.member)
    assert "Only the digest's moderators" in told.content
    (told,) = await desk.press(draft, "Editor's note", who=desk.member)
    assert "Only the digest's moderators" in told.content
    assert "(version 1)" in _draft(desk).content


def _first(desk: Desk) -> Any:
    return next(m for m in desk.channels["moderators"].history() if m.content.startswith("**Draft"))


async def _refreshed(desk: Desk) -> str:
    await desk.app.publishing.scheduler.idle()
    return str(_first(desk).content)


async def test_a_draft_is_worked_on_after_a_restart(desk: Desk) -> None:
    draft = await _drafted(desk)
    (listed,) = await desk.press(draft, "Edit")
    form = await desk.moderator.click(_draft(desk), label="Editor's note")
    await desk.restart()
    (noted,) = await desk.answers(await desk.moderator.submit_modal(form, {"text": "Back again."}))
    assert "version 2" in noted.content
    form = await desk.moderator.select(listed, [_mark_of(listed, text="slipway")])
    assert "slipway" in form.modal["components"][0]["component"]["value"]
    form = await desk.moderator.click(_draft(desk), label="Editor's note")
    assert form.modal["components"][0]["component"]["value"] == "Back again."
    (held,) = await desk.press(_draft(desk), "Hold")
    assert "Held back" in held.content
    assert any("Back again." in content for content in _thread(desk))


async def test_two_moderators_pressing_at_once_do_no_harm(desk: Desk) -> None:
    await _drafted(desk)
    reviews, place = desk.services.reviews, (desk.guild.id, 1)
    done = await asyncio.gather(
        *(reviews.change(*place, "note", {"text": who.name}, by=who.id) for who in (desk.moderator, desk.other)),
        reviews.rebuild(*place, 1),
        reviews.hold(*place, 1, by=desk.moderator.id),
        return_exceptions=True,
    )
    assert not [each for each in done if isinstance(each, Exception) and not isinstance(each, ConflictError)]
    assert len({edit_id for each in done if isinstance(each, tuple) for edit_id in each[1:]}) == 2
    async with desk.app.store.read() as connection:
        made = await edits_made(connection, desk.guild.id, DUE - timedelta(weeks=1))
    notes = [each.data["text"] for each in made if each.kind == "note"]
    assert len(notes) == 2 and f"\n\n{notes[-1]}\n\n" in _thread(desk)[0]
    assert len({message.id for message in desk.channels["moderators"].threads[0].history()}) == len(_thread(desk)) == 1
    assert _draft(desk).content.count("wrote the editor's note") == 2


async def test_more_items_than_a_select_holds_are_paged_and_moved(desk: Desk) -> None:
    await desk.set({"sections": [{"key": "boats", "title": "Boats"}, {"key": "birds", "title": "Birds"}]})
    draft = await _drafted(desk)
    made = (await desk.services.reviews.draft(1)).document
    items = [
        {"reference": f"acme/anvil#{number}", "title": f"Change {number}", "events": [], "kind": "issue"}
        for number in range(1, 61)
    ]
    long = f"acme/{'anvil' * 19}#61"
    items.append({"reference": long, "title": "A long name", "events": [], "kind": "issue"})
    section = {"key": "boats", "title": "Boats", "items": items, "highlights": [], "narrative": []}
    async with desk.app.store.write() as connection:
        await connection.execute(update(EditionRow).values(document={**made, "sections": [section]}))
    (listed,) = await desk.press(draft, "Move to section")
    assert len(listed.components[0]["components"][0]["options"]) == 25
    await desk.press(listed, "2 of 3 ▶")
    await desk.press(listed, "3 of 3 ▶")
    *_, last, longest = [each["value"] for each in listed.components[0]["components"][0]["options"]]
    assert last == "acme/anvil#60"
    (asked,) = await desk.answers(await desk.moderator.select(listed, [longest]))
    assert long in asked.content
    (asked,) = await desk.answers(await desk.moderator.select(listed, ["acme/anvil#60"]))
    (done,) = await desk.answers(await desk.moderator.select(asked, ["birds"]))
    assert "version 2" in done.content and "moved acme/anvil#60 to Birds" in _draft(desk).content


async def test_a_draft_that_somebody_deleted_is_shown_anew(desk: Desk) -> None:
    await _drafted(desk)
    desk.env.backend.delete_message(desk.channels["moderators"].id, _draft(desk).id)
    told = await desk.told("draft")
    assert "https://discord.com/channels/" in told and "(version 2)" in _draft(desk).content


async def test_a_review_channel_that_is_gone_is_told_once_and_holds_nothing_up(desk: Desk) -> None:
    channels = desk.channels
    gone = desk.guild.create_text_channel("gone")
    await desk.set({"publish.channel": str(channels["digest"].id), "moderation.review_channel": str(gone.id)})
    await _talk(desk)
    desk.env.backend.delete_channel(gone.id)
    await desk.env.settle()
    await desk.as_of(SHOWN)
    assert "could not be shown for review" in await desk.told("digest status")
    await desk.as_of(DUE)
    assert "slipway" in _posted(desk)
