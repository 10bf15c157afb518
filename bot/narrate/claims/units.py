"""Units of measure as they are written, and words in singular."""

from __future__ import annotations

from functools import lru_cache

_UNITS = {
    "%": "% percent percents pct per-cent",
    "pp": "pp pps ppt percentage-point percentage-points point points pt pts",
    "x": "x × times fold factor",
    "s": "s sec secs second seconds",
    "ms": "ms msec millisecond milliseconds",
    "us": "us µs μs microsecond microseconds",
    "ns": "ns nanosecond nanoseconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "d": "d day days",
    "wk": "week weeks",
    "mo": "month months",
    "yr": "yr yrs year years",
    "$": "$ usd dollar dollars",
    "€": "€ eur euro euros",
    "tok/s": "tok/s toks/s tokens/s token/s tokens/sec tok/sec tps tokens-per-second tokens-a-second",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "kg": "kg kilogram kilograms kilo kilos",
    "g": "gram grams",
    "mg": "mg milligram milligrams",
    "mv": "mv millivolt millivolts",
    "hz": "hz",
    "khz": "khz",
    "mhz": "mhz",
    "ghz": "ghz",
    "w": "w watt watts",
    "kw": "kw kilowatt kilowatts",
    "mw": "mw megawatt megawatts",
    "m": "m metre metres meter meters",
    "ft": "ft foot feet",
    "mi": "mile miles",
    "in": "inch inches",
    "l": "l litre litres liter liters",
    "ml": "ml millilitre millilitres milliliter milliliters",
    "t": "tonne tonnes",
    "°": "° °c °f degree degrees celsius fahrenheit",
    "v": "v volt volts",
    "a": "amp amps ampere amperes",
    "ma": "ma milliamp milliamps",
    "mah": "mah",
    "wh": "wh watt-hour watt-hours",
    "kwh": "kwh kilowatt-hour kilowatt-hours",
    "nm": "nm",
    "rpm": "rpm",
    "db": "db decibel decibels",
    "fps": "fps",
    "px": "px pixel pixels",
    "km": "km kilometre kilometres kilometer kilometers",
    "flops": "flop flops flop/s",
    **{
        f"{prefix.lower()}{byte}{rate}": " ".join(
            f"{form}{spelled}" for form in (f"{prefix}{byte}".lower(),) for spelled in _rates
        )
        for prefix in "KMGTP"
        for byte in ("b", "ib")
        for rate, _rates in (("", ("",)), ("/s", ("/s", "/sec", "ps", "-per-second", "-a-second")))
    },
    "kb": "kb kilobyte kilobytes",
    "mb": "mb megabyte megabytes",
    "gb": "gb gigabyte gigabytes",
    "tb": "tb terabyte terabytes",
    "pb": "pb petabyte petabytes",
    "kib": "kib kibibyte kibibytes",
    "mib": "mib mebibyte mebibytes",
    "gib": "gib gibibyte gibibytes",
    "tib": "tib tebibyte tebibytes",
    "bytes": "byte bytes",
    "bits": "bit bits",
}
_BYTES = {f"{prefix}{byte}" for prefix in "kmgtp" for byte in ("b", "ib")} | {"bytes"}
_DURATIONS = {"ns", "us", "ms", "s", "min", "h", "d", "wk", "mo", "yr"}
UNITS = {spelled: unit for unit, forms in _UNITS.items() for spelled in forms.split()}


@lru_cache(maxsize=16384)
def plural_to_singular(word: str) -> str:
    """The singular of a regular English plural, lower case: enough to compare two mentions of one thing."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    if word in ("people", "persons"):
        return "person"
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def dimension(unit: str) -> str:
    """What a unit measures, as far as several units measure it: amounts of data, time; else the unit itself."""
    return "data" if unit in _BYTES else "time" if unit in _DURATIONS else unit
