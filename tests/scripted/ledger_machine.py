"""Requests, streams, cancels, crashes of the writer, refills, on any database."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar

from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)
from hypothesis.strategies import booleans, integers, lists, sampled_from
from scripted.ledgers import allowing, ended, entry, house_leg, keyed, leg, read_rows
from sqlalchemy import Engine

from chatbot.testing.surroundings import START
from serving.billing import store
from serving.billing.records import Accepted, BilledLeg, Note, State, Taken


class PowerCut(Exception):
    """The process is gone before its transaction was."""


@dataclass
class Expected:
    """What one request should be by now."""

    reserved: int
    state: State = "reserved"
    charged: int = 0
    noted: list[BilledLeg] = field(default_factory=list)
    key: str | None = None
    payload: str | None = None
    is_settled: bool = False
    """Whether its writer has said so, which counts also where it was taken for dead."""


AMOUNTS = integers(0, 50)
KEYS = sampled_from(["k", "l"])
PAYLOADS = sampled_from(["same", "other"])
LEGS = lists(AMOUNTS, max_size=3)


class LedgerMachine(RuleBasedStateMachine):
    """Requests with and without keys, streams, cancels, crashes, refills: the sums are right.

    ``opening`` gives each run an empty ledger.
    """

    opening: ClassVar[Callable[[], AbstractContextManager[Engine]]]
    running = Bundle("running")
    over = Bundle("over")

    @initialize()
    def open(self) -> None:
        self.opened = type(self).opening()
        self.engine = self.opened.__enter__()
        self.expected: dict[str, Expected] = {}
        self.limit = 100
        self.names = count()

    def new_name(self) -> str:
        """Of an entry; one that was refused is nobody else's afterwards."""
        return f"entry-{next(self.names)}"

    def teardown(self) -> None:
        self.opened.__exit__(None, None, None)

    @property
    def keys(self) -> dict[str, str]:
        """The entries that have a key now."""
        return {one.key: name for name, one in self.expected.items() if one.key is not None}

    def spent(self) -> int:
        return sum(
            one.reserved if one.state == "reserved" else one.charged
            for one in self.expected.values()
        )

    @rule(target=running, amount=AMOUNTS)
    def reserve(self, amount: int) -> str:
        name = self.new_name()
        with self.engine.begin() as connection:
            (outcome,) = store.write(
                connection, (), [allowing(name, amount=amount, limit=self.limit)]
            )
        fits = amount <= self.limit - self.spent()
        assert (outcome == Accepted()) is fits
        if fits:
            self.expected[name] = Expected(reserved=amount)
        return name

    @rule(target=running, key=KEYS, payload=PAYLOADS)
    def reserve_once(self, key: str, payload: str) -> str:
        """A request with an idempotency key, which one before it may have."""
        name = self.new_name()
        with self.engine.begin() as connection:
            (outcome,) = store.write(connection, (), [keyed(name, key, payload=payload)])
        if (first := self.keys.get(key)) is None:
            assert outcome == Accepted()
            self.expected[name] = Expected(reserved=0, key=key, payload=payload)
        else:
            state, sent = self.expected[first].state, self.expected[first].payload
            assert outcome == Taken(
                entry_id=first, state=state, is_same_payload=sent == payload, message_id=None
            )
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
            store.write(
                connection,
                [
                    ended(
                        entry_id,
                        *legs,
                        finish="cancelled" if is_cancelled else "stop",
                        error="engine_lost" if fails else None,
                    )
                ],
                (),
            )
        if one is not None and not one.is_settled:
            one.state, one.is_settled = "settled", True
            one.charged = sum(amounts) + sum(each.amount for each in known)
            one.key = None if is_cancelled or fails else one.key
        return entry_id

    @rule(entry_id=over)
    def settle_again(self, entry_id: str) -> None:
        with self.engine.begin() as connection:
            store.write(connection, [ended(entry_id, leg(amount=1000))], ())

    @rule(entry_id=running, point=sampled_from(["reserve", "note", "settle"]))
    def lose_power(self, entry_id: str, point: str) -> None:
        """Nothing of an unfinished transaction is there afterwards."""
        with suppress(PowerCut), self.engine.begin() as connection:
            if point == "reserve":
                store.write(connection, (), [entry("lost", amount=1)])
            elif point == "note":
                legs = (leg(amount=9),)
                store.write_legs(connection, [Note(entry_id=entry_id, legs=legs)])
            else:
                store.write(connection, [ended(entry_id, leg(amount=9))], ())
            raise PowerCut

    @rule()
    def restart(self) -> None:
        with self.engine.begin() as connection:
            found = store.recover(
                connection,
                choose=lambda left: [one for entries in left.values() for one in entries],
                now=START,
            )
        left = [one for one in self.expected.values() if one.state == "reserved"]
        assert found == len(left)
        for one in left:
            one.state = "settled" if one.noted else "void"
            one.charged = sum(each.amount for each in one.noted)
            one.key = None

    @rule(more=AMOUNTS)
    def refill(self, more: int) -> None:
        self.limit += more

    @invariant()
    def counts_are_the_sums_of_rows(self) -> None:
        spendings = read_rows(self.engine).spendings
        assert {amount for _, _, amount, _ in spendings.values()} <= {self.spent()}

    @invariant()
    def rows_are_as_expected(self) -> None:
        rows = read_rows(self.engine)
        assert {
            key: (row["reserved"], row["state"], row["charged"], row["idempotency_key"])
            for key, row in rows.requests.items()
        } == {
            key: (one.reserved, one.state, one.charged, one.key)
            for key, one in self.expected.items()
        }
        assert {
            key: sum(one["amount"] for one in legs if one["payer"] == "user")
            for key, legs in rows.legs.items()
            if rows.requests[key]["state"] == "settled"
        } == {
            key: one.charged
            for key, one in self.expected.items()
            if one.state == "settled" and key in rows.legs
        }
