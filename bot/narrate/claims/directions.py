"""Words that say which way something went, up or down, faster or slower, better or worse."""

from __future__ import annotations

from bot.narrate.wordset import word_set

UP = word_set(
    """rise rises rose risen rising increase increases increased increasing grow grows grew grown growing climb climbs
    climbed climbing soar soars soared surge surges surged leap leaps leapt swell swelled widen widened lift lifted
    boost boosts boosted gain gains gained raise raises raised raising jump jumps jumped higher up upward exceed exceeds
    exceeded above double doubles doubled triple tripled expand expanded"""
)
DOWN = word_set(
    """fall falls fell fallen falling decrease decreases decreased decreasing drop drops dropped dropping decline
    declines declined reduce reduces reduced reducing reduction lower lowers lowered lowering shrink shrinks shrank
    shrunk shrinking slip slips slipped sink sinks sank sunk dip dips dipped slide slides slid plunge plunges plunged
    tumble tumbled narrow narrowed shed sheds ease eased cut cuts cutting down below halve halves halved slash slashed
    trim trimmed"""
)
# Words that exclude each other when they are said of one figure.
AXES = [
    (UP, DOWN),
    *(
        (word_set(up), word_set(down))
        for up, down in (
            ("faster quicker speedup sped", "slower slowdown slowed"),
            ("more", "fewer less"),
            ("above over exceeds higher more", "below under lower less fewer"),
            ("better improvement improved improves gain win", "worse regression regressed degraded loss"),
            ("larger bigger greater", "smaller"),
            ("longer", "shorter"),
            ("ahead beat beats outperforms outperformed", "behind trails trailed underperforms"),
            ("maximum most", "minimum least"),
            ("earlier before", "later"),
        )
    ),
]
