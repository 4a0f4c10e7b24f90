"""What every database has to do for budgets; a database inherits the cases."""

from dataclasses import replace
from datetime import timedelta

import pytest
from scripted.ledger_cases import Book
from scripted.ledgers import NO_TIME, OWNER, ended, entry, house_leg, leg
from sqlalchemy import Engine

from serving.billing.records import (
    Accepted,
    Allowance,
    BilledLeg,
    Exhausted,
    Measure,
    NewEntry,
    Note,
    Outcome,
    Period,
)
from serving.billing.sums import look

GROUP = "group-1"
MANY = 100
FEW = 10


def budget(
    limit: int, *, of: str = OWNER, measure: Measure = "amount", period: Period = "day"
) -> Allowance:
    return Allowance(subject=of, measure=measure, period=period, limit=limit)


def picture() -> BilledLeg:
    return BilledLeg(
        engine="flux",
        role="image",
        prompt_tokens=0,
        completion_tokens=0,
        source="zero",
        payer="user",
        images=1,
    )


class BudgetCases:
    """Budgets on one database; ``engine`` is a fixture of whoever inherits."""

    @pytest.fixture
    def book(self, engine: Engine) -> Book:
        return Book(engine)

    @pytest.mark.parametrize("measure", ["tokens", "images", "amount"])
    @pytest.mark.parametrize("period", ["day", "month"])
    def test_exactly_the_budget_is_let_in(
        self, book: Book, measure: Measure, period: Period
    ) -> None:
        allowance = budget(FEW * 7, measure=measure, period=period)
        asked = {measure: 7}
        outcomes = book.reserve(
            *(
                entry(str(number), allowances=(allowance,), **asked)  # type: ignore[arg-type]  # one of three numbers
                for number in range(MANY)
            )
        )
        assert sum(outcome == Accepted() for outcome in outcomes) == FEW

    def test_what_is_used_takes_the_place_of_what_was_reserved(self, book: Book) -> None:
        tokens, images = budget(10, measure="tokens"), budget(2, measure="images")
        held = entry("a", tokens=9, images=2, allowances=(tokens, images))
        assert book.reserve(held) == [Accepted()]
        book.settle(ended("a", leg(tokens=3), house_leg(amount=5), picture()))
        assert [*book.rows().spendings.values()] == [(6, 1, 0, 0)]
        again = entry("b", tokens=4, images=1, allowances=(tokens, images))
        assert book.reserve(again) == [Accepted()]
        more = entry("c", tokens=1, allowances=(tokens, images))
        assert book.reserve(more) == [Exhausted(allowance=tokens, left=0)]

    def test_who_asks_for_nothing_of_a_budget_does_not_need_it(self, book: Book) -> None:
        assert book.reserve(entry("a", allowances=(budget(0), budget(0, measure="images")))) == [
            Accepted()
        ]

    def test_members_of_a_group_use_one_budget_together(self, book: Book) -> None:
        shared = budget(100, of=GROUP)
        outcomes = [self.ask(book, name, 40, shared) for name in ("ala", "ola", "ela")]
        assert outcomes == [Accepted(), Accepted(), Exhausted(allowance=shared, left=20)]
        book.settle(ended("ala", leg(amount=10)))
        assert self.ask(book, "iga", 40, shared) == Accepted()

    def ask(self, book: Book, owner: str, amount: int, *budgets: Allowance) -> Outcome:
        (outcome,) = book.reserve(self.of(owner, amount, *budgets))
        return outcome

    def of(self, owner: str, amount: int, *budgets: Allowance) -> NewEntry:
        return entry(owner, owner=owner, amount=amount, groups=(GROUP, "g2"), allowances=budgets)

    def test_what_runs_is_counted_until_it_ends_or_crashes(self, book: Book) -> None:
        book.reserve(self.of("ala", 0), entry("title", owner="ala", path="title"))
        own, shared = (budget(2, of=of, measure="running", period="now") for of in ("ala", GROUP))
        first, second, third = (
            entry(name, owner="ala", groups=(GROUP,), allowances=(own, shared), late=late)
            for name, late in (("b", NO_TIME), ("c", NO_TIME), ("d", timedelta(days=1)))
        )
        assert book.reserve(first, second) == [Accepted(), Exhausted(allowance=own, left=0)]
        book.settle(ended("ala"), ended("title"), ended("ala"))
        assert book.reserve(third, second) == [Accepted(), Exhausted(allowance=own, left=0)]
        assert book.recover() == 2
        assert book.reserve(second) == [Accepted()]
        assert {count for key, *_, count in self.counts(book) if key[1] == "now"} == {1}

    def test_counts_follow_who_was_taken_for_dead_and_was_not(self, book: Book) -> None:
        at_once = budget(9, of="ala", measure="running", period="now")
        book.reserve(self.of("ala", 50, budget(100, of="ala"), budget(100, of=GROUP), at_once))
        book.note(Note(entry_id="ala", legs=(leg(amount=4), leg(amount=5))))
        book.recover()
        after = self.counts(book)
        assert {(amount, running) for *_, amount, running in after} == {(9, 0), (0, 0)}
        book.settle(ended("ala", leg(amount=4), leg(amount=16)))
        assert {(amount, running) for *_, amount, running in self.counts(book)} == {(20, 0), (0, 0)}

    def counts(self, book: Book) -> list[tuple[tuple[str, str], int, int, int, int]]:
        return [(key, *count) for key, count in book.rows().spendings.items()]

    def test_a_budget_counts_what_was_used_before_it_was_set(self, book: Book) -> None:
        book.reserve(*(self.of(owner, 30) for owner in ("ala", "ola", "ela")))
        book.settle(ended("ala", leg(amount=20)), ended("ola", error="engine_lost"))
        shared = budget(60, of=GROUP)
        assert self.ask(book, "iga", 20, shared) == Exhausted(allowance=shared, left=10)
        book.settle(ended("ela", leg(amount=10)))
        assert self.ask(book, "iga", 31, shared) == Exhausted(allowance=shared, left=30)
        assert self.ask(book, "iga", 30, shared) == Accepted()

    def test_many_are_looked_up_at_once_whether_a_budget_has_asked_for_them_or_not(
        self, book: Book
    ) -> None:
        """The first three requests are of nobody with a budget; `ala` begins the count of two."""
        book.reserve(*(self.of(owner, 30) for owner in ("ola", "ela", "ewa")))
        book.settle(ended("ola", leg(amount=20, tokens=4)), ended("ewa", error="engine_lost"))
        assert self.ask(book, "ala", 5, budget(90), budget(90, of=GROUP)) == Accepted()
        people = [budget(90, of=name) for name in ("ala", "ola", "ela", "ewa", "iga")]
        groups = [self.shared(name) for name in (GROUP, "g2", "g3")]
        assert self.look(book, *people, *groups) == [5, 20, 30, 0, 0, 55, 55, 0]
        assert self.look(book, self.shared("g2")) == [55]
        month = budget(90, of="ola", measure="tokens", period="month")
        running = [replace(one, measure="running", period="now") for one in (people[2], groups[1])]
        assert self.look(book, month, *running) == [8, 1, 2]
        assert {key[0] for key, *_ in self.counts(book)} == {OWNER, GROUP}

    def shared(self, group_id: str) -> Allowance:
        return replace(budget(90, of=group_id), group=group_id)

    def look(self, book: Book, *allowances: Allowance) -> list[int]:
        with book.engine.begin() as connection:
            return look(connection, allowances, day=entry("a").day)

    def test_a_budget_goes_on_counting_while_it_is_lifted(self, book: Book) -> None:
        book.reserve(entry("a", amount=10, allowances=(budget(100),)))
        book.reserve(entry("b", amount=80))
        book.settle(ended("b", leg(amount=70)))
        outcomes = book.reserve(entry("c", amount=21, allowances=(budget(100),)))
        assert outcomes == [Exhausted(allowance=budget(100), left=20)]

    def test_a_new_day_and_a_new_month_begin_at_nothing(self, book: Book) -> None:
        daily, monthly = budget(50), budget(80, period="month")
        late = [timedelta(days=days) for days in (0, 1, 31)]
        asked = [
            entry(f"{number}", amount=50, allowances=(daily, monthly), late=one)
            for number, one in enumerate(late)
        ]
        outcomes = [book.reserve(one)[0] for one in asked]
        assert outcomes == [Accepted(), Exhausted(allowance=monthly, left=30), Accepted()]

    def test_settling_twice_counts_once(self, book: Book) -> None:
        book.reserve(entry("a", amount=50, allowances=(budget(50),)))
        book.settle(ended("a", leg(amount=20)), ended("a", leg(amount=1)))
        book.settle(ended("a", leg(amount=1)))
        outcomes = book.reserve(entry("b", amount=31, allowances=(budget(50),)))
        assert outcomes == [Exhausted(allowance=budget(50), left=30)]

    def test_what_ends_makes_room_for_what_begins_in_the_same_group(self, book: Book) -> None:
        allowance = budget(100)
        held = [entry(name, amount=40, allowances=(allowance,)) for name in ("a", "b")]
        book.reserve(*held)
        outcomes = book.write(
            [ended("a", leg(amount=10))],
            [entry("free"), entry("c", amount=51, allowances=(allowance,))],
        )
        assert outcomes == [Accepted(), Exhausted(allowance=allowance, left=50)]
        outcomes = book.write(
            [ended("b", leg(amount=30))],
            [entry("d", amount=59, allowances=(allowance,)), entry("free too", amount=1)],
        )
        assert outcomes == [Accepted(), Accepted()]
        outcomes = book.reserve(entry("e", amount=1, allowances=(allowance,)))
        assert outcomes == [Exhausted(allowance=allowance, left=0)]

    def test_a_budget_that_begins_in_a_group_counts_all_of_it_once(self, book: Book) -> None:
        book.reserve(entry("a", amount=40), entry("b", amount=5))
        outcomes = book.write(
            [ended("a", leg(amount=10))],
            [entry("c", amount=20), entry("d", amount=66, allowances=(budget(100),))],
        )
        assert outcomes == [Accepted(), Exhausted(allowance=budget(100), left=65)]
        outcomes = book.reserve(entry("e", amount=66, allowances=(budget(100),)))
        assert outcomes == [Exhausted(allowance=budget(100), left=65)]

    def test_a_crash_gives_back_what_nobody_can_prove(self, book: Book) -> None:
        allowance = budget(100)
        book.reserve(*(entry(name, amount=40, allowances=(allowance,)) for name in ("a", "b")))
        book.note(Note(entry_id="a", legs=(leg(amount=15), house_leg(amount=1))))
        assert book.recover() == 2
        outcomes = book.reserve(entry("c", amount=86, allowances=(allowance,)))
        assert outcomes == [Exhausted(allowance=allowance, left=85)]
