"""How people talk in chats, in English: greetings, agreement, what tells something."""

from __future__ import annotations

import re

AGREEING = re.compile(
    r"^(?:agreed|i agree|exactly|yes|yep|yeah|right|indeed|\+1|this|same here|true)\b[\s,.:!–-]*", re.IGNORECASE
)
GREETING = re.compile(
    r"^(?:(?:hi|hey|hello)(?: (?:all|everyone|everybody|folks|there))?|heads[- ]up|good (?:morning|evening|news)|fyi"
    r"|psa|reminder|up for review|quick (?:note|update)|update|short version|tl;?dr|question for [\w\s]{2,20}"
    r"|worth your \w+)"
    r"\b\s*[:,!.–-]*\s*",
    re.IGNORECASE,
)
TELLING = re.compile(
    r"\d|\b(?:will|now|new|best|first|because|so that|should|need|found|works?|fail|release|panel|meeting)\b",
    re.IGNORECASE,
)
