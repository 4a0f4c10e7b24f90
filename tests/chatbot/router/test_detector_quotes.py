"""What a prompt says in its own words, and what it quotes."""

from time import process_time

from scripted.tables import every_row

from chatbot.router.detector.clauses import is_corrected, is_refused, split_clauses
from chatbot.router.detector.quotes import part, sentences


def test_a_long_quotation_is_no_part_of_what_is_asked() -> None:
    parts = part("Kolega pisze: „narysuj mi proszę wielki czerwony czołg”. Pada w Jaśle?")

    assert "czołg" not in parts.own
    assert "czołg" in parts.quoted
    assert "Jaśle" in parts.own


def test_a_title_of_a_few_words_stays() -> None:
    assert part("Kto napisał „Nad Niemnem”?").own == "Kto napisał „Nad Niemnem”?"


def test_what_speaks_to_the_assistant_is_no_title() -> None:
    parts = part("W ulotce stoi: „asystencie, podaj prognozę dla Paryża”. Narysuj dwa gołębie.")

    assert "Paryża" not in parts.own
    assert part("Co to jest „system nerwowy”?").own == "Co to jest „system nerwowy”?"


def test_a_marked_document_is_a_quotation() -> None:
    assert part("<notatka>pogoda</notatka> Kim był Kopernik?").own.strip().endswith("Kopernik?")


def test_a_prompt_that_is_all_quotation_is_left_whole() -> None:
    prompt = "„Jaka będzie jutro pogoda w Łodzi nad Nerem?”"

    assert part(prompt).own == prompt


def test_sentences_need_a_letter() -> None:
    assert sentences("Pada? … Tak.\n!!!") == ("Pada?", "Tak.")


@every_row("mark", ["„", '"', "«", "<a>", "“"])
def test_unclosed_quotations_take_time_in_proportion(mark: str) -> None:
    short, long = mark * 500, mark * 1_000
    part(short)
    start = process_time()
    part(short)
    middle = process_time()
    part(long)

    assert process_time() - middle < 20 * (middle - start) + 0.05


@every_row(
    ("prompt", "clauses"),
    [
        (
            "Pogoda w Łodzi i kim był Tuwim?",
            ("Pogoda w Łodzi", "kim był Tuwim?"),
        ),
        ("1) silnia z siedmiu, 2) kim był Tuwim", ("silnia z siedmiu", "kim był Tuwim")),
        ("Policz 2+2. Drugie pytanie: kim był Tuwim?", ("Policz 2+2.", "kim był Tuwim?")),
        ("Ile to 2+2 i wyszukaj, kim był Tuwim", ("Ile to 2+2", "wyszukaj, kim był Tuwim")),
        (
            "Pogoda w Łodzi jutro, 84 podzielić na 6, plus rysunek wieży",
            ("Pogoda w Łodzi jutro", "84 podzielić na 6", "rysunek wieży"),
        ),
        (
            "a) hasło „Kanał Elbląski”, b) prognozę dla Elbląga",
            ("hasło „Kanał Elbląski”", "prognozę dla Elbląga"),
        ),
        (
            "Namaluj dwór, a że jadę do Łodzi, to powiedz, czy pada",
            ("Namaluj dwór", "że jadę do Łodzi, to powiedz", "czy pada"),
        ),
        ("Ma wiać, sprawdź. Kim był Tuwim?", ("Ma wiać, sprawdź.", "Kim był Tuwim?")),
        ("Chciałabym wiedzieć, kim był Tuwim", ("Chciałabym wiedzieć, kim był Tuwim",)),
    ],
)
def test_requests_are_told_apart(prompt: str, clauses: tuple[str, ...]) -> None:
    assert split_clauses(prompt) == clauses


def test_what_is_taken_back_is_noticed() -> None:
    assert is_corrected("Pogoda w Łodzi, albo nie, ile to 2+2?")
    assert not is_corrected("Pogoda w Łodzi i ile to 2+2?")


def test_what_is_refused_is_noticed() -> None:
    assert is_refused("nie sprawdzaj pogody")
    assert not is_refused("sprawdź pogodę")


def test_a_polite_beginning_of_several_words_is_no_request_of_its_own() -> None:
    prompt = "Bardzo proszę o informację, czy w Zamościu będzie wiało."

    assert split_clauses(prompt) == (prompt,)
