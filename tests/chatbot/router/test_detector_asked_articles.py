"""Facts that are asked for where no class is sure, told from everyday advice."""

import pytest
from scripted.tables import every_row

from chatbot.router.detector.asked_articles import asks_article, consults


@every_row(
    ("prompt", "share"),
    [
        ("ile waży bernardyn", 0.3),
        ("ile może żyć karp", 0.06),
        ("na co się bierze metforminę", 0.4),
        ("Ile sylab ma haiku?", 0.1),
        ("komu podlega straż graniczna", 0.4),
        ("Ile waży piłka? Sprawdź koszykówkę.", 0.1),
        ("Pokaż artykuł o ślimakach", 0.1),
        ("A Beaufort od tych stopni wiatru to kto, marynarz jakiś?", 0.4),
        ("Samarkanda to nadal Kazachstan czy już coś innego?", 0.1),
    ],
)
def test_a_fact_is_asked_for(prompt: str, share: float) -> None:
    assert asks_article(prompt, share)


@every_row(
    ("prompt", "share"),
    [
        ("na co działa ten krem", 0.2),
        ("ile waży moja walizka", 0.4),
        ("jaki lek mam wziąć na kaszel", 0.4),
        ("Jaki jest najlepszy film Kubricka?", 0.38),
        ("do czego używa się pętli while", 0.29),
        ("sprawdź kurs euro", 0.01),
        ("jakie hasło na plakat", 0.37),
        ("Co nowego w Sejmie?", 0.35),
        ("ile waży bernardyn", 0.001),
    ],
)
def test_advice_opinions_and_the_users_own_things_are_none(prompt: str, share: float) -> None:
    assert not asks_article(prompt, share)


@pytest.mark.parametrize("prompt", ["", "Czy?"])
def test_next_to_nothing_asks_for_no_article(prompt: str) -> None:
    assert not asks_article(prompt, 0.2)


@every_row(
    ("prompt", "is_consulted"),
    [
        ("Merystem. Rzuć okiem w encyklopedii, w piątek mam egzamin.", True),
        ("english wikipedia please: Solidarity", True),
        ("Zerknij do Wikipedii, hasło mech", True),
        ("Kto założył Wikipedię?", False),
        ("Napisz hasło jak z encyklopedii", False),
    ],
)
def test_an_encyclopaedia_is_named_to_look_into(prompt: str, is_consulted: bool) -> None:
    assert consults(prompt) is is_consulted
