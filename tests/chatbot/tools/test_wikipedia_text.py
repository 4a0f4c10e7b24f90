import pytest
from hypothesis import given, strategies as st
from scripted.effort import LINEAR, growth
from scripted.tables import every_row

from chatbot.tools.wikipedia.article import read_article
from chatbot.tools.wikipedia.formulas import close_formula, gather_formulas, write_formulas
from chatbot.tools.wikipedia.sentences import cut_sentences
from chatbot.tools.wikipedia.tidying import tidy

MATHML = "\n  \n    \n      \n        E\n        =\n        m\n      \n    \n    "


@every_row(
    ("extract", "clean"),
    [
        ("Kraków ( ) – miasto.", "Kraków – miasto."),
        ("Kraków (; łac. Cracovia) – miasto.", "Kraków (łac. Cracovia) – miasto."),
        ("Chopin (wym. ; ur. 1810) – pianista.", "Chopin (ur. 1810) – pianista."),
        ("Chopin (posłuchaj) – pianista.", "Chopin – pianista."),
        ("Chopin (fr. Frédéric; ) – pianista.", "Chopin (fr. Frédéric) – pianista."),
        ("Chopin (ur. 1810, , zm. 1849) żył.", "Chopin (ur. 1810, zm. 1849) żył."),
        ("Leży nad Wisłą[1][23].", "Leży nad Wisłą."),
        ("Ma dwa miliony[a] mieszkańców[potrzebny przypis].", "Ma dwa miliony mieszkańców."),
        ("Ton [a] jest wysoki.", "Ton [a] jest wysoki."),
        ("52°13′56″N 21°00′30″E\nWarszawa – stolica.", "Warszawa – stolica."),
        ("Na mapach: 52°14′N 21°01′E\nWarszawa – stolica.", "Warszawa – stolica."),
        ("Leży na 52°N.", "Leży na 52°N."),
        ("Osobny artykuł: Historia Krakowa.\nOsada.", "Osada."),
        ("Dłu\u00adgi\u00a0wyraz\u200b  i  odstępy .", "Długi wyraz i odstępy."),
        ("Pierwszy akapit.\n\n\nDrugi.", "Pierwszy akapit.\nDrugi."),
        ("Zbiór (0, 1) i [0, 1].", "Zbiór (0, 1) i [0, 1]."),
        ("Rzekł: „ tak ” .", "Rzekł: „tak”."),
    ],
)
def test_an_extract_is_made_clean(extract: str, clean: str) -> None:
    assert tidy(extract) == clean


@every_row(
    ("tex", "shown"),
    [
        ("E=mc^{2}", "E=mc²"),
        (r"a_{1}+a_{2}\leq 10^{-3}", "a₁+a₂≤10⁻³"),
        (r"\alpha \cdot \pi", "α·π"),
        ("x", "x"),
        (r"\sqrt{2}", r"$\sqrt{2}$"),
        (r"\frac{a}{b}", r"$\frac{a}{b}$"),
        (r"x^{k}", r"$x^{k}$"),
    ],
)
def test_a_formula_is_shown_once(tex: str, shown: str) -> None:
    text = f"Wzór {MATHML}{{\\displaystyle {tex}}}\n  \n opisuje to."
    assert write_formulas(tidy(text), "${}$".format, str) == f"Wzór {shown} opisuje to."


def test_a_sentence_goes_on_after_a_formula() -> None:
    text = f"Wzór {MATHML}{{\\displaystyle a}}\n  \n, gdzie {MATHML}{{\\displaystyle b}}\n  \n."
    assert tidy(text) == "Wzór a, gdzie b."


def test_a_paragraph_ends_after_a_formula() -> None:
    text = f"Wzór:{MATHML}{{\\displaystyle a}}\n  \n\nDalej."
    assert tidy(text) == "Wzór: a\nDalej."


def test_the_source_of_a_formula_is_known_in_its_other_form() -> None:
    assert tidy("Wzór $ a^2 $ i koszt 5 $.") == "Wzór a² i koszt 5 $."


@pytest.mark.parametrize("text", ["{\\displaystyle a", "{\\displaystyle " + "{" * 3000, "{}"])
def test_a_formula_without_an_end_is_left(text: str) -> None:
    assert gather_formulas(text) == text


def test_a_formula_that_was_cut_is_left_out() -> None:
    marked = gather_formulas(r"Wynosi {\displaystyle \sqrt{2}} i więcej.")
    assert close_formula(marked[:12]) == "Wynosi…"
    assert close_formula(marked) == marked


def test_a_formula_cannot_leave_its_marks() -> None:
    marked = gather_formulas("{\\displaystyle \\sqrt{2}$$<img>}\ue000\ue001")
    assert "\ue000" not in marked


@given(st.text(alphabet="a.([,;: \n{}\\$=[]1°N\ue000\ue001", max_size=300))
def test_cleaning_ends_and_leaves_no_marks_open(text: str) -> None:
    clean = tidy(text)
    assert clean.count("\ue000") == clean.count("\ue001")
    assert "\n\n" not in clean


@pytest.mark.parametrize(
    "piece",
    ["(", "(;", "; ", "  x\n", "= ", "==", "[a", "{\\displaystyle ", "\n ", "°N ", "(wym. "],
)
@pytest.mark.parametrize("length", [10_000, 1_000_000])
def test_hostile_text_is_cleaned_in_linear_time(piece: str, length: int) -> None:
    assert growth(read_article, piece, length, runs=3) < LINEAR
    assert growth(_shorten, piece, length, runs=3) < LINEAR


def _shorten(text: str) -> str:
    return cut_sentences(tidy(text), count=4, max_chars=1200)


def test_a_section_has_its_subsections() -> None:
    article = read_article("Wstęp.\n\n\n== A ==\nJeden.\n\n\n=== B ===\nDwa.\n\n\n== C ==\nTrzy.")
    assert article.lead == "Wstęp."
    assert [(s.heading, s.text.split()) for s in article.sections] == [
        ("A", ["Jeden.", "Dwa."]),
        ("B", ["Dwa."]),
        ("C", ["Trzy."]),
    ]


def test_headings_of_one_name_have_anchors_of_their_own() -> None:
    article = read_article("== Zażółć gęślą ==\na\n== Zażółć gęślą ==\nb")
    first, second = article.sections
    assert second.anchor == f"{first.anchor}_2"
    assert first.anchor.isascii()
    assert article.at("Zażółć gęślą_2") == second


@every_row("line", ["== ==", "==", "=a=", "== a", "a == b ==", "=" * 500])
def test_what_only_resembles_a_heading_is_text(line: str) -> None:
    assert read_article(line).sections == ()


@every_row(
    ("asked", "heading"),
    [
        ("historia", "Historia"),
        ("historię", "Historia"),
        ("dzieje", "Historia"),
        ("historia najnowsza", "Historia najnowsza"),
        ("młodość", "Dzieciństwo i młodość"),
        ("dzieciństwie", "Dzieciństwo i młodość"),
        ("klimat i pogoda", "Warunki klimatyczne i klimat"),
        ("książki", "Twórczość"),
        ("geografia", "Położenie"),
        ("przemysł", None),
        ("i", None),
        ("", None),
    ],
)
def test_a_section_is_found_by_lemma(asked: str, heading: str | None) -> None:
    headings = (
        "Historia najnowsza",
        "Historia",
        "Dzieciństwo i młodość",
        "Warunki klimatyczne i klimat",
        "Twórczość",
        "Położenie",
    )
    article = read_article("\n".join(f"== {one} ==\nTreść." for one in headings))
    found = article.about(asked)
    assert (found.heading if found else None) == heading


def test_an_empty_section_is_not_found() -> None:
    assert read_article("== Historia ==\n\n== Kultura ==\nTreść.").about("historia") is None


@every_row(
    ("text", "first"),
    [
        (
            "Jan (ur. 5 maja 1900 r. w Łodzi) był malarzem. Żył długo.",
            "Jan (ur. 5 maja 1900 r. w Łodzi) był malarzem.",
        ),
        ("Jest to prof. Jan Nowak. Uczy w szkole.", "Jest to prof. Jan Nowak."),
        ("Syn S. Krzyżanowskiego. Lekarz.", "Syn S. Krzyżanowskiego."),
        ("Powstał w 1965 r. Otwarto go później.", "Powstał w 1965 r."),
        ("Żył w XV w. Był królem.", "Żył w XV w."),
        ("Służył w 15. Pułku Ułanów. Poległ.", "Służył w 15. Pułku Ułanów."),
        ("Skończył się w 1410. Trwał rok.", "Skończył się w 1410."),
        ("Zginęło 20 tys. Polaków. Ocalało dwóch.", "Zginęło 20 tys. Polaków."),
        ("Napisał „Co dalej? Nic.” i odszedł. Koniec.", "Napisał „Co dalej? Nic.” i odszedł."),
        ("Czy to on? Tak.", "Czy to on?"),
        ("Bez kropki na końcu", "Bez kropki na końcu"),
    ],
)
def test_the_first_sentence_ends_where_a_reader_ends_it(text: str, first: str) -> None:
    assert cut_sentences(text, count=1, max_chars=500) == first


def test_a_sentence_that_does_not_fit_is_cut_at_a_word() -> None:
    assert cut_sentences("Bardzo długie zdanie bez końca", count=1, max_chars=16) == (
        "Bardzo długie…"
    )


@given(st.text(alphabet="Aaż. ?!„”()1\n", max_size=200), st.integers(1, 4), st.integers(10, 60))
def test_a_cut_never_exceeds_its_bounds_and_never_invents(
    text: str, count: int, max_chars: int
) -> None:
    cut = cut_sentences(text, count=count, max_chars=max_chars)
    assert len(cut) <= max_chars
    assert text.strip().startswith(cut.removesuffix("…"))
