"""A language model on loopback that tells its lines token by token, at a pace that tests set."""

import json
import re
import select
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Self, TypedDict

from scripted.line import EVENTS, chunk, usage

TOKEN = re.compile(r"\s*\S{1,6}")
MATERIAL = "Dane z narzędzia"
TRANSLATES = "Tłumaczysz na angielski"
NAMES = "Nadajesz tytuły"
STEP_S = 0.02


class Body(TypedDict, total=False):
    """What the gateway sends, as far as tests read it."""

    model: str
    messages: list[dict[str, str]]
    temperature: float
    top_p: float
    repetition_penalty: float
    max_tokens: int


@dataclass(kw_only=True, slots=True)
class Telling:
    """One request: what was asked, how many tokens were sent, and when its client hung up.

    ``began_at`` is when the first token left, in seconds since the epoch.
    """

    body: Body
    sent: int = 0
    began_at: float | None = None
    has_ended: bool = False
    left_at: float | None = None

    @property
    def system(self) -> str:
        """The system prompt."""
        return "\n".join(one["content"] for one in self.body["messages"] if one["role"] == "system")

    @property
    def question(self) -> str:
        """The last message."""
        return self.body["messages"][-1]["content"]

    @property
    def is_answer(self) -> bool:
        """Whether a user is answered: no result is worded, nothing translated or named."""
        return MATERIAL not in self.question and not self.is_errand

    @property
    def is_errand(self) -> bool:
        """Whether the gateway itself wants something: a translation, a title."""
        return TRANSLATES in self.system or NAMES in self.system


@dataclass
class Storyteller:
    """Tells `lines`, by the first of their keys that the last message holds, else `otherwise`.

    One token each `pace_s`, and of an answer no more than are `allowed` by then. A tool's
    result is worded as it stands; translations are `english`, titles `title`. While it `is_broken`
    it hangs up in the middle of an answer.
    """

    lines: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = "Dzień dobry! W czym mogę pomóc?"
    english: str = "a lighthouse by the sea at sunset"
    title: str = ""
    pace_s: float = 0.0
    allowed: int | None = None
    is_broken: bool = False
    tellings: list[Telling] = field(default_factory=list)

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"teller": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": STEP_S}
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.allowed = None
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def answers(self) -> list[Telling]:
        """The requests in which users were answered."""
        return [telling for telling in self.tellings if telling.is_answer]

    def be_quick(self) -> None:
        """Tell at once, and nothing but `otherwise`; forget what was asked."""
        self.lines, self.pace_s, self.allowed, self.is_broken = {}, 0.0, None, False
        self.tellings.clear()

    def allows(self, sent: int) -> bool:
        """Whether one more token may be told after ``sent``."""
        allowed = self.allowed
        return allowed is None or sent < allowed

    def compose(self, telling: Telling) -> str:
        """All that this request will be told."""
        if TRANSLATES in telling.system:
            return self.english
        if MATERIAL in telling.question:
            _, _, told = telling.question.partition(MATERIAL)
            return " ".join(line[2:] for line in told.splitlines() if line.startswith("> "))
        if telling.is_errand:
            return self.title
        told_lines = self.lines.items()
        return next((text for key, text in told_lines if key in telling.question), self.otherwise)


class _Handler(BaseHTTPRequestHandler):
    """One connection of the gateway; `teller` is set by the subclass that each server makes."""

    teller: ClassVar[Storyteller]
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - stdlib's own signature
        """Say nothing."""

    def do_GET(self) -> None:
        self._send_head("application/json")
        self.wfile.write(json.dumps({"data": [{"id": "bielik", "object": "model"}]}).encode())

    def do_POST(self) -> None:
        body: Body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        telling = Telling(body=body)
        self.teller.tellings.append(telling)
        self._send_head(EVENTS)
        try:
            for event in self._events(telling):
                self.wfile.write(f"data: {event}\n\n".encode())
                self.wfile.flush()
        except ConnectionError:
            telling.left_at = telling.left_at or time.monotonic()
        telling.has_ended = True

    def _send_head(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()

    def _events(self, telling: Telling) -> Iterator[str]:
        teller = self.teller
        yield _json(chunk(role="assistant", content=""))
        for token in TOKEN.findall(teller.compose(telling)):
            if telling.is_answer:
                self._wait(telling)
            telling.began_at = telling.began_at or time.time()
            yield _json(chunk(content=token))
            telling.sent += 1
            if telling.is_answer and teller.is_broken:
                return
        yield _json(chunk(finish="stop"))
        yield _json(usage(7, telling.sent))
        yield "[DONE]"

    def _wait(self, telling: Telling) -> None:
        """Wait until the next token is due and allowed, but no longer than the client stays."""
        due = time.monotonic() + self.teller.pace_s
        while (left := due - time.monotonic()) > 0 or not self.teller.allows(telling.sent):
            wait_s = STEP_S if left <= 0 else min(left, STEP_S)
            readable, _, _ = select.select([self.connection], [], [], wait_s)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                telling.left_at = time.monotonic()
                raise ConnectionAbortedError


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
