"""Items, links and people on both databases: what goes in comes out, and the right ones come for a period."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.model.github import (
    Account,
    Comment,
    EventKind,
    GitHubItem,
    ItemEvent,
    ItemKind,
    ItemState,
    Repository,
)
from bot.model.schedule import Period
from bot.store import github
from bot.store.engine import Store
from bot.store.responses import Response, forget_responses, recall_response, remember_response

START = datetime(2030, 5, 6, tzinfo=UTC)
WEEK = Period(START, START + timedelta(days=7))
NOW = START + timedelta(days=8)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def make(number: int, kind: ItemKind = ItemKind.ISSUE, created: float = 1.0, **fields: Any) -> GitHubItem:
    repository = fields.pop("repository", "Acme/Anvil")
    defaults = {
        "title": f"Number {number}",
        "url": f"https://github.com/{repository}/issues/{number}",
        "author": Account(login="wile", name="Wile E.", association="MEMBER"),
        "updated_at": day(created),
        "state": ItemState.OPEN,
    }
    return GitHubItem(reference=f"{repository}#{number}", kind=kind, created_at=day(created), **(defaults | fields))


def comment(comment_id: int, at: float) -> Comment:
    return Comment(comment_id=comment_id, author=None, created_at=day(at), body="b", url="u")


async def keep(store: Store, *items: GitHubItem, **options: Any) -> None:
    async with store.write() as connection:
        for name in {item.repository for item in items}:
            await github.store_repository(connection, name, Repository(name))
        await github.store_items(connection, items, at=NOW, **options)


async def between(store: Store, *repositories: str) -> list[int]:
    async with store.read() as connection:
        found = await github.items_between(connection, repositories or ("acme/anvil",), WEEK)
    return [item.number for item in found]


async def test_an_item_comes_back_as_it_went_in(store: Store) -> None:
    rudi = Account(login="rudi", name="Rüdi", bot=False, association="NONE")
    item = make(
        2_000_000_000_000,
        ItemKind.PULL_REQUEST,
        state=ItemState.MERGED,
        body="Text\n\n😀",
        merged_at=day(2),
        closed_at=day(2),
        merged_by=rudi,
        closed_by=Account(login="x[bot]", bot=True),
        labels=("a", "b"),
        closes=("acme/anvil#3",),
        comments=(replace(comment(9_007_199_254_740_993, 2), author=rudi, is_review=True),),
        events=(ItemEvent(kind=EventKind.MERGED, at=day(2), actor=rudi),),
        first_time=True,
        draft=True,
    )
    await keep(store, item)
    async with store.read() as connection:
        assert await github.item(connection, "ACME/anvil#2000000000000") == replace(item, fetched_at=NOW)
        assert (await github.people(connection, ["RUDI", "x[bot]", "nobody"])).keys() == {"rudi", "x[bot]"}


async def test_a_period_holds_what_was_touched_in_it_and_what_that_hangs_on(store: Store) -> None:
    old = {"created": -90.0, "updated_at": day(-60)}
    await keep(
        store,
        make(1, **old, labels=("epic",)),
        make(2, **old, parent="acme/anvil#1"),
        make(3, parent="Acme/anvil#2"),
        make(4, ItemKind.PULL_REQUEST, body="Part of #5"),
        make(5, **old),
        make(6, **old, body="- [ ] #3\n- [ ] #7"),
        make(7, **old),
        make(8, ItemKind.PULL_REQUEST, **old, closes=("acme/anvil#3",)),
        make(9, ItemKind.PULL_REQUEST, closes=("acme/anvil#10",)),
        make(10, **old),
        make(11, **old),
        make(12, created=7.5),
        make(13, created=-5, updated_at=day(9), comments=(comment(1, 3),)),
        make(14, created=-5, updated_at=day(9)),
        make(15, parent="acme/other#1"),
        make(1, **old, repository="acme/other"),
    )
    assert await between(store) == [1, 2, 3, 4, 5, 6, 8, 9, 10, 13, 15]
    async with store.read() as connection:
        mentioned = await github.items_between(
            connection, ["acme/anvil"], WEEK, mentioned=["Acme/Anvil#7", "acme/other#1"]
        )
    assert [item.number for item in mentioned] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 15]
    assert await between(store, "acme/anvil", "acme/other") == [1, 2, 3, 4, 5, 6, 8, 9, 10, 13, 15, 1]
    assert await between(store, "acme/unheard-of") == []


async def test_what_is_told_again_joins_what_was_known(store: Store) -> None:
    newcomer = make(1, ItemKind.PULL_REQUEST, first_time=True, comments=(comment(1, 1), comment(2, 3)))
    closed = ItemEvent(kind=EventKind.CLOSED, at=day(2))
    await keep(store, replace(newcomer, events=(closed,)))
    reopened = ItemEvent(kind=EventKind.REOPENED, at=day(4))
    again = replace(newcomer, first_time=None, title="New", comments=(comment(3, 4),), events=(reopened,))
    await keep(store, again, comments_since=day(2))
    async with store.read() as connection:
        found = await github.item(connection, "acme/anvil#1")
    assert found is not None
    assert (found.title, found.first_time) == ("New", True)
    assert [c.comment_id for c in found.comments] == [1, 3]
    assert found.events == (closed, reopened)


async def test_a_display_name_once_known_is_kept(store: Store) -> None:
    await keep(store, make(1))
    await keep(store, make(2, author=Account(login="Wile")))
    async with store.read() as connection:
        assert (await github.people(connection, ["wile"]))["wile"].name == "Wile E."


async def test_what_was_removed_is_left_out_until_it_is_seen_again(store: Store) -> None:
    await keep(store, make(1), make(2))
    async with store.write() as connection:
        await github.mark_removed(connection, ["Acme/Anvil#1", "acme/anvil#404"])
    assert await between(store) == [2]
    await keep(store, make(1))
    assert await between(store) == [1, 2]


async def test_an_item_is_private_as_its_repository_is_now(store: Store) -> None:
    await keep(store, make(1))
    async with store.write() as connection:
        await github.store_repository(connection, "acme/anvil", Repository("Acme/Anvil", private=True))
    async with store.read() as connection:
        found = await github.item(connection, "acme/anvil#1")
    assert found is not None
    assert found.private


async def test_a_renamed_repository_answers_to_both_names(store: Store) -> None:
    await keep(store, make(1))
    async with store.write() as connection:
        await github.store_repository(connection, "oldco/anvil", Repository("Acme/Anvil"))
    async with store.read() as connection:
        found = await github.items_by_reference(connection, ["OldCo/Anvil#1", "acme/anvil#1", "oldco/anvil#2"])
    assert {key: item.reference for key, item in found.items()} == {
        "oldco/anvil#1": "Acme/Anvil#1",
        "acme/anvil#1": "Acme/Anvil#1",
    }
    assert await between(store, "oldco/anvil", "acme/anvil") == [1]


async def test_a_stretch_is_kept_with_its_repository(store: Store) -> None:
    async with store.write() as connection:
        assert await github.sync_state(connection, "acme/anvil") is None
        await github.store_repository(connection, "acme/anvil", Repository("Acme/Anvil"))
        await github.store_stretch(connection, ["Acme/anvil"], (day(0), day(7)))
        await github.store_repository(connection, "acme/anvil", Repository("Acme/Anvil", private=True))
        await github.store_problem(connection, "acme/anvil", "GitHub is down.")
    async with store.read() as connection:
        state = await github.sync_state(connection, "ACME/anvil")
    assert state is not None
    assert (state.stretch, state.repository.private, state.problem) == ((day(0), day(7)), True, "GitHub is down.")


async def test_many_items_at_once(store: Store) -> None:
    await keep(store, *(make(number, body=f"Fixes #{number + 1}") for number in range(1, 2501)))
    assert len(await between(store)) == 2500


async def test_answers_are_remembered_and_forgotten(store: Store) -> None:
    async with store.write() as connection:
        await remember_response(connection, Response(url="u", etag="1", body="old"), at=day(0))
        await remember_response(connection, Response(url="u", etag="2", body="new", link="next"), at=day(1))
        await remember_response(connection, Response(url="v", etag="3", body="x"), at=day(5))
        await forget_responses(connection, before=day(3))
    async with store.read() as connection:
        assert await recall_response(connection, "u") is None
        assert await recall_response(connection, "v") == Response(url="v", etag="3", body="x")
