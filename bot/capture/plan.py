"""What has to be read back: the holes in what is known of each channel, and what an outage made doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.capture.guild_events import OVERLAP
from bot.capture.guild_state import GuildState
from bot.capture.metrics import GAPS
from bot.model.guilds import Channel
from bot.model.snowflakes import first_id_at, time_of
from bot.model.stretches import Stretch, merged, missing
from bot.store import coverage, messages
from bot.store.engine import Connection


@dataclass(frozen=True, slots=True)
class ToRead:
    """Stretches of a channel to be fetched."""

    channel: Channel
    stretches: tuple[Stretch, ...]


async def plan_reading(
    connection: Connection, state: GuildState, *, now: datetime, horizon: datetime, open_since: datetime
) -> list[ToRead]:
    """What is to be read of each recorded channel between `horizon` and `now`, with the gaps that are found noted.

    Where there was an outage and something is stored of the open period (since `open_since`), all of it up to the
    outage's end is read again. A channel where nothing was said meanwhile is known without being read.
    """
    tasks = []
    known = await coverage.coverage_of(connection, state.guild.guild_id)
    live = await _live(connection, state)
    gaps: list[coverage.Gap] = []
    for channel in state.spoken_in():
        covered = known.get(channel.channel_id, [])
        start = max(horizon, time_of(channel.channel_id))
        holes = missing(covered, start, live.get(channel.channel_id, now))
        if not holes:
            continue
        outages = [hole for hole in holes if covered and covered[0][0] < hole[0]]
        gaps += [_gap(state, channel, outage) for outage in outages]
        stretches = holes
        if outages and await messages.visible_ids(
            connection, channel.channel_id, first_id_at(open_since), first_id_at(outages[-1][0]), limit=1
        ):
            stretches = merged([*stretches, (max(open_since, start), outages[-1][1])])
        elif state.was_silent(channel.channel_id, holes[0][0] - OVERLAP, holes[-1][1]):
            for begins, ends in holes:
                await coverage.add_coverage(connection, state.guild.guild_id, channel.channel_id, begins, ends)
            stretches = []
        tasks.append(ToRead(channel, tuple(merged(stretches))))
    await coverage.note_gaps(connection, gaps)
    GAPS.inc(len(gaps))
    return tasks


async def _live(connection: Connection, state: GuildState) -> dict[int, datetime]:
    """Since when each channel is being recorded; what is said from then on is stored or on its way."""
    if not state.connected:
        return {}
    return await coverage.live_since(connection, state.shard_id, state.guild.guild_id)


def _gap(state: GuildState, channel: Channel, hole: Stretch) -> coverage.Gap:
    return coverage.Gap(
        guild_id=state.guild.guild_id,
        channel_id=channel.channel_id,
        start=hole[0],
        end=hole[1],
        reason="not connected",
    )
