import pytest
from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.tools.wikipedia.meanings import read_meanings
from chatbot.tools.wikipedia.replies import Known, Link, Listing, QueryReply
from chatbot.tools.wikipedia.titles import MAX_TITLES, read_query, words_beside


@every_row(
    ("query", "title"),
    [
        ("Ireny Sendlerowej", "Irena Sendlerowa"),
        ("bitwie pod Grunwaldem", "bitwa pod Grunwaldem"),
        ("święto niepodległości", "Święto Niepodległości"),
        ("zamki", "Zamek"),
        ("planeta Merkury", "Merkury (planeta)"),
        ("Merkury planeta", "Merkury (planeta)"),
        ("„Lalka”", "Lalka"),
        ("C++", "C++"),
        ("AC/DC", "AC/DC"),
    ],
)
def test_the_whole_query_is_read_as_a_title(query: str, title: str) -> None:
    assert title in read_query(query, is_polish=True).whole


@every_row(
    ("query", "title", "rest"),
    [
        ("Kraków historia", "Kraków", "historia"),
        ("historia Krakowa", "Kraków", "historia"),
        ("dzieciństwo Mikołaja Kopernika", "Mikołaj Kopernik", "dzieciństwo"),
        ("gospodarka Niemiec", "Niemcy", "gospodarka"),
        ("obchody Święta Niepodległości", "Święto Niepodległości", "obchody"),
        ("przebieg bitwy pod Grunwaldem", "bitwa pod Grunwaldem", "przebieg"),
    ],
)
def test_subject_and_section_are_told_apart(query: str, title: str, rest: str) -> None:
    best = read_query(query, is_polish=True).splits[0]
    assert title in best.titles
    assert best.rest == rest


def test_a_foreign_query_is_not_bent_into_polish() -> None:
    assert read_query("Boats", is_polish=False).whole == ("Boats",)


@given(st.text(max_size=200))
def test_any_query_gives_titles_that_one_request_may_ask_for(query: str) -> None:
    wanted = read_query(query, is_polish=True)
    assert len(wanted.titles) <= MAX_TITLES
    assert all(set("|#<>[]{}\n").isdisjoint(title) for title in wanted.titles)
    assert set(":*?~").isdisjoint(wanted.search)


@pytest.mark.parametrize(
    ("query", "title", "rest"),
    [
        ("klimat Łodzi", "Łódź", "klimat"),
        ("Ireny Sendlerowej dzieciństwo", "Irena Sendlerowa", "dzieciństwo"),
        ("Zygmunta Krasińskiego", "Zygmunt Krasiński", ""),
        ("stolica Polski", "Warszawa", "stolica Polski"),
    ],
)
def test_words_beside_a_title_are_those_it_has_in_no_form(
    query: str, title: str, rest: str
) -> None:
    assert words_beside(query, title) == rest


def listing(wikitext: str, *written: str) -> Listing:
    return Listing(wikitext=wikitext, links=[Link(title=name, exists=True) for name in written])


def meanings(wikitext: str, *written: str, name: str = "Zamek") -> list[tuple[str, str]]:
    return [(one.title, one.what) for one in read_meanings(listing(wikitext, *written), name)]


@every_row(
    ("line", "what"),
    [
        ("* [[Zamek (broń)|zamek]] – część [[broń|broni]] palnej", "część broni palnej"),
        ("* '''[[Zamek (broń)]]''', ''część'' broni<ref>a</ref>;", "część broni"),
        ("** [[zamek (broń)|zamek]] – część<!-- nie --> broni {{x|y}}", "część broni"),
        ("* [[Zamek (broń)#Budowa|zamek]]", ""),
        ("* w wojsku: [[Zamek (broń)|zamek]] – część&nbsp;broni", "część broni"),
    ],
)
def test_a_meaning_is_read_from_its_line(line: str, what: str) -> None:
    assert meanings(line, "Zamek (broń)") == [("Zamek (broń)", what)]


def test_a_line_without_a_written_article_of_the_name_is_no_meaning() -> None:
    wikitext = "* [[Zamek (a)]]\n* [[Drzwi]]\n[[Zamek (b)]]\n* zamek"
    assert meanings(wikitext, "Drzwi", "Zamek (b)") == []


def test_an_article_is_offered_once() -> None:
    assert meanings("* [[Zamek (a)]] – x\n* [[zamek (a)]] – y", "Zamek (a)") == [("Zamek (a)", "x")]


def test_references_elsewhere_are_no_meanings() -> None:
    wikitext = "== Zobacz też ==\n* [[Zamek (a)]]"
    assert meanings(wikitext, "Zamek (a)") == []


def test_the_qualifier_of_the_list_is_not_part_of_the_name() -> None:
    found = meanings("* [[Zamek (a)]]", "Zamek (a)", name="Zamek (ujednoznacznienie)")
    assert found == [("Zamek (a)", "")]


def test_a_long_description_is_cut_at_a_word() -> None:
    ((_, what),) = meanings(f"* [[Zamek (a)]] – {'słowo ' * 40}", "Zamek (a)")
    assert len(what) <= 120
    assert what.endswith("słowo…")


def known(**query: object) -> Known:
    return Known.of(QueryReply.model_validate({"query": query}))


def test_a_title_is_followed_to_its_page_and_section() -> None:
    reply = known(
        pages=[{"title": "Kraków", "lastrevid": 7}],
        normalized=[{"from": "dzieje krakowa", "to": "Dzieje krakowa"}],
        redirects=[{"from": "Dzieje krakowa", "to": "Kraków", "tofragment": "Historia"}],
    )
    page = reply.page("dzieje krakowa")
    assert page is not None
    assert page.title == "Kraków"
    assert reply.fragment("dzieje krakowa") == "Historia"


def test_titles_that_lead_round_in_circles_lead_nowhere() -> None:
    reply = known(redirects=[{"from": "A", "to": "B"}, {"from": "B", "to": "A"}])
    assert reply.page("A") is None


@pytest.mark.parametrize("page", [{"missing": True}, {"invalid": True}, {"ns": -1}, {"ns": 4}])
def test_what_is_no_article_is_not_there(page: dict[str, object]) -> None:
    reply = known(pages=[{"title": "A", "lastrevid": 1, "extract": "x"} | page])
    assert reply.page("A") is None
