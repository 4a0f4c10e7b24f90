"""Model families behind servers that show them the tools, or hide them: `FAULTS["family"]`."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from scripted.line import Line, chunk, usage

CANARY: Final = re.compile(r"secret_word_\w+")
ASKED: Final = "hasło dnia dla stacji"
ARGUMENTS: Final = '{"station": "Łódź"}'
REFUSAL: Final = b'{"error": {"message": "auto tool choice requires a parser"}}'


async def play_family(line: Line) -> None:
    """Calls the tool that it can see, else chats.

    ``writes``: llama, hermes, mistral, python, deltas, prose. ``shown``: which tools the server
    shows to the model: all, prompt (those on the wire are hidden), refuse (400 to those),
    broken (it breaks off where the canary is asked for).
    ``heeds``: 1 = it writes as the prompt tells it, and its own way only where nothing does.
    ``calls``: which of those it calls: all, prompt, wire, none. ``counts``: 0 = the usage tells
    nothing of the prompt.
    """
    script, body = line.script, json.loads(line.body)
    shown = script.word("shown", "all")
    if shown == "refuse" and "tools" in body:
        await line.reply(400, REFUSAL)
        return
    prompt = "\n".join(message["content"] for message in body["messages"])
    wire = json.dumps(body.get("tools", [])) if shown == "all" else "[]"
    called = script.word("calls", "all")
    seen = {"all": prompt + wire, "prompt": prompt, "wire": wire, "none": ""}[called]
    names = CANARY.findall(seen) if ASKED in prompt else []
    await line.begin()
    if shown == "broken" and names:
        await line.event(chunk(content="Ch"))
        await line.pause(0.02)
        await line.hang_up()
        return
    told = _told_form(prompt) if script.number("heeds", 0) else None
    for event in _write(told or script.word("writes", "llama"), names):
        await line.event(event)
    await line.event(chunk(finish="stop"))
    if line.wants_usage:
        tokens = len(prompt) + len(wire)
        await line.event(usage(tokens * script.number("counts", 1), 3))
    await line.done()


def _told_form(prompt: str) -> str | None:
    """The form in which the prompt wants calls written, if it says so."""
    if "<tool_call>" in prompt:
        return "hermes"
    return "llama" if "Answer only with a function call" in prompt else None


def _write(form: str, names: list[str]) -> Iterator[Mapping[str, object]]:
    if not names:
        yield chunk(content="Chętnie porozmawiam.")
    elif form == "deltas":
        function = {"name": names[0], "arguments": ARGUMENTS}
        yield chunk(calls=[{"index": 0, "id": "c0", "function": function}])
    else:
        yield chunk(content=_FORMS[form].replace("NAME", names[0]))


_FORMS: Mapping[str, str] = {
    "llama": f'<|python_tag|>{{"name": "NAME", "parameters": {ARGUMENTS}}}',
    "hermes": f'<tool_call>\n{{"name": "NAME", "arguments": {ARGUMENTS}}}\n</tool_call>',
    "mistral": f'[TOOL_CALLS][{{"name": "NAME", "arguments": {ARGUMENTS}}}]',
    "python": 'NAME(station="Łódź")',
    "prose": "Wywołuję NAME dla stacji Łódź.",
}
