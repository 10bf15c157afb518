"""How people talk in chats, in English: greetings, agreement, what tells something."""

from __future__ import annotations

import re

_PAUSE = r"(?:\s*[,.:!–—-]+(?!\w)\s*|\s*$)"  # what begins a sentence without one is part of it: "This week we read"
AGREEING = re.compile(
    rf"^(?:(?:yes|yep|yeah)(?: please)?\b[\s,.:!–-]*|\+1(?!\d)[\s,.:!–-]*"
    rf"|(?:agreed|i agree|exactly|right|indeed|this|same here|true){_PAUSE})",
    re.IGNORECASE,
)
GREETING = re.compile(
    r"^(?:(?:hi|hey|hello|good (?:morning|evening))(?: (?:all|everyone|everybody|folks|there))?\b[:,!.\s–-]*"
    r"|(?:heads[- ]up|good news|fyi|psa|reminder|up for review|quick (?:note|update)|update|short version|tl;?dr"
    rf"|question for [\w\s]{{2,20}}|worth your \w+){_PAUSE})",
    re.IGNORECASE,
)
TELLING = re.compile(
    r"\d|\b(?:will|now|new|best|first|because|so that|should|need|found|works?|fail|release|panel|meeting)\b",
    re.IGNORECASE,
)
