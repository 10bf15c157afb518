"""The whole narrative: what is told of each section, within the budget, and held against the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.model.edition import Edition, Section, Sentence
from bot.model.settings import GuildSettings
from bot.model.text import safe_name
from bot.narrate.community import MEASURES, community_drafts
from bot.narrate.drafts import Draft, Links
from bot.narrate.ground import Tally, grounded
from bot.narrate.language.en import phrases
from bot.narrate.language.en.clauses import Form
from bot.narrate.language.en.voice import Voice
from bot.narrate.material import Material, Said, material_of, said_of_epic
from bot.narrate.people import People
from bot.narrate.plan import Plan, is_crowded, plan
from bot.narrate.sections import section_drafts
from bot.narrate.spelling import Spelling

SHARES = (1.6, 1.45, 1.3, 1.15, 1.0, 0.93, 0.86, 0.8, 0.72, 0.64, 0.55, 0.45, 0.35, 0.25, 0.15)
SUMMARY_WORDS = 45
OMISSION = 20  # words of the sentence that tells of it, about
COMMUNITY_SHARE = 0.4  # of the whole, at most
LISTED_OMISSIONS = 25  # references, and one for each forty words of the whole at most


def composed(edition: Edition, settings: GuildSettings) -> Edition:
    people = People.of(edition, settings)
    urls = {item.reference: item.url for section in edition.sections for item in section.items} | {
        section.epic.reference: section.epic.url for section in edition.sections if section.epic
    }
    links = Links.of(edition.facts, settings.github.default, urls)
    spelling = Spelling(fact.text for fact in edition.facts.values())
    materials = {
        section.key: [material_of(item, people, edition.facts) for item in section.items]
        for section in edition.sections
    }
    names = tuple(
        sorted({name for name in map(safe_name, (*people.names.values(), *people.logins)) if name[:1].islower()})
    )
    known = {item.reference.lower(): item for section in edition.sections for item in section.items}
    everything = [one for section in edition.sections for one in materials[section.key]]
    summaries = {section.key: _summary(section, people, edition) for section in edition.sections if section.epic}
    community: list[Draft] = []
    for measure in MEASURES:
        community = community_drafts(
            edition, people, Voice(links, spelling, names, edition.period.start), everything, measure
        )
        if sum(draft.words for draft in community) <= settings.narrative.words * COMMUNITY_SHARE:
            break
    fixed = sum(draft.words for draft in community) + sum(
        len(text.split()) + sum(said.clause.words + 4 for said in comments) for text, comments in summaries.values()
    )
    wanted = min(settings.narrative.words, fixed + natural_length(everything, edition.layout)) - fixed
    drafts: dict[str, list[Draft]] = {}
    chosen = Plan({}, frozenset())
    crowded = is_crowded(everything, settings.narrative.words - fixed)
    for share in SHARES if crowded else [share for share in SHARES if share <= 1]:
        chosen = plan(everything, int(wanted * share), crowded=crowded)
        voice = Voice(links, spelling, names, edition.period.start)
        drafts = {
            section.key: section_drafts(
                section,
                [one for one in materials[section.key] if one.reference not in chosen.left_out],
                chosen.chosen,
                voice,
                elsewhere=known,
                epic_comments=summaries[section.key][1] if section.key in summaries else (),
                untold=[one for one in section.highlights if one not in edition.community.highlights],
            )
            for section in edition.sections
        }
        length = (
            (OMISSION if chosen.left_out else 0)
            + fixed
            + sum(draft.words for some in drafts.values() for draft in some)
        )
        if length <= min(settings.narrative.words, fixed + wanted):
            break
    omitted = tuple(one.reference for one in everything if one.reference in chosen.left_out)
    if omitted:
        last = edition.sections[-1].key
        drafts[last] = [
            *drafts[last],
            _omission(
                omitted, links, settings.narrative.words // 40, 1 + max((d.paragraph for d in drafts[last]), default=-1)
            ),
        ]
    tally = Tally()
    sections = tuple(
        _with_words(section, grounded(drafts[section.key], edition.facts, tally), summaries)
        for section in edition.sections
    )
    return replace(
        edition,
        sections=sections,
        community=replace(edition.community, narrative=grounded(community, edition.facts, tally)),
        grounding=tally.grounding(edition.grounding),
        omitted=omitted,
    )


def natural_length(materials: list[Material], layout: str) -> int:
    """How many words the items are worth, whatever the settings would allow: figures and talk want room."""
    figures = sum(min(sum(1 for said in one.said if said.clause.figures), 3) for one in materials)
    return (13 if layout == "epics" else 18) * len(materials) + 11 * figures


def _summary(section: Section, people: People, edition: Edition) -> tuple[str, tuple[Said, ...]]:
    assert section.epic is not None
    own, comments = said_of_epic(section.epic, people, edition.facts)
    text: list[str] = []
    for said in own:
        if sum(len(part.split()) for part in text) + said.clause.words <= SUMMARY_WORDS and (
            not text or said.clause.figures
        ):
            raw = said.clause.text
            text.append(raw[0].upper() + raw[1:] + "." if not raw.endswith("?") else raw)
    worth = sorted(comments, key=lambda said: -said.clause.value)[:5]
    return " ".join(text), tuple(
        said for said in comments if said in worth and (said.clause.figures or said.clause.form is not Form.NOUN)
    )


def _with_words(
    section: Section, sentences: tuple[Sentence, ...], summaries: Mapping[str, tuple[str, tuple[Said, ...]]]
) -> Section:
    if section.epic and section.key in summaries:
        return replace(section, narrative=sentences, epic=replace(section.epic, summary=summaries[section.key][0]))
    return replace(section, narrative=sentences)


def _omission(omitted: Sequence[str], links: Links, most: int, paragraph: int) -> Draft:
    """The closing sentence that says what the length did not allow."""
    shown = [links.link(reference) for reference in omitted[: min(LISTED_OMISSIONS, most)]]
    text = phrases.omitted(len(omitted), shown, more=len(omitted) - len(shown))
    return Draft(text=text, references=tuple(omitted), facts=tuple(omitted), paragraph=paragraph, given=True)
