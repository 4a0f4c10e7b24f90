"""Requests that nobody should send, each with what must become of it (P1 to P4)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from scripted.http_client import post

REFUSED = frozenset({400, 413})
CHAT = "/v1/chat/completions"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hostile:
    """One body; ``statuses`` that are right for it, ``says``: what the message must hold."""

    name: str
    body: bytes
    statuses: frozenset[int] = REFUSED
    says: str = ""

    def request(self, path: str = CHAT) -> bytes:
        return post(path, self.body)


def chat(content: object = "Cześć!", **fields: object) -> bytes:
    body = {"model": "zwrotnica", "messages": [{"role": "user", "content": content}], **fields}
    return json.dumps(body).encode()


def raw(content: bytes) -> bytes:
    return b'{"model": "zwrotnica", "messages": [{"role": "user", "content": ' + content + b"}]}"


def _with(field: bytes) -> bytes:
    return raw(b'"a"')[:-1] + b", " + field + b"}"


def many_messages(number: int) -> bytes:
    messages = [{"role": "user", "content": "a"}] * number
    return json.dumps({"model": "zwrotnica", "messages": messages}).encode()


P1 = (
    Hostile(name="prompt of 1 MB", body=chat("a" * 1_048_576)),
    Hostile(name="10^6 tokens", body=chat("a b " * 500_000)),
    Hostile(name="2,000 messages", body=many_messages(2_000)),
    Hostile(name="10^5 parts", body=chat([{"type": "text", "text": "a"}] * 100_000)),
    Hostile(name="5·10^4 parts", body=chat([{"type": "text", "text": "a"}] * 50_000)),
    Hostile(name="10 MB", body=chat("a" * 10_485_760)),
    Hostile(name="no messages", body=b'{"model": "zwrotnica", "messages": []}'),
)
P2 = (
    Hostile(name="invalid UTF-8", body=raw(b'"\xff\xfe"'), says="byte"),
    Hostile(name="overlong UTF-8", body=raw(b'"\xc0\xaf"'), says="byte"),
    Hostile(name="surrogate in UTF-8", body=raw(b'"\xed\xa0\x80"'), says="byte"),
    Hostile(name="cut off UTF-8", body=raw(b'"\xc5"'), says="byte"),
    Hostile(name="lone surrogate", body=raw(b'"abc\\ud800"'), says="3"),
    Hostile(name="swapped surrogates", body=raw(b'"\\udc00\\ud800"'), says="0"),
    Hostile(name="NUL escaped", body=raw(b'"ab\\u0000"'), says="2"),
    Hostile(name="NUL raw", body=raw(b'"ab\x00"')),
    Hostile(name="BOM first", body=b"\xef\xbb\xbf" + chat(), says="byte 0"),
    Hostile(name="U+FFFE", body=raw(b'"a\\ufffe"'), says="1"),
    Hostile(name="U+FFFF", body=raw(b'"\xef\xbf\xbf"'), says="0"),
    Hostile(name="surrogate in a key", body=_with(b'"\\ud800": 1')),
    Hostile(name="UTF-16", body=chat().decode().encode("utf-16")),
)
P3 = (
    Hostile(name="depth 10^5 of lists", body=_with(b'"x": ' + b"[" * 100_000 + b"]" * 100_000)),
    Hostile(name="depth 10^5 of objects", body=_with(b'"x": ' + b'{"a":' * 100_000)),
    Hostile(name="depth 10^5 whole", body=b"[" * 100_000),
    Hostile(name="10^6 keys", body=b"{" + b",".join(b'"%d":1' % n for n in range(150_000)) + b"}"),
    Hostile(name="NaN", body=_with(b'"temperature": NaN')),
    Hostile(name="Infinity", body=_with(b'"temperature": -Infinity')),
    Hostile(name="1e999", body=_with(b'"temperature": 1e999')),
    Hostile(name="5,000 digits", body=_with(b'"seed": ' + b"1" * 5_000)),
    Hostile(name="5,000 digits after the point", body=_with(b'"top_p": 0.' + b"1" * 5_000)),
    Hostile(name="10^6 values", body=_with(b'"stop": [' + b"1," * 900_000 + b"1]")),
    Hostile(name="no object", body=b'"text"'),
    Hostile(name="nothing", body=b""),
    Hostile(name="two objects", body=chat() + chat()),
    Hostile(name="comment", body=b"/* */" + chat()),
)
_BOUNDS: Mapping[str, object] = {
    "n": 10**9,
    "max_tokens": -1,
    "max_completion_tokens": 10**12,
    "logprobs": True,
    "top_logprobs": 10**6,
    "chat_template_kwargs": {"x": "{{ 7 * 7 }}"},
    "chat_template": "{{ x }}",
    "guided_regex": "(a+)+$",
    "guided_json": {},
    "structured_outputs": {"regex": "(a+)+$"},
    "stop": ["x"] * 10_000,
    "temperature": 3.0,
    "top_p": 0,
    "presence_penalty": -99,
    "best_of": 100,
    "use_beam_search": True,
    "prompt_logprobs": 10**6,
    "priority": -10,
    "top_k": -5,
    "logit_bias": {"1": 100},
    "unknown_field": 1,
    "seed": 2**64,
    "stream": "yes",
    "max_tokenss": 5,
    "n ": 1,
}
P4 = tuple(
    Hostile(name=f"{field}={str(value)[:20]}", body=chat(**{field: value}))
    for field, value in _BOUNDS.items()
)
LAST_WINS = Hostile(
    name="duplicate keys",
    body=b'{"model": "nobody", "model": "zwrotnica", ' + chat()[1:],
    statuses=frozenset({200}),
)
CONTROL_TOKENS = (
    "<|begin_of_text|>",
    "<|eot_id|>",
    "<|start_header_id|>system<|end_header_id|>",
    "<|python_tag|>",
    "<|im_start|>system",
    "<|im_end|>",
    "[INST]",
    "[/INST]",
    "[TOOL_CALLS]",
    "<tool_call>",
    "</s>",
)
