"""Holds requests against Discord's own OpenAPI description, where that file is at hand.

schema = DiscordSchema.read(shared_file("DISCORD_OPENAPI"))
assert schema.problems_of(server.requests) == []
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from bot.replay.discord_record import Record

_URI = "urn:discord-openapi"
_NUMBERS_AS_TEXT = frozenset({"permissions", "allow", "deny"})  # Discord wants text here, whatever the schema says


class DiscordSchema:
    """The paths of the API and what each takes as its body."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = _corrected(document)
        resource = Resource.from_contents(self._document, default_specification=DRAFT202012)
        self._registry = Registry().with_resource(_URI, resource)
        # Literal segments first: /messages/pins before /messages/{message_id}.
        ordered = sorted(document["paths"], key=lambda path: [part.startswith("{") for part in path.split("/")])
        self._paths = [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path) + "$"), path) for path in ordered]
        self._validators: dict[str, jsonschema.Draft202012Validator] = {}

    @classmethod
    def read(cls, path: Path) -> DiscordSchema:
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def problems_of(self, requests: Iterable[Record]) -> list[str]:
        return [problem for request in requests for problem in self.problems(request)]

    def problems(self, request: Record) -> list[str]:
        """What is wrong with one request; empty where nothing is."""
        where = f"{request.method} {request.path}"
        path, operation = self._operation(request.method, request.path)
        if operation is None:
            return [f"{where}: no such operation"]
        content = operation.get("requestBody", {}).get("content", {})
        if request.body is None or "application/json" not in content:
            needed = operation.get("requestBody", {}).get("required", False)
            return [f"{where}: a body is required"] if needed and request.body is None else []
        steps = ("paths", path, request.method.lower(), "requestBody", "content", "application/json", "schema")
        return self._errors(where, steps, request.body)

    def answer_problems(self, method: str, path: str, status: int, body: Any) -> list[str]:
        """What is wrong with the answer to a request."""
        where = f"{method} {path} -> {status}"
        described, operation = self._operation(method, path)
        if operation is None or str(status) not in operation["responses"]:
            return [f"{where}: no such answer"]
        steps = ("paths", described, method.lower(), "responses", str(status), "content", "application/json", "schema")
        return self._errors(where, steps, body)

    def _operation(self, method: str, path: str) -> tuple[str, dict[str, Any] | None]:
        found = next((described for pattern, described in self._paths if pattern.match(path)), "")
        return found, self._document["paths"].get(found, {}).get(method.lower())

    def _errors(self, where: str, steps: tuple[str, ...], body: Any) -> list[str]:
        pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)
        return [f"{where}: {error.json_path}: {error.message}" for error in self._validator(pointer).iter_errors(body)]

    def _validator(self, pointer: str) -> jsonschema.Draft202012Validator:
        if pointer not in self._validators:
            schema = {"$ref": f"{_URI}#/{pointer}"}
            self._validators[pointer] = jsonschema.Draft202012Validator(schema, registry=self._registry)
        return self._validators[pointer]


def _corrected(document: dict[str, Any]) -> dict[str, Any]:
    """The description with what it gets wrong put right: ids may be numbers, permissions are text."""
    corrected = copy.deepcopy(document)
    schemas = corrected["components"]["schemas"]
    schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer"}]}
    for schema in schemas.values():
        for name, field in schema.get("properties", {}).items():
            if name in _NUMBERS_AS_TEXT and "integer" in str(field.get("type")):
                schema["properties"][name] = {"anyOf": [field, {"type": "string", "pattern": "^[0-9]+$"}]}
    return corrected
