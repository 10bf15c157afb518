"""Who presents themselves: by the place of a message in the conversation, then by its words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.compile.introductions import Writer, find_introductions
from bot.compile.vocabulary import kind
from bot.model.messages import Message, MessageType, Speaker
from bot.model.snowflakes import first_id_at

AT = datetime(2026, 5, 6, 12, tzinfo=UTC)
PLACE = 9
TEAM, BOT = 2, 3


def message(text: str, *, minute: int = 0, author: int = 1, name: str = "Ken", **more: object) -> Message:
    fields: dict[str, object] = {
        "message_id": first_id_at(AT + timedelta(minutes=minute)) + author,
        "guild_id": 1,
        "channel_id": PLACE,
        "author_id": author,
        "author_name": name,
        "content": text,
        "message_type": MessageType.REPLY if more.get("reply_to_id") else MessageType.DEFAULT,
    }
    return Message(**{**fields, **more})  # type: ignore[arg-type]


def writer(user_id: int = 1, name: str = "Ken", *, days: float | None = 0, team: bool = False) -> Writer:
    joined = None if days is None else AT - timedelta(days=days)
    return Writer(user_id=user_id, name=name, names=(name, f"{name.lower()}_77"), team=team, joined_at=joined)


def introduces(text: str, name: str, days: float | None) -> bool:
    found = find_introductions(
        [message(text, name=name)], place_id=PLACE, writers={1: writer(name=name, days=days)}, answered={}
    )
    return found.count == 1


PRESENTED = [
    ("Hello! I'm Sana, a maths undergrad from Lahore. Keen to learn about evals.", "Sana", 1),
    ("Hey, data engineer here, from Nairobi. Happy to help with docs!", "wanjiku", 2),
    ("👋 Jo — Toronto — infra", "Jo", 0),
    ("Physics teacher. Cork. Just curious what you people are up to.", "Aoife", 1),
    ("i make music and want to train a small model on my own samples", "lowpass", 0),
    ("Name: Bo\nFrom: Malmö\nDoing: compilers", "Bo L", 0),
    ("• nurse turned data analyst\n• Perth\n• wants to learn jax", "kez", 0),
    ("Thanks for having me! I'm Rosa, statistician at a hospital in Quito.", "Rosa", 0),
    ("Thank you for the invite! I'm a nurse in Perth turned analyst", "kez", 0),
    ("sorry for the late intro, backend dev in Lima", "pepe", 1),
    ("Hi, Ken here. Is there a good first issue for someone who knows CUDA?", "Ken", 0),
    ("I'm Will, I drive trucks and read papers at rest stops", "Will", 0),
    ("Finally introducing myself after a year here: Theo, robotics in Zürich", "Theo", 400),
    ("Been here a while, never said hello. Petra, high-school physics teacher, Brno.", "Petra", 120),
    ("Hola a todos, soy Marisol y trabajo como ingeniera de datos en Rosario.", "Marisol", 0),
    ("Bonjour ! Moi c'est Élodie, je bosse sur l'optimisation à Grenoble.", "Elodie P.", 1),
    ("Moin! Komme aus Kiel und mache was mit Datenbanken", "nordlicht", 0),
    ("Ciao a tutti! Mi chiamo Giulia, dottoranda a Pisa.", "giulia.b", 0),
    ("Olá! Sou a Beatriz, faço doutorado no Porto em compiladores", "Beatriz", 3),
    ("Siema, programista z Gdańska, interesuje mnie RL", "zbyszko", 1),
    ("Привіт усім! Я Олена, навчаюся в Харкові, цікавлюся токенізацією", "Олена", 0),
    ("Здравствуйте, меня зовут Ильдар, разработчик из Казани", "Ильдар", 0),
    ("はじめまして！大阪の大学院生です。強化学習を研究しています。", "tanaka_k", 0),
    ("佐藤です。普段は推薦システムを作っています。", "佐藤", 2),
    ("大家好，我是北京的一名研究生，研究方向是多模态", "小明", 0),
    ("我叫林雨，目前在台北做資料工程", "林雨", 1),
    ("안녕하세요, 부산에서 데이터 엔지니어로 일하는 박지훈입니다", "박지훈", 0),
    ("Merhaba herkese, İzmir'den Deniz. Gömülü sistemler üzerine çalışıyorum.", "Deniz", 0),
    ("Chào mọi người, mình tên là Linh, sinh viên năm cuối ở Huế", "Linh", 0),
    ("Halo, nama saya Putri, mahasiswa di Yogyakarta", "putri", 0),
    ("สวัสดีครับ ผมชื่อต้น เป็นวิศวกรข้อมูลที่เชียงใหม่", "Ton", 0),
    ("مرحبا، أنا ليلى من عمّان، أعمل في معالجة اللغة العربية", "ليلى", 0),
    ("नमस्ते, मेरा नाम आरव है और मैं पुणे में इंजीनियर हूँ", "आरव", 0),
    ("Sveiki, esu Jonas iš Kauno, programuotojas", "Jonas", 0),
    ("Habari, mimi ni Amina kutoka Mombasa, mwanafunzi wa takwimu", "Amina", 0),
    ("გამარჯობა, მე ვარ ნინო თბილისიდან", "ნინო", 0),
    ("I realise I never introduced myself. I'm Will May, I run a dye studio in Fife.", "Will May", 700),
    ("Howdy, retired welder, learning the ropes with my granddaughter", "texas_tom", 0),
    ("hiya, finally joined! been using this for my thesis on crowd simulation", "uni_lars", 0),
    ("Mother of three who would like to make a game with her kids", "jenny_k", 0),
    ("just a person who reads too much, call me Zip", "zippy", 0),
    ("سلام، من نگار هستم، برنامه‌نویس از شیراز", "نگار", 0),
]

DID_SOMETHING_ELSE = [
    ("hello everyone!", "zed", 0),
    ("👋", "zed", 0),
    ("Hello all, glad to be here 🙂", "zed", 0),
    ("thanks everyone for the kind words", "Rosa", 1),
    ("this looks amazing", "zed", 0),
    ("just read the blog post, super cool work", "zed", 0),
    ("can't wait for the meetup on the weekend!", "zed", 0),
    ("uv sync fails with an error about torch on my mac", "Ken", 0),
    ("```\nTraceback (most recent call last)\n```", "Ken", 0),
    ("https://example.org/meme.png", "Ken", 0),
    ("hi! quick question: does anyone know how to run the tests on Windows?", "Ken", 1),
    ("where can I find the notes of the community call?", "Ken", 300),
    ("Anyone here from Lisbon?", "Ken", 100),
    ("(wrong channel, sorry)", "Ken", 500),
    ("lots of new people this week, love it", "Ken", 500),
    ("I will be away until Monday, please ping Rosa", "Will", 300),
    ("mark your calendars, the next call is in May", "Mark", 300),
    ("Ken is right, the docs moved", "Rosa", 300),
    ("hey all, I'm working on the new docs, feedback is welcome", "Ken", 300),
    ("Reminder: the meetup is on Friday at 18:00", "Ken", 900),
    ("Welcome Rosa!", "Will", 300),
    ("¡Gracias a todos por la bienvenida!", "Rosa", 1),
    ("¿Alguien sabe dónde está el enlace de la reunión?", "Ken", 0),
    ("Merci pour l'accueil", "Rosa", 1),
    ("Danke für die nette Begrüßung", "Rosa", 1),
    ("Obrigado pela recepção, pessoal", "bia", 1),
    ("Dzięki za miłe przyjęcie!", "kuba", 1),
    ("Дякую за теплий прийом", "olena", 1),
    ("ありがとうございます！", "tanaka", 1),
    ("このチャンネルの使い方を教えてください", "tanaka", 1),
    ("请问怎么加入项目？", "小明", 1),
    ("欢迎欢迎", "小明", 200),
    ("회의 링크가 어디에 있나요?", "jh", 1),
    ("Hoş geldin!", "dz", 90),
    ("Cảm ơn mọi người nhé", "linh", 1),
    ("join my server discord.gg/abc", "deals", 0),
    ("Free nitro for everyone, click https://x.example", "deals", 0),
    ("질문 있습니다. 빌드가 안 돼요", "jh", 1),
]


def test_every_phrase_of_a_kind_counts_wherever_its_line_ends() -> None:
    listed = kind(phrases="one two /\n    three four / five")
    assert all(listed.search(phrase) for phrase in ("one two", "three four", "five"))


@pytest.mark.parametrize(("text", "name", "days"), PRESENTED)
def test_a_person_who_presents_themselves_is_found(text: str, name: str, days: int) -> None:
    assert introduces(text, name, days)


@pytest.mark.parametrize(("text", "name", "days"), DID_SOMETHING_ELSE)
def test_greetings_thanks_questions_and_chat_are_none(text: str, name: str, days: int) -> None:
    assert not introduces(text, name, days)


def answers(text: str, original: Message, *, days: float = 0) -> bool:
    reply = message(text, minute=5, name="Dee", reply_to_id=original.message_id)
    found = find_introductions(
        [reply], place_id=PLACE, writers={1: writer(name="Dee", days=days)}, answered={original.message_id: original}
    )
    return found.count == 1


def test_an_answer_to_the_pinned_template_counts() -> None:
    template = message("Tell us your name, what you do, and why you came.", author=TEAM, pinned=True)
    assert answers("Hi! I'm Dee, stats student in Cork", template)
    assert not answers("thanks!", template)
    assert not answers("this template is too long", template)


def test_an_answer_to_a_prompt_counts_of_a_bot_too() -> None:
    prompt = message("Welcome! Introduce yourself here.", author=BOT, speaker=Speaker.BOT)
    assert answers("Dee, statistics in Cork", prompt)


def test_an_answer_to_an_introduction_is_none_however_much_it_tells() -> None:
    first = message("Hi, I'm Ana, data engineer from Lisbon", author=5, name="Ana")
    reply = message("Hi Ana! I'm Dee, a data engineer from Porto", minute=2, name="Dee", reply_to_id=first.message_id)
    found = find_introductions(
        [first, reply],
        place_id=PLACE,
        writers={5: writer(5, "Ana"), 1: writer(1, "Dee")},
        answered={first.message_id: first},
    )
    assert [person.name for person in found.people] == ["Ana"]


def test_an_answer_to_an_introduction_of_last_week_is_none_either() -> None:
    first = message("Hi, I'm Ana, data engineer from Lisbon", minute=-9000, author=5, name="Ana")
    assert not answers("Hi Ana! I'm Dee, a data engineer from Porto", first)


def test_who_presents_themselves_twice_counts_once_with_both_messages() -> None:
    parts = [
        message("hey, James, backend dev from Ohio", name="James"),
        message("thank you for the warm welcome!", minute=10, name="James"),
        message("my hello was thin, so: James again. Ten years of payments, I work on ML platforms", minute=60),
    ]
    found = find_introductions(parts, place_id=PLACE, writers={1: writer(name="James")}, answered={})
    assert found.count == 1
    assert found.people[0].message_ids == (parts[0].message_id, parts[2].message_id)
    assert found.people[0].url.endswith(f"/{PLACE}/{parts[0].message_id}")


def test_the_team_is_at_home_unless_it_came_lately() -> None:
    text = "Hi, I'm Robin, I study physics in Oslo"
    old = find_introductions(
        [message(text, name="Robin")],
        place_id=PLACE,
        writers={1: writer(name="Robin", days=300, team=True)},
        answered={},
    )
    new = find_introductions(
        [message(text, name="Robin")], place_id=PLACE, writers={1: writer(name="Robin", days=2, team=True)}, answered={}
    )
    assert (old.count, new.count) == (0, 1)


def test_bots_and_deleted_messages_are_none() -> None:
    text = "Hi, I'm Ken, a robot from Leeds"
    for gone in ({"speaker": Speaker.BOT}, {"deleted_at": AT}, {"speaker": Speaker.WEBHOOK}):
        found = find_introductions([message(text, **gone)], place_id=PLACE, writers={1: writer()}, answered={})
        assert found.count == 0


def test_a_moderators_word_wins_both_ways_and_in_any_channel() -> None:
    chat = message("lots of rain today", channel_id=77)
    meant = message("Hi, I'm Ken, a baker from Leeds", minute=3)
    marks = {chat.message_id: True, meant.message_id: False}
    found = find_introductions([chat, meant], place_id=PLACE, writers={1: writer()}, answered={}, marks=marks)
    assert found.people[0].message_ids == (chat.message_id,)


def test_in_a_forum_the_post_counts_and_the_answers_under_it_do_not() -> None:
    post = message("Baker from Leeds, training small models at night", name="Ken")
    post = message(post.content, channel_id=post.message_id)
    under = message("I'm Ana and I bake too, in Lisbon", minute=4, author=5, name="Ana", channel_id=post.message_id)
    found = find_introductions(
        [post, under],
        place_id=PLACE,
        writers={1: writer(days=200), 5: writer(5, "Ana")},
        answered={post.message_id: post},
    )
    assert [person.user_id for person in found.people] == [1]


def test_under_a_moderators_prompt_in_a_thread_people_present_themselves() -> None:
    prompt = message("Newcomers of May, tell us about yourselves in the thread", author=TEAM)
    said = message("Ana, compilers, Lisbon, hello", minute=4, author=5, name="Ana", channel_id=prompt.message_id)
    found = find_introductions(
        [said],
        place_id=PLACE,
        writers={5: writer(5, "Ana"), TEAM: writer(TEAM, "Mo", days=400, team=True)},
        answered={prompt.message_id: prompt},
    )
    assert found.count == 1


def test_a_message_to_others_greets_them() -> None:
    hello = message("welcome to the two of you, from another newcomer", mentioned_user_ids=(7, 8))
    assert find_introductions([hello], place_id=PLACE, writers={1: writer()}, answered={}).count == 0


def test_without_an_introductions_channel_there_are_none() -> None:
    text = message("Hi, I'm Ken, a baker from Leeds")
    assert find_introductions([text], place_id=None, writers={1: writer()}, answered={}).count == 0


def test_somebody_whose_joining_is_unknown_is_new_until_heard_for_long() -> None:
    said = message("bread and gradients, mostly at night", name="Ken")
    long_known = Writer(user_id=1, name="Ken", first_id=first_id_at(AT - timedelta(days=200)))
    known_lately = Writer(user_id=1, name="Ken", first_id=first_id_at(AT - timedelta(hours=2)))
    text = message("Bäcker aus Leeds, nachts Gradienten und Brot", name="Ken")
    for who, expected in ((long_known, 0), (known_lately, 1)):
        assert find_introductions([text], place_id=PLACE, writers={1: who}, answered={}).count == expected
    assert find_introductions([said], place_id=PLACE, writers={1: long_known}, answered={}).count == 0
