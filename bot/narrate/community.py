from __future__ import annotations
from bot.narrate.drafts import Draft
def community_drafts(edition, settings, people, voice, everything) -> list[Draft]:
    return []
