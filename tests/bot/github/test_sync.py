"""A sync with GitHub: what it brings, what it costs, and what it says where GitHub does not give everything."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.github.sync import SyncReport, sync
from bot.model.github import GitHubItem, ItemKind, ItemState, epic_of, events_between, state_at
from bot.model.schedule import Period
from bot.replay.github_server import Fault
from bot.store.engine import Store
from bot.store.github import item, items_between, people

# The period and the repository of the recordings that `recorded` builds.
PERIOD = Period(datetime(2030, 5, 6, tzinfo=UTC), datetime(2030, 5, 13, tzinfo=UTC))
NEXT = Period(PERIOD.end, PERIOD.end + timedelta(days=7))
ANVIL = "acme/anvil"


class Syncing:
    """Syncs a store with a local GitHub, again and again."""

    def __init__(self, client: Any, store: Store, clock: Any) -> None:
        self.client, self.store, self.clock = client, store, clock

    async def __call__(
        self, *, repositories: Sequence[str] = (ANVIL,), period: Period = PERIOD, **options: Any
    ) -> SyncReport:
        return await sync(
            self.client, self.store, repositories=repositories, period=period, clock=self.clock, **options
        )

    async def items(self, *, repositories: Sequence[str] = (ANVIL,), period: Period = PERIOD) -> dict[int, GitHubItem]:
        async with self.store.read() as connection:
            return {item.number: item for item in await items_between(connection, repositories, period)}

    async def item(self, reference: str) -> GitHubItem | None:
        async with self.store.read() as connection:
            return await item(connection, reference)


@pytest.fixture
def begin(github, sqlite_store, leaping):
    async def start(recorded, **options):
        server, client = await github(recorded, **options)
        return server, Syncing(client, sqlite_store, leaping)

    return start


BOTH_APIS = pytest.mark.parametrize("token", ["s3cret", None], ids=["graphql", "rest"])


@BOTH_APIS
async def test_each_number_is_what_it_is(begin, recorded, token) -> None:
    recorded.pull(12, created=-30)
    recorded.issue(13, created=-30)
    _, syncing = await begin(recorded, token=token)
    report = await syncing(references=["acme/anvil#12", "Acme/Anvil#13", "acme/anvil#14"])
    assert (await syncing.item("acme/anvil#12")).kind is ItemKind.PULL_REQUEST
    assert (await syncing.item("acme/anvil#13")).kind is ItemKind.ISSUE
    assert await syncing.item("acme/anvil#14") is None
    assert any("acme/anvil#14" in note for note in report.notes)


@BOTH_APIS
async def test_gone_accounts_and_bots_are_told_as_such(begin, recorded, token) -> None:
    recorded.issue(1, login=None)
    recorded.pull(2, login="dependabot[bot]", merged=2)
    recorded.comment(9_000_000_001, 1, 2, login=None)
    _, syncing = await begin(recorded, token=token)
    await syncing()
    found = await syncing.items()
    assert found[1].author is None
    assert [comment.author for comment in found[1].comments] == [None]
    assert [comment.comment_id for comment in found[1].comments] == [9_000_000_001]
    assert found[2].author is not None
    assert (found[2].author.login, found[2].author.bot) == ("dependabot[bot]", True)


@BOTH_APIS
async def test_a_moved_repository_carries_its_present_name(begin, recorded, token) -> None:
    recorded.document["renamed_repositories"] = {"Oldco/Anvil": ANVIL}
    recorded.pull(1, merged=2)
    recorded.issue(2, created=-30)
    _, syncing = await begin(recorded, token=token)
    report = await syncing(repositories=["oldco/anvil"], references=["oldco/anvil#2"])
    assert report.notes == (() if token else report.notes)
    found = await syncing.items(repositories=["oldco/anvil"])
    assert found[1].reference == "acme/anvil#1"
    assert (await syncing.item("OldCo/anvil#2")).reference == "acme/anvil#2"


@BOTH_APIS
async def test_a_repository_that_moves_between_two_syncs_keeps_its_items(begin, recorded, token) -> None:
    recorded.issue(1)
    recorded.pull(2, body="Fixes #1", merged=3)
    server, syncing = await begin(recorded, token=token)
    await syncing()
    server.recording.renamed["acme/anvil"] = "acme/hammer"
    server.recording.add_repository("acme/hammer")
    server.recording._items["acme/hammer"] = server.recording._items.pop("acme/anvil")
    for moved in server.recording.items("acme/hammer"):
        moved.repository = "acme/hammer"
    await syncing()
    assert {i.reference for i in (await syncing.items()).values()} == {"acme/hammer#1", "acme/hammer#2"}
    assert (await syncing.item("acme/anvil#2")).closes == ("acme/hammer#1",)


@BOTH_APIS
async def test_a_removed_issue_is_left_out_with_a_note(begin, recorded, token) -> None:
    recorded.issue(1, created=-30)
    recorded.issue(2)
    server, syncing = await begin(recorded, token=token)
    server.remove(ANVIL, 1)
    report = await syncing(references=["acme/anvil#1", "acme/anvil#2"])
    assert await syncing.item("acme/anvil#1") is None
    assert list(await syncing.items()) == [2]
    assert [note for note in report.notes if "#1" in note] == [
        "No pull request or issue (any more), and left out: acme/anvil#1."
    ]


async def test_what_was_removed_between_two_syncs_of_a_week_is_left_out(begin, recorded) -> None:
    for number in range(1, 301):
        recorded.issue(number, created=1)
    recorded.document["items"][8]["created_at"] = recorded.at(-3)
    server, syncing = await begin(recorded)
    await syncing()
    server.remove(ANVIL, 7)
    before = len(server.seen)
    assert (await syncing()).status == "complete"
    assert set(await syncing.items()) == set(range(1, 301)) - {7}
    assert len(server.seen) - before <= 7


async def test_a_week_of_a_thousand_items_costs_few_requests(begin, recorded) -> None:
    for number in range(1, 1001):
        made = recorded.pull if number % 3 else recorded.issue
        made(number, login=f"person{number % 90}", created=6 * number / 1001)
    for number in range(1, 301):
        recorded.comment(number, number, 5)
    recorded.issue(1001, created=-90, updated=-80, labels=["epic"], body="- [ ] #3")
    server, syncing = await begin(recorded)
    report = await syncing(references=[f"acme/anvil#{number}" for number in range(1, 400)])
    assert (report.status, report.notes) == ("complete", ())
    found = await syncing.items()
    assert len(found) == 1001
    assert found[500].author is not None
    assert found[500].author.name == "Person50"
    assert len(server.seen) <= 14


async def test_fifteen_hundred_items_all_come(begin, recorded) -> None:
    for number in range(1, 1501):
        recorded.issue(number)
    _, syncing = await begin(recorded)
    assert (await syncing()).status == "complete"
    assert len(await syncing.items()) == 1500


async def test_a_second_sync_fetches_what_changed_and_nothing_else(begin, recorded) -> None:
    for number in range(1, 401):
        recorded.pull(number, created=1 + number / 100, merged=6 if number % 2 else None)
    server, syncing = await begin(recorded)
    await syncing()
    first = len(server.seen)
    changed = server.recording.item(ANVIL, 4)
    changed.fields.update(title="Now this", updated_at=recorded.at(7.5))
    syncing.clock.set(NEXT.end)
    report = await syncing(period=NEXT, references=["acme/anvil#9", "acme/anvil#4"])
    assert report.status == "complete"
    assert len(server.seen) - first <= 4
    assert (await syncing.item("acme/anvil#4")).title == "Now this"
    assert list(await syncing.items(period=NEXT)) == [4]


async def test_after_weeks_without_a_sync_nothing_stale_is_told(begin, recorded) -> None:
    old = recorded.issue(1)
    server, syncing = await begin(recorded)
    await syncing()
    server.recording.item(ANVIL, 1)
    old.update(state="closed", closed_at=recorded.at(20), updated_at=recorded.at(20))
    later = Period(PERIOD.start + timedelta(days=70), PERIOD.start + timedelta(days=77))
    syncing.clock.set(later.end)
    await syncing(period=later, references=["acme/anvil#1"])
    assert (await syncing.item("acme/anvil#1")).state is ItemState.CLOSED


@BOTH_APIS
async def test_every_comment_of_the_period_comes_however_many(begin, recorded, token) -> None:
    recorded.issue(1, created=-30, updated=6.5)
    for number in range(350):
        recorded.comment(number + 1, 1, -20 + number * 26 / 350)
    _, syncing = await begin(recorded, token=token)
    await syncing()
    stored = (await syncing.items())[1].comments
    within = [comment for comment in stored if comment.created_at in PERIOD]
    expected = [c for c in recorded.document["comments"] if datetime.fromisoformat(c["created_at"]) in PERIOD]
    assert [comment.comment_id for comment in within] == [c["id"] for c in expected]
    assert len(within) > 60


@BOTH_APIS
async def test_what_happens_after_the_period_does_not_show(begin, recorded, token) -> None:
    recorded.document["fetched_at"] = recorded.at(30)
    recorded.pull(1, merged=9)
    recorded.issue(2, closed=8)
    recorded.issue(3, closed=2, updated=12)
    recorded.event(3, "closed", 2)
    recorded.issue(4, updated=12)
    recorded.event(4, "closed", 3)
    recorded.event(4, "reopened", 10)
    recorded.pull(5, created=8)
    recorded.comment(1, 2, 9)
    _, syncing = await begin(recorded, token=token)
    syncing.clock.set(PERIOD.end + timedelta(days=30))
    await syncing()
    found = await syncing.items()
    assert {number: state_at(item, PERIOD.end).value for number, item in found.items()} == {
        1: "open",
        2: "open",
        3: "closed",
        4: "closed",
    }
    assert {number: events_between(item, PERIOD) for number, item in found.items()} == {
        1: ("opened",),
        2: ("opened",),
        3: ("opened", "closed"),
        4: ("opened", "closed"),
    }


@BOTH_APIS
async def test_parts_beside_authorship_are_kept(begin, recorded, token) -> None:
    recorded.pull(1, merged=2, merged_by={"login": "boss", "type": "User"})
    recorded.issue(2, closed=3, closed_by={"login": "closer", "type": "User"})
    recorded.comment(1, 2, 2, login="talker")
    _, syncing = await begin(recorded, token=token)
    await syncing()
    found = await syncing.items()
    assert found[1].merged_by is not None
    assert found[2].closed_by is not None
    assert found[1].merged_by.login == "boss"
    assert found[2].closed_by.login == "closer"
    assert [c.author.login for c in found[2].comments if c.author] == ["talker"]


async def test_reviews_and_display_names_come_with_the_items(begin, recorded) -> None:
    recorded.pull(1)
    recorded.document["people"] = [{"login": "rev", "name": "Rev Iewer"}]
    recorded.document["reviews"] = [
        {"repo": ANVIL, "number": 1, "id": 5, "user": {"login": "rev"}, "submitted_at": recorded.at(2), "body": "ok"}
    ]
    server, syncing = await begin(recorded)
    await syncing()
    review = (await syncing.items())[1].comments[0]
    assert (review.is_review, review.author.login, review.author.name) == (True, "rev", "Rev Iewer")
    async with syncing.store.read() as connection:
        assert (await people(connection, ["REV"]))["rev"].name == "Rev Iewer"
    assert not [seen for seen in server.seen if "/users/" in seen.path]


async def test_an_epic_far_up_is_fetched_and_found(begin, recorded) -> None:
    recorded.issue(1, created=-90, updated=-60, labels=["Epic"], title="The great work")
    recorded.issue(2, created=-90, updated=-60, parent=1)
    recorded.issue(3, created=-90, updated=-60, parent=2)
    recorded.pull(4, body="Fixes #3")
    recorded.pull(5, body="Part of #2")
    recorded.issue(6, created=-90, updated=-60, labels=["epic"], closed=-50, body="- [x] #7\n- [ ] #8")
    recorded.issue(7, parent=None)
    _, syncing = await begin(recorded)
    await syncing(references=["acme/anvil#6"])
    found = await syncing.items()
    epics = {number: epic_of(item, found.values()) for number, item in found.items()}
    assert epics == {1: None, 2: "acme/anvil#1", 3: "acme/anvil#1", 4: "acme/anvil#1", 5: "acme/anvil#1"} | {
        6: None,
        7: "acme/anvil#6",
    }


@BOTH_APIS
async def test_epics_are_found_by_whatever_their_label_is_called(begin, recorded, token) -> None:
    recorded.issue(1, created=-90, updated=-60, labels=["Groß & wichtig/epic?"], body="- [ ] #2")
    recorded.issue(2)
    _, syncing = await begin(recorded, token=token)
    await syncing(epic_labels=["groß & wichtig/epic?"])
    found = await syncing.items()
    assert epic_of(found[2], found.values(), epic_labels=["groß & wichtig/epic?"]) == "acme/anvil#1"


async def test_a_newcomer_stays_one_after_the_merge(begin, recorded) -> None:
    recorded.pull(1, author_association="FIRST_TIME_CONTRIBUTOR")
    recorded.pull(2, author_association="CONTRIBUTOR")
    recorded.pull(3, author_association="CONTRIBUTOR", merged=2)
    recorded.pull(4, author_association="FIRST_TIMER")
    server, syncing = await begin(recorded)
    await syncing()
    server.recording.item(ANVIL, 1).fields.update(
        author_association="CONTRIBUTOR", merged=True, state="closed", merged_at=recorded.at(7.2)
    )
    server.recording.item(ANVIL, 1).fields["updated_at"] = recorded.at(7.9)
    syncing.clock.set(NEXT.end)
    await syncing(period=NEXT)
    stored = [(await syncing.item(f"acme/anvil#{number}")).first_time for number in (1, 2, 3, 4)]
    assert stored == [True, False, None, True]


async def test_a_private_repositorys_items_are_marked(begin, recorded) -> None:
    recorded.issue(1)
    recorded.issue(2, repo="acme/vault")
    server, syncing = await begin(recorded)
    server.recording.add_repository("acme/vault", private=True)
    await syncing(repositories=[ANVIL, "acme/vault"])
    found = await syncing.items(repositories=[ANVIL, "acme/vault"])
    assert {number: item.private for number, item in found.items()} == {1: False, 2: True}
    server.recording.add_repository("acme/vault", private=False)
    await syncing(repositories=["acme/vault"])
    assert (await syncing.item("acme/vault#2")).private is False


async def test_no_note_names_a_private_repository(begin, recorded) -> None:
    recorded.issue(1, repo="acme/vault")
    server, syncing = await begin(recorded)
    server.recording.add_repository("acme/vault", private=True)
    report = await syncing(repositories=["Acme/Vault"], references=["acme/vault#77", "acme/anvil#3"])
    assert report.notes == ("No pull request or issue (any more), and left out: a private repository.",)
    server.faults.append(Fault(status=200, body='{"data": {"repository": null}}', times=9))
    report = await syncing(repositories=["acme/vault"])
    assert report.notes == ("GitHub did not answer for a private repository.",)


async def test_nothing_of_a_repository_that_the_guild_does_not_track_comes_along(begin, recorded) -> None:
    recorded.issue(1, repo="acme/vault", labels=["epic"])
    recorded.issue(2, parent="acme/vault#1")
    recorded.pull(3, body="Fixes acme/vault#1\nPart of acme/vault#1")
    _, syncing = await begin(recorded)
    await syncing(repositories=[ANVIL, "acme/vault"])
    assert {item.repository for item in (await syncing.items()).values()} == {ANVIL}


async def test_a_repository_that_is_not_there_does_not_harm_the_others(begin, recorded) -> None:
    recorded.issue(1)
    _, syncing = await begin(recorded)
    report = await syncing(repositories=["acme/nothing", ANVIL])
    assert report.status == "partial"
    assert any("acme/nothing" in note for note in report.notes)
    assert list(await syncing.items()) == [1]


async def test_github_down_is_unavailable_and_what_is_stored_stays(begin, recorded) -> None:
    recorded.issue(1)
    server, syncing = await begin(recorded)
    await syncing()
    server.faults.append(Fault(status=503, times=1000))
    report = await syncing()
    assert report.status == "unavailable"
    assert report.notes == ("GitHub answers with 503.",)
    assert list(await syncing.items()) == [1]


async def test_a_limit_that_lasts_ends_the_sync_in_time_with_what_it_has(begin, recorded) -> None:
    for number in range(1, 151):
        recorded.issue(number)
    server, syncing = await begin(recorded)
    server.faults.append(Fault(status=403, body="rate limit", content_type="text/plain", times=1000, after=2))
    began = syncing.clock.now()
    report = await syncing(repositories=[ANVIL, "acme/other"])
    assert report.status == "unavailable"
    assert "limit on requests" in report.notes[0]
    assert syncing.clock.now() - began <= timedelta(minutes=10)
    assert len(await syncing.items()) == 100
    server.faults.clear()
    assert (await syncing()).status == "complete"
    assert len(await syncing.items()) == 150


async def test_a_query_that_is_too_much_is_asked_for_in_smaller_pieces(begin, recorded) -> None:
    for number in range(1, 121):
        recorded.pull(number)
    server, syncing = await begin(recorded)
    server.largest_graphql_page = 25
    assert (await syncing()).status == "complete"
    assert len(await syncing.items()) == 120


async def test_a_passing_hole_in_an_answer_is_filled(begin, recorded) -> None:
    recorded.pull(1)
    recorded.pull(2)
    server, syncing = await begin(recorded)
    server.refused[2] = 2
    assert (await syncing()).status == "complete"
    assert list(await syncing.items()) == [1, 2]


async def test_a_lasting_hole_is_told_and_tried_again_next_time(begin, recorded) -> None:
    for number in range(1, 31):
        recorded.pull(number)
    recorded.issue(40, created=-30)
    server, syncing = await begin(recorded)
    server.refused.update({7: 10_000, 40: 10_000})
    report = await syncing(references=["acme/anvil#40"])
    assert report.status == "partial"
    assert report.notes == (
        "GitHub did not answer for 1 of the items of acme/anvil.",
        "GitHub did not answer for acme/anvil#40.",
    )
    assert len(await syncing.items()) == 29
    server.refused.clear()
    syncing.clock.set(syncing.clock.now() + timedelta(days=1))
    assert (await syncing(references=["acme/anvil#40"])).status == "complete"
    assert 7 in await syncing.items()
    assert await syncing.item("acme/anvil#40") is not None


async def test_without_a_token_the_public_budget_suffices_and_the_lack_is_told(begin, recorded) -> None:
    for number in range(1, 251):
        recorded.pull(number, merged=3)
    server, syncing = await begin(recorded, token=None)
    report = await syncing(references=["acme/anvil#1"])
    assert report.status == "partial"
    assert "No GitHub token is set" in report.notes[0]
    assert len(await syncing.items()) == 250
    assert len(server.seen) < 20
    assert {seen.path.partition("?")[0] for seen in server.seen} & {"/graphql"} == set()
    before = len(server.seen)
    await syncing()
    assert 304 in {seen.status for seen in server.seen[before:]}


async def test_without_a_token_and_with_the_budget_spent_it_is_said(begin, recorded) -> None:
    recorded.issue(1)
    server, syncing = await begin(recorded, token=None)
    server.anonymous_budget = 0
    report = await syncing()
    assert report.status == "unavailable"
    assert any("a token raises it" in note for note in report.notes)


async def test_what_was_fetched_before_the_budget_ended_is_kept(begin, recorded) -> None:
    for number in range(1, 101):
        recorded.issue(number, created=-30)
    _, syncing = await begin(recorded, token=None)
    report = await syncing(references=[f"acme/anvil#{number}" for number in range(1, 101)])
    assert report.status == "partial"
    assert any("limit on requests" in note for note in report.notes)
    found = [await syncing.item(f"acme/anvil#{number}") for number in range(1, 101)]
    assert 40 <= sum(item is not None for item in found) < 60


async def test_an_older_server_is_asked_by_rest(begin, recorded) -> None:
    recorded.pull(1, merged=2)
    server, syncing = await begin(recorded, prefix="/api/v3")
    refusal = '{"errors": [{"message": "Field \'parent\' doesn\'t exist on type \'Issue\'"}]}'
    server.faults.append(Fault(status=200, body=refusal, path="/graphql", times=100))
    report = await syncing()
    assert report.status == "partial"
    assert "older" in report.notes[0]
    assert (await syncing.items())[1].state is ItemState.MERGED


async def test_a_guild_without_repositories_is_off(begin, recorded) -> None:
    server, syncing = await begin(recorded)
    assert await syncing(repositories=[]) == SyncReport("off")
    assert server.seen == []


@BOTH_APIS
async def test_a_transferred_issue_is_not_told_under_a_number_of_its_old_repository(begin, recorded, token) -> None:
    moved = recorded.issue(5, repo="acme/other", created=-30)
    recorded.issue(1, created=-30)
    server, syncing = await begin(recorded, token=token)
    there = server.recording.item("acme/other", moved["number"])
    find = server.recording.item
    server.recording.item = lambda name, number: there if (name, number) == (ANVIL, 7) else find(name, number)
    report = await syncing(references=["acme/anvil#7", "acme/anvil#1"])
    assert "No pull request or issue (any more), and left out: acme/anvil#7." in report.notes
    assert await syncing.item("acme/anvil#1") is not None
    for reference in ("acme/anvil#5", "acme/anvil#7", "acme/other#5"):
        assert await syncing.item(reference) is None


@BOTH_APIS
@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "[]",
        "null",
        '{"errors": [null]}',
        '{"data": {"repository": {"nameWithOwner": "acme/anvil", "isPrivate": false, "page": {"nodes": null}}}}',
    ],
)
async def test_an_answer_of_another_shape_is_an_outage_and_no_crash(begin, recorded, token, body) -> None:
    recorded.issue(1)
    server, syncing = await begin(recorded, token=token)
    server.faults.append(Fault(status=200, body=body, times=1000))
    report = await syncing(references=["acme/anvil#1"])
    assert (report.status, report.is_outage) == ("unavailable", True)
    assert "GitHub's answer is not readable." in report.notes


@pytest.mark.parametrize("headers", [{"retry-after": "0"}, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "0"}])
async def test_a_limit_that_says_at_once_and_lasts_is_not_asked_again_without_pause(begin, recorded, headers) -> None:
    server, syncing = await begin(recorded)
    server.faults.append(Fault(status=403, body="{}", headers=headers, times=10_000))
    report = await syncing()
    assert report.status == "unavailable"
    assert len(server.seen) <= 12
