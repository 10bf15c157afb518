"""English words of everyday use, by what they do in a sentence."""

from __future__ import annotations

from bot.narrate.wordset import word_set

FINITE = word_set(
    """
    is are was were has have had does do did can cannot could should would will shall must may might isn't
    aren't wasn't weren't hasn't haven't doesn't don't didn't can't couldn't shouldn't won't needs wants goes
    comes gets makes takes gives keeps says becomes became went came got took gave said fails failed hangs hung
    dies died stays stayed remains remained seems falls fell beats sits ran holds begins began grows grew
    """
)
DETERMINERS = word_set(
    """
    a an the this that these those each every all both some any no one two three four five six seven eight nine
    ten its their our my your his her another several many few more most such what which whose
    """
)
ORDERING = word_set("first second third next last same only best worst latest following")
COUNTS = word_set(
    """
    no all both every each several some many few more most fewer one two three four five six seven eight nine ten
    eleven twelve twenty fifty hundred about almost nearly over half first second third new
    """
)
PREPOSITIONS = word_set(
    """
    of for in on at to from with by and or as into over under per via through without within between against
    after before during behind than across along about around beyond but nor when while if because that
    """
)
FUNCTION_WORDS = (
    DETERMINERS
    | PREPOSITIONS
    | FINITE
    | word_set(
        """
    it they there here not now only also both either neither so then same other others first second third fourth
    last next previously currently usually until once since where how why who new old many less fewer least up
    down out off further instead together again almost nearly still already just even dropped missing larger
    smaller longer shorter faster slower better worse median mean peak total average
    """
    )
)
COMMON = word_set(
    """
    above absolute active actual additional after ago alone already also alternative always annual another
    anonymous any apart audit aim automatic back bad baseline basic beyond big bigger both brief broken bug busy
    careful central certain cheap clean clear close closed coarse code cold common community complete complex
    constant correct current custom daily dead deep default dense direct dirty distinct double dry dual early
    easy eight eighteen either eleven empty enough entire equal exact existing explicit external extra fair fast
    fewer fifteen fifth final fine fit five fixed flat follow four fourth free frequent fresh full further
    future general generic global good goal graded great half hard heavy here ghost phantom zombie orphan
    dangling item hidden high higher huge hundred idle implicit important individual initial inner internal
    joint key large larger late later latest lazy left legacy light likely linear little live local long loose
    lost low lower main major many mean median merge minor mixed modern monthly more most much multiple naive
    narrow native near nested new next nightly nine no noisy normal nothing now numeric odd offline old older
    one online only open optional other outer outside overall own paired parallel part partial past peak per
    permanent plain possible potential previous primary private proper public pure quick quiet random rare raw
    ready real recent red redundant regular related relative relevant reliable remote repeated right rough round
    safe same second separate serial seven several shallow shared sharp short shorter side silent similar simple
    since single six slow small smaller smart snapshot soft some sparse special specific split stable stale
    standard static steady strict strong subtle successful such sudden suitable super ten test third thin thirty
    thousand three tight tiny total tree trivial true twelve twenty twice twin two typical unique unknown unsafe
    unused upper upstream useful user usual valid vast visible warm weak weekly weight whole wide wider wild
    wrong zero people person team work week weeks day days month months year years today yesterday tomorrow
    thing things way ways reason reasons problem problems question questions answer idea ideas document
    documents chunk chunks paths path reward training evaluation profile memory gradient gradients norm axis
    axes loss losses report campaign discovery discussion metrics model models staging scores score tunnel
    tunnels lock locks state throughput performance launch launcher ceiling quality audit cleanup login bridge
    scripts styles reducers active execution hero shape focus
    """
)
