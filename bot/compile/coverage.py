"""What was read of the period, and what was not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.model.edition import Coverage, CoverageGap
from bot.model.guilds import Channel, ChannelType
from bot.store.coverage import Gap


def coverage_of(
    *,
    channels: Mapping[int, Channel],
    told: Collection[int],
    covered: Collection[int],
    heard: Collection[int],
    gaps: Sequence[Gap],
    github: str,
    notes: Sequence[str] = (),
) -> Coverage:
    """Coverage of the channels that the edition tells of; threads go with their channel.

    `covered` are channels of which some stretch of the period was read, `heard` those with messages.
    """
    wanted = [
        channel
        for channel_id in sorted(told)
        if (channel := channels.get(channel_id)) is not None
        and not channel.is_thread
        and channel.channel_type != ChannelType.CATEGORY
        and channel.deleted_at is None
    ]
    unreadable = [channel for channel in wanted if channel.unreadable]
    read = [c for c in wanted if not c.unreadable and (c.channel_id in covered or c.channel_id in heard)]
    return Coverage(
        channels_read=len(read),
        channels_unreadable=tuple(channel.name for channel in unreadable),
        gaps=tuple(
            CoverageGap(channel_id=gap.channel_id, start=gap.start, end=gap.end, recovered=gap.recovered_at is not None)
            for gap in gaps
            if gap.channel_id in told
        ),
        github=github,
        notes=tuple(notes),
    )
