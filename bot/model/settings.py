"""A guild's settings (`gazette.settings/1`): how its digest is made. Every key has a default."""

from __future__ import annotations

import re
import tomllib
import zoneinfo
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bot.errors import SettingsError

FORMAT = "gazette.settings/1"
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_IN_TITLES = ("{week}", "{guild}", "{repository}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")


def _known_zone(name: str) -> str:
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is no IANA time zone; an example is Europe/Berlin") from error
    return name


def _time_of_day(value: str) -> str:
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
        raise ValueError(f"{value!r} is no time of day; write hours and minutes, as in 09:00")
    return value


def _period_end(value: str) -> str:
    return value if value == "posting" else _time_of_day(value)


def _repository(value: str) -> str:
    if not _REPOSITORY.fullmatch(value):
        raise ValueError(f"{value!r} is no repository; write owner/name")
    return value


def _title(value: str) -> str:
    for name in re.findall(r"\{\w*\}", value):
        if name not in _IN_TITLES:
            raise ValueError(f"{name} stands for nothing; use {', '.join(_IN_TITLES)}")
    return value


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


TimeZone = Annotated[str, AfterValidator(_known_zone)]
TimeOfDay = Annotated[str, AfterValidator(_time_of_day)]
Repository = Annotated[str, AfterValidator(_repository)]


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EditionSettings(_Group):
    title: Annotated[str, AfterValidator(_title)] = Field("{guild}: Week of {week}", max_length=200)
    layout: Literal["themes", "epics"] = "themes"
    language: str = "en"
    credit: Literal["name", "login"] = "name"


class PublishSettings(_Group):
    channel: str = ""  # name or id; without one nothing is posted
    full_summary: str = "thread"  # thread, channel, or another channel's name or id
    ping_role: str | None = None
    crosspost: bool = False
    silent: bool = False


class ScheduleSettings(_Group):
    every: Literal["week", "two weeks", "month"] = "week"
    weekday: Annotated[
        Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], BeforeValidator(_lower)
    ] = "monday"
    time: TimeOfDay = "09:00"
    timezone: TimeZone = "UTC"
    period_end: Annotated[str, AfterValidator(_period_end)] = "posting"  # or a time of that day
    catch_up: int = Field(1, ge=0, le=12)


class ChannelSettings(_Group):
    introductions: str | None = None
    welcome: str | None = None
    announcements: list[str] | None = None  # None: the guild's announcement channels
    include: list[str] = []  # empty: all that the publish channel's audience can read
    exclude: list[str] = []


class ModerationSettings(_Group):
    role: str | None = None
    tag_emoji: str = "📌"
    suggest_emoji: str | None = None
    review_channel: str | None = None
    review_hours: int = Field(24, ge=1, le=168)
    without_review: Literal["publish", "hold"] = "publish"


class GitHubSettings(_Group):
    repositories: list[Repository] = []
    default_repository: Repository | None = None
    epic_labels: list[str] = ["epic"]
    team: list[str] = []
    agents: dict[str, str] = {}  # login of the agent -> login it works for, "" for the team
    allowed_private: dict[Repository, list[str]] = {}

    @property
    def default(self) -> str | None:
        """The repository meant by a bare #N."""
        return self.default_repository or next(iter(self.repositories), None)

    @property
    def tracked(self) -> tuple[str, ...]:
        """Every repository of the guild, the default first, each once."""
        names: dict[str, str] = {}
        for name in [self.default, *self.repositories]:
            if name:
                names.setdefault(name.lower(), name)
        return tuple(names.values())


class SectionSettings(_Group):
    key: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=40)
    title: str = Field(min_length=1, max_length=100)
    order: int = 0
    emoji: str | None = None
    prefixes: list[str] = []
    labels: list[str] = []
    repositories: list[Repository] = []
    channels: list[str] = []
    authors: list[str] = []


class NarrativeSettings(_Group):
    model: bool = False
    words: int = Field(3500, ge=100, le=20000)


class PrivacySettings(_Group):
    retention_days: int = Field(90, ge=7, le=3650)


class GuildSettings(_Group):
    """All of a guild's settings. Built by `parse_settings` or by keyword; never changed, only replaced."""

    format: Literal["gazette.settings/1"] = "gazette.settings/1"
    edition: EditionSettings = EditionSettings()
    publish: PublishSettings = PublishSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    channels: ChannelSettings = ChannelSettings()
    moderation: ModerationSettings = ModerationSettings()
    github: GitHubSettings = GitHubSettings()
    sections: list[SectionSettings] = []
    narrative: NarrativeSettings = NarrativeSettings()
    privacy: PrivacySettings = PrivacySettings()


def parse_settings(text: str, *, source: str = "settings.toml") -> GuildSettings:
    """Read settings from TOML. Raises SettingsError that names `source`, the line and the key."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{source}: not valid TOML: {error}") from error
    try:
        settings = GuildSettings.model_validate(document)
    except ValidationError as error:
        raise SettingsError(_told(error, text, source)) from error
    keys = [section.key for section in settings.sections]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        line = [n for n, row in enumerate(text.splitlines(), 1) if re.match(rf'\s*key\s*=\s*"{re.escape(twice)}"', row)]
        raise SettingsError(f"{source}, line {line[-1]}: the section key {twice!r} stands twice; give each its own")
    return settings


def told(error: ValidationError) -> str:
    """The first thing that is wrong with a guild's settings, in one sentence."""
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown key {name!r}; the keys are described in docs/settings.md"
    return f"{name}: {first['msg'].removeprefix('Value error, ')}"


def _told(error: ValidationError, text: str, source: str) -> str:
    line = _line_of(text, [part for part in error.errors()[0]["loc"] if isinstance(part, str | int)])
    return f"{source}, line {line}: {told(error)}" if line else f"{source}: {told(error)}"


def _line_of(text: str, path: list[str | int]) -> int | None:
    """The line on which the key at `path` stands, found by walking the tables of the TOML text."""
    keys = [part for part in path if isinstance(part, str)]
    index = next((part for part in path if isinstance(part, int)), 0)
    table: list[str] = []
    seen = -1
    best: int | None = None
    for number, row in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?", row):
            table = [part.strip().strip('"') for part in header[1].split(".")]
            if row.lstrip().startswith("[[") and keys[:1] == table:
                seen += 1
            if table == keys[: len(table)] and (not row.lstrip().startswith("[[") or seen == index):
                best = number
                if table == keys:
                    return number
        elif key := re.match(r'\s*("[^"]+"|[\w-]+)\s*=', row):
            here = [*table, key[1].strip('"')]
            in_place = table != keys[:1] or seen in (-1, index)
            if keys[: len(here)] == here and in_place:
                return number
    return best
