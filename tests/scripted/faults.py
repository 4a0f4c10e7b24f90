"""The faults that the fault server plays, each a short function that writes to one client."""

import gzip
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import TypeAlias

from scripted.line import EVENTS, JSON, Line, Script, chunk, usage
from scripted.model_families import play_family
from scripted.picture_faults import PICTURE_FAULTS


async def play_none(line: Line) -> None:
    await line.begin()
    await line.tokens(0, line.script.tokens)
    await line.finish()
    await line.done()


async def play_silent(line: Line) -> None:
    await line.hang()


async def play_headers(line: Line) -> None:
    await line.begin()
    await line.hang()


async def play_heartbeats(line: Line) -> None:
    await line.begin()
    await line.tokens(0, line.script.number("after", 0))
    while True:
        await line.chunked(b": still here\n\n")
        await line.pause(line.script.number("every_ms", 20) / 1_000)


async def play_stall(line: Line) -> None:
    await line.begin()
    await line.tokens(0, line.script.number("after", 17))
    await line.hang()


async def play_cut(line: Line) -> None:
    """``how``: rst, fin, or end (the chunk terminator, as if all were well)."""
    await line.begin()
    await line.tokens(0, line.script.number("after", 17))
    await line.pause(0.02)
    match line.script.word("how", "fin"):
        case "rst":
            await line.reset()
        case "end":
            await line.write(b"0\r\n\r\n")
        case _:
            await line.hang_up()


async def play_no_done(line: Line) -> None:
    """``how``: end (with the chunk terminator), fin, or hang (the connection stays open)."""
    await line.begin()
    await line.tokens(0, line.script.tokens)
    await line.finish()
    match line.script.word("how", "end"):
        case "fin":
            await line.pause(0.02)
            await line.hang_up()
        case "hang":
            await line.hang()
        case _:
            await line.write(b"0\r\n\r\n")


async def play_no_finish(line: Line) -> None:
    await line.begin()
    await line.tokens(0, line.script.tokens)
    await line.done()


async def play_malformed(line: Line) -> None:
    """``then``: finish or cut."""
    await line.begin()
    await line.tokens(0, 5)
    await line.event('{"choices": [{"index": 0, "delta": {"content": "ha')
    if line.script.word("then", "finish") == "cut":
        await line.write(b"0\r\n\r\n")
        return
    await line.tokens(5, line.script.tokens)
    await line.finish()
    await line.done()


async def play_split(line: Line) -> None:
    """``by``: bytes a write; ``ends``: lf, crlf, cr; ``bom``, ``comments``, ``lines``: 1 = on."""
    await line.head(200, {"content-type": EVENTS, "transfer-encoding": "chunked"})
    script = line.script
    events = [json.dumps(chunk(content=script.token(place))) for place in range(script.tokens)]
    events += [json.dumps(chunk(finish="stop")), json.dumps(usage(7, script.tokens)), "[DONE]"]
    texts = [_dress(event, script) for event in events]
    end = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}[script.word("ends", "lf")]
    raw = (script.number("bom", 0) * "\ufeff" + "".join(texts)).replace("\n", end).encode()
    step = script.number("by", 1)
    for place in range(0, len(raw), step):
        await line.chunked(raw[place : place + step])
    line.sent_tokens = script.tokens
    await line.write(b"0\r\n\r\n")


def _dress(event: str, script: Script) -> str:
    if script.number("lines", 0) and event != "[DONE]":
        event = event.replace(', "choices"', ',\ndata: "choices"')
    return script.number("comments", 0) * ": ping\n" + f"data: {event}\n\n"


async def play_endless(line: Line) -> None:
    """``of``: line (no newline ever) or event (newlines, but no blank line)."""
    await line.begin()
    await line.tokens(0, line.script.number("after", 3))
    piece = b"data: " + b"a" * 8_186 + (b"\n" if line.script.word("of") == "event" else b"")
    for _ in range(line.script.number("kib", 65_536) // 8):
        await line.chunked(piece)


async def play_big_event(line: Line) -> None:
    await line.begin()
    await line.tokens(0, line.script.number("after", 3))
    await line.event(chunk(content="a" * (line.script.number("kib", 1_024) * 1_024)))
    await line.finish()
    await line.done()


async def play_flood(line: Line) -> None:
    """Events of 8 kB one after another, as fast as they are taken."""
    await line.begin()
    for _ in range(line.script.number("kib", 65_536) // 8):
        await line.event(chunk(content="a" * 8_192))
    await line.finish()
    await line.done()


async def play_status(line: Line) -> None:
    """``code``; ``after``: Retry-After, with _ for spaces and . for colons; ``say``: message."""
    script = line.script
    said = script.word("say", "secret sk-upstream-123 at http://10.0.0.7:8000/v1 Traceback: x")
    body = json.dumps({"error": {"message": said.replace("_", " ")}}).encode()
    if "after" in script.options:
        wait = script.word("after").replace("_", " ").replace(".", ":")
        await line.reply(script.number("code", 500), body, retry_after=wait)
    else:
        await line.reply(script.number("code", 500), body)


async def play_error_event(line: Line) -> None:
    await line.begin()
    await line.tokens(0, line.script.number("after", 3))
    said = {"message": "CUDA error at http://10.0.0.7", "code": 500}
    await line.event({"error": said})
    await line.done()


async def play_usage(line: Line) -> None:
    """``kind``: missing, zero, negative, twice, huge, words, spoilt (a negative one follows)."""
    await line.begin()
    await line.tokens(0, line.script.tokens)
    await line.event(chunk(finish="stop"))
    sent = line.sent_tokens
    figures: dict[str, list[tuple[object, object]]] = {
        "missing": [],
        "zero": [(0, 0)],
        "negative": [(7, -sent)],
        "twice": [(7, sent), (7, sent)],
        "huge": [(7, 10**12)],
        "words": [("seven", None)],
        "spoilt": [(7, sent), (7, -1)],
    }
    for prompt, completion in figures[line.script.word("kind", "missing")]:
        await line.event(usage(prompt, completion))
    await line.done()


async def play_html(line: Line) -> None:
    await line.reply(200, b"<html>Welcome to nginx</html>", content_type="text/html")


async def play_wrong_type(line: Line) -> None:
    await line.reply(200, b'{"choices": []}', content_type=line.script.word("type", JSON))


async def play_bomb(line: Line) -> None:
    """``code``: with which status; 64 MiB in 64 kB."""
    code = line.script.number("code", 200)
    await line.reply(code, pack_bomb(), content_type=EVENTS, content_encoding="gzip")


@cache
def pack_bomb() -> bytes:
    return gzip.compress(b"\0" * 67_108_864)


async def play_redirect(line: Line) -> None:
    await line.reply(302, b"", location=line.script.word("to", "/v1/elsewhere"))


async def play_http09(line: Line) -> None:
    await line.write(b"data: hello\n\n")
    await line.hang_up()


async def play_huge_headers(line: Line) -> None:
    """``of``: one long field, or many."""
    fields = {"content-type": EVENTS}
    if line.script.word("of", "one") == "one":
        fields["x-long"] = "a" * 1_048_576
    else:
        fields |= {f"x-{number}": "a" * 100 for number in range(20_000)}
    await line.head(200, fields)
    await line.hang_up()


async def play_calls(line: Line) -> None:
    """``kind``: the tool calls of E12a, as ``tool_calls`` deltas or as text."""
    await line.begin()
    kind = line.script.word("kind", "plain")
    for calls in _CALL_DELTAS.get(kind, []):
        await line.event(chunk(calls=calls))
    for piece in _CALL_TEXTS.get(kind, ()):
        await line.event(chunk(content=piece))
    line.sent_tokens = len(_CALL_DELTAS.get(kind, [])) + len(_CALL_TEXTS.get(kind, ()))
    await line.finish("tool_calls" if kind in _CALL_DELTAS else "stop")
    await line.done()


def _call(index: int, name: str | None, arguments: str) -> object:
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return {"index": index, "function": function, **({"id": f"c{index}"} if name else {})}


_WEATHER = '{"city": "Łódź"}'
_CALL_DELTAS: Mapping[str, list[list[object]]] = {
    "plain": [[_call(0, "get_weather", "")], [_call(0, None, _WEATHER)]],
    "duplicate": [[_call(0, "get_weather", _WEATHER)], [_call(0, "get_weather", _WEATHER)]],
    "sum": [[_call(0, "calculate", '{"expression": "2 + 2"}')]],
    "reordered": [[_call(1, "calculate", '{"expression": "2"}')], [_call(0, "get_weather", "{}")]],
    "invalid": [[_call(0, "get_weather", '{"city": "Łó')]],
    "unknown": [[_call(0, "launch_rocket", "{}")]],
    "many": [
        [_call(number, "calculate", f'{{"expression": "{number} + 1"}}')] for number in range(200)
    ],
}
_CALL_TEXTS: Mapping[str, tuple[str, ...]] = {
    "tag": ("<|python_tag|>", '{"name": "get_weather", ', f'"parameters": {_WEATHER}}}'),
    "bare": ('{"imię": "Jan", ', '"wiek": 40}'),
    "python": ("<|python_tag|>", "import os\n", "print(2 + 2)"),
    "think": ("<think>", "pogoda?", "</think>", '{"name": "default_function", "parameters": {}}'),
    "default": ("<|python_tag|>", '{"name": "default_function", "parameters": {}}'),
}


async def play_router(line: Line) -> None:
    """Plays a router model: calls the tool asked for, else the default; ``blind``: 1 = always."""
    prompt = line.body.decode()
    names = re.findall(r"secret_word_\w+", prompt)
    is_asked = "hasło dnia dla stacji" in prompt and not line.script.number("blind", 0)
    is_called = names and (is_asked or line.script.number("eager", 0))
    name = names[0] if is_called else "default_function"
    arguments = '{"station": "Łódź"}' if name != "default_function" else "{}"
    await line.begin()
    for piece in ("<|python_tag|>", f'{{"name": "{name}", ', f'"parameters": {arguments}}}'):
        await line.event(chunk(content=piece))
    await line.finish()
    await line.done()


Play: TypeAlias = Callable[[Line], Awaitable[None]]
FAULTS: Mapping[str, Play] = {
    **{name.removeprefix("play_"): play for name, play in globals().items() if name[:5] == "play_"},
    **PICTURE_FAULTS,
    "family": play_family,
}
"""Every fault by name, most of them a function ``play_NAME`` of this file."""
