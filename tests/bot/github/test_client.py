"""The client at the wire: limits waited out, breakdowns, redirects, conditional requests, credentials."""

from __future__ import annotations

import logging
import traceback
from datetime import timedelta

import pytest

from bot.github.client import (
    AppCredentials,
    GitHubClient,
    GoneError,
    Patience,
    RateLimitedError,
    RefusedError,
    UnreachableError,
)
from bot.replay.github_server import Fault, GitHubServer
from bot.store.engine import Store

PATH = "/repos/acme/anvil"


async def test_a_secondary_limit_is_waited_out_for_as_long_as_github_says(github, recorded, leaping) -> None:
    server, client = await github(recorded)
    server.faults.append(Fault(status=429, headers={"Retry-After": "17"}, body='{"message": "slow down"}'))
    requests = await client.requests()
    assert (await requests.fetch(PATH))["full_name"] == "acme/anvil"
    assert leaping.waits == [17.0]


async def test_a_spent_budget_is_waited_for_until_its_reset(github, recorded, leaping) -> None:
    server, client = await github(recorded, patience=Patience(total=timedelta(hours=2)))
    server.budget = 1
    requests = await client.requests()
    await requests.fetch(PATH)
    await requests.fetch(PATH)
    assert [seen.status for seen in server.seen] == [200, 403, 200]
    assert len(leaping.waits) == 1
    assert 3600 <= leaping.waits[0] <= 3602


@pytest.mark.parametrize(
    "body, content_type",
    [
        ("You have exceeded a secondary rate limit. Please wait a few minutes.", "text/plain"),
        ('{"message": "You have triggered an abuse detection mechanism."}', "application/json"),
        ("<html><body>Access denied</body></html>", "text/html"),
    ],
)
async def test_a_403_with_only_a_text_is_a_limit(github, recorded, leaping, body, content_type) -> None:
    server, client = await github(recorded)
    server.faults.append(Fault(status=403, body=body, content_type=content_type, times=2))
    requests = await client.requests()
    assert (await requests.fetch(PATH))["full_name"] == "acme/anvil"
    assert leaping.waits == [60.0, 120.0]


async def test_a_limit_that_lasts_ends_in_an_error_within_the_patience(github, recorded, leaping) -> None:
    server, client = await github(recorded)
    server.faults.append(Fault(status=403, body="rate limit", content_type="text/plain", times=1000))
    began = leaping.now()
    requests = await client.requests(patience=timedelta(minutes=10))
    with pytest.raises(RateLimitedError, match="limit on requests"):
        await requests.fetch(PATH)
    assert leaping.now() - began <= timedelta(minutes=10)
    assert len(server.seen) < 10


async def test_graphqls_own_word_for_a_spent_budget_is_a_limit(github, recorded, leaping) -> None:
    server, client = await github(recorded)
    reset = str(int(leaping.now().timestamp()) + 100)
    server.faults.append(
        Fault(
            status=200,
            headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5000", "X-RateLimit-Reset": reset},
            body='{"data": null, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}',
        )
    )
    requests = await client.requests()
    answer = await requests.graphql('{ repository(owner: "acme", name: "anvil") { nameWithOwner } }')
    assert answer.data == {"repository": {"nameWithOwner": "acme/anvil"}}
    assert leaping.waits == [101.0]


async def test_a_permission_that_is_lacking_is_no_limit(github, recorded, leaping) -> None:
    server, client = await github(recorded)
    server.faults.append(Fault(status=403, body='{"message": "Resource not accessible by integration"}'))
    requests = await client.requests()
    with pytest.raises(RefusedError):
        await requests.fetch(PATH)
    assert leaping.waits == []


@pytest.mark.parametrize("fault", [Fault(status=502, body="<html>"), Fault(drops=True)], ids=["502", "cut off"])
async def test_a_short_breakdown_is_survived(github, recorded, fault) -> None:
    server, client = await github(recorded)
    server.faults.append(fault)
    requests = await client.requests()
    assert (await requests.fetch(PATH))["full_name"] == "acme/anvil"


async def test_a_lasting_breakdown_ends_after_a_few_attempts(github, recorded) -> None:
    server, client = await github(recorded)
    server.faults.append(Fault(status=503, times=1000))
    requests = await client.requests()
    with pytest.raises(UnreachableError, match="503"):
        await requests.fetch(PATH)
    assert len(server.seen) == 3


async def test_a_request_that_is_never_answered_times_out(github, recorded) -> None:
    server, client = await github(recorded, patience=Patience(timeout=0.1))
    server.faults.append(Fault(hangs=True, times=1000))
    requests = await client.requests()
    with pytest.raises(UnreachableError, match="does not answer"):
        await requests.fetch(PATH)
    assert len(server.seen) == 3


async def test_a_moved_repository_is_found_under_its_new_name(github, recorded) -> None:
    recorded.document["renamed_repositories"] = {"Acme/Hammer": "acme/anvil"}
    _, client = await github(recorded)
    assert (await client.fetch_repository("acme/hammer")).name == "acme/anvil"


async def test_a_repository_that_is_not_there_is_named_with_what_to_do(github, recorded) -> None:
    _, client = await github(recorded)
    with pytest.raises(GoneError, match="shows no repository acme/nothing; check the name"):
        await client.fetch_repository("acme/nothing")


async def test_an_unchanged_page_is_neither_sent_nor_charged_again(github, recorded, sqlite_store: Store) -> None:
    for number in range(1, 151):
        recorded.issue(number)
    server, client = await github(recorded)

    async def numbers() -> list[int]:
        requests = await client.requests(sqlite_store)
        return [issue["number"] async for issue in requests.pages(f"{PATH}/issues", state="all")]

    first = await numbers()
    again = await numbers()
    assert sorted(first) == list(range(1, 151))
    assert again == first
    assert [seen.status for seen in server.seen] == [200, 200, 304, 304]
    server.recording.item("acme/anvil", 150).fields["title"] = "New"
    assert await numbers() == first
    assert [seen.status for seen in server.seen][4:] == [200, 304]


async def test_an_enterprise_server_answers_at_its_own_addresses(github, recorded) -> None:
    server, client = await github(recorded, prefix="/api/v3")
    requests = await client.requests()
    await requests.fetch(PATH)
    await requests.graphql('{ repository(owner: "acme", name: "anvil") { nameWithOwner } }')
    assert client.graphql_url == f"{server.url}/api/graphql"
    assert [seen.status for seen in server.seen] == [200, 200]


def test_the_public_address_leads_to_the_public_graphql(leaping) -> None:
    assert GitHubClient(clock=leaping).graphql_url == "https://api.github.com/graphql"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=401, body='{"message": "Bad credentials"}'),
        Fault(status=403, body='{"message": "no"}'),
        Fault(status=500, times=9),
        Fault(status=422, body='{"message": "Validation Failed", "errors": ["x"]}'),
        Fault(status=200, body="not JSON"),
        Fault(status=429, headers={"Retry-After": "99999"}),
        Fault(drops=True, times=9),
    ],
    ids=["401", "403", "500", "422", "garbage", "429", "cut off"],
)
async def test_the_token_stands_in_no_error_and_no_log(github, recorded, caplog, fault) -> None:
    caplog.set_level(logging.DEBUG)
    server, client = await github(recorded, token="ghp_verySecretToken")
    server.faults.append(fault)
    requests = await client.requests()
    told = ""
    try:
        await requests.fetch(PATH)
        await requests.graphql("{ viewer }")
    except Exception:
        told = traceback.format_exc()
    assert told
    assert "verySecret" not in told + caplog.text + repr(client) + repr(requests)
    assert "GitHub" in told


async def test_a_wrong_token_is_refused_with_what_to_do(leaping, recorded) -> None:
    async with (
        GitHubServer(recorded.document, clock=leaping, token="right") as server,
        GitHubClient(api_url=server.url, token="wrong", clock=leaping) as client,
    ):
        requests = await client.requests()
        with pytest.raises(RefusedError, match="does not accept the token"):
            await requests.fetch(PATH)
        with pytest.raises(RefusedError, match="does not accept the token"):
            await requests.graphql("{ repository }")


async def test_an_app_gets_a_token_of_its_installation_and_renews_it(leaping, recorded) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    async with (
        GitHubServer(recorded.document, clock=leaping, token="granted") as server,
        GitHubClient(api_url=server.url, app=AppCredentials("7", pem, "1"), clock=leaping) as client,
    ):
        assert client.is_known
        for hours in (0.1, 0.1, 1.0):
            await (await client.requests()).fetch(PATH)
            leaping.set(leaping.now() + timedelta(hours=hours))
        await (await client.requests()).fetch(PATH)
        asked = [seen.path.rpartition("/")[2] for seen in server.seen]
        assert asked == ["access_tokens", "anvil", "anvil", "anvil", "access_tokens", "anvil"]


async def test_an_app_with_a_broken_key_is_told_so(leaping, recorded) -> None:
    async with (
        GitHubServer(recorded.document, clock=leaping) as server,
        GitHubClient(api_url=server.url, app=AppCredentials("7", "no key", "1"), clock=leaping) as client,
    ):
        with pytest.raises(RefusedError, match="private key"):
            await client.requests()
