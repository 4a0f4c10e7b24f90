"""The fault table of several gateways as Markdown: side by side, then figure by figure."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from faults.cases import Case, Try
from faults.gateways import Limits
from scripted.bystanders import Calm

DASH = "–"
NOBODY = Calm(answers=0, lost=0, p50_s=None, p99_s=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What one case gave for one gateway; ``why_absent``: it was not played, and why."""

    name: str
    what: str
    n: int = 0
    passed: int = 0
    whys: Mapping[str, int] = field(default_factory=dict)
    worst_s: float | None = None
    tokens_off: int | None = None
    grown_mib: float | None = None
    calm: Calm = NOBODY
    why_absent: str = ""

    @classmethod
    def of(cls, case: Case, tries: Sequence[Try], *, grown_mib: float | None, calm: Calm) -> "Row":
        """Sum up."""
        return cls(
            name=case.name,
            what=case.what,
            n=len(tries),
            passed=sum(not one.why for one in tries),
            whys=Counter(one.why for one in tries if one.why),
            worst_s=max((x.seconds for x in tries if x.seconds is not None), default=None),
            tokens_off=max((x.tokens_off for x in tries if x.tokens_off is not None), default=None),
            grown_mib=grown_mib,
            calm=calm,
        )

    @classmethod
    def absent(cls, case: Case, why: str) -> "Row":
        """A case that makes no sense for this gateway."""
        return cls(name=case.name, what=case.what, why_absent=why)

    @property
    def percent(self) -> str:
        """How many tries were as they should be; only all of them are 100 %."""
        if not self.n:
            return DASH
        share = 100 * self.passed / self.n
        return f"{share:.0f}" if share in {0.0, 100.0} else f"{min(max(share, 1), 99):.0f}"

    def say(self) -> str:
        """In one line, for whoever watches."""
        whys = "; ".join(f"{count} × {why}" for why, count in self.whys.items())
        return f"{self.name} {self.what}: {self.passed}/{self.n} {whys}"

    def cells(self) -> list[str]:
        """The figures, as in `HEADS`."""
        calm = self.calm
        return [
            str(self.n) if self.n else DASH,
            self.percent,
            _say(self.worst_s, ".2f"),
            _say(self.tokens_off, "d"),
            _say(self.grown_mib, ".1f"),
            f"{_ms(calm.p50_s)} / {_ms(calm.p99_s)}" if calm.p50_s is not None else DASH,
            str(calm.lost) if calm.answers else DASH,
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """All rows of one gateway."""

    name: str
    version: str
    rows: Sequence[Row]

    @property
    def by_case(self) -> dict[tuple[str, str], Row]:
        """Each row by its case."""
        return {_key(row): row for row in self.rows}


HEADS = (
    "n",
    "pass %",
    "worst, s",
    "tokens off",
    "memory, MB",
    "others' first token p50 / p99, ms",
    "others lost",
)


def render(runs: Sequence[Run], limits: Limits) -> str:
    """Every table, and what is to be known of them."""
    parts = (
        _about(runs, limits),
        _side_by_side(runs),
        _absences(runs),
        "Why tries failed:\n\n" + "\n".join(_failures(runs)),
        *(_figures(run) for run in runs),
    )
    return "\n\n".join(part for part in parts if part)


def _about(runs: Sequence[Run], limits: Limits) -> str:
    names = ", ".join(f"{run.name} {run.version}".strip() for run in runs)
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, one of them the gateway's: "
        f"{names}. Limits of all: connect {limits.connect_s:g} s, first token "
        f"{limits.first_token_s:g} s, "
        f"next token {limits.idle_s:g} s where it can be told apart, header {limits.head_s:g} s, "
        f"body {limits.body_s:g} s, unread {limits.write_s:g} s, unreachable "
        f"{limits.unreachable_s:g} s, drain {limits.drain_s:g} s; breakers stay closed."
    )


def _side_by_side(runs: Sequence[Run]) -> str:
    heads = "".join(f" {run.name} |" for run in runs)
    lines = [f"| case | what has to happen |{heads}", "|---|---|" + "---:|" * len(runs)]
    for key in _keys(runs):
        cells = "".join(f" {_sum_up(run.by_case.get(key))} |" for run in runs)
        lines.append(f"| {key[0]} | {key[1]} |{cells}")
    return (
        "Tries that were as they should be, in percent, and the longest time until the client "
        "knew, in seconds:\n\n" + "\n".join(lines)
    )


def _sum_up(row: Row | None) -> str:
    if row is None or not row.n:
        return DASH
    worst = f" · {row.worst_s:.2f}" if row.worst_s is not None and row.passed else ""
    return f"{row.percent}{worst}" if row.passed == row.n else f"**{row.percent}**{worst}"


def _absences(runs: Sequence[Run]) -> str:
    found = [
        f"{run.name}: {', '.join(sorted(names))} ({why})"
        for run in runs
        for why, names in _group({row.name: row.why_absent for row in run.rows}).items()
        if why
    ]
    return f"{DASH}: not played. {'; '.join(found)}." if found else ""


def _group(whys: Mapping[str, str]) -> dict[str, list[str]]:
    return {why: [name for name in whys if whys[name] == why] for why in set(whys.values())}


def _failures(runs: Sequence[Run]) -> list[str]:
    found = [
        f"- {run.name}, {row.name} {row.what}: "
        + "; ".join(f"{count} × {why}" for why, count in Counter(row.whys).most_common(4))
        for run in runs
        for row in run.rows
        if row.whys
    ]
    return found or ["- none did."]


def _figures(run: Run) -> str:
    lines = [
        f"| case | what | {' | '.join(HEADS)} |",
        "|---|---|" + "---:|" * len(HEADS),
        *(
            f"| {row.name} | {row.what} | {' | '.join(row.cells())} |"
            for row in run.rows
            if not row.why_absent
        ),
    ]
    return f"**{run.name}**\n\n" + "\n".join(lines)


def _keys(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """In the order in which they were played; what only some have comes at its place in theirs."""
    keys: list[tuple[str, str]] = []
    for run in runs:
        for row in run.rows:
            if _key(row) not in keys:
                keys.append(_key(row))
    return keys


def _key(row: Row) -> tuple[str, str]:
    return row.name, row.what


def _say(value: float | None, form: str) -> str:
    return DASH if value is None else f"{value:{form}}"


def _ms(seconds: float | None) -> str:
    return _say(None if seconds is None else seconds * 1e3, ".1f")
