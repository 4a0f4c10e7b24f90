"""Turns measurements into JSON lines and Markdown tables."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from evals.bench.detector import QUICK_MS, DetectorCost, Spread
from evals.bench.grounding import GroundingCost
from evals.bench.page import PageRow
from evals.bench.second_look import SecondLook
from evals.bench.soak import Count
from evals.bench.verdict import VerdictCost


def verdict_table(costs: Sequence[VerdictCost]) -> str:
    """Verdict cost as a Markdown table."""
    lines = [
        "| transcript | deltas to the verdict | judge, µs a delta | whole decision, µs |",
        "|---|---:|---:|---:|",
    ]
    lines += [
        f"| {cost.transcript} | {cost.deltas} | {cost.judge_us:.2f} | {cost.decision_us:.0f} |"
        for cost in costs
    ]
    return "\n".join(lines)


def detector_table(costs: Sequence[DetectorCost]) -> str:
    """Detector cost as a Markdown table, with its share of a whole decision."""
    lines = [
        (
            "| prompts for | prompts | verifier p50 / p95, ms | fast path p50 / p95, ms "
            f"| detection p50 / p95, ms | at most {QUICK_MS:g} ms "
            "| whole decision p50 / p95, ms | detection ÷ decision, p50 |"
        ),
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {cost.tool} | {cost.prompts} | {_both(cost.verify)} | {_both(cost.fast_path)} "
        f"| {_both(cost.detect)} | {cost.detect.quick} | {_both(cost.decision)} "
        f"| {cost.detect.p50_ms / cost.decision.p50_ms:.2f} |"
        for cost in costs
    ]
    return "\n".join(lines)


def _both(spread: Spread) -> str:
    return f"{spread.p50_ms:.2f} / {spread.p95_ms:.2f}"


def grounding_table(costs: Sequence[GroundingCost]) -> str:
    """Right arguments and cost of grounding as a Markdown table."""
    lines = [
        "| part | value | values | right | flagged as invented | a call p50 / p95, ms |",
        "|---|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {cost.part} | {cost.label} | {cost.values} | {cost.right} "
        f"({cost.right / cost.values:.1%}) | {cost.flagged} ({cost.flagged / cost.values:.2%}) "
        f"| {cost.p50_ms:.2f} / {cost.p95_ms:.2f} |"
        for cost in costs
    ]
    return "\n".join(lines)


def second_look_table(looks: Sequence[SecondLook]) -> str:
    """Which errors of a smaller router model a larger one is asked about, as a Markdown table."""
    lines = [
        (
            "| half | error of the smaller model | prompts | the larger one is asked "
            "| disagreement / unusable / invented | right tool in the end |"
        ),
        "|---|---|---:|---:|---:|---:|",
    ]
    kinds = ("disagreement", "unusable", "invented")
    lines += [
        f"| {look.half} | {look.error} | {look.prompts} "
        f"| {look.asked} ({look.asked / look.prompts:.1%}) "
        f"| {' / '.join(str(look.doubts.get(kind, 0)) for kind in kinds)} "
        f"| {look.tools / look.prompts:.1%} |"
        for look in looks
    ]
    return "\n".join(lines)


def page_table(rows: Sequence[PageRow]) -> str:
    """First words on the page and on the Chat API as a Markdown table."""
    lines = [
        (
            "| chats | way | answers | failed | at once | engine's first words to the client "
            "p50 / p95 / max, ms | asked to begun p95, ms | whole answer, s | kB a chat "
            "| CPU of the gateway / the page, ms a chat |"
        ),
        "|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.chats} | {row.way} | {row.answers} | {row.failed} | {row.at_once} "
        f"| {row.first_p50:.0f} / {row.first_p95:.0f} / {row.first_max:.0f} "
        f"| {row.begin_p95:.0f} | {row.total_mean:.1f} | {row.kilobytes:.0f} "
        f"| {row.gateway_cpu_ms:.0f} / {row.page_cpu_ms:.0f} |"
        for row in rows
    ]
    return "\n".join(lines)


def write_lines(
    path: Path,
    kind: str,
    records: Sequence[VerdictCost | DetectorCost | GroundingCost | SecondLook | PageRow | Count],
) -> None:
    """Append one JSON line for each record, with when and on what it was measured."""
    about = {
        "kind": kind,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": platform.machine(),
        "python": platform.python_version(),
    }
    with path.open("a", encoding="utf-8") as file:
        file.writelines(
            json.dumps(about | asdict(record), ensure_ascii=False) + "\n" for record in records
        )
