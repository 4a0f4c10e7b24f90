"""What a check can find wrong with an engine: a code for programs, and words with the remedy."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chatbot.errors import (
    EngineBusy,
    EngineLost,
    EngineTimeout,
    InvalidRequest,
    ZwrotnicaError,
)
from serving.engines.failures import Oddity
from serving.engines.readiness import NoToken

FindingCode: TypeAlias = Literal[
    "broke_off",
    "busy",
    "calls_for_greeting",
    "hidden_tools",
    "late_verdict",
    "model_unlisted",
    "no_calls",
    "no_first_token",
    "no_token",
    "other_key",
    "refused_request",
    "refused_tools",
    "unread_call",
    "unreachable",
    "wrong_address",
    "wrong_dialect",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that is wrong: ``text`` says in English what, and what to do now."""

    code: FindingCode
    text: str


def explain_failure(error: ZwrotnicaError, *, engine: str, noted: Collection[Oddity]) -> Finding:
    """What a request that failed says of ``engine``; ``noted`` is what was odd about it."""
    table = f"engines.{engine}"
    if "credentials_rejected" in noted:
        text = f"its server refuses the key: set {table}.api_key (or api_key_env) right"
        return Finding(code="other_key", text=text)
    if "address_rejected" in noted:
        text = f"its server knows no such address or model: look at {table}.url and {table}.model"
        return Finding(code="wrong_address", text=f"{text} (most addresses end in /v1)")
    code, remedy = _explain(error, table)
    return Finding(code=code, text=f"{error.message}: {remedy}")


def _explain(error: ZwrotnicaError, table: str) -> tuple[FindingCode, str]:
    match error:
        case EngineTimeout():
            return "no_first_token", (
                "it is overloaded or still loading its model, or its model needs a longer "
                f"{table}.first_token_s"
            )
        case EngineBusy():
            return "busy", "its queue is full; check it again when it has less to do"
        case NoToken():
            return "no_token", (
                "look whether its weights are an instruct model's, and at its chat template"
            )
        case EngineLost():
            return "broke_off", "look at its log"
        case InvalidRequest():
            return "refused_request", f"look at {table}.kind and {table}.model"
        case _:
            return "unreachable", f"is its server started, and do {table}.url and kind fit it?"


def each_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The first finding of each code."""
    unique: dict[FindingCode, Finding] = {}
    for finding in findings:
        unique.setdefault(finding.code, finding)
    return tuple(unique.values())
