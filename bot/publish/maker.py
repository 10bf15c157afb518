"""Makes an edition: GitHub is asked, what is stored is compiled, told and rendered, for one period."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from bot.compile.edition import compile_edition
from bot.errors import ConflictError
from bot.model.clock import Clock
from bot.model.edition import Edition, Highlight, to_json
from bot.model.edition_file import edition_from_json
from bot.model.github import SyncReport
from bot.model.guilds import Role
from bot.model.parts import Part, Place, Rendered
from bot.model.publication import OPEN, MadeEdition, Source, StoredEdition
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.model.withdrawal import Withdrawal
from bot.narrate.edition import narrate
from bot.publish import redact
from bot.publish.amend import amend_parts
from bot.render.edition import render
from bot.store import editions, guilds, privacy
from bot.store.engine import Store
from bot.store.sources import sources_of

log = logging.getLogger(__name__)

CONTENT_LIMIT = 2000

Sync = Callable[[int, GuildSettings, Period], Awaitable[SyncReport]]
"""Brings what is stored of GitHub up to date for a guild's period. Does not raise for GitHub's sake."""
Compile = Callable[..., Awaitable[Edition]]
Revise = Callable[[Store, int, Edition], Awaitable[Edition]]
"""Puts the moderators' changes to an edition, narrated, given the guild's id."""
Narrate = Callable[[Edition, GuildSettings], Awaitable[Edition]]
Render = Callable[[Edition, GuildSettings], Rendered]


async def _no_github(guild_id: int, settings: GuildSettings, period: Period) -> SyncReport:
    return SyncReport("off")


async def _unchanged(store: Store, guild_id: int, edition: Edition) -> Edition:
    return edition


async def narrated(edition: Edition, settings: GuildSettings) -> Edition:
    """The extractive narrative, made beside the event loop."""
    return await asyncio.to_thread(narrate, edition, settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """The stages that an edition passes. The defaults are the program's own, without GitHub."""

    sync: Sync = _no_github
    compile: Compile = compile_edition
    narrate: Narrate = narrated
    revise: Revise = _unchanged
    render: Render = render


_drawing = asyncio.Lock()
"""One edition is rendered at a time: matplotlib does not bear two threads."""


async def make_edition(
    store: Store, stages: Stages, *, guild_id: int, period: Period, github: SyncReport | None = None
) -> MadeEdition:
    """Make the edition of a guild's period from what stands there now; nothing is stored of it and nothing posted.

    `github` takes the place of asking GitHub. Raises NotFoundError for a guild that is not recorded.
    """
    async with store.read() as connection:
        settings = await guilds.fetch_settings(connection, guild_id)
        roles = await guilds.roles_of(connection, guild_id)
        earlier = await editions.earlier_documents(connection, guild_id, period.start)
    period = replace(period, timezone=settings.schedule.timezone)
    report = github or await stages.sync(guild_id, settings, period)
    edition = await stages.compile(
        store, guild_id=guild_id, settings=settings, period=period, github=report, earlier=earlier
    )
    edition = await stages.revise(store, guild_id, await stages.narrate(edition, settings))
    return replace(await rendered_edition(stages.render, edition, settings, roles), period=period)


async def rendered_edition(
    render: Render, edition: Edition, settings: GuildSettings, roles: Mapping[int, Role]
) -> MadeEdition:
    """The edition in all its forms, with what it rests on, ready to be stored."""
    guild_id = edition.guild.id
    async with _drawing:
        rendered = await asyncio.to_thread(render, edition, settings)
    for problem in rendered.problems:
        log.warning("a template failed", extra={"guild_id": guild_id, "problem": problem})
    role_id = _ping_role_id(settings.publish.ping_role, roles, guild_id)
    return MadeEdition(
        guild_id=guild_id,
        period=edition.period,
        title=edition.title,
        document=to_json(edition),
        markdown=rendered.markdown,
        html=rendered.html,
        parts=with_ping(rendered.parts, role_id),
        sources=tuple(sources(edition)),
        ping_role_id=role_id,
    )


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes editions and stores them."""

    store: Store
    clock: Clock
    stages: Stages

    async def make(self, guild_id: int, period: Period) -> int:
        """The stored edition of the period, made (anew) unless something of it may stand on Discord; its id.

        An approved or held draft stays approved or held: what arrived since is told too.
        """
        async with self.store.read() as connection:
            known = await editions.edition_for(connection, guild_id, period)
        if known is not None and known.status not in OPEN:
            return known.edition_id
        return await self._made(guild_id, period, None)

    async def rework(self, edition_id: int) -> None:
        """Make a draft anew with the moderators' changes, from what was known of GitHub. Raises ConflictError."""
        async with self.store.read() as connection:
            known = await editions.fetch_edition(connection, edition_id)
        if known.status not in OPEN:
            raise ConflictError(f"{known.title!r} is posted or being posted; `/digest amend` corrects it.")
        await self._made(known.guild_id, known.period, known_report(known))

    async def _made(self, guild_id: int, period: Period, github: SyncReport | None) -> int:
        made = await make_edition(self.store, self.stages, guild_id=guild_id, period=period, github=github)
        async with self.store.write() as connection:
            edition_id = await editions.store_edition(connection, made, at=self.clock.now(), keep_status=True)
            await editions.drop_drafts(connection, guild_id, period.start, keep=edition_id)
        return edition_id

    async def remake(self, edition_id: int, *, by: int | None = None) -> None:
        """Make a stored edition anew and note what changes of its parts. GitHub is not asked again.

        Where what it rests on is no longer kept, what may not be told any more is taken out of it instead.
        """
        async with self.store.read() as connection:
            edition = await editions.fetch_edition(connection, edition_id)
            settings = await guilds.fetch_settings(connection, edition.guild_id)
        kept_since = self.clock.now() - timedelta(days=settings.privacy.retention_days)
        if edition.period.start < kept_since:
            made = await without_withdrawn(self.store, self.stages, edition)
        else:
            made = await make_edition(
                self.store, self.stages, guild_id=edition.guild_id, period=edition.period, github=known_report(edition)
            )
        await amend_parts(
            self.store,
            edition_id,
            made,
            at=self.clock.now(),
            reason=edition.stale_reason or "a moderator asked for it",
            seen=edition.stale_since,
            by=by,
        )


async def without_withdrawn(store: Store, stages: Stages, edition: StoredEdition) -> MadeEdition:
    """What was told, without the messages that were withdrawn since and without those who opted out."""
    async with store.read() as connection:
        told = await sources_of(connection, edition.edition_id)
        excluded = await privacy.opted_out_of(connection, edition.guild_id)
    gone = frozenset(source.message_id for source in told if source.withdrawn)
    return await without(store, stages, edition, Withdrawal(message_ids=gone, user_ids=excluded))


async def without(store: Store, stages: Stages, edition: StoredEdition, gone: Withdrawal) -> MadeEdition:
    """A stored edition without these people and messages, from what it says itself; nothing is stored."""
    async with store.read() as connection:
        settings = await guilds.fetch_settings(connection, edition.guild_id)
        roles = await guilds.roles_of(connection, edition.guild_id)
    told = redact.without(edition_from_json(edition.document), gone)
    return replace(await rendered_edition(stages.render, told, settings, roles), period=edition.period)


def known_report(edition: StoredEdition) -> SyncReport:
    """How far GitHub reached when the edition was made."""
    coverage: Mapping[str, Any] = edition.document.get("coverage", {})
    return SyncReport(coverage.get("github", "off"), tuple(coverage.get("notes", ())))


def _ping_role_id(wanted: str | None, roles: Mapping[int, Role], guild_id: int) -> int | None:
    """The role that the settings name by id or name; never @everyone."""
    if not wanted:
        return None
    name = wanted.strip().removeprefix("@").casefold()
    found = [
        role
        for role in roles.values()
        if role.role_id != guild_id and (str(role.role_id) == name or role.name.casefold() == name)
    ]
    if not found:
        log.warning("the role to mention does not exist", extra={"guild_id": guild_id, "role": wanted})
        return None
    return min(found, key=lambda role: role.role_id).role_id


def with_ping(parts: tuple[Part, ...], role_id: int | None) -> tuple[Part, ...]:
    """The parts with the role's mention at the beginning, in a message of its own where the first is too long."""
    if role_id is None or not parts:
        return parts
    mention, first = f"<@&{role_id}>", parts[0]
    content = f"{mention}\n{first.content}"
    if len(content.encode("utf-16-le")) // 2 > CONTENT_LIMIT:
        return (Part(Place.HEAD, mention), *parts)
    return (replace(first, content=content), *parts[1:])


def sources(edition: Edition) -> Iterator[Source]:
    """The messages whose words or authors the edition shows, each once."""
    found: dict[int, int | None] = {}
    for message_id, user_id in _shown(edition):
        found[message_id] = found.get(message_id) or user_id
    for message_id, user_id in found.items():
        yield Source(message_id=message_id, user_id=user_id)


def _shown(edition: Edition) -> Iterator[tuple[int, int | None]]:
    community = edition.community
    for section in edition.sections:
        yield from _of_highlights(section.highlights)
    yield from _of_highlights(community.highlights)
    for person in community.introductions.people:
        yield from ((message_id, person.user_id) for message_id in person.message_ids)
    yield from ((link.message_id, link.author_id) for link in community.shared_links)
    yield from ((event.message_id, None) for event in community.events if event.message_id is not None)
    for key in edition.facts:
        kind, _, message_id = key.partition("/")
        if kind == "message" and message_id.isdecimal():
            yield int(message_id), None


def _of_highlights(highlights: tuple[Highlight, ...]) -> Iterator[tuple[int, int | None]]:
    for highlight in highlights:
        only = highlight.author_ids[0] if len(highlight.author_ids) == 1 else None
        yield from ((message_id, only) for message_id in highlight.message_ids)
        yield from ((message.message_id, message.author_id) for message in highlight.messages)
