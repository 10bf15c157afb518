"""Who reads the digest may read its sources: a channel that some of them cannot see is left out."""

from __future__ import annotations

from bot.model.guilds import CONNECT, VIEW_CHANNEL, Channel, ChannelType, Overwrite, Role, audience_can_read

GUILD, TEAM, MOD = 1, 2, 3
ROLES = {
    GUILD: Role(role_id=GUILD, guild_id=GUILD, name="@everyone", permissions=VIEW_CHANNEL),
    TEAM: Role(role_id=TEAM, guild_id=GUILD, name="team", permissions=0),
    MOD: Role(role_id=MOD, guild_id=GUILD, name="moderator", permissions=1 << 3),
}


def channel(
    channel_id: int, *overwrites: Overwrite, kind: int = ChannelType.TEXT, parent: int | None = None
) -> Channel:
    return Channel(
        channel_id=channel_id, guild_id=GUILD, name=f"c{channel_id}", channel_type=kind, parent_id=parent,
        overwrites=overwrites,
    )  # fmt: skip


def hidden_from_all_but(role_id: int) -> tuple[Overwrite, Overwrite]:
    return Overwrite(GUILD, True, 0, VIEW_CHANNEL), Overwrite(role_id, True, VIEW_CHANNEL, 0)


def readable(publish: Channel, other: Channel, *more: Channel) -> bool:
    return audience_can_read(publish, other, roles=ROLES, channels={c.channel_id: c for c in (publish, other, *more)})


def test_open_channels_are_read_by_everyone() -> None:
    assert readable(channel(10), channel(11))


def test_a_team_channel_is_kept_out_of_an_open_digest() -> None:
    assert not readable(channel(10), channel(11, *hidden_from_all_but(TEAM)))


def test_a_team_digest_may_tell_of_team_channels_and_open_ones() -> None:
    publish = channel(10, *hidden_from_all_but(TEAM))
    assert readable(publish, channel(11, *hidden_from_all_but(TEAM)))
    assert readable(publish, channel(12))


def test_a_channel_closed_to_one_role_is_closed_to_part_of_the_audience() -> None:
    assert not readable(channel(10), channel(11, Overwrite(TEAM, True, 0, VIEW_CHANNEL)))


def test_a_channel_whose_readers_include_single_members_is_no_wider_than_everyone() -> None:
    publish = channel(10, Overwrite(GUILD, True, 0, VIEW_CHANNEL), Overwrite(99, False, VIEW_CHANNEL, 0))
    assert not readable(publish, channel(11, *hidden_from_all_but(TEAM)))


def test_a_thread_is_read_by_its_parents_readers_and_a_private_one_by_nobody() -> None:
    closed = channel(11, *hidden_from_all_but(TEAM))
    assert readable(channel(10), channel(21, kind=ChannelType.PUBLIC_THREAD, parent=12), channel(12))
    assert not readable(channel(10), channel(21, kind=ChannelType.PUBLIC_THREAD, parent=11), closed)
    assert not readable(channel(10), channel(21, kind=ChannelType.PRIVATE_THREAD, parent=12), channel(12))


def test_a_thread_whose_parent_is_unknown_is_not_read() -> None:
    assert not readable(channel(10), channel(21, kind=ChannelType.PUBLIC_THREAD, parent=77))


def test_the_chat_of_a_voice_channel_is_read_by_who_may_connect() -> None:
    lounge = channel(11, Overwrite(GUILD, True, CONNECT, 0), kind=ChannelType.VOICE)
    locked = channel(12, Overwrite(GUILD, True, 0, CONNECT), kind=ChannelType.STAGE)
    assert readable(channel(10), lounge)
    assert not readable(channel(10), locked)
