"""A period of stored facts becomes an edition: facts, no prose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from bot.compile import activity, contributors, coverage, events, facts, highlights, introductions, joins, links
from bot.compile.continuing import continued
from bot.compile.epics import by_epics, is_epic
from bot.compile.gather import Gathered, gather
from bot.compile.items import allowed, shown_items, with_agents
from bot.compile.sections import Rules, by_themes
from bot.compile.titles import title_of
from bot.model.edition import Community, Edition, GuildName, Highlight, Item, Section
from bot.model.github import GitHubItem, SyncReport
from bot.model.messages import Message, message_url
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.store import github as github_store
from bot.store.engine import Connection, Store


async def compile_edition(
    store: Store,
    *,
    guild_id: int,
    settings: GuildSettings,
    period: Period,
    github: SyncReport | None = None,
    earlier: Sequence[Mapping[str, Any]] = (),
) -> Edition:
    """The facts of one guild's period, from what is stored; nothing is fetched.

    `github` is the report of the sync that went before, None where there was none. `earlier` are the documents
    (`gazette.edition/1`) of earlier editions, in any order. Raises NotFoundError for a guild that is not recorded.
    """
    async with store.read() as connection:
        gathered = await gather(connection, guild_id=guild_id, settings=settings, period=period)
        tracked = settings.github.tracked
        mentioned = sorted({mention.reference for mention in gathered.mentions})
        items = await github_store.items_between(connection, tracked, period, mentioned=mentioned) if tracked else []
        report = github or await _as_synced(connection, tracked, period)
    return assemble(gathered, items, settings=settings, period=period, github=report, earlier=earlier)


async def _as_synced(connection: Connection, repositories: Sequence[str], period: Period) -> SyncReport:
    """What the store can say of a sync that was some time ago: whether it reached over the whole period."""
    if not repositories:
        return SyncReport("off")
    states = [await github_store.sync_state(connection, name) for name in repositories]
    known = [state.stretch for state in states if state is not None and state.stretch is not None]
    whole = [since <= period.start and until >= period.end for since, until in known]
    if len(known) == len(repositories) and all(whole):
        return SyncReport("complete")
    return SyncReport("partial" if known else "unavailable")


def assemble(
    gathered: Gathered,
    records: Iterable[GitHubItem],
    *,
    settings: GuildSettings,
    period: Period,
    github: SyncReport | None = None,
    earlier: Sequence[Mapping[str, Any]] = (),
) -> Edition:
    """The edition from what was gathered of Discord and the records of GitHub. Pure."""
    public = allowed({item.key: item for item in records}.values(), settings.github, gathered.places.audience)
    settings = settings.model_copy(update={"github": with_agents(settings.github, public)})
    items = _items(gathered, public, settings, period, earlier)
    chosen = _highlights(gathered, public, items, settings, github)
    sections = _sections(gathered, public, items, chosen, settings, period)
    community = _community(gathered, public, items, [h for h, _ in chosen], settings, period, earlier)
    urls = {m.message_id: message_url(m.guild_id, m.channel_id, m.message_id) for m in _quotable(gathered)}
    return Edition(
        guild=GuildName(id=gathered.guild.guild_id, name=gathered.guild.name),
        title=title_of(settings, gathered.guild.name, period),
        layout=settings.edition.layout,
        period=period,
        facts=facts.facts_of(
            guild=gathered.guild.name, period=period, sections=sections, community=community, urls=urls
        ),
        sections=sections,
        community=community,
        coverage=coverage.coverage_of(
            channels=gathered.places.channels,
            told=gathered.places.told,
            covered=gathered.covered,
            heard={tally.channel_id for tally in gathered.tallies},
            gaps=gathered.gaps,
            github=github.status if github else "off",
            notes=github.notes if github else (),
        ),
    )


def _items(
    gathered: Gathered,
    records: Sequence[GitHubItem],
    settings: GuildSettings,
    period: Period,
    earlier: Sequence[Mapping[str, Any]],
) -> list[Item]:
    mentioned_in: dict[str, list[int]] = {}
    for mention in gathered.mentions:
        mentioned_in.setdefault(mention.reference, []).append(mention.message_id)
    items = shown_items(records, period=period, settings=settings.github, mentioned_in=mentioned_in)
    if settings.edition.layout == "epics":
        epics = {r.key for r in records if is_epic(r, settings.github.epic_labels)}
        items = [item for item in items if item.reference.lower() not in epics]
    return continued(items, earlier)


def _highlights(
    gathered: Gathered,
    records: Sequence[GitHubItem],
    items: Sequence[Item],
    settings: GuildSettings,
    github: SyncReport | None,
) -> list[tuple[Highlight, str | None]]:
    found = gathered.conversations
    spelled = _spelled(gathered, records, settings, github)
    references: dict[int, list[str]] = {}
    for mention in gathered.mentions:
        if mention.reference in spelled:
            references.setdefault(mention.message_id, []).append(spelled[mention.reference])
    talk = highlights.Talk(
        messages=found.messages,
        answers=found.answers,
        tagged=gathered.tagged,
        announcements=found.announcements,
        reacted=found.reacted,
        discussions=found.discussions,
        levels=found.levels,
        familiar=_familiar(gathered, items),
        references={message_id: tuple(named) for message_id, named in references.items()},
        name_of=gathered.name_of,
        channel_name=gathered.places.name,
    )
    return highlights.choose(talk, few=highlights.FEW)


def _spelled(
    gathered: Gathered, records: Sequence[GitHubItem], settings: GuildSettings, github: SyncReport | None
) -> dict[str, str]:
    """How the references of messages are spelled, by lower case: those that are known to exist and may be told.

    Where GitHub could not be asked at all, what people wrote has to do, repositories that are private by the
    settings aside.
    """
    spelled = {record.key: record.reference for record in records}
    if github is not None and github.status == "unavailable" and not spelled:
        private = {name.lower() for name in settings.github.allowed_private}
        names = {name.lower(): name for name in settings.github.tracked if name.lower() not in private}
        for mention in gathered.mentions:
            repository, _, number = mention.reference.partition("#")
            if repository in names:
                spelled[mention.reference] = f"{names[repository]}#{number}"
    return spelled


def _familiar(gathered: Gathered, items: Sequence[Item]) -> frozenset[int]:
    """The members who have a part in the items: by a confirmed link, or under the very same name."""
    people = [p for item in items for p in (item.author, item.credited, *item.people) if p is not None]
    logins = {person.login.casefold() for person in people}
    names = {person.name.casefold() for person in people if person.name}
    return frozenset(
        user_id
        for user_id, member in gathered.people.items()
        if gathered.logins.get(user_id, member.username).casefold() in logins or member.name.casefold() in names
    )


def _sections(
    gathered: Gathered,
    records: Sequence[GitHubItem],
    items: Sequence[Item],
    chosen: Sequence[tuple[Highlight, str | None]],
    settings: GuildSettings,
    period: Period,
) -> tuple[Section, ...]:
    if settings.edition.layout == "epics":
        return by_epics(items, records, [h for h, _ in chosen], period=period, epic_labels=settings.github.epic_labels)
    channel_of = {m.message_id: m.channel_id for m in gathered.conversations.messages.values()}
    channel_of |= {m.message_id: m.channel_id for m in gathered.mentions}
    choices = {
        reference.lower(): section for highlight, section in chosen if section for reference in highlight.references
    }
    return by_themes(
        items,
        chosen,
        Rules(sections=settings.sections, channel_of=channel_of, names_of=gathered.places.names_of(), chosen=choices),
    )


def _community(
    gathered: Gathered,
    records: Sequence[GitHubItem],
    items: Sequence[Item],
    told: Sequence[Highlight],
    settings: GuildSettings,
    period: Period,
    earlier: Sequence[Mapping[str, Any]],
) -> Community:
    places, arrivals, talk = gathered.places, gathered.arrivals, gathered.conversations
    introduced = introductions.find_introductions(
        arrivals.messages,
        place_id=arrivals.place_id,
        writers=arrivals.writers,
        answered=arrivals.answered,
        marks=arrivals.marks,
    )
    quoted = [talk.messages[i] for h in told for i in h.message_ids if i in talk.messages]
    liked = [m for m in talk.with_links if _is_notable(m, gathered)]
    first_day = period.start.astimezone(ZoneInfo(period.timezone)).date()
    return Community(
        available=bool(gathered.covered or gathered.tallies or arrivals.stays),
        messages=sum(tally.messages for tally in gathered.tallies),
        authors=gathered.authors,
        channels=activity.by_channel(gathered.tallies, gathered.authors_by_channel, home=places.home, name=places.name),
        introductions=introduced,
        joins=joins.count_joins(
            arrivals.stays,
            period=period,
            introduced={person.user_id for person in introduced.people},
            available=arrivals.available,
            earlier=arrivals.earlier,
            unnamed=gathered.unnamed,
        ),
        external_contributors=contributors.external_contributors(
            items, {record.key: record.first_time for record in records}
        ),
        automated=contributors.automated(items),
        highlights=tuple(told),
        shared_links=links.shared_links(
            _once([*quoted, *liked]),
            repositories=settings.github.tracked,
            name_of=gathered.name_of,
            channel_name=places.name,
        ),
        events=events.coming_events(
            events.as_sources(
                [talk.messages[i] for i in talk.announcements if i in talk.messages], quoted, talk.of_moderators
            ),
            gathered.scheduled,
            period=period,
            name_of=gathered.name_of,
            creator_of=gathered.name_by_id,
        ),
        days=activity.by_day(gathered.tallies, arrivals.stays, period=period),
        earlier_days=activity.earlier_days(earlier, first_day),
    )


def _is_notable(message: Message, gathered: Gathered) -> bool:
    levels = gathered.conversations.levels
    bar = levels.some if message.previews else levels.many
    return message.reaction_count >= bar


def _once(messages: Iterable[Message]) -> list[Message]:
    return list({message.message_id: message for message in messages}.values())


def _quotable(gathered: Gathered) -> list[Message]:
    talk = gathered.conversations
    return _once([*talk.messages.values(), *talk.of_moderators, *talk.with_links, *gathered.arrivals.messages])
