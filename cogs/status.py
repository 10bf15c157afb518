"""How it stands with a digest, in lines. Not a cog itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.model.publication import EditionStatus, MadeEdition, RunStatus
from bot.publish.review_message import counted
from cogs.wording import STATUS, days, moment

if TYPE_CHECKING:
    from bot.publish.service import Tokens
    from bot.services import Services

_GAPS = 5
_RUN = {
    RunStatus.DUE: "it comes next",
    RunStatus.CLAIMED: "it goes on",
    RunStatus.DONE: "done",
    RunStatus.SKIPPED: "left out",
    RunStatus.OFFERED: "missed",
}


async def status_lines(services: Services, guild_id: int) -> list[str]:
    """The next and the last digest, what is read and what is not, and what is wrong with what to do about it."""
    status = await services.publishing.status(guild_id)
    period = await services.desk.open_period(guild_id)
    reading = await services.desk.reading(guild_id, period)
    lines = []
    if status.schedule is None:
        lines.append("**Next digest**: none, since no channel is set for it. `/digest setup` begins.")
    elif status.schedule.paused_at is not None:
        lines.append(f"**Paused** since {moment(status.schedule.paused_at)}. `/digest resume` goes on.")
    else:
        due = status.schedule.run.due_at
        lines.append(f"**Next digest**: {moment(due)} ({moment(due, 'R')}), for {days(status.schedule.run.period)}.")
    if draft := status.draft:
        url = (await services.reviews.draft(draft.edition_id)).url
        stands = "in review" if draft.status is EditionStatus.DRAFT and url else STATUS[draft.status]
        lines.append(f"**Draft**: {draft.title}, {stands}{f': {url}' if url else '.'}")
    if edition := status.last_edition:
        at = f" {moment(edition.published_at)}" if edition.published_at else ""
        lines.append(f"**Last digest**: {edition.title}, {STATUS[edition.status]}{at}.")
    if run := status.last_run:
        told = run.error if run.error and run.status is not RunStatus.DONE else f"{_RUN[run.status]}."
        lines.append(f"**Last run**: due {moment(run.run.due_at, 'f')}, {told}")
    if status.offered:
        lines.append(f"**Missed**: {len(status.offered)}; `/digest publish` posts one of them.")
    since = f" since {moment(period.start)}" if period.start <= services.clock.now() else ""
    lines.append(f"**Read**: {counted(len(reading.channels), 'channel')}{since}.")
    if status.tokens is not None:
        lines.append(_told_tokens(status.tokens))
    if reading.unreadable:
        names = ", ".join(f"<#{channel.channel_id}>" for channel in reading.unreadable[:20])
        names += f" and {len(reading.unreadable) - 20} more" if reading.unreadable[20:] else ""
        needed = "View Channel and Read Message History"
        lines.append(f"⚠️ Not readable: {names}. Give the bot's role {needed} there, or exclude them.")
    for channel, start, end in reading.gaps[:_GAPS]:
        lines.append(
            f"⚠️ Not recorded: <#{channel.channel_id}>, {moment(start, 'f')} to {moment(end, 'f')}. `/backfill`"
        )
    if (more := len(reading.gaps) - _GAPS) > 0:
        lines.append(f"⚠️ {counted(more, 'more stretch', 'more stretches')} not recorded.")
    problems = dict.fromkeys([*status.problems, *await services.desk.missing(guild_id)])
    lines += [f"⚠️ {problem}" for problem in problems] or ["Nothing is wrong."]
    return lines


def _told_tokens(tokens: Tokens) -> str:
    if tokens.allowed is None:
        return (
            "⚠️ The setting `narrative.model` is on, but this bot has no language model, so digests do without. Whoever "
            "runs the bot can set one up; `/digest settings key:narrative.model value:no` says that none is wanted."
        )
    return (
        f"**Language model**: {tokens.used:,} tokens used since {moment(tokens.since, 'D')}; making the digest once "
        f"may use {tokens.allowed:,}."
    )


def figures(made: MadeEdition) -> list[str]:
    """An edition's numbers."""
    community = made.document["community"]
    messages, authors = counted(community["messages"], "message"), counted(community["authors"], "person", "people")
    lines = [f"{messages} by {authors}"]
    if community["joins"]["available"]:
        joined = counted(community["joins"]["count"], "new member")
        lines.append(f"{joined}, {counted(community['introductions']['count'], 'introduction')}")
    return lines
