"""What stands over a draft about the language model's sentences."""

from __future__ import annotations

from typing import Any

from bot.publish.review_message import MOST_CHANGED, model_lines

GROUNDING = {"kept": 2, "repaired": 1, "replaced": 1, "dropped": 0, "stopped": ""}


def one(text: str, source: str = "language_model", fate: str = "") -> dict[str, Any]:
    return {"text": text, "source": source, "fate": fate}


def document(*sentences: dict[str, Any], **grounding: Any) -> dict[str, Any]:
    section = {"key": "inference", "title": "Inference", "narrative": list(sentences)}
    return {"sections": [section], "community": {"narrative": []}, "grounding": {**GROUNDING, **grounding}}


def test_the_reviewer_sees_which_sentences_were_repaired_and_replaced() -> None:
    told = document(
        one("The cache is smaller."),
        one("Ann [halved](https://x.example/1) the cache.", fate="repaired"),
        one("Bo tuned the router.", "extractive", "replaced"),
    )
    assert model_lines(told) == [
        "Language model: 1 sentence as it wrote them, 1 repaired, 1 replaced by plain ones, 0 dropped.",
        "- repaired, in Inference: “Ann halved the cache.”",
        "- replaced, in Inference: “Bo tuned the router.”",
    ]


def test_many_changed_sentences_are_counted() -> None:
    told = [one(f"Sentence {n} {'goes on ' * 20}", fate="repaired") for n in range(MOST_CHANGED + 2)]
    lines = model_lines(document(*told))
    assert lines[-1] == "- and 2 more"
    assert all(len(line) < 120 for line in lines)


def test_why_the_model_stopped_is_said() -> None:
    lines = model_lines(document(one("Plain.", "extractive"), stopped="the budget of tokens is spent"))
    assert lines == ["⚠️ Plain words from some point on: the budget of tokens is spent."]


def test_nothing_is_said_where_no_model_was_asked() -> None:
    assert model_lines(document(one("Plain.", "extractive"))) == []
    assert model_lines({"sections": [], "community": {}}) == []
