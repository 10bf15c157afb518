"""Answers of GitHub with their ETag, so that what has not changed is not sent again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables.github import ResponseRow
from bot.store.upsert import upsert


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The body of an answer, its ETag, and its Link header, which leads to the next page."""

    url: str
    etag: str
    body: str
    link: str | None = None


async def recall_response(connection: AsyncConnection, url: str) -> Response | None:
    found = (await connection.execute(select(ResponseRow).where(ResponseRow.url == url))).first()
    return Response(url=url, etag=found.etag, body=found.body, link=found.link) if found else None


async def remember_response(connection: AsyncConnection, response: Response, *, at: datetime) -> None:
    values = {
        "url": response.url,
        "etag": response.etag,
        "body": response.body,
        "link": response.link,
        "fetched_at": at,
    }
    await upsert(connection, ResponseRow, [values])


async def forget_responses(connection: AsyncConnection, *, before: datetime) -> None:
    """Drop the answers that were last fetched before an instant; they are asked for anew when needed."""
    await connection.execute(delete(ResponseRow).where(ResponseRow.fetched_at < before))
