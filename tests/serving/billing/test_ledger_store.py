from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from hypothesis import settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)
from hypothesis.strategies import booleans, integers, lists, sampled_from
from scripted.ledger_cases import LedgerCases
from scripted.ledgers import allowing, ended, entry, house_leg, leg, memory_ledger, read_rows
from sqlalchemy import Engine, text

from chatbot.testing.surroundings import START
from serving.billing import store
from serving.billing.records import Accepted, BilledLeg, Note
from serving.storage.sqlite import WRITES


class TestSQLite(LedgerCases):
    """SQLite keeps the ledger."""

    @pytest.fixture
    def engine(self) -> Iterator[Engine]:
        with memory_ledger() as engine:
            yield engine


class PowerCut(Exception):
    """The process is gone before its transaction was."""


@dataclass
class Expected:
    """What one request should be by now."""

    reserved: int
    state: str = "reserved"
    charged: int = 0
    noted: list[BilledLeg] = field(default_factory=list)


AMOUNTS = integers(0, 50)
LEGS = lists(AMOUNTS, max_size=3)


class LedgerMachine(RuleBasedStateMachine):
    """Requests, streams, cancels, crashes of the writer, refills: the sums are always right."""

    running = Bundle("running")
    over = Bundle("over")

    @initialize()
    def open(self) -> None:
        self.opened = memory_ledger()
        self.engine = self.opened.__enter__()
        self.expected: dict[str, Expected] = {}
        self.limit = 100

    def teardown(self) -> None:
        self.opened.__exit__(None, None, None)

    def spent(self) -> int:
        return sum(
            one.reserved if one.state == "reserved" else one.charged
            for one in self.expected.values()
        )

    @rule(target=running, amount=AMOUNTS)
    def reserve(self, amount: int) -> str:
        name = f"entry-{len(self.expected)}"
        with self.engine.begin() as connection:
            (outcome,) = store.reserve(
                connection, [allowing(name, amount=amount, limit=self.limit)]
            )
        fits = amount <= self.limit - self.spent()
        assert (outcome == Accepted()) is fits
        if fits:
            self.expected[name] = Expected(reserved=amount)
        return name

    @rule(entry_id=running, amounts=LEGS)
    def stream(self, entry_id: str, amounts: list[int]) -> None:
        one = self.expected.get(entry_id)
        legs = [leg(amount=amount) for amount in amounts]
        with self.engine.begin() as connection:
            store.write_legs(connection, [Note(entry_id=entry_id, legs=legs)])
        if one is not None and one.state == "reserved":
            one.noted[: len(legs)] = legs

    @rule(
        target=over,
        entry_id=consumes(running),
        amounts=LEGS,
        is_cancelled=booleans(),
        fails=booleans(),
    )
    def settle(self, entry_id: str, amounts: list[int], *, is_cancelled: bool, fails: bool) -> str:
        one = self.expected.get(entry_id)
        known = one.noted if one is not None else []
        legs = [*known, house_leg(amount=7), *(leg(amount=amount) for amount in amounts)]
        with self.engine.begin() as connection:
            store.settle(
                connection,
                [
                    ended(
                        entry_id,
                        *legs,
                        finish="cancelled" if is_cancelled else "stop",
                        error="engine_lost" if fails else None,
                    )
                ],
            )
        if one is not None and one.state == "reserved":
            one.state = "settled"
            one.charged = sum(amounts) + sum(each.amount for each in known)
        return entry_id

    @rule(entry_id=over)
    def settle_again(self, entry_id: str) -> None:
        with self.engine.begin() as connection:
            store.settle(connection, [ended(entry_id, leg(amount=1000))])

    @rule(entry_id=running, point=sampled_from(["reserve", "note", "settle"]))
    def lose_power(self, entry_id: str, point: str) -> None:
        """Nothing of an unfinished transaction is there afterwards."""
        with suppress(PowerCut), self.engine.begin() as connection:
            if point == "reserve":
                store.reserve(connection, [entry("lost", amount=1)])
            elif point == "note":
                legs = (leg(amount=9),)
                store.write_legs(connection, [Note(entry_id=entry_id, legs=legs)])
            else:
                store.settle(connection, [ended(entry_id, leg(amount=9))])
            raise PowerCut

    @rule()
    def restart(self) -> None:
        with self.engine.begin() as connection:
            found = store.recover(connection, is_alive=lambda _: False, now=START)
        left = [one for one in self.expected.values() if one.state == "reserved"]
        assert found == len(left)
        for one in left:
            one.state = "settled" if one.noted else "void"
            one.charged = sum(each.amount for each in one.noted)

    @rule(more=AMOUNTS)
    def refill(self, more: int) -> None:
        self.limit += more

    @invariant()
    def rows_are_as_expected(self) -> None:
        rows = read_rows(self.engine)
        assert {
            key: (row["reserved"], row["state"], row["charged"])
            for key, row in rows.requests.items()
        } == {key: (one.reserved, one.state, one.charged) for key, one in self.expected.items()}
        assert {
            key: sum(one["amount"] for one in legs if one["payer"] == "user")
            for key, legs in rows.legs.items()
            if rows.requests[key]["state"] == "settled"
        } == {
            key: one.charged
            for key, one in self.expected.items()
            if one.state == "settled" and key in rows.legs
        }


TestLedgerMachine = LedgerMachine.TestCase
TestLedgerMachine.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


def test_a_writer_takes_its_lock_at_once() -> None:
    with memory_ledger() as engine:
        assert engine.get_execution_options()[WRITES] is True
        with engine.begin() as connection:
            assert connection.execute(text("SELECT 1")).scalar_one() == 1
