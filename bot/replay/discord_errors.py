"""The refusals of Discord's REST API that the local server gives.

Source: https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
"""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """An answer other than success: HTTP status, Discord's code and its sentence."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body: dict[str, Any] = {"message": message, "code": code}
        if errors:
            self.body["errors"] = errors


def unknown(what: str) -> ApiError:
    """404 for a thing that is not there; `what` is "Channel", "Message" and so on."""
    return ApiError(404, _UNKNOWN[what], f"Unknown {what}")


_UNKNOWN = {
    "Channel": 10003,
    "Guild": 10004,
    "Member": 10007,
    "Message": 10008,
    "Role": 10011,
    "User": 10013,
    "Emoji": 10014,
    "Webhook": 10015,
    "interaction": 10062,
    "application command": 10063,
    "Guild Scheduled Event": 10070,
}


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def invalid_form(field: str, code: str, message: str) -> ApiError:
    """400 with the place of the fault, `field` given with dots: "embeds.0.title"."""
    nested: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for key in reversed(field.split(".")):
        nested = {key: nested}
    return ApiError(400, 50035, "Invalid Form Body", nested)
