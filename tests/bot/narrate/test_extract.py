"""Bodies and comments, taken apart into clauses."""

from __future__ import annotations

import pytest

from bot.narrate.extract import clauses_of, figures_in
from bot.narrate.language.en.clauses import Form


def texts(body: str, title: str = "") -> list[str]:
    return [clause.text for clause in clauses_of(body, title=title)]


def test_templates_code_and_lists_of_checks_are_left_out() -> None:
    body = """<!-- describe your change -->
## Summary
The cache holds 50 entries now.

## Checklist
- [x] tests
- [ ] docs

```python
print(99)
```
| a | b |
> quoted by somebody
<details>12 logs</details>
Co-authored-by: Somebody <x@y.z>
Part of #12
Closes #13, #14
See https://example.org/long
"""
    assert texts(body) == ["The cache holds 50 entries now"]


def test_the_formal_parts_of_a_report_are_left_out() -> None:
    body = """### Describe the bug
The sidebar vanishes below 320 px.

### To Reproduce
1. Resize to 300 px

**Environment**
- Version: 5.2.1

### Proposal
Collapse it into a menu.
"""
    assert texts(body) == ["The sidebar vanishes below 320 px", "Collapse it into a menu"]


def test_hidden_words_are_never_told() -> None:
    assert texts("We ship ||on the 7th of May|| at last. The build takes 3 minutes.") == ["The build takes 3 minutes"]


def test_a_sentence_is_cut_at_its_semicolons_but_not_within_brackets() -> None:
    assert texts("The loss fell to 0.4; nothing else (tests; docs) changed.") == [
        "The loss fell to 0.4",
        "nothing else (tests; docs) changed",
    ]


def test_versions_abbreviations_and_decimals_do_not_end_a_sentence() -> None:
    assert texts("It needs e.g. version 1.2.3 of the driver vs. the old one. Then it runs.") == [
        "It needs e.g. version 1.2.3 of the driver vs. the old one",
        "Then it runs",
    ]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Latency 812ms -> 93ms.", "Latency 812ms → 93ms"),
        ("Peak memory 138.0 -> 116.5 GiB.", "Peak memory went from 138.0 to 116.5 GiB"),
        ("Peak memory 137.9 GiB against 149.9 GiB.", "Peak memory was 137.9 GiB against 149.9 GiB"),
        ("Dropped jobs 0.018% against 2.67%.", "Dropped jobs were 0.018% against 2.67%"),
        ("The rate grows from 3-4 to 89-135 a second.", "The rate grows from 3–4 to 89–135 a second"),
        ("The scene drops from 31 ms to 19 ms a frame.", "The scene drops from 31 ms to 19 ms a frame"),
        ("Lê arquivos em pedaços de 64 MB.", "Lê arquivos em pedaços de 64 MB"),
        ("Goal: by March 31, train the model.", "Goal: by March 31, train the model"),
        ("Uses version 4.0 of the driver.", "Uses version 4.0 of the driver"),
    ],
)
def test_bare_measures_get_a_verb_and_others_stay(written: str, told: str) -> None:
    assert told in texts(written) or told.replace("→", "->") in texts(written)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("This PR adds a cursor to every list.", "Adds a cursor to every list"),
        ("This change was tested on 12 machines.", "It was tested on 12 machines"),
        ("Draft: stitches neighbouring tiles.", "stitches neighbouring tiles"),
        ("Summary: the cache holds 50 entries.", "the cache holds 50 entries"),
        ("Follow-up to #12: removes the old cache.", "removes the old cache"),
    ],
)
def test_what_a_body_says_of_itself_needs_no_label(written: str, told: str) -> None:
    assert texts(written) == [told]


def test_an_enumeration_keeps_its_order() -> None:
    clauses = clauses_of("Three steps. (1) carry to the host, 3 ms; (2) pack the gate, 4 ms; (3) tile wider, 5 ms.")
    assert [clause.ordinal for clause in clauses if clause.ordinal] == [1, 2, 3]


def test_figures_are_counted_without_versions_and_references() -> None:
    assert figures_in("Paloma 3.018 against 3.015 on 192 GPUs") == 3
    assert figures_in("needs v2 of #512 and driver 1.2.3") == 0


def test_what_the_title_says_already_has_no_news() -> None:
    (clause,) = clauses_of("Removes the old permissions stack.", title="Retire the permissions stack")
    assert clause.novelty < 0.6


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("We retry five times at most", Form.PERSONAL),
        ("Removes the old stack entirely", Form.PRESENT),
        ("Pinned the exact commit of the extraction", Form.PAST),
        ("Links were encoded twice", Form.STATEMENT),
        ("Keeping the first samples lost 23 of them", Form.STATEMENT),
        ("One versioned catalog instead of many", Form.NOUN),
    ],
)
def test_the_form_of_a_clause_is_recognised(text: str, form: Form) -> None:
    (clause,) = clauses_of(text + ".")
    assert clause.form is form


def test_a_very_long_body_gives_no_endless_clause() -> None:
    for clause in clauses_of("word " * 5000 + ", and so on " * 200):
        assert clause.words <= 40
