"""The community section in sentences: contributors, talk, newcomers, links, what is coming."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.model.edition import Edition, ExternalContributor
from bot.model.text import cut, one_line, plain
from bot.narrate.conversations import highlight_drafts
from bot.narrate.drafts import Draft, balanced, merged_facts
from bot.narrate.introductions import chosen_people
from bot.narrate.language.en import numbers, phrases, titles
from bot.narrate.language.en.clauses import Form
from bot.narrate.language.en.speaking import finished, quoted
from bot.narrate.language.en.voice import Voice
from bot.narrate.material import Material
from bot.narrate.people import People, shown
from bot.narrate.topics import Topics

PEOPLE = 5  # named in one sentence


@dataclass(frozen=True, slots=True)
class Measure:
    """How much is told: people introduced, words of a quotation, highlights beside tagged ones."""

    people: int
    quote_words: int
    highlights: int


MEASURES = (Measure(9, 42, 12), Measure(5, 28, 8), Measure(3, 20, 4), Measure(0, 14, 0))


def community_drafts(
    edition: Edition, people: People, voice: Voice, materials: Sequence[Material], measure: Measure
) -> list[Draft]:
    """The section's sentences, paragraph by paragraph, in the order in which the section tells."""
    by_reference = {one.reference.lower(): one for one in materials}
    highlights = list(highlight_drafts(edition, voice, measure.quote_words, measure.highlights))
    shown = "\n".join(draft.text for block in highlights for draft in block)
    blocks = [
        list(_contributors(edition, people, voice, by_reference)),
        *highlights,
        list(_newcomers(edition, voice, Topics.of(edition, materials), measure)),
        list(_links(edition, voice, shown)),
        list(_coming(edition, voice)),
        list(_automated_elsewhere(edition, voice, by_reference)),
        list(_gaps(edition)),
    ]
    if not any(blocks) and all(one.is_automated for one in materials):
        return [_quiet(edition, automated=bool(materials))]
    told = [block for block in blocks if block]
    return [draft.in_paragraph(number) for number, block in enumerate(told) for draft in block]


def _quiet(edition: Edition, *, automated: bool) -> Draft:
    community = edition.community
    text = phrases.quiet_week(
        community.messages if community.available else None,
        community.authors,
        github=edition.coverage.github != "off",
        automated=automated,
    )
    return Draft(text=text, facts=("period", "count/messages", "count/authors"), given=True)


def _contributors(edition: Edition, people: People, voice: Voice, materials: Mapping[str, Material]) -> Iterator[Draft]:
    contributors = edition.community.external_contributors
    if not contributors:
        return
    yield Draft(
        text=phrases.external_contributors(len(contributors)),
        facts=("count/external_contributors", *(f"contributor/{one.login}" for one in contributors)),
    )
    newcomers = 0
    for one in contributors:
        first = bool(one.first_time)
        newcomers += first
        draft = _contributor(
            one, people.named(one.login, one.name), voice, materials, nth_newcomer=newcomers if first else 0
        )
        if draft:
            yield draft


def _contributor(
    one: ExternalContributor,
    name: str,
    voice: Voice,
    materials: Mapping[str, Material],
    *,
    nth_newcomer: int,
) -> Draft | None:
    groups: dict[str, list[str]] = {}
    told: list[Material] = []
    for state in ("merged", "open", "closed"):
        for reference in getattr(one, state):
            material = materials.get(reference.lower())
            if material is None:
                continue
            told.append(material)
            label = "draft" if material.item.state == "draft" else phrases.STATES[state]
            mark = f"({voice.links.link(reference)}, {label})"
            groups.setdefault(state if material.title.form is Form.IMPERATIVE else "noun", []).append(
                f"{_change(material, voice, merged=state == 'merged')} {mark}"
            )
    if not told:
        return None
    opened = "opened pull requests " if len(groups.get("open", ())) > 1 else "opened a pull request "
    leads = (
        ("merged", ""),
        ("open", voice.choose("outsider", "proposed ", opened) if "open" in groups else ""),
        ("closed", "offered "),
        ("noun", "submitted "),
    )
    done = [f"{lead}{numbers.listed(groups[key])}" for key, lead in leads if key in groups]
    several = any(len(groups[key]) > 1 for key in groups)
    what = numbers.listed_clauses(done) if several else numbers.listed(done)
    references = tuple(material.reference for material in told)
    return Draft(
        text=finished(voice, phrases.contributed(name, what, nth_newcomer)),
        references=references,
        facts=merged_facts([f"contributor/{one.login}"], references),
    )


def _change(material: Material, voice: Voice, *, merged: bool) -> str:
    title = material.title
    if title.form is not Form.IMPERATIVE:
        return voice.noun_phrase(title, material.reference)
    if merged:
        return voice.within(titles.in_past(title), material.reference)
    return f"to {voice.within(titles.infinitive(title), material.reference)}"


def _newcomers(edition: Edition, voice: Voice, topics: Topics, measure: Measure) -> Iterator[Draft]:
    community = edition.community
    if not community.available:
        return
    introductions, joins = community.introductions, community.joins
    text = phrases.newcomers(introductions.count, joins.silent if joins.available else None)
    if not text:
        return
    facts = ("introductions", "joins", "count/introductions", "count/silent_joins")
    yield Draft(text=text, facts=tuple(key for key in facts if key in edition.facts))
    told = chosen_people(introductions.people, topics, measure.people)
    named = [f"[{_label(person.name)}]({person.url}) ({quoted(words)})" for person, words in told]
    keys = [f"member/{person.user_id}" for person, _ in told]
    for start in range(0, len(told), PEOPLE):
        here = slice(start, start + PEOPLE)
        several = phrases.among_them(named[here], introductions.count, all_told=len(told), first=start == 0)
        simpler = [
            Draft(text=f"One of them is {text}.", facts=(key,))
            for text, key in zip(named[here], keys[here], strict=True)
        ]
        yield Draft(
            text=finished(voice, several),
            facts=tuple(keys[here]),
            simpler=tuple(simpler) if len(simpler) > 1 else (),
        )


def _label(name: str) -> str:
    return shown(name).replace("[", "(").replace("]", ")")


def _links(edition: Edition, voice: Voice, before: str) -> Iterator[Draft]:
    """Each link with who shared it, a few to a sentence; not those that stand in what was told `before`."""
    links = enumerate(edition.community.shared_links, 1)
    shared = [(number, link) for number, link in links if f"({balanced(link.url)})" not in before]
    if not shared:
        return
    parts = []
    for _, link in shared:
        label = _label(cut(one_line(plain(link.title)), 80)) if link.title else _shown_address(link.url)
        parts.append(f"{shown(link.author)} shared [{label}]({balanced(link.url)}) in #{link.channel}")
    size = 3
    for start in range(0, len(parts), size):
        yield Draft(
            text=finished(voice, numbers.listed_clauses(parts[start : start + size])),
            facts=merged_facts(
                (f"link/{number}" for number, _ in shared[start : start + size]),
                (f"message/{link.message_id}" for _, link in shared[start : start + size]),
            ),
            simpler=tuple(
                Draft(text=finished(voice, part), facts=(f"link/{number}", f"message/{link.message_id}"))
                for part, (number, link) in zip(parts[start : start + size], shared[start : start + size], strict=True)
            )
            if len(parts) > 1
            else (),
        )


def _shown_address(url: str) -> str:
    """An address as a reader says it: without its scheme, at most 60 characters."""
    return _label(cut(url.partition("://")[2].removeprefix("www.").rstrip("/"), 60))


def _coming(edition: Edition, voice: Voice) -> Iterator[Draft]:
    said: dict[tuple[int | None, str], list[int]] = {}
    for number, event in enumerate(edition.community.events, 1):
        said.setdefault((event.message_id, event.what), []).append(number)
    for place, ((message_id, words), events) in enumerate(said.items()):
        event = edition.community.events[events[0] - 1]
        fact = edition.facts.get(f"event/{events[0]}")
        what = one_line(plain(words)).strip(" .")
        facts = (*(f"event/{number}" for number in events), *([f"message/{message_id}"] if message_id else []))
        days = numbers.listed([numbers.day(edition.community.events[number - 1].date) for number in events])
        by = shown(event.announced_by) if event.announced_by else None
        text = phrases.coming(days, quoted(what), by, fact.url if fact else None, first=place == 0)
        yield Draft(text=finished(voice, text), facts=facts)


def _automated_elsewhere(edition: Edition, voice: Voice, told: Mapping[str, Material]) -> Iterator[Draft]:
    """Bots' changes that stand in no section."""
    for bot in edition.community.automated:
        left = [reference for reference in bot.references if reference.lower() not in told]
        if left and len(left) == len(bot.references):
            links = phrases.some(list(map(voice.links.link, left)))
            yield Draft(
                text=f"{phrases.automated(bot.login, len(left), links, None)}.",
                references=tuple(left),
                facts=(f"automated/{bot.login}",),
            )


def _gaps(edition: Edition) -> Iterator[Draft]:
    """What could not be read is said, never told as nothing."""
    status = edition.coverage.github
    if status == "partial":
        yield Draft(text=phrases.GITHUB_PARTIAL, given=True)
    elif status == "unavailable":
        yield Draft(text=phrases.GITHUB_UNAVAILABLE, given=True)
    if (
        edition.community.available
        and not edition.community.joins.available
        and not edition.community.introductions.count
    ):
        yield Draft(text=phrases.JOINS_UNAVAILABLE, given=True)
