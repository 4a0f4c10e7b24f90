"""What a search over conversations finds: each database's tests inherit these cases."""

import pytest
from scripted.stored import OWNER, Store, answering, ended, text_part, wrote

SAID = "Jaka jest pogoda w Łodzi? Widziałem żółwia i psy nad Wisłą. Mówiła Ewa O'Hara 50% taniej."

FOUND = (
    "Łódź",
    "łodzi",
    "lodz",
    "ŁODZIĄ",
    "zolw",
    "żółwie",
    "pies",
    "psami",
    "Wisła",
    "wisle",
    "pogody",
    "pogo",
    "pogoda łódź",
    "  wisła,   ŻÓŁW ",
    "o'hara",
    "50%",
    "taniej 50",
)
MISSING = ("kot", "pogoda kot", "godziny", "%", "_", "🙂", "ara", "1' OR '1'='1")


class SearchCases:
    """A class of tests that inherits them needs the fixture ``store``, over an empty database."""

    async def test_a_word_is_found_in_any_form(self, store: Store) -> None:
        await store.converse("Cześć", "Dzień dobry.")
        wanted = await store.converse("Cześć", SAID)
        found = {query: await find(store, query) for query in FOUND}
        assert found == {query: [wanted.conversation_id] for query in FOUND}

    async def test_other_words_are_not_found(self, store: Store) -> None:
        await store.converse("Cześć", SAID)
        found = {query: await find(store, query) for query in MISSING}
        assert found == {query: [] for query in MISSING}

    async def test_a_town_is_not_found_inside_other_words(self, store: Store) -> None:
        await store.converse("Dzisiejsza młodzież", "śpi w łodzi")
        await store.converse("Dzisiejsza młodzież", "czyta")
        assert len((await store.conversations.list(OWNER, query="Łódź")).conversations) == 1

    async def test_an_inflected_question_finds_the_base_form(self, store: Store) -> None:
        await store.converse("Stolica Polski?", "Warszawa")
        assert len((await store.conversations.list(OWNER, query="Warszawie")).conversations) == 1

    async def test_titles_and_both_roles_are_searched_together(self, store: Store) -> None:
        conversation = await store.converse("Wrocław", "Kraków")
        await store.conversations.change(OWNER, conversation.conversation_id, title="Poznań")
        for query in ("poznan", "krakowie wroclawiu", "wrocławia poznaniem krakowem"):
            assert len((await store.conversations.list(OWNER, query=query)).conversations) == 1

    @pytest.mark.parametrize("query", [None, "", "   "])
    async def test_no_words_leave_nothing_out(self, store: Store, query: str | None) -> None:
        await store.conversations.create(OWNER)
        assert len((await store.conversations.list(OWNER, query=query)).conversations) == 1

    async def test_only_what_the_answer_says_is_searched(self, store: Store) -> None:
        conversation = await store.conversations.create(OWNER)
        user = wrote("pytanie")
        answer = answering(user)
        await store.conversations.begin(
            OWNER, conversation.conversation_id, user=user, answer=answer
        )
        thought = {**text_part("rozumowanie"), "channel": "reasoning"}
        await store.conversations.save(ended(answer, "pierwsza wersja", thought))
        await store.conversations.save(ended(answer, "druga wersja", thought))
        counts = [
            len((await store.conversations.list(OWNER, query=query)).conversations)
            for query in ("rozumowanie", "pierwsza", "druga")
        ]
        assert counts == [0, 0, 1]

    async def test_a_search_goes_on_by_its_cursor(self, store: Store) -> None:
        for number in range(5):
            await store.converse("kot" if number % 2 else "pies")
        first = await store.conversations.list(OWNER, query="pies", limit=2)
        rest = await store.conversations.list(
            OWNER, query="pies", limit=2, cursor=first.next_cursor
        )
        found = {one.conversation_id for one in (*first.conversations, *rest.conversations)}
        assert (len(found), rest.next_cursor) == (3, None)


async def find(store: Store, query: str) -> list[str]:
    """Ids of what a query finds."""
    page = await store.conversations.list(OWNER, query=query)
    return [one.conversation_id for one in page.conversations]
