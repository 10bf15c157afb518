"""The kinds of words by which introductions and coming events are read.

Lower case throughout. `words` and `phrases` (divided by " / ") stand between the borders of words; `wide` is for
scripts that are written without spaces and matches anywhere. A language that is missing here loses a sign, not
the rule.
"""

from __future__ import annotations

import re


def kind(*, words: str = "", phrases: str = "", wide: str = "") -> re.Pattern[str]:
    """One pattern for a kind of words."""
    spoken = [*words.split(), *(r"\s+".join(p.split()) for p in re.split(r"\s/\s", phrases) if p.strip())]
    parts = [rf"(?<!\w)(?:{_longest_first(spoken)})(?!\w)"] if spoken else []
    if wide:
        parts.append(_longest_first(wide.split()))
    return re.compile("|".join(parts))


def listed(words: str) -> frozenset[str]:
    """Words as a set."""
    return frozenset(words.split())


def _longest_first(words: list[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


GREETING = kind(
    words="""
    hi hello hey heya hiya howdy greetings morning evening afternoon yo sup hallo hei hej hejsan hola buenas salut
    bonjour bonsoir coucou ciao salve buongiorno oi olá ola moin servus grüezi moi ahoj cześć czesc hejka siema
    witam привіт вітаю привет здравствуйте всім merhaba selam selamlar halo salam szia sziasztok sveiki labas tere
    namaste namaskar नमस्ते مرحبا مرحباً السلام سلام שלום γεια bună salutare aloha g'day hoi dag xin chào zdravo
    здраво bok saluton
    """,
    phrases="kia ora / good morning / good evening / good afternoon / guten tag / good day / xin chào / xin chao",
    wide="""
    你好 大家好 您好 哈囉 哈喽 こんにちは こんばんは はじめまして 初めまして 안녕하세요 안녕 반갑습니다
    สวัสดี
    """,
)
FILLER = kind(
    words="""
    all everyone everybody folks there team people guys y'all friends world tous todos tutti allen zusammen
    wszystkim glad happy excited nice great good to be here meet you just joined pessoal mundo usuário alle alla
    miteinander
    """,
    phrases="nice to meet you / glad to be here / happy to be here / excited to be here / looking forward",
    wide="よろしくお願いします 请多关照",
)
EXPLICIT = kind(
    phrases="""
    my name is / my name's / i go by / call me / people call me / introduce myself / introduced myself /
    introducing myself / me
    presento / presentarme / me llamo / mi nombre es / je m'appelle / je me présente / mi chiamo / mi presento /
    mich vorstellen / ich heiße / ich heisse / mein name ist / meu nome é / me chamo / me apresentar / ik heet /
    mijn naam is / jag heter / jeg heter / jeg hedder / mitt namn är / nimeni on / olen nimeltäni / nazywam się /
    mam na imię / jmenuji se / volám sa / jmenuju se / мене звати / мене звуть / звати мене / меня зовут / казвам се
    / зовем се / mă numesc / numele meu / ma numesc / a nevem / nevem / με λένε / λέγομαι / adım / benim adım /
    ismim / mình tên là / tôi tên là / mình là / tôi là / em là / tên mình là / nama saya / nama aku / perkenalkan /
    ako si / ang pangalan ko / jina langu / اسمي / שמי / קוראים לי / मेरा नाम / আমার নাম / என் பெயர் / mans vārds /
    mano vardas / minu nimi
    """,
    wide="""
    我叫 我的名字 自我介绍 自我介紹 と申します といいます はじめまして 初めまして 自己紹介 제이름 이름은
    라고합니다 자기소개 ผมชื่อ ฉันชื่อ ดิฉันชื่อ แนะนำตัว
    """,
)
SELF = kind(
    words="jestem jsem vagyok soy sono sunt είμαι я ben saya aku",
    phrases="""
    i am a / i'm a / im a / i am an / i'm an / i am from / i'm from / i am in / i'm in / i am based / i'm based /
    based in / based out of / i work / i study / i teach / i research / i build / i write / i maintain / i lead /
    i run / i do(?! not| n't| think| agree) / i keep / i design / i train / i spent / i live / i recently /
    i am new / i'm new / new here / i am
    currently / i'm currently / i am working / i'm working / i am studying / i'm studying / i am interested / i'm
    interested / my background / my work / my research / my day job / my topic / my field / my focus / my interests
    / my interest / my notes / day job / working on / checking in / some things i made / years of / formerly /
    previously / here for / just joined / finally joined / i've been / i have been / been using / i'm learning /
    learning / just a guy / just a person / retired / mum of / mom of / mother of / dad of / father of /
    long time lurker / long-time lurker / long-time reader / first message /
    je suis / je travaille / j'étudie / ich bin / ich arbeite / ich studiere / yo soy / trabajo en / trabajo con /
    estudio / me interesa / me dedico / sou / trabalho / estudo / faço / aqui é / trabalho com / lavoro / studio /
    mi occupo / ik ben / ik werk / jag är / jag jobbar / jag arbetar / jeg er / jeg jobber / jeg arbejder / olen /
    työskentelen / opiskelen / z tej strony / pracuję / studiuję / zajmuję się / pracuju / studuji / я працюю /
    працюю / навчаюсь / навчаюся / вивчаю / займаюся / цікавлюся / я работаю / работаю / учусь / занимаюсь / изучаю
    / интересуюсь / çalışıyorum / okuyorum / yapıyorum / ilgileniyorum / mezunuyum / öğrencisiyim / đang làm / đang
    học / làm việc / đến từ / sống ở / dari / bekerja / belajar / sedang belajar / kuliah / dolgozom / tanulok /
    lucrez / sunt student / εργάζομαι / δουλεύω / σπουδάζω / أنا / أعمل / أدرس / אני / मैं / काम करता / काम करती /
    nakatira / ninafanya
    """,
    wide="""
    我是 我在 在读 在讀 从事 從事 研究 学生 學生 工作 来自 來自 です。 と言います しています をして 専攻
    勤務 입니다 이에요 예요 저는 에서 관심이 공부 일하고 ผม ฉัน เรียน ทำงาน
    """,
)
ROLE = kind(
    words="""
    phd postdoc student undergrad undergraduate grad masters msc bsc engineer researcher scientist developer dev
    professor lecturer teacher sysadmin sre swe mle mlops devops backend frontend intern freelancer founder
    consultant analyst architect hobbyist programmer physicist mathematician statistician linguist chemist biologist
    designer doctorant doctorante ingénieur ingénieure étudiant étudiante chercheur chercheuse développeur
    développeuse studentin doktorand doktorandin ingenieur ingenieurin forscher forscherin entwickler entwicklerin
    estudiante ingeniero ingeniera investigador investigadora desarrollador desarrolladora doctorando estudante
    engenheiro engenheira pesquisador pesquisadora desenvolvedor mestrado doutorado doutorando doutoranda studente
    studentessa ingegnere ricercatore ricercatrice sviluppatore fisico dottorando dottoranda studentka inżynier
    inżynierka programista programistka badacz doktorant doktorantka inženýr výzkumník vývojář студент студентка
    аспірант аспірантка аспирант інженер інженерка инженер розробник розробниця разработчик дослідник дослідниця
    исследователь програміст программист викладач mühendis mühendisi mühendisiyim öğrenci öğrencisi doktora
    geliştirici araştırmacı kỹ sư mahasiswa insinyur ingenjör utvecklare forskare utvikler ingeniør udvikler
    opiskelija insinööri tutkija kehittäjä hallgató mérnök inginer cercetător φοιτητής φοιτήτρια μηχανικός ερευνητής
    مهندس طالب طالبة باحث סטודנט סטודנטית חוקר מהנדס
    """,
    phrases="sinh viên / nghiên cứu sinh / kỹ sư / machine learning",
    wide="""
    工程师 工程師 学生 學生 博士 硕士 碩士 研究员 研究員 开发 開發 程序员 エンジニア 大学院生 研究者 開発者 修士
    연구원 대학원생 개발자 엔지니어 학생 석사 박사 นักศึกษา วิศวกร
    นักวิจัย
    """,
)
WELCOMING = kind(
    words="""
    welcome willkommen bienvenue bienvenido bienvenida bienvenidos bienvenid@s benvenuto benvenuta benvenuti
    bem-vindo bem-vinda bem-vindos welkom välkommen velkommen tervetuloa vítej vítejte vitaj witaj witajcie
    üdvözöllek üdv καλώς ласкаво
    """,
    phrases="""
    ласкаво просимо / добро пожаловать / hoş geldin / hoş geldiniz / hoşgeldin / bun venit / bine ai venit / selamat
    datang / chào mừng / أهلا وسهلا / ברוך הבא / ברוכים הבאים / स्वागत है / nice to have you / great to have you /
    good to see
    """,
    wide="欢迎 歡迎 ようこそ 환영 ยินดีต้อนรับ",
)
THANKING = kind(
    words="""
    thanks thank thx ty tysm gracias merci danke obrigado obrigada grazie dzięki dziękuję дякую спасибо teşekkürler
    teşekkür sağolun tack takk kiitos díky děkuji děkuju ďakujem mulțumesc köszönöm köszi ευχαριστώ شكرا شكراً תודה
    धन्यवाद bedankt dank
    """,
    phrases="cảm ơn / terima kasih / mange tak / dank je / vielen dank / muito obrigado",
    wide="谢谢 謝謝 感谢 感謝 多谢 ありがとう 감사합니다 감사해요 고마워 고맙습니다 ขอบคุณ",
)
ASKING = kind(
    phrases="""
    how do i / how to / how can i / where can i / where do i / where is / anyone know / does anyone / can someone /
    can anyone / could someone / is there a way / any idea / anyone from / who can / need help / please help / help
    me / wie kann ich / weiß jemand / kann jemand / comment faire / quelqu'un sait / alguien sabe / dónde puedo /
    alguém sabe / como faço / qualcuno sa / czy ktoś / jak mogę / хтось знає / як можна / кто-нибудь знает / nasıl /
    bilen var mı / ai biết / làm sao / ada yang tahu
    """,
    wide="請問怎麼 请问怎么 有人知道 怎么 教えてください どこ 어디 어떻게 아시는 질문",
)
TROUBLE = kind(
    words="error errors exception traceback fails failed failing crash crashes crashed broken stuck bug",
    phrases="doesn't work / does not work / not working / can't get / cannot get",
    wide="报错 エラー 오류 에러 안돼",
)
ADVERTISING = kind(
    phrases="""
    join my / free nitro / dm me / click here / click the link / giveaway / airdrop / promo code / discount code / for
    sale / selling my / check out my channel / subscribe to / link in bio
    """,
    wide="discord.gg/ discord.com/invite/ t.me/",
)

INTENDING = kind(
    phrases="""
    want to / would like to / i'd like to / hoping to / hope to / here to / keen to / keen on / curious about /
    trying to understand / looking for a first / looking to / interested in / happy to help / can help / here for
    """,
)
ENGLISH = kind(
    words="the is are to and of for this that it with so was were i my you in a we be have has just not on at",
)

SMALL_TALK = kind(
    words="""
    same lol lmao haha hahaha congrats congratulations agree agreed nice cool wow oops sorry ok okay yes yep no edit
    reminder fyi test testing ping bump done mod mods amazing awesome love
    """,
    phrases="so many / great to / good to see / please note / can we / we should / i think / wrong channel",
)
"""How small talk begins."""

ORDINARY = listed(
    """
    will may mark guy the and for not just one an so do he my me can dev ai ml code data test hi hello all new art
    gene dawn hope grace joy sunny sky rose ray drew bill rob pat gay dean ok yes no it is in on at be to
    """
)
"""Names (or parts of them) that are words as well: they count as a name only where they stand as one."""

TITLES = listed("dr mr mrs ms prof dipl ing sir msc phd mba jr sr ba")

OCCASION = kind(
    words="""
    meeting meetings meetup meetups meet-up call calls panel talk talks workshop workshops webinar seminar session
    sessions stream ama standup stand-up hackathon sprint deadline release launch party conference tutorial lecture
    q&a event events demo interview election vote treffen sitzung vortrag termin veranstaltung runde réunion
    rencontre atelier conférence événement reunión taller charla encuentro evento riunione incontro reunião encontro
    palestra oficina spotkanie warsztaty wykład зустріч лекція подія встреча лекция событие schůzka přednáška
    toplantı etkinlik buluşma bijeenkomst vergadering möte møde kokous họp pertemuan acara rapat
    """,
    phrases="office hour / office hours / reading group / journal club / town hall / sự kiện",
    wide="会议 會議 活动 活動 ミーティング 会議 イベント 勉強会 회의 모임 행사 세미나",
)
PAST = kind(
    words="""
    was were had did shipped released merged happened ended started finished landed war waren hatte wurde fue hubo
    était avait era foi było był була було была было
    """,
    phrases="has been / have been",
)
SAYS_LITTLE = listed(
    "the and for you your our are will with have that this there from next all who "
    "des les und der die das los las que para con"
)
"""Words that do not tell one occasion from another."""
