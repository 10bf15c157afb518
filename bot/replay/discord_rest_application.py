"""Routes on the application: the gateway's address, commands, interactions and their follow-ups.

Source: https://docs.discord.com/developers/interactions/application-commands
"""

from __future__ import annotations

import re
from typing import Any

from bot.replay.discord_errors import ApiError, invalid_form, unknown
from bot.replay.discord_rest import Call, route
from bot.replay.discord_rules import EPHEMERAL
from bot.replay.discord_shapes import Data

SLASH, COMMANDS_LIMIT = 1, 100
MESSAGE, DEFERRED = 4, 5  # kinds of callback
_NAME = re.compile(r"^[-_'\w]{1,32}$")

COMMANDS = "/applications/{application_id}/commands"
GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"
FOLLOW_UPS = "/webhooks/{application_id}/{token}"


@route("GET", "/gateway/bot")
def gateway(call: Call) -> Any:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": call.world.gateway_url, "shards": call.world.shards, "session_start_limit": limit}


@route("GET", "/gateway")
def gateway_url(call: Call) -> Any:
    return {"url": call.world.gateway_url}


@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
def application(call: Call) -> Any:
    return {
        "id": call.world.bot["id"],
        "name": call.world.bot["username"],
        "icon": None,
        "description": "",
        "summary": "",
        "verify_key": "0" * 64,
        "flags": call.world.application_flags,
        "bot_public": True,
        "bot_require_code_grant": False,
        "type": None,
        "flags_new": str(call.world.application_flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": len(call.world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "owner": call.world.users.get(call.world.owner_id) or call.world.bot,
        "team": None,
    }


# -- commands


@route("GET", COMMANDS)
@route("GET", GUILD_COMMANDS)
def commands(call: Call) -> Any:
    return call.log.commands.get(_scope(call), [])


@route("PUT", COMMANDS)
@route("PUT", GUILD_COMMANDS)
def replace_commands(call: Call) -> Any:
    """Put all commands at once; those that stay keep their ids."""
    scope = _scope(call)
    known = {(item["type"], item["name"]): item["id"] for item in call.log.commands.get(scope, [])}
    bodies: list[Data] = call.record.body
    made = [_command(call, body, known.get((body.get("type", SLASH), body["name"]))) for body in bodies]
    if sum(item["type"] == SLASH for item in made) > COMMANDS_LIMIT:
        raise ApiError(400, 30032, "Maximum number of application commands reached (100).")
    call.log.commands[scope] = made
    return made


@route("POST", COMMANDS, status=201)
@route("POST", GUILD_COMMANDS, status=201)
def add_command(call: Call) -> Any:
    kept = call.log.commands.setdefault(_scope(call), [])
    made = _command(call, call.body, None)
    kept[:] = [item for item in kept if (item["type"], item["name"]) != (made["type"], made["name"])] + [made]
    return made


@route("PATCH", COMMANDS + "/{command_id}")
@route("PATCH", GUILD_COMMANDS + "/{command_id}")
def change_command(call: Call) -> Any:
    found = _find_command(call)
    found |= _command(call, {**found, **call.body}, found["id"])
    return found


@route("GET", COMMANDS + "/{command_id}")
@route("GET", GUILD_COMMANDS + "/{command_id}")
def command(call: Call) -> Any:
    return _find_command(call)


@route("DELETE", COMMANDS + "/{command_id}")
@route("DELETE", GUILD_COMMANDS + "/{command_id}")
def delete_command(call: Call) -> Any:
    call.log.commands[_scope(call)].remove(_find_command(call))


def _scope(call: Call) -> int | None:
    if call.path["application_id"] != call.world.bot["id"]:
        raise ApiError(403, 20012, "You are not authorized to perform this action on this application")
    return call.guild().guild_id if "guild_id" in call.path else None


def _find_command(call: Call) -> Data:
    for item in call.log.commands.get(_scope(call), []):
        if item["id"] == call.path["command_id"]:
            return item
    raise unknown("application command")


def _command(call: Call, body: Data, command_id: str | None) -> Data:
    _check_command(body)
    return {
        "default_member_permissions": None,
        "nsfw": False,
        "description": "",
        "options": [],
        **{key: value for key, value in body.items() if key != "id"},
        "type": int(body.get("type", SLASH)),
        "id": command_id or str(call.world.new_id()),
        "application_id": call.world.bot["id"],
        "version": str(call.world.new_id()),
        **({"guild_id": call.path["guild_id"]} if "guild_id" in call.path else {}),
    }


def _check_command(body: Data) -> None:
    name = str(body.get("name") or "")
    if int(body.get("type", SLASH)) == SLASH:
        _check_name(name)
        if not 1 <= len(body.get("description") or "") <= 100:
            raise invalid_form("description", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
        _check_options(body.get("options") or [])
    elif not 1 <= len(name) <= 32:
        raise invalid_form("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 32 in length.")


def _check_options(options: list[Data]) -> None:
    if len(options) > 25:
        raise invalid_form("options", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    for option in options:
        _check_name(str(option.get("name") or ""))
        if not 1 <= len(option.get("description") or "") <= 100:
            raise invalid_form("options", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
        if len(option.get("choices") or []) > 25:
            raise invalid_form("options", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        _check_options(option.get("options") or [])


def _check_name(name: str) -> None:
    if not _NAME.match(name) or name != name.lower():
        raise invalid_form("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


# -- interactions


@route("POST", "/interactions/{interaction_id}/{token}/callback")
def callback(call: Call) -> Any:
    """The first answer to an interaction; a second is refused, one to an interaction that is not there too."""
    answers = call.log.answers.get(call.path["token"])
    if answers is None:
        raise unknown("interaction")
    if answers:
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    answers.append({"id": str(call.world.new_id()), "kind": "callback", **call.body})
    if not call.asks_for("with_response"):
        return None
    kind, data = int(call.body.get("type", 0)), call.body.get("data") or {}
    interaction: Data = {
        "id": call.path["interaction_id"],
        "type": 2,
        "response_message_id": answers[0]["id"],
        "response_message_loading": kind == DEFERRED,
        "response_message_ephemeral": bool(int(data.get("flags") or 0) & EPHEMERAL),
    }
    message = {"message": _answer_message(call, answers[0])} if kind == MESSAGE else {}
    return {"interaction": interaction, "resource": {"type": kind, **message}}


@route("POST", FOLLOW_UPS)
def follow_up(call: Call) -> Any:
    answers = _answers(call)
    answers.append({"id": str(call.world.new_id()), "kind": "follow_up", "data": call.body})
    return _answer_message(call, answers[-1])


@route("PATCH", FOLLOW_UPS + "/messages/{message_id}")
def edit_answer(call: Call) -> Any:
    answer = _find_answer(call)
    answer["data"] = {**(answer.get("data") or {}), **call.body}
    answer["edits"] = [*answer.get("edits", []), call.body]
    return _answer_message(call, answer)


@route("GET", FOLLOW_UPS + "/messages/{message_id}")
def show_answer(call: Call) -> Any:
    return _answer_message(call, _find_answer(call))


@route("DELETE", FOLLOW_UPS + "/messages/{message_id}")
def delete_answer(call: Call) -> Any:
    _find_answer(call)["deleted"] = True


def _answers(call: Call) -> list[Data]:
    answers = call.log.answers.get(call.path["token"])
    if answers is None or call.path["application_id"] != call.world.bot["id"]:
        raise ApiError(404, 50027, "Invalid Webhook Token")
    return answers


def _find_answer(call: Call) -> Data:
    wanted = call.path["message_id"]
    for answer in _answers(call):
        if answer["id"] == wanted or (wanted == "@original" and answer["kind"] == "callback"):
            return answer
    raise unknown("Message")


def _answer_message(call: Call, answer: Data) -> Data:
    data = answer.get("data") or {}
    return {
        "id": answer["id"],
        "type": 0,
        "channel_id": call.log.answer_channels.get(call.path["token"], "0"),
        "author": call.world.bot,
        "content": data.get("content") or "",
        "embeds": data.get("embeds") or [],
        "components": data.get("components") or [],
        "attachments": [],
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "pinned": False,
        "tts": False,
        "timestamp": _now(call),
        "edited_timestamp": None,
        "flags": data.get("flags") or 0,
        "webhook_id": call.world.bot["id"],
        "application_id": call.world.bot["id"],
    }


def _now(call: Call) -> str:
    return call.world.clock.now().isoformat()
