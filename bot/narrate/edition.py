"""From facts to sentences: `narrate` fills an edition's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.model.edition import Edition, Highlight, Section
from bot.model.settings import GuildSettings
from bot.narrate.community import MEASURES, community_drafts
from bot.narrate.drafts import Draft, Links
from bot.narrate.epics import EpicWords, words_of_epic
from bot.narrate.ground import Tally, grounded
from bot.narrate.language.en import phrases
from bot.narrate.language.en.voice import Voice
from bot.narrate.material import Material, material_of
from bot.narrate.people import People
from bot.narrate.plan import Plan, is_crowded, natural_length, plan
from bot.narrate.sections import section_drafts
from bot.narrate.spelling import Spelling

SHARES = (2.2, 1.9, 1.6, 1.45, 1.3, 1.15, 1.0, 0.93, 0.86, 0.8, 0.72, 0.64, 0.55, 0.45, 0.35, 0.25, 0.15)
"""Parts of the wanted length that are tried, the first that fits is taken. Above 1 where items have to be left out,
since they are weighed by a generous measure."""

COMMUNITY_SHARE = 0.4
"""So much of the whole is for the community at most, as far as it can be shortened."""

OMISSION = 20
MOST_LISTED = 25
"""Words of the sentence that tells what is left out, about; how many references it lists at most."""


def narrate(edition: Edition, settings: GuildSettings) -> Edition:
    """The edition with its words: `narrative` of sections and community, epics' `summary`, `grounding`, `omitted`.

    Pure, and the same for the same input. The length is at most `settings.narrative.words`, give or take a
    sentence, and less where the facts are worth less. Every sentence is held against the facts it names.
    """
    desk = Desk.of(edition, settings)
    community = _community(desk)
    sections, omitted = _sections(desk, settings.narrative.words - _words(community))
    tally = Tally()
    told = tuple(
        replace(
            section,
            narrative=grounded(sections[section.key], edition.facts, tally),
            epic=replace(section.epic, summary=desk.epics[section.key].summary) if section.epic else None,
        )
        for section in edition.sections
    )
    return replace(
        edition,
        sections=told,
        community=replace(edition.community, narrative=grounded(community, edition.facts, tally)),
        grounding=tally.grounding(edition.grounding),
        omitted=omitted,
    )


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that lies ready for the telling of one edition."""

    edition: Edition
    settings: GuildSettings
    people: People
    links: Links
    spelling: Spelling
    materials: dict[str, list[Material]]
    epics: dict[str, EpicWords]

    @classmethod
    def of(cls, edition: Edition, settings: GuildSettings) -> Desk:
        people = People.of(edition, settings)
        urls = {item.reference: item.url for section in edition.sections for item in section.items}
        urls |= {section.epic.reference: section.epic.url for section in edition.sections if section.epic}
        return cls(
            edition=edition,
            settings=settings,
            people=people,
            links=Links.of(edition.facts, settings.github.default, urls),
            spelling=Spelling(fact.text for fact in edition.facts.values()),
            materials={
                section.key: [material_of(item, people, edition.facts) for item in section.items]
                for section in edition.sections
            },
            epics={s.key: words_of_epic(s.epic, people, edition.facts) for s in edition.sections if s.epic},
        )

    @property
    def everything(self) -> list[Material]:
        return [one for section in self.edition.sections for one in self.materials[section.key]]

    def voice(self) -> Voice:
        """A voice that has said nothing yet."""
        return Voice(self.links, self.spelling, self.people.small_names, self.edition.period.start)


def _words(drafts: Sequence[Draft]) -> int:
    return sum(draft.words for draft in drafts)


def _community(desk: Desk) -> list[Draft]:
    drafts: list[Draft] = []
    for measure in MEASURES:
        drafts = community_drafts(desk.edition, desk.people, desk.voice(), desk.everything, measure)
        if _words(drafts) <= desk.settings.narrative.words * COMMUNITY_SHARE:
            break
    return drafts


def _sections(desk: Desk, allowed: int) -> tuple[dict[str, list[Draft]], tuple[str, ...]]:
    """The sections' sentences by key within `allowed` words, and the references that found no room."""
    everything = desk.everything
    fixed = sum(words.length for words in desk.epics.values())
    wanted = min(allowed, natural_length(everything, desk.edition.layout) + fixed)
    crowded = is_crowded(everything, allowed - fixed)
    drafts: dict[str, list[Draft]] = {}
    chosen = Plan({}, frozenset())
    for share in SHARES if crowded else [share for share in SHARES if share <= 1]:
        chosen = plan(everything, int((wanted - fixed) * share), crowded=crowded)
        drafts = dict(_told(desk, chosen))
        length = sum(len(words.summary.split()) for words in desk.epics.values()) + sum(map(_words, drafts.values()))
        if length + (OMISSION if chosen.left_out else 0) <= wanted:
            break
    omitted = tuple(one.reference for one in everything if one.reference in chosen.left_out)
    if omitted:
        last = drafts[desk.edition.sections[-1].key]
        last.append(_omission(desk, omitted, 1 + max((draft.paragraph for draft in last), default=-1)))
    return drafts, omitted


def _told(desk: Desk, chosen: Plan) -> Iterator[tuple[str, list[Draft]]]:
    voice = desk.voice()
    known = {one.reference.lower(): one.item for one in desk.everything}
    for section in desk.edition.sections:
        kept = [one for one in desk.materials[section.key] if one.reference not in chosen.left_out]
        yield (
            section.key,
            section_drafts(
                section,
                kept,
                chosen.chosen,
                voice,
                elsewhere=known,
                epic=desk.epics.get(section.key),
                untold=_untold(section, desk.edition),
            ),
        )


def _untold(section: Section, edition: Edition) -> list[Highlight]:
    """A section's conversations that the community section does not tell."""
    return [one for one in section.highlights if one not in edition.community.highlights]


def _omission(desk: Desk, omitted: Sequence[str], paragraph: int) -> Draft:
    """The closing sentence that says what the length did not allow."""
    most = min(MOST_LISTED, desk.settings.narrative.words // 40)
    shown = [desk.links.link(reference) for reference in omitted[:most]]
    text = phrases.omitted(len(omitted), shown, more=len(omitted) - len(shown))
    return Draft(text=text, references=tuple(omitted), facts=tuple(omitted), paragraph=paragraph, given=True)
