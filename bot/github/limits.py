"""When GitHub says "not now": how long it wants us to wait.

Source: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime

LEAST_WAIT = 60.0  # "wait for at least one minute", where nothing more is said
_MEANS_LIMIT = re.compile(rb"rate.?limit|abuse|too many requests|quota|slow down|try again later", re.IGNORECASE)


def limit_wait(
    status: int, headers: Mapping[str, str], body: bytes, *, now: datetime, attempt: int = 1
) -> float | None:
    """The seconds to wait before asking again, or None where the answer is no rate limit.

    Known by status 429, by a 403 whose headers or text speak of a limit (a text that is not GitHub's JSON
    comes from something before GitHub and is taken for one), and by GraphQL's RATE_LIMITED. `attempt` counts
    from 1; without a time in the headers, or with one that is already over, the wait doubles with it.
    """
    least = 2.0 ** (attempt - 1)
    spent = headers.get("x-ratelimit-remaining") == "0"
    if status == 200:
        limited = spent and b'"RATE_LIMITED"' in body
    elif status == 403:
        limited = spent or "retry-after" in headers or bool(_MEANS_LIMIT.search(body)) or not _is_json(body)
    else:
        limited = status == 429
    if not limited:
        return None
    if (after := headers.get("retry-after", "")).isdigit():
        return max(least, float(after))
    if spent and (reset := headers.get("x-ratelimit-reset", "")).isdigit():
        return max(least, float(reset) - now.timestamp() + 1.0)
    return LEAST_WAIT * least


def _is_json(body: bytes) -> bool:
    try:
        return isinstance(json.loads(body), dict)
    except ValueError:
        return False
