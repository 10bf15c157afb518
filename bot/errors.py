"""The errors that Gazette raises for a person to read.

Every one of them carries a single sentence that says what is wrong and what to do about it; the
command line prints that sentence and ends with code 2, a command on Discord answers with it.
"""

from __future__ import annotations


class GazetteError(Exception):
    """The root: whatever goes wrong in a way that somebody can mend. `str()` is the sentence."""


class SettingsError(GazetteError):
    """A setting is missing, unknown or out of its range; names the key, and file and line where there are any."""


class InputError(GazetteError):
    """A file that was handed in cannot be read as what it should be; names the file and the place."""


class StoreError(GazetteError):
    """The database cannot be opened, written or is of another version; says which and what to do."""


class DiscordError(GazetteError):
    """Discord refuses something the bot needs: token, intent, permission, channel."""


class GitHubError(GazetteError):
    """GitHub refuses or does not answer; says what the digest will lack."""


class ForbiddenError(GazetteError):
    """The person who asked may not do this; says who may."""


class NotFoundError(GazetteError):
    """What was asked for does not exist (any more)."""


class ConflictError(GazetteError):
    """Somebody else changed it meanwhile; says what stands now."""
