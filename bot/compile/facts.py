"""The facts of an edition: raw text, each under the key by which sentences name what they rest on.

Keys: `owner/repo#number`, `owner/repo#number/comment/ID`, `message/ID`, `count/NAME`, `person/LOGIN`,
`contributor/LOGIN`, `automated/LOGIN`, `channel/ID`, `member/ID`, `link/N`, `event/N` (numbered from 1 in the
order of the community's lists), `section/KEY`, `joins`, `introductions`, `period`, `guild`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.compile.items import is_pull_request
from bot.model.edition import (
    Author,
    Community,
    Epic,
    ExternalContributor,
    Fact,
    Highlight,
    Item,
    Participant,
    Person,
    Section,
)
from bot.model.github import Comment
from bot.model.schedule import Period

_KINDS = {"pull_request": "Pull request", "issue": "Issue", "unknown": "Item"}


def facts_of(
    *, guild: str, period: Period, sections: Sequence[Section], community: Community, urls: Mapping[int, str]
) -> dict[str, Fact]:
    """Everything that a sentence of the edition may rest on. `urls` are the addresses of messages by id."""
    zone = ZoneInfo(period.timezone)
    facts: dict[str, Fact] = {"guild": Fact(text=guild), "period": Fact(text=_period(period, zone))}
    for section in sections:
        facts[f"section/{section.key}"] = Fact(text=_section(section))
        if section.epic:
            facts.update(_epic(section.epic, zone))
        for item in section.items:
            facts.update(_item(item, zone))
            facts.update(_people(item))
    for highlight in (*community.highlights, *(h for s in sections for h in s.highlights)):
        facts.update(_highlight(highlight, zone))
    facts.update(_community(community, urls))
    return facts


def _day(instant: datetime, zone: ZoneInfo) -> str:
    return instant.astimezone(zone).strftime("%Y-%m-%d")


def _period(period: Period, zone: ZoneInfo) -> str:
    return f"From {_day(period.start, zone)} to {_day(period.end, zone)} ({period.timezone}), the end excluded."


def _section(section: Section) -> str:
    pulls = [item for item in section.items if is_pull_request(item)]
    counts = {
        "items": len(section.items),
        "pull requests merged": sum("merged" in item.events for item in pulls),
        "pull requests opened": sum("opened" in item.events for item in pulls),
        "issues opened": sum("opened" in item.events for item in section.items if not is_pull_request(item)),
        "issues closed": sum("closed" in item.events for item in section.items if not is_pull_request(item)),
    }
    return "\n".join([section.title, *(f"{name}: {count}" for name, count in counts.items())])


def _who(person: Author | Person | Participant) -> str:
    return f"{person.name} ({person.login})" if person.name else person.login


def _item(item: Item, zone: ZoneInfo) -> dict[str, Fact]:
    lines = [item.title, f"{_KINDS.get(item.kind, 'Item')} {item.reference}", f"State: {item.state}"]
    lines.append(f"Author: {_who(item.author)}" if item.author else "Author: unknown, the account is gone")
    if item.author and item.author.external:
        lines.append("The author is an external contributor.")
    if item.credited:
        lines.append(f"On behalf of: {_who(item.credited)}")
    lines.extend(f"{person.role.capitalize()} by: {_who(person)}" for person in item.people)
    dates = (("Opened", item.created_at), ("Merged", item.merged_at), ("Closed", item.closed_at))
    lines.extend(f"{verb}: {_day(at, zone)}" for verb, at in dates if at and not (verb == "Closed" and item.merged_at))
    if item.events:
        lines.append(f"In this period: {', '.join(item.events)}")
    if item.labels:
        lines.append(f"Labels: {', '.join(item.labels)}")
    if item.closes:
        lines.append(f"Closes: {', '.join(item.closes)}")
    if item.parent:
        lines.append(f"Part of: {item.parent}")
    if item.continues:
        lines.append(f"An earlier edition told of it as {item.continues}.")
    facts = {item.reference: Fact(text="\n".join([*lines, "", item.body]).rstrip(), url=item.url)}
    facts.update(_comments(item.reference, item.comments, zone))
    return facts


def _comments(reference: str, comments: Sequence[Comment], zone: ZoneInfo) -> Iterator[tuple[str, Fact]]:
    for comment in comments:
        author = "unknown, the account is gone" if comment.author is None else comment.author.login
        if comment.author and comment.author.name:
            author = f"{comment.author.name} ({comment.author.login})"
        kind = "Review" if comment.is_review else "Comment"
        text = f"{kind} on {reference} by {author}, {_day(comment.created_at, zone)}"
        yield f"{reference}/comment/{comment.comment_id}", Fact(text=f"{text}\n\n{comment.body}", url=comment.url)


def _epic(epic: Epic, zone: ZoneInfo) -> dict[str, Fact]:
    facts = {epic.reference: Fact(text=f"{epic.title}\nEpic {epic.reference}\n\n{epic.body}".rstrip(), url=epic.url)}
    facts.update(_comments(epic.reference, epic.comments, zone))
    return facts


def _people(item: Item) -> Iterator[tuple[str, Fact]]:
    for person in (item.author, item.credited, *item.people):
        if person is not None:
            yield f"person/{person.login}", Fact(text=_who(person), url=f"https://github.com/{person.login}")


def _highlight(highlight: Highlight, zone: ZoneInfo) -> Iterator[tuple[str, Fact]]:
    for said in highlight.messages:
        text = f"{said.author} in #{highlight.channel}\n\n{said.text}"
        note = f"\n\nA moderator's note: {highlight.note}" if highlight.note else ""
        yield f"message/{said.message_id}", Fact(text=text + note, url=said.url)
    yield f"channel/{highlight.channel_id}", Fact(text=f"#{highlight.channel}")


def _community(community: Community, urls: Mapping[int, str]) -> Iterator[tuple[str, Fact]]:
    introductions, joins = community.introductions, community.joins
    counts = {
        "messages": community.messages,
        "authors": community.authors,
        "introductions": introductions.count,
        "external_contributors": len(community.external_contributors),
        "external_merged": sum(len(c.merged) for c in community.external_contributors),
        "external_open": sum(len(c.open) for c in community.external_contributors),
        "automated": sum(len(a.references) for a in community.automated),
        "shared_links": len(community.shared_links),
        "events": len(community.events),
    }
    if joins.available:
        counts |= {"joins": joins.count, "silent_joins": joins.silent, "left": joins.left, "rejoined": joins.rejoined}
        yield (
            "joins",
            Fact(
                text=f"{joins.count} people joined; {joins.silent} of them joined silently, without an introduction. "
                f"{joins.left} people left, {joins.rejoined} came back."
            ),
        )
    yield "introductions", Fact(text=f"{introductions.count} people introduced themselves.")
    for name, count in counts.items():
        yield f"count/{name}", Fact(text=str(count))
    for channel in community.channels:
        text = f"#{channel.name}: {channel.messages} messages by {channel.authors} people"
        yield f"channel/{channel.id}", Fact(text=text)
    for person in introductions.people:
        yield f"member/{person.user_id}", Fact(text=f"{person.name}\n\n{person.text}", url=person.url)
        for message_id in person.message_ids:
            yield f"message/{message_id}", Fact(text=f"{person.name}\n\n{person.text}", url=person.url)
    for contributor in community.external_contributors:
        yield f"contributor/{contributor.login}", Fact(text=_contributor(contributor))
    for bot in community.automated:
        text = f"{bot.login}: {len(bot.references)} automated changes: {', '.join(bot.references)}"
        yield f"automated/{bot.login}", Fact(text=text)
    for number, link in enumerate(community.shared_links, 1):
        text = f"{link.title or link.url}\n{link.url}\nshared by {link.author} in #{link.channel}"
        yield f"link/{number}", Fact(text=text, url=link.url)
    for number, event in enumerate(community.events, 1):
        by = f"\nannounced by {event.announced_by}" if event.announced_by else ""
        url = urls.get(event.message_id) if event.message_id else None
        yield f"event/{number}", Fact(text=f"{event.what}\nOn {event.date.isoformat()}{by}", url=url)


def _contributor(contributor: ExternalContributor) -> str:
    shown = f"{contributor.name} ({contributor.login})" if contributor.name else contributor.login
    lines = [f"External contributor {shown}"]
    for state in ("merged", "open", "closed"):
        references: tuple[str, ...] = getattr(contributor, state)
        if references:
            lines.append(f"{state}: {len(references)}: {', '.join(references)}")
    if contributor.first_time:
        lines.append("First-time contributor.")
    return "\n".join(lines)
