"""A language model retells the extractive narrative; nothing it says stands without facts that bear it.

Section by section, and the community too, the model is given the facts as data and answers in sentences that name
theirs. Each is held against them. One that fails is asked for again once, with the reasons, and then gives way to the
extractive sentences about the same facts. What no sentence tells is told by its extractive sentence. Where the model
fails, is slow, or its budget is spent, the extractive words stand as they are.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pydantic import ValidationError

from bot.model.edition import Edition, Grounding, Sentence
from bot.model.settings import GuildSettings
from bot.narrate.claims.known import mentioned, read_facts
from bot.narrate.claims.speakers import gender_faults
from bot.narrate.drafts import Links
from bot.narrate.edition import narrate
from bot.narrate.grounding import check, texts_for
from bot.narrate.model_client import Client, ModelAccess, ModelError, Wait, estimated_tokens
from bot.narrate.model_prompt import (
    LONGEST_FACT,
    Corrections,
    Question,
    Telling,
    ToldSentence,
    instructions_for,
    question_for,
    repair_for,
)
from bot.narrate.model_wording import faults_of_form, worded

__all__ = ["Answers", "ModelAccess", "NoAnswers", "narrate_with_model", "narrator"]

log = logging.getLogger(__name__)


class Answers(Protocol):
    """Keeps answers by the hash of what was asked."""

    async def get(self, guild_id: int, key: str) -> dict[str, Any] | None: ...

    async def put(self, guild_id: int, key: str, answer: dict[str, Any], tokens: int) -> None: ...


class NoAnswers:
    """Keeps nothing."""

    async def get(self, guild_id: int, key: str) -> dict[str, Any] | None:
        return None

    async def put(self, guild_id: int, key: str, answer: dict[str, Any], tokens: int) -> None:
        return None


Examples = Callable[[Edition], Awaitable[Sequence[str]]]
"""Paragraphs of the guild's earlier editions."""


async def _no_examples(edition: Edition) -> Sequence[str]:
    return ()


def narrator(
    access: ModelAccess, answers: Answers, *, examples: Examples = _no_examples, wait: Wait = asyncio.sleep
) -> Callable[[Edition, GuildSettings], Awaitable[Edition]]:
    """The narrating stage of the program: extractive, and retold where the guild switched the model on."""

    async def told(edition: Edition, settings: GuildSettings) -> Edition:
        plain = await asyncio.to_thread(narrate, edition, settings)
        if not settings.narrative.model:
            return plain
        shown = await examples(edition)
        return await narrate_with_model(plain, settings, access=access, answers=answers, examples=shown, wait=wait)

    return told


async def narrate_with_model(
    edition: Edition,
    settings: GuildSettings,
    *,
    access: ModelAccess,
    answers: Answers | None = None,
    examples: Sequence[str] = (),
    wait: Wait = asyncio.sleep,
) -> Edition:
    """The edition, which has its extractive narrative, retold by the model behind `access`.

    Never raises for the model's sake, and takes at most `access.edition_seconds`. `examples` are paragraphs of the
    guild's earlier editions. `grounding` counts the model's sentences and the extractive ones that stand.
    """
    urls = {item.reference: item.url for section in edition.sections for item in section.items}
    links = Links.of(edition.facts, settings.github.default, urls)
    desk = _Desk(edition, settings, Client(access, wait), answers or NoAnswers(), tuple(examples), links)
    started = asyncio.get_running_loop().time()

    async def retold(title: str, sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
        left = started + access.edition_seconds - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(max(left, 0)):
                return await desk.retell(title, sentences)
        except TimeoutError:
            log.warning("the language model was too slow", extra={"guild_id": edition.guild.id})
            desk.stopped = desk.stopped or "the language model was too slow"
            return desk.plainly(sentences)

    try:
        sections = [replace(one, narrative=await retold(one.title, one.narrative)) for one in edition.sections]
        community = replace(edition.community, narrative=await retold("Community", edition.community.narrative))
    finally:
        await desk.client.close()
    return replace(edition, sections=tuple(sections), community=community, grounding=desk.grounding())


@dataclass(slots=True)
class _Desk:
    """The retelling of one edition, and how its sentences fare."""

    edition: Edition
    settings: GuildSettings
    client: Client
    answers: Answers
    examples: tuple[str, ...]
    links: Links
    counts: dict[str, int] = field(default_factory=dict)
    stopped: str = ""

    def grounding(self) -> Grounding:
        parts = {name: self.counts.get(name, 0) for name in ("kept", "repaired", "replaced", "dropped")}
        return Grounding(sentences=sum(parts.values()), **parts, stopped=self.stopped)

    def count(self, fate: str, number: int = 1) -> None:
        self.counts[fate] = self.counts.get(fate, 0) + number

    def plainly(self, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """The extractive sentences, counted."""
        self.count("kept", len(sentences))
        return tuple(sentences)

    async def retell(self, title: str, sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
        fixed = [one for one in sentences if not self._may_retell(one)]
        told: list[Sentence] = []
        before = dict(self.counts)
        try:
            for chunk in self._chunks([one for one in sentences if self._may_retell(one)]):
                told += _behind(told, await self._chunk(title, chunk))
        except (TimeoutError, asyncio.CancelledError):
            self.counts = before
            raise
        return (*told, *_behind(told, self.plainly(fixed)))

    def _may_retell(self, sentence: Sentence) -> bool:
        """What an editor wrote and what is said of the edition itself stay as they are."""
        closing = bool(self.edition.omitted) and set(sentence.references) >= set(self.edition.omitted)
        return sentence.source == "extractive" and bool(sentence.facts) and not closing

    def _chunks(self, sentences: Sequence[Sentence]) -> list[list[Sentence]]:
        """Neighbouring sentences whose facts can be asked about together."""
        most = self.client.access.facts_tokens
        chunks: list[list[Sentence]] = []
        size = most
        for one in sentences:
            told = (self.edition.facts[key].text[:LONGEST_FACT] for key in one.facts if key in self.edition.facts)
            needed = estimated_tokens(one.text) + sum(estimated_tokens(text) for text in told)
            if not chunks or size + needed > most:
                chunks.append([])
                size = 0
            chunks[-1].append(one)
            size += needed
        return chunks

    async def _chunk(self, title: str, plain: Sequence[Sentence]) -> Sequence[Sentence]:
        if self.stopped:
            return self.plainly(plain)
        words = sum(len(one.text.split()) for one in plain)
        rules = instructions_for(self.settings, words=words, examples=self.examples)
        keys = list(dict.fromkeys(key for one in plain for key in one.facts if key in self.edition.facts))
        question = question_for(rules, title, keys, self.edition.facts, plain)
        try:
            telling = await self._asked(question, Telling)
        except ModelError as error:
            log.warning("extractive words stand", extra={"guild_id": self.edition.guild.id, "reason": str(error)})
            self.stopped = str(error)
            return self.plainly(plain)
        return await self._checked(question, telling, plain, room=int(words * 1.25) + 30)

    async def _asked(self, question: Question, shape: type[Any]) -> Any:
        """The stored answer to the question, or the model's."""
        guild_id = self.edition.guild.id
        key = question.hash_with(f"{guild_id}:{self.client.access.model}:{shape.__name__}")
        if (kept := await self.answers.get(guild_id, key)) is not None:
            try:
                return shape.model_validate(kept)
            except ValidationError:
                log.warning("a stored answer has another shape", extra={"guild_id": guild_id})
        spent = self.client.spent
        try:
            answer = await self.client.ask(question.instructions, question.data, shape)
        except ModelError:
            await self.answers.put(guild_id, f"{key}:failed", {}, self.client.spent - spent)
            raise
        await self.answers.put(guild_id, key, answer.model_dump(), self.client.spent - spent)
        return answer

    async def _checked(
        self, question: Question, telling: Telling, plain: Sequence[Sentence], *, room: int
    ) -> Sequence[Sentence]:
        told = [(at, one) for at, paragraph in enumerate(telling.paragraphs) for one in paragraph.sentences]
        held = await asyncio.to_thread(lambda: [self._held(one, at, question) for at, one in told])
        failed = [(at, told[at][1], result) for at, result in enumerate(held) if not isinstance(result, Sentence)]
        repaired = await self._repaired(question, failed, told) if failed else {}
        kept: list[Sentence] = []
        lost: list[tuple[int, Sequence[str]]] = []
        for at, result in enumerate(held):
            sentence = result if isinstance(result, Sentence) else repaired.get(at)
            if sentence is None or room < 0 or sentence.text in {one.text for one in kept}:
                lost.append((len(kept), _keys(told[at][1], question)))
                continue
            room -= len(sentence.text.split())
            self.count("kept" if isinstance(result, Sentence) else "repaired")
            kept.append(sentence)
        return self._completed(kept, lost, plain)

    def _held(self, told: ToldSentence, paragraph: int, question: Question) -> Sentence | Sequence[str]:
        """The sentence as it may stand, or the reasons why it may not."""
        keys = _keys(told, question)
        if not keys:
            return ("names none of the facts that were given",)
        items = tuple(key for key in keys if "#" in key and "/comment/" not in key)
        numbers = {mention.number for mention in mentioned(told.text)}
        references = tuple(key for key in items if int(key.rpartition("#")[2]) in numbers) or items
        if faults := faults_of_form(told.text, self.settings.edition.language):
            return faults
        sentence = Sentence(
            text=told.text, references=references, facts=keys, source="language_model", paragraph=paragraph
        )
        sentence = replace(sentence, text=worded(sentence, self.edition.facts, self.links))
        facts = texts_for(sentence, self.edition.facts)
        reasons = (*check(sentence.text, facts).reasons, *gender_faults(sentence.text, read_facts(facts)))
        return reasons or sentence

    async def _repaired(
        self,
        question: Question,
        failed: Sequence[tuple[int, ToldSentence, Sequence[str]]],
        told: Sequence[tuple[int, ToldSentence]],
    ) -> Mapping[int, Sentence]:
        try:
            corrections: Corrections = await self._asked(repair_for(question, failed), Corrections)
        except ModelError as error:
            log.warning("no corrections", extra={"guild_id": self.edition.guild.id, "reason": str(error)})
            return {}
        wanted = {at for at, _, _ in failed}
        found: dict[int, Sentence] = {}
        for one in corrections.sentences:
            if one.number in wanted:
                held = self._held(ToldSentence(text=one.text, facts=one.facts), told[one.number][0], question)
                if isinstance(held, Sentence):
                    found[one.number] = replace(held, fate="repaired")
        return found

    def _completed(
        self, kept: Sequence[Sentence], lost: Sequence[tuple[int, Sequence[str]]], plain: Sequence[Sentence]
    ) -> Sequence[Sentence]:
        """With extractive sentences in the places of lost ones, and at the end for what nobody tells."""
        covered = {key for one in kept for key in one.references or one.facts}
        waiting = [one for one in plain if not covered.issuperset(one.references or one.facts)]
        places: dict[int, list[Sentence]] = {}
        for place, keys in lost:
            own = [one for one in waiting if set(one.references or one.facts) & set(keys)]
            waiting = [one for one in waiting if one not in own]
            self.count("replaced" if own else "dropped")
            self.count("kept", max(len(own) - 1, 0))
            places.setdefault(place, []).extend(replace(one, fate="replaced") for one in own)
        told: list[Sentence] = []
        for at in range(len(kept) + 1):
            paragraph = kept[min(at, len(kept) - 1)].paragraph if kept else 0
            told += [replace(one, paragraph=paragraph) for one in places.get(at, ())]
            told += kept[at : at + 1]
        return (*told, *_behind(told, self.plainly(waiting)))


def _keys(told: ToldSentence, question: Question) -> tuple[str, ...]:
    """The facts that a sentence names, as far as they were given."""
    return tuple(dict.fromkeys(question.keys[label] for label in told.facts if label in question.keys))


def _behind(told: Sequence[Sentence], more: Iterable[Sentence]) -> list[Sentence]:
    """Further sentences, their paragraphs numbered on from those already told."""
    start = max((one.paragraph for one in told), default=-1) + 1
    numbers: dict[int, int] = {}
    return [replace(one, paragraph=start + numbers.setdefault(one.paragraph, len(numbers))) for one in more]
