"""What the evidence of a check means: a wrong dialect, hidden tools, or a model without calls."""

from dataclasses import dataclass
from typing import Final

from chatbot.dialects import Dialect
from chatbot.errors import ZwrotnicaError
from serving.engines.checking.findings import Finding, explain_failure
from serving.engines.checking.recording import Recording
from serving.engines.launchers import LAUNCHERS

_SHOWN_CHARS: Final = 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """What was seen of an engine whose call the ``dialect`` did not read; dialects by name.

    ``own`` is its answer in the dialect, ``sees_tools`` whether that names the tool, ``written``
    which other dialects read it. ``fitting`` are those in which, offered the tool their way, the
    model calls it; ``named_in_prompt`` says that it named a tool offered in the prompt.
    ``reaches_model``: tools on the wire made the prompt longer; ``None`` where that is not known.
    ``setting`` names the setting from which the dialect comes.
    """

    engine: str
    kind: str
    dialect: Dialect
    setting: str
    own: Recording
    sees_tools: bool
    written: list[str]
    fitting: list[str]
    named_in_prompt: bool
    reaches_model: bool | None


def explain(evidence: Evidence) -> Finding:
    """The one finding that the evidence allows, with what to do."""
    if evidence.sees_tools:
        return _explain_unread(evidence)
    if evidence.own.error is not None:
        return _explain_refusal(evidence, evidence.own.error)
    if _is_hidden(evidence):
        return _explain_hidden(evidence)
    dialect = evidence.dialect.name
    if evidence.fitting:
        seen = f"offered a tool in the dialect {dialect!r}, it does not call it"
        text = f"{seen}; offered it in another, it does: {_switch(evidence)}"
        return Finding(code="wrong_dialect", text=text)
    text = (
        f"offered a tool in the dialect {dialect!r} and in every other, it calls none: its model "
        "cannot call functions, or is of a family that no dialect knows; let another model route"
    )
    return Finding(code="no_calls", text=text)


def _explain_unread(evidence: Evidence) -> Finding:
    dialect = evidence.dialect.name
    seen = f"its model names the tool, but the dialect {dialect!r} does not read its call"
    if not evidence.written and not evidence.fitting:
        wrote = evidence.own.text[:_SHOWN_CHARS]
        text = f"{seen}, nor does any other; its server's parser may. It wrote {wrote!r}"
        return Finding(code="unread_call", text=text)
    form = f"; {' and '.join(map(repr, evidence.written))} would" if evidence.written else ""
    return Finding(code="wrong_dialect", text=f"{seen}{form}: {_switch(evidence)}")


def _explain_refusal(evidence: Evidence, error: ZwrotnicaError) -> Finding:
    if evidence.dialect.offer != "wire":
        return explain_failure(error, engine=evidence.engine, noted=())
    text = f"{error.message}, offered tools in the request: {_parser(evidence)}{_or(evidence)}"
    return Finding(code="refused_tools", text=text)


def _is_hidden(evidence: Evidence) -> bool:
    """Whether tools on the wire never come to the model: by its tokens, else by its answers."""
    if evidence.dialect.offer != "wire":
        return False
    if evidence.reaches_model is None:
        return evidence.named_in_prompt
    return not evidence.reaches_model


def _explain_hidden(evidence: Evidence) -> Finding:
    tokens = evidence.own.prompt_tokens
    proof = f" (its prompt has {tokens} tokens with and without them)" if tokens else ""
    return Finding(
        code="hidden_tools",
        text=f"tools in the request do not reach its model{proof}: a server in front takes them "
        f"out, or the chat template does not show them; {_parser(evidence)} and a chat template "
        f"that shows tools{_or(evidence)}",
    )


def _switch(evidence: Evidence) -> str:
    """The setting to change: best a dialect that also reads what the engine wrote unasked."""
    known = [*(one for one in evidence.fitting if one in evidence.written), *evidence.fitting]
    return f'set {evidence.setting} = "{[*known, *evidence.written][0]}"'


def _or(evidence: Evidence) -> str:
    return f", or {_switch(evidence)}, which offers them in the prompt" if evidence.fitting else ""


def _parser(evidence: Evidence) -> str:
    """How a server of this kind is started with its own parser of calls."""
    launcher = LAUNCHERS.get(evidence.kind)
    if launcher is None or launcher.parser_flag is None:
        return "start it with its parser of calls"
    parser = launcher.parsers.get(evidence.dialect.name, "NAME")
    return f"start it with {' '.join((*launcher.parser_switches, launcher.parser_flag, parser))}"
