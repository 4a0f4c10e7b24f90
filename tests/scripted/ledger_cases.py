"""What every database has to do for the ledger; a database inherits the cases."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from scripted.ledgers import (
    OWNER,
    Rows,
    allowing,
    ended,
    entry,
    house_leg,
    kept,
    keyed,
    leg,
    read_rows,
    refused,
)
from sqlalchemy import Engine, select

from serving.billing import store
from serving.billing.records import (
    ABANDONED,
    CRASHED,
    Accepted,
    Exhausted,
    NewEntry,
    Note,
    Outcome,
    Settlement,
    Taken,
    WholeReply,
)
from serving.billing.store import KEY_LIFE
from serving.storage.ledger_tables import KEPT_REPLIES

MANY = 1000
FEW = 100


def all_but(alive: Collection[str], left: Mapping[str, Sequence[str]]) -> list[str]:
    """The open entries of all writers but those."""
    return [one for writer, entries in left.items() if writer not in alive for one in entries]


class Book:
    """The store on one database, each step a transaction of its own."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def reserve(self, *entries: NewEntry) -> Sequence[Outcome]:
        return self.write((), entries)

    def settle(self, *settlements: Settlement) -> None:
        self.write(settlements, ())

    def write(
        self, settlements: Sequence[Settlement], entries: Sequence[NewEntry]
    ) -> Sequence[Outcome]:
        """Endings and beginnings in one transaction."""
        with self.engine.begin() as connection:
            return store.write(connection, settlements, entries)

    def note(self, note: Note) -> None:
        with self.engine.begin() as connection:
            store.write_legs(connection, [note])

    def recover(self, *alive: str) -> int:
        with self.engine.begin() as connection:
            return store.recover(
                connection, choose=partial(all_but, alive), now=entry("now").created_at
            )

    def replies(self) -> dict[str, bytes]:
        """All kept replies, by entry."""
        with self.engine.begin() as connection:
            found = connection.execute(select(KEPT_REPLIES.c.entry_id, KEPT_REPLIES.c.body))
            return {entry_id: bytes(body) for entry_id, body in found}

    def rows(self) -> Rows:
        return read_rows(self.engine)


class LedgerCases:
    """One ledger, whatever database is beneath it; ``engine`` is a fixture of whoever inherits."""

    @pytest.fixture
    def book(self, engine: Engine) -> Book:
        return Book(engine)

    def test_a_reservation_is_a_row(self, book: Book) -> None:
        new = entry("a", amount=700)
        assert book.reserve(new) == [Accepted()]
        row = book.rows().requests["a"]
        assert (row["state"], row["reserved"], row["charged"]) == ("reserved", 700, 0)
        assert row["created_at"] == new.created_at
        assert (row["owner"], row["day"], row["writer"]) == (OWNER, new.day, new.writer)

    def test_the_user_pays_answers_and_the_house_routing(self, book: Book) -> None:
        book.reserve(entry("a", amount=1000))
        book.settle(ended("a", house_leg(amount=5), leg(amount=300), leg(amount=70)))
        row = book.rows().requests["a"]
        assert (row["state"], row["charged"], row["finish"]) == ("settled", 370, "stop")
        assert [one["amount"] for one in book.rows().legs["a"]] == [5, 300, 70]

    def test_what_failed_before_anything_was_used_is_void(self, book: Book) -> None:
        book.reserve(entry("a"), entry("b"))
        book.settle(ended("a", error="engine_timeout"), ended("b"))
        states = {key: row["state"] for key, row in book.rows().requests.items()}
        assert states == {"a": "void", "b": "settled"}

    def test_what_failed_later_is_charged(self, book: Book) -> None:
        book.reserve(entry("a"))
        book.settle(ended("a", leg(amount=9), error="engine_lost"))
        row = book.rows().requests["a"]
        assert (row["state"], row["charged"], row["error"]) == ("settled", 9, "engine_lost")

    @pytest.mark.parametrize("together", [True, False])
    def test_only_the_first_end_counts(self, book: Book, *, together: bool) -> None:
        book.reserve(entry("a"))
        first, second = ended("a", leg(amount=9)), ended("a", leg(amount=1), leg(amount=1))
        steps = [(first, second)] if together else [(first,), (second,)]
        for step in steps:
            book.settle(*step)
        assert book.rows().requests["a"]["charged"] == 9
        assert len(book.rows().legs["a"]) == 1

    def test_an_end_without_a_beginning_is_nothing(self, book: Book) -> None:
        book.settle(ended("a", leg(amount=9)))
        assert book.rows() == Rows(requests={}, legs={})

    def test_a_crash_charges_what_was_noted(self, book: Book) -> None:
        book.reserve(entry("a"), entry("b"))
        book.note(Note(entry_id="a", legs=(house_leg(amount=2), leg(amount=40))))
        assert book.recover() == 2
        rows = book.rows().requests
        assert (rows["a"]["state"], rows["a"]["charged"]) == ("settled", 40)
        assert (rows["b"]["state"], rows["b"]["charged"]) == ("void", 0)
        assert {row["error"] for row in rows.values()} == {CRASHED}

    def test_who_was_taken_for_dead_is_right_about_what_it_did(self, book: Book) -> None:
        book.reserve(entry("a", amount=500), entry("b", amount=500), entry("c", amount=500))
        for one in ("a", "b"):
            book.note(Note(entry_id=one, legs=(leg(amount=40),)))
        book.recover()
        book.note(Note(entry_id="a", legs=(leg(amount=40), leg(amount=1))))
        assert book.rows().requests["a"]["charged"] == 40
        book.settle(ended("a", leg(amount=40), leg(amount=3)), ended("c", error="engine_lost"))
        book.settle(ended("a", leg(amount=99)), ended("c", leg(amount=99)))
        rows = book.rows()
        told = {key: (row["state"], row["charged"]) for key, row in rows.requests.items()}
        assert told == {"a": ("settled", 43), "b": ("settled", 40), "c": ("void", 0)}
        assert rows.requests["a"]["error"] is None
        assert [one["amount"] for one in rows.legs["a"]] == [40, 3]

    def test_a_living_writer_is_left_alone(self, book: Book) -> None:
        book.reserve(entry("a", writer="living"), entry("b", writer="dead"))
        assert book.recover("living") == 1
        assert book.rows().requests["a"]["state"] == "reserved"

    def test_a_crash_changes_nothing_that_was_settled(self, book: Book) -> None:
        book.reserve(entry("a"))
        book.settle(ended("a", leg(amount=9)))
        before = book.rows()
        assert book.recover() == 0
        assert book.rows() == before

    def test_notes_become_the_legs_of_the_end(self, book: Book) -> None:
        book.reserve(entry("a"))
        book.note(Note(entry_id="a", legs=(leg(amount=1),)))
        book.settle(ended("a", leg(amount=2), leg(amount=3)))
        book.note(Note(entry_id="a", legs=(leg(amount=99), leg(amount=99), leg(amount=99))))
        assert [one["amount"] for one in book.rows().legs["a"]] == [2, 3]
        assert book.rows().requests["a"]["charged"] == 5

    def test_large_figures_are_exact(self, book: Book) -> None:
        large = 10**15 + 1
        book.reserve(entry("a", amount=large))
        book.settle(ended("a", replace(leg(amount=large), prompt_tokens=large)))
        assert book.rows().requests["a"]["charged"] == large
        assert book.rows().legs["a"][0]["prompt_tokens"] == large

    def test_outcomes_are_in_the_order_of_the_reservations(self, book: Book) -> None:
        book.reserve(keyed("a", "key"))
        outcomes = book.reserve(entry("b"), keyed("c", "key"), entry("d"))
        kinds = [type(outcome) for outcome in outcomes]
        assert kinds == [Accepted, Taken, Accepted]
        assert sorted(book.rows().requests) == ["a", "b", "d"]

    def test_a_key_stands_for_its_running_request(self, book: Book) -> None:
        first = keyed("a", "key", message_id="m")
        again = keyed("b", "key")
        assert book.reserve(first, again)[1] == Taken(
            entry_id="a", state="reserved", is_same_payload=True, message_id="m"
        )

    def test_a_key_stands_for_its_whole_answer(self, book: Book) -> None:
        book.reserve(keyed("a", "key"))
        book.settle(ended("a"))
        (taken,) = book.reserve(keyed("b", "key", payload="other"))
        assert taken == Taken(entry_id="a", state="settled", is_same_payload=False, message_id=None)

    @pytest.mark.parametrize(
        "end", [ended("a", leg(), error="engine_lost"), ended("a", leg(), finish="cancelled")]
    )
    def test_a_key_is_free_after_what_is_not_whole(self, book: Book, end: Settlement) -> None:
        book.reserve(keyed("a", "key"))
        book.settle(end)
        assert book.reserve(keyed("b", "key")) == [Accepted()]

    def test_a_key_is_free_after_a_crash(self, book: Book) -> None:
        book.reserve(keyed("a", "key"))
        book.recover()
        assert book.reserve(keyed("b", "key")) == [Accepted()]

    def test_a_key_is_free_after_a_day(self, book: Book) -> None:
        book.reserve(keyed("a", "key"), keyed("running", "other"))
        book.settle(ended("a"))
        late = KEY_LIFE + timedelta(seconds=1)
        assert book.reserve(keyed("b", "key", late=KEY_LIFE))[0] != Accepted()
        assert book.reserve(keyed("b", "key", late=late)) == [Accepted()]
        assert book.reserve(keyed("c", "other", late=late))[0] != Accepted()

    def test_a_key_is_its_owners(self, book: Book) -> None:
        book.reserve(keyed("a", "key"))
        assert book.reserve(keyed("b", "key", owner="other")) == [Accepted()]

    def test_a_whole_reply_is_told_to_the_same_payload_alone(self, book: Book) -> None:
        book.reserve(keyed("a", "key"))
        book.settle(kept("a", b"whole"))
        same, other = book.reserve(keyed("b", "key"), keyed("c", "key", payload="other"))
        assert isinstance(same, Taken)
        assert isinstance(other, Taken)
        assert same.reply == WholeReply(media_type="text/plain", body=b"whole")
        assert other.reply is None

    def test_a_reply_is_not_kept_for_what_has_no_key_or_is_not_whole(self, book: Book) -> None:
        book.reserve(entry("a"), keyed("b", "key"), keyed("c", "other"))
        book.settle(kept("a", b"no key"), kept("b", b"not whole", error="engine_lost"))
        book.settle(kept("c", b"whole"))
        book.settle(kept("c", b"whole, too late"))
        assert book.replies() == {"c": b"whole"}

    def test_an_owners_oldest_replies_make_room(self, book: Book) -> None:
        for number, name in enumerate("abc"):
            late = timedelta(seconds=number)
            book.reserve(keyed(name, name, late=late), keyed(f"x{name}", name, owner="other"))
            book.settle(kept(name, b"1234", room=10))
            book.settle(kept(f"x{name}", b"1234"))
        book.reserve(keyed("d", "d", late=timedelta(seconds=9)))
        book.settle(kept("d", b"too long to keep", room=10))
        assert sorted(book.replies()) == ["b", "c", "xa", "xb", "xc"]

    def test_short_replies_are_kept_up_to_a_number(
        self, book: Book, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(store, "MOST_KEPT", 2)
        late = [timedelta(seconds=number) for number in range(4)]
        book.reserve(*(keyed(f"a{n}", f"a{n}", late=one) for n, one in enumerate(late)))
        book.reserve(keyed("x", "x", owner="other"))
        book.settle(*(kept(f"a{n}", b"1") for n in range(4)), kept("x", b"1"))
        assert sorted(book.replies()) == ["a2", "a3", "x"]

    def test_no_trace_of_a_request_stays_with_a_key_that_is_free(self, book: Book) -> None:
        book.reserve(keyed("a", "a"), keyed("b", "b"))
        book.settle(kept("a", b"whole"), ended("b", error="engine_lost"))
        hashes = {key: row["payload_hash"] for key, row in book.rows().requests.items()}
        assert hashes["a"] is not None
        assert hashes["b"] is None

    def test_exactly_the_allowance_is_let_in(self, book: Book) -> None:
        outcomes = book.reserve(*(allowing(str(n), amount=10, limit=1000) for n in range(MANY)))
        assert sum(outcome == Accepted() for outcome in outcomes) == FEW
        assert set(outcomes) == {Accepted(), refused(left=0, limit=1000)}

    def test_what_was_reserved_too_much_comes_back(self, book: Book) -> None:
        assert book.reserve(allowing("a", amount=80, limit=100)) == [Accepted()]
        assert book.reserve(allowing("b", amount=80, limit=100)) == [refused(left=20, limit=100)]
        book.settle(ended("a", leg(amount=20)))
        assert book.reserve(allowing("b", amount=80, limit=100)) == [Accepted()]
        assert book.reserve(allowing("c", amount=1, limit=100)) == [refused(left=0, limit=100)]
        assert book.reserve(allowing("c", amount=1, limit=101)) == [Accepted()]

    def test_an_allowance_counts_its_own_time_and_owner(self, book: Book) -> None:
        book.reserve(entry("old", amount=100), entry("theirs", amount=100, owner="other"))
        later = timedelta(days=1)
        fresh = allowing("a", amount=100, limit=100, late=later)
        assert book.reserve(fresh) == [Accepted()]
        of_the_month = allowing("b", amount=1, limit=200, late=later, period="month")
        assert isinstance(book.reserve(of_the_month)[0], Exhausted)

    def test_what_is_void_is_not_spent(self, book: Book) -> None:
        book.reserve(allowing("a", amount=100, limit=100))
        book.settle(ended("a", error=ABANDONED))
        assert book.reserve(allowing("b", amount=100, limit=100)) == [Accepted()]

    def test_what_a_price_version_means_is_kept_once(self, book: Book) -> None:
        now = entry("now").created_at
        with book.engine.begin() as connection:
            store.keep_prices(connection, version="v1", prices="{}", now=now)
            store.keep_prices(connection, version="v1", prices="other", now=now + timedelta(days=1))
        assert book.rows().prices == {"v1": "{}"}
