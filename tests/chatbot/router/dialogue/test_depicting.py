"""What a prompt says of a picture, without asking, praise and pointing."""

import pytest
from scripted.guessing import guessed
from scripted.tables import every_row

from chatbot.router.dialogue.drawings.depicting import said_of, shown
from chatbot.router.dialogue.drawings.disliked import without_disliked
from chatbot.router.dialogue.drawings.editing import edit
from chatbot.router.dialogue.drawings.open_wishes import asks_for_anything
from chatbot.router.dialogue.drawings.reactions import without_reactions


@every_row(
    ("prompt", "rest"),
    [
        ("hahaha mega, a teraz zimą", "a teraz zimą"),
        ("Cudo! Dodaj psa", "Dodaj psa"),
        ("wow, ładnie wyszło", ""),
        ("słodki, mały kotek", "słodki, mały kotek"),
        ("ładny dom", "ładny dom"),
        ("Dobrawa na tronie", "Dobrawa na tronie"),
        ("o zachodzie słońca", "o zachodzie słońca"),
    ],
)
def test_what_is_only_praise_is_left_out(prompt: str, rest: str) -> None:
    assert without_reactions(prompt) == rest


@every_row(
    ("subject", "prompt", "picture"),
    [
        (
            "Koziołek Matołek",
            "haha, to weź namaluj tego koziołka w Pacanowie",
            "Koziołek Matołek w Pacanowie",
        ),
        ("Miś", "namaluj tego słomianego misia nad lasem", "słomiany miś nad lasem"),
        ("szczupak", "a teraz narysuj tę rybę", "szczupak"),
        (
            "Pałac w Wilanowie",
            "Poproszę akwarelę tego pałacu jesienią",
            "Pałac w Wilanowie, akwarela pałacu jesienią",
        ),
        ("Muminki", "a narysujesz całą ich rodzinkę na plaży?", "Muminki, cała rodzinka na plaży"),
        ("Giewont", "narysuj go, ale jako śpiącego rycerza", "Giewont, jako śpiący rycerz"),
        (
            "Aksolotl",
            "aha, ciekawe. a naszkicujesz mi takiego z parasolką?",
            "Aksolotl z parasolką",
        ),
        (
            "Zawisza Czarny",
            "narysuj go na koniu, to na gazetkę",
            "Zawisza Czarny na koniu, na gazetkę",
        ),
        ("śnieg", "zrób z tego kartkę z napisem Hej", "śnieg, kartka z napisem Hej"),
        ("Żelazowa Wola", "pokaż mi to miejsce na obrazku", "Żelazowa Wola, miejsce"),
        ("żuraw", "To narysuj te pierwsze, jak tańczą", "żuraw, jak tańczą"),
        (
            "Jan Matejko",
            "zrób jego portret w stylu barokowym",
            "Jan Matejko, portret w stylu barokowym",
        ),
        ("Jan Matejko", "zrób jej portret ołówkiem", "Jan Matejko, portret ołówkiem"),
        ("Mielno", "pokaż tamtejszą plażę na akwareli", "Mielno, plaża na akwareli"),
        ("Hel", "namaluj tego rybaka o świcie", "Hel, rybak o świcie"),
        ("Perseverance", "Zaprojektuj znaczek z tym łazikiem", "Perseverance, znaczek z łazikiem"),
        ("plaża", "Bez tych ludzi! Chciałam pustą. Wygeneruj od nowa.", "plaża, bez ludzi, pusta"),
    ],
)
def test_what_is_said_goes_to_the_thing_that_is_meant(
    subject: str, prompt: str, picture: str
) -> None:
    assert shown(subject, said_of(prompt)) == picture


@every_row(
    ("picture", "prompt", "result"),
    [
        ("sowa", "Cudo! Załóż jej jeszcze czapkę z pomponem.", "sowa, czapka z pomponem"),
        ("rynek", "brakuje mi tylko kataryniarza i straganu", "rynek, kataryniarz i stragan"),
        ("słoń", "Rewelacja. Mógłbyś mu dodać skrzydła motyla?", "słoń, skrzydła motyla"),
        (
            "most w stylu komiksu",
            "a czarno-biały by się dało?",
            "most w stylu komiksu, czarno-biały",
        ),
        ("krowa, czarno-biała", "a teraz w kolorze", "krowa w kolorze"),
        ("zamek, olej", "a dałoby się akwarelą?", "zamek, akwarelą"),
    ],
)
def test_a_change_has_no_words_of_asking(picture: str, prompt: str, result: str) -> None:
    assert edit(picture, prompt) == result


@every_row(
    ("prompt", "is_open"),
    [
        ("koniec matmy na dziś, wygeneruj mi jakiś obrazek", True),
        ("dzięki. a namalujesz mi coś ładnego?", True),
        ("fuj. dobra, teraz mi coś narysuj", True),
        ("coś zielonego narysuj", False),
        ("starczy o zamkach, zrób mi ładny obrazek", True),
        ("zrób z tego jakiś obrazek", False),
        ("narysuj mi jakiś zamek", False),
        ("narysuj coś takiego", False),
        ("daj coś weselszego", False),
        ("koniec matmy! narysuj mi pandę", False),
    ],
)
def test_a_wish_for_any_picture_says_nothing_of_it(prompt: str, is_open: bool) -> None:
    assert asks_for_anything(prompt) == is_open


@every_row(
    ("prompt", "picture"),
    [
        ("ten niebieski mi nie leży, dajmy ciemną zieleń", "logo z kłosem, ciemna zieleń"),
        ("Ten kłos mi się nie podoba, wolę bochenek", "niebieskie logo z bochenkiem"),
        ("ten slogan mi nie pasuje, daj inny", None),
        ("ten niebieski jest ładny, dajmy go", None),
    ],
)
def test_what_is_not_liked_gives_way(prompt: str, picture: str | None) -> None:
    assert without_disliked(("niebieskie logo z kłosem",), prompt) == picture


@pytest.mark.parametrize("remark", ["o, to ciekawe", "super", "ładne"])
def test_a_remark_is_no_subject_of_a_picture(remark: str) -> None:
    texts = ("Narysuj góry zimą", "Oto góry.", remark, "Cieszę się!", "namaluj to pastelami")
    (found,) = guessed(*texts)
    assert found.arguments == {"description": "góry zimą, pastelami"}


@every_row(
    ("prompt", "picture"),
    [
        ("a teraz to namaluj tuszem", "miasto przyszłości, tusz"),
        ("Tak! Właśnie to namaluj.", "miasto przyszłości"),
        ("to teraz narysuj kota", "kot"),
    ],
)
def test_that_alone_is_what_was_spoken_of(prompt: str, picture: str) -> None:
    (found,) = guessed("Wyobraź sobie miasto przyszłości.", "Szklane wieże i cisza.", prompt)
    assert found.arguments == {"description": picture}
