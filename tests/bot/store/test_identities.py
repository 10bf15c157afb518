"""A member's GitHub login: claimed, confirmed once, contested, removed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import ConflictError, NotFoundError
from bot.store.engine import Store
from bot.store.identities import confirm_link, forget_user, link_of, links_in, member_of, remove_link, request_link

GUILD, ANNA, BEN, MODERATOR = 1191168914227200001, 1191168914227200002, 1191168914227200003, 9
AT = datetime(2030, 5, 6, tzinfo=UTC)


async def test_a_claim_is_in_force_once_it_is_confirmed(store: Store) -> None:
    async with store.write() as connection:
        await request_link(connection, GUILD, ANNA, "AnnaCodes", at=AT)
        assert await member_of(connection, GUILD, "annacodes") is None
        assert [link.user_id for link in await links_in(connection, GUILD, confirmed=False)] == [ANNA]
        await confirm_link(connection, GUILD, ANNA, by=MODERATOR, at=AT + timedelta(hours=1))
    async with store.read() as connection:
        link = await member_of(connection, GUILD, "ANNACODES")
        assert link is not None
        assert (link.user_id, link.login, link.confirmed_by) == (ANNA, "AnnaCodes", MODERATOR)
        assert await links_in(connection, GUILD) == [link]
        assert await links_in(connection, GUILD, confirmed=False) == []
        assert await member_of(connection, GUILD + 1, "annacodes") is None


async def test_asking_again_keeps_a_confirmation_and_another_login_needs_a_new_one(store: Store) -> None:
    async with store.write() as connection:
        await request_link(connection, GUILD, ANNA, "anna", at=AT)
        await confirm_link(connection, GUILD, ANNA, by=MODERATOR, at=AT)
        assert (await request_link(connection, GUILD, ANNA, "Anna", at=AT)).confirmed_at == AT
        assert (await request_link(connection, GUILD, ANNA, "other", at=AT)).confirmed_at is None
        assert await member_of(connection, GUILD, "anna") is None


async def test_one_login_belongs_to_one_member(store: Store) -> None:
    async with store.write() as connection:
        await request_link(connection, GUILD, ANNA, "anna", at=AT)
        await request_link(connection, GUILD, BEN, "ANNA", at=AT)
        await confirm_link(connection, GUILD, ANNA, by=MODERATOR, at=AT)
        with pytest.raises(ConflictError, match="another member"):
            await confirm_link(connection, GUILD, BEN, by=MODERATOR, at=AT)


async def test_a_link_can_be_removed(store: Store) -> None:
    async with store.write() as connection:
        await request_link(connection, GUILD, ANNA, "anna", at=AT)
        assert await remove_link(connection, GUILD, ANNA)
        assert not await remove_link(connection, GUILD, ANNA)
        assert await link_of(connection, GUILD, ANNA) is None
        with pytest.raises(NotFoundError, match="/github link"):
            await confirm_link(connection, GUILD, ANNA, by=MODERATOR, at=AT)


async def test_a_user_can_be_forgotten_everywhere(store: Store) -> None:
    async with store.write() as connection:
        for guild_id in (GUILD, GUILD + 1):
            await request_link(connection, guild_id, ANNA, "anna", at=AT)
            await request_link(connection, guild_id, BEN, "ben", at=AT)
        await forget_user(connection, ANNA)
        left = [await links_in(connection, guild_id, confirmed=False) for guild_id in (GUILD, GUILD + 1)]
    assert [[link.user_id for link in links] for links in left] == [[BEN], [BEN]]
