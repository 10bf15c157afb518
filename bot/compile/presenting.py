"""What in a text speaks for somebody presenting themselves, in whatever language.

The strongest sign needs no dictionary: people who introduce themselves state their own name. Around it stand
forms that many languages share (a list about oneself, "label: value" lines) and small vocabularies of the
kinds of words with which people present themselves or do something else (ask, thank, welcome). A language
missing from the vocabularies loses a sign, not the rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_NOISE = re.compile(
    r"<a?:\w+:\d+>|<(?:@[!&]?|#)\d+>|<t:\d+(?::\w)?>|<?https?://\S+|[*_~`|]|^\s*(?:>|#{1,3})\s", re.MULTILINE
)
_SENTENCE = re.compile(r"[^.!?。！？؟\n…]+[.!?。！？؟…]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_FENCE = re.compile(r"```.*?```", re.DOTALL)
_SEPARATORS = re.compile(r"[·•|/✨→—–]|[\U0001f300-\U0001faff\u2600-\u27bf]")
_FIELD = re.compile(r"^\W*[^\W\d_][\w ]{1,24}\s*[:：]\s*\S", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-–•▪‣→»]|\d{1,2}[.)])\s*\S", re.MULTILINE)


def _words(text: str) -> str:
    return "|".join(sorted(text.split(), key=len, reverse=True))


def _phrases(text: str) -> str:
    return "|".join(p.strip().replace(" ", r"\s+") for p in text.strip().split("/") if p.strip())


def _kind(words: str = "", phrases: str = "", wide: str = "") -> re.Pattern[str]:
    """Words and phrases stand between word borders; `wide` is for scripts that write without spaces."""
    bounded = "|".join(part for part in (_words(words), _phrases(phrases)) if part)
    parts = [rf"(?<!\w)(?:{bounded})(?!\w)"] if bounded else []
    if wide:
        parts.append(_words(wide))
    return re.compile("|".join(parts))


_GREETING = _kind(
    "hi hello hey heya hiya howdy greetings morning evening afternoon yo sup hallo hei hej hejsan hola buenas salut "
    "bonjour bonsoir coucou ciao salve buongiorno oi olá ola moin servus grüezi moi ahoj cześć czesc hejka siema witam "
    "привіт вітаю привет здравствуйте всім merhaba selam selamlar halo salam szia sziasztok sveiki labas tere "
    "namaste namaskar नमस्ते مرحبا مرحباً السلام سلام שלום γεια bună salutare aloha g'day hoi dag xin chào "
    "zdravo здраво bok saluton",
    "kia ora / good morning / good evening / good afternoon / guten tag / good day / xin chào / xin chao",
    "你好 大家好 您好 哈囉 哈喽 こんにちは こんばんは はじめまして 初めまして 안녕하세요 안녕 반갑습니다 สวัสดี",
)
_FILLER = _kind(
    "all everyone everybody folks there team people guys y'all friends world tous todos tutti allen zusammen wszystkim "
    "glad happy excited nice great good to be here meet you just joined pessoal mundo usuário alle alla miteinander",
    "nice to meet you / glad to be here / happy to be here / excited to be here / looking forward",
    "よろしくお願いします 请多关照",
)
_EXPLICIT = _kind(
    "",
    "my name is / my name's / i go by / call me / people call me / introduce myself / introducing myself / "
    "me presento / presentarme / me llamo / mi nombre es / je m'appelle / je me présente / mi chiamo / mi presento / "
    "mich vorstellen / ich heiße / ich heisse / mein name ist / meu nome é / me chamo / me apresentar / "
    "ik heet / mijn naam is / jag heter / jeg heter / jeg hedder / mitt namn är / nimeni on / olen nimeltäni / "
    "nazywam się / mam na imię / jmenuji se / volám sa / jmenuju se / мене звати / мене звуть / звати мене / меня зовут / "
    "казвам се / зовем се / mă numesc / numele meu / ma numesc / a nevem / nevem / με λένε / λέγομαι / "
    "adım / benim adım / ismim / mình tên là / tôi tên là / mình là / tôi là / em là / tên mình là / "
    "nama saya / nama aku / perkenalkan / ako si / ang pangalan ko / jina langu / اسمي / שמי / קוראים לי / "
    "मेरा नाम / আমার নাম / என் பெயர் / mans vārds / mano vardas / minu nimi",
    "我叫 我的名字 自我介绍 自我介紹 と申します といいます はじめまして 初めまして 自己紹介 제이름 제 이름 라고합니다 "
    "라고 이라고 자기소개 ผมชื่อ ฉันชื่อ ดิฉันชื่อ แนะนำตัว",
)
_SELF = _kind(
    "jestem jsem som vagyok soy sono sunt είμαι szerint я ben saya aku",
    "i am a / i'm a / im a / i am an / i'm an / i am from / i'm from / i am in / i'm in / i am based / i'm based / "
    "based in / based out of / i work / i study / i teach / i research / i build / i write / i maintain / i lead / i run / "
    "i do / i keep / i design / i train / i spent / i live / i recently / i am new / i'm new / new here / i am currently / "
    "i'm currently / i am working / i'm working / i am studying / i'm studying / i am interested / i'm interested / "
    "my background / my work / my research / my day job / my topic / my field / my focus / my interests / my interest / "
    "my notes / day job / working on / checking in / some things i made / years of / formerly / previously / "
    "here for / just joined / long time lurker / long-time lurker / long-time reader / first message / "
    "je suis / je travaille / j'étudie / ich bin / ich arbeite / ich studiere / yo soy / trabajo en / trabajo con / "
    "estudio / me interesa / me dedico / sou / trabalho / estudo / faço / aqui é / trabalho com / lavoro / studio / "
    "mi occupo / ik ben / ik werk / jag är / jag jobbar / jag arbetar / jeg er / jeg jobber / jeg arbejder / "
    "olen / työskentelen / opiskelen / tu / z tej strony / pracuję / studiuję / zajmuję się / pracuju / studuji / "
    "я працюю / працюю / навчаюсь / навчаюся / вивчаю / займаюся / цікавлюся / я работаю / работаю / учусь / "
    "занимаюсь / изучаю / интересуюсь / çalışıyorum / okuyorum / yapıyorum / ilgileniyorum / mezunuyum / öğrencisiyim / "
    "đang làm / đang học / làm việc / đến từ / sống ở / dari / bekerja / belajar / sedang belajar / kuliah / "
    "dolgozom / tanulok / lucrez / sunt student / εργάζομαι / δουλεύω / σπουδάζω / أنا / أعمل / أدرس / אני / "
    "मैं / काम करता / काम करती / nakatira / ninafanya",
    "我是 我在 在读 在讀 从事 從事 研究 学生 學生 工作 来自 來自 です。 と言います しています をして 専攻 勤務 "
    "입니다 이에요 예요 저는 에서 관심이 공부 일하고 ผม ฉัน เรียน ทำงาน",
)
_ROLE = _kind(
    "phd postdoc student undergrad undergraduate grad masters msc bsc engineer researcher scientist developer dev "
    "professor lecturer teacher sysadmin sre swe mle mlops devops backend frontend intern freelancer founder consultant "
    "analyst architect hobbyist programmer physicist mathematician statistician linguist chemist biologist designer "
    "doctorant doctorante ingénieur ingénieure étudiant étudiante chercheur chercheuse développeur développeuse "
    "student studentin doktorand doktorandin ingenieur ingenieurin forscher forscherin entwickler entwicklerin "
    "estudiante ingeniero ingeniera investigador investigadora desarrollador desarrolladora doctorando "
    "estudante engenheiro engenheira pesquisador pesquisadora desenvolvedor mestrado doutorado doutorando doutoranda "
    "studente studentessa ingegnere ricercatore ricercatrice sviluppatore fisico dottorando dottoranda "
    "studentka inżynier inżynierka programista programistka badacz doktorant doktorantka inženýr výzkumník vývojář "
    "студент студентка аспірант аспірантка аспирант інженер інженерка инженер розробник розробниця разработчик "
    "дослідник дослідниця исследователь програміст программист викладач "
    "mühendis mühendisi mühendisiyim öğrenci öğrencisi doktora geliştirici araştırmacı kỹ sư mahasiswa insinyur "
    "ingenjör utvecklare forskare utvikler ingeniør udvikler opiskelija insinööri tutkija kehittäjä hallgató mérnök "
    "inginer cercetător φοιτητής φοιτήτρια μηχανικός ερευνητής مهندس طالب طالبة باحث סטודנט סטודנטית חוקר מהנדס",
    "sinh viên / nghiên cứu sinh / kỹ sư / machine learning",
    "工程师 工程師 学生 學生 博士 硕士 碩士 研究员 研究員 开发 開發 程序员 エンジニア 大学院生 研究者 開発者 修士 "
    "연구원 대학원생 개발자 엔지니어 학생 석사 박사 นักศึกษา วิศวกร นักวิจัย",
)
_WELCOMING = _kind(
    "welcome willkommen bienvenue bienvenido bienvenida bienvenidos bienvenid@s benvenuto benvenuta benvenuti "
    "bem-vindo bem-vinda bem-vindos welkom välkommen velkommen tervetuloa vítej vítejte vitaj witaj witajcie "
    "üdvözöllek üdv καλώς ласкаво",
    "ласкаво просимо / добро пожаловать / hoş geldin / hoş geldiniz / hoşgeldin / bun venit / bine ai venit / "
    "selamat datang / chào mừng / أهلا وسهلا / ברוך הבא / ברוכים הבאים / स्वागत है / nice to have you / "
    "great to have you / good to see",
    "欢迎 歡迎 ようこそ 환영 ยินดีต้อนรับ",
)
_THANKING = _kind(
    "thanks thank thx ty tysm gracias merci danke obrigado obrigada grazie dzięki dziękuję дякую спасибо teşekkürler "
    "teşekkür sağolun tack takk kiitos díky děkuji děkuju ďakujem mulțumesc köszönöm köszi ευχαριστώ شكرا شكراً תודה "
    "धन्यवाद bedankt dank gracias",
    "cảm ơn / terima kasih / mange tak / dank je / vielen dank / muito obrigado",
    "谢谢 謝謝 感谢 感謝 多谢 ありがとう 감사합니다 감사해요 고마워 고맙습니다 ขอบคุณ",
)
_SMALL_TALK = re.compile(
    r"\s*(?:\+1|same\b|lol\b|lmao\b|haha|jaja|www|congrat|agreed?\b|nice\b|cool\b|wow\b|oops\b|sorry\b|ok(?:ay)?\b|yes\b|"
    r"yep\b|no\b|edit\b|reminder\b|fyi\b|test\b|testing\b|ping\b|bump\b|done\b|so many\b|great to\b|good to see\b|"
    r"please note\b|mods?\b|\()"
)
_ASKING = _kind(
    "",
    "how do i / how to / how can i / where can i / where do i / where is / anyone know / does anyone / can someone / "
    "can anyone / could someone / is there a way / any idea / anyone from / who can / need help / please help / help me / "
    "wie kann ich / weiß jemand / kann jemand / comment faire / quelqu'un sait / alguien sabe / dónde puedo / "
    "alguém sabe / como faço / qualcuno sa / czy ktoś / jak mogę / хтось знає / як можна / кто-нибудь знает / "
    "nasıl / bilen var mı / ai biết / làm sao / ada yang tahu",
    "請問怎麼 请问怎么 有人知道 怎么 教えてください どこ 어디 어떻게 아시는",
)
_TROUBLE = _kind(
    "error errors exception traceback fails failed failing crash crashes crashed broken stuck bug",
    "doesn't work / does not work / not working / can't get / cannot get",
    "报错 エラー 오류 에러",
)
_ASKS_WITHOUT_MARK = re.compile(r"(?:ですか|ますか|でしょうか|[吗嗎呢]|까요|나요|인가요|가요|ไหม|มั้ย)\s*[。.]?\s*$")
_ORDINARY_WORDS = frozenset(
    [
        "will",
        "may",
        "mark",
        "guy",
        "the",
        "and",
        "for",
        "not",
        "just",
        "one",
        "an",
        "so",
        "do",
        "he",
        "my",
        "me",
        "can",
        "dev",
        "ai",
        "ml",
        "code",
        "data",
        "test",
        "hi",
        "hello",
        "all",
        "new",
        "art",
        "gene",
        "dawn",
        "hope",
        "grace",
        "joy",
        "sunny",
        "sky",
        "rose",
        "ray",
        "drew",
        "bill",
        "rob",
        "pat",
        "gay",
        "dean",
        "ok",
        "yes",
        "no",
        "it",
        "is",
        "in",
        "on",
        "at",
        "be",
        "to",
    ]
)
_TITLES = frozenset(["dr", "mr", "mrs", "ms", "prof", "dipl", "ing", "sir", "msc", "phd", "mba", "jr", "sr", "ba"])


def plain(text: str) -> str:
    """The text without markdown, addresses, mentions and custom emoji, in one spelling of characters."""
    text = unicodedata.normalize("NFKC", _FENCE.sub(" ", text))
    return _NOISE.sub(" ", text).replace("’", "'").replace("ʼ", "'").strip()


def _bare(word: str) -> str:
    """Lower case without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))


def _states_name(text: str, names: Iterable[str]) -> bool:
    spoken = _WORD.findall(text)
    heard = {_bare(word): word for word in reversed(spoken)}
    opening = {_bare(word) for word in spoken[:5]}
    for name in names:
        whole = re.sub(r"\s+", "", unicodedata.normalize("NFKC", name).replace("ʼ", "'").replace("’", "'"))
        if len(whole) >= 2 and _WIDE.search(whole):
            if whole in re.sub(r"\s+", "", text):
                return True
            continue
        for part in _WORD.findall(unicodedata.normalize("NFKC", name).replace("ʼ", "'").replace("’", "'")):
            bare = _bare(part)
            if len(bare) < 2 or bare in _TITLES or bare not in heard:
                continue
            said = heard[bare]
            if bare in _ORDINARY_WORDS and not (said[0].isupper() and bare in opening):
                continue
            if said[0].isupper() or bare in opening or not part[0].isupper():
                return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a text shows. `substance` is the number of words that are neither greeting nor filler."""

    states_name: bool
    explicit: bool
    cues: int  # about oneself, a role, a list about oneself
    greets: bool
    asks: bool
    only_asks: bool
    other_purpose: bool  # thanks, welcomes, small talk, trouble
    substance: int


def signs_of(text: str, names: Iterable[str]) -> Signs:
    """Read a text for signs that its author, known by `names`, presents themselves. Linear in the text."""
    cleaned = plain(text[:4000])
    lower = cleaned.casefold()
    sentences = [s.strip() for s in _SENTENCE.findall(cleaned) if _WORD.search(s)]
    telling = [s for s in sentences if _substance(s.casefold()) > 0]
    questions = [s for s in telling if "?" in s or "？" in s or "؟" in s or _ASKS_WITHOUT_MARK.search(s)]
    first = telling[0].casefold() if telling else ""
    welcomes = bool(_WELCOMING.search(first)) and not re.search(r"(?:for|the|warm|kind)\s+(?:\w+\s+)?welcome", first)
    listed = (
        len(_BULLET.findall(cleaned)) >= 2
        or len(_FIELD.findall(cleaned)) >= 2
        or len(_SEPARATORS.findall(cleaned)) >= 3
    )
    cues = sum((bool(_SELF.search(lower)), bool(_ROLE.search(lower)), listed))
    return Signs(
        states_name=_states_name(cleaned, names),
        explicit=bool(_EXPLICIT.search(lower)),
        cues=cues,
        greets=bool(_GREETING.search(lower[:80])),
        asks=bool(questions) or bool(_ASKING.search(lower)),
        only_asks=bool(telling) and len(questions) == len(telling),
        other_purpose=bool(
            welcomes
            or _THANKING.search(first)
            or _SMALL_TALK.match(lower)
            or (_TROUBLE.search(lower) and not cues)
            or _FENCE.search(text)
        ),
        substance=_substance(lower),
    )


def _substance(lower: str) -> int:
    rest = _FILLER.sub(" ", _GREETING.sub(" ", lower))
    wide = len(_WIDE.findall(rest))
    return wide // 2 + sum(1 for word in _WORD.findall(_WIDE.sub(" ", rest)) if len(word) > 1)
