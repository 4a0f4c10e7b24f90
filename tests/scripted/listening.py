"""Readers of the Chat API, each in a thread of its own, that note when they heard what."""

import threading
import time
from collections.abc import Callable, Iterable
from itertools import pairwise

import requests
from scripted.chats import Answer, Chat, Told, text_of
from scripted.gateway import wait_until
from scripted.patience import PATIENCE_S


class Listener:
    """Asks, and reads the answer as far as it comes; times are the machine's monotonic ones."""

    def __init__(self, chat: Chat, text: str) -> None:
        """Ask at once."""
        self.chat = chat
        self.text = text
        self.began_at = time.monotonic()
        self.answered_at: float | None = None
        self.ended_at: float | None = None
        self.refused: requests.Response | None = None
        self.answer: Answer | None = None
        self.heard: list[tuple[float, Told]] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def names(self) -> list[str]:
        """Names of the events heard."""
        return [told.name for _, told in list(self.heard)]

    @property
    def said(self) -> str:
        """The words heard."""
        return text_of([told for _, told in list(self.heard)])

    @property
    def end(self) -> str:
        """The last event and its code or reason; empty while there is none."""
        last = self.heard[-1][1] if self.heard else None
        if last is None or last.name not in {"done", "error"}:
            return ""
        return f"{last.name} {last['finish_reason' if last.name == 'done' else 'code']}"

    @property
    def refusal(self) -> str:
        """Status and code of a refusal; empty where it was none."""
        if self.refused is None:
            return ""
        return f"{self.refused.status_code} {self.refused.json()['error']['code']}"

    @property
    def took_s(self) -> float:
        """Seconds from asking to the head of the reply."""
        assert self.answered_at is not None
        return self.answered_at - self.began_at

    @property
    def longest_silence_s(self) -> float:
        """Seconds between two events at most."""
        times = [at for at, _ in self.heard]
        return max((late - soon for soon, late in pairwise(times)), default=0)

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will be heard."""
        return self.ended_at is not None

    def wait(self, is_so: Callable[["Listener"], bool], limit_s: float = PATIENCE_S) -> None:
        """Wait until something is so, or nothing more will be heard."""
        wait_until(lambda: self.has_ended or is_so(self), limit_s)

    def join(self, limit_s: float = PATIENCE_S) -> None:
        """Wait until nothing more will be heard."""
        wait_until(lambda: self.has_ended, limit_s)
        self._thread.join()

    def _listen(self) -> None:
        try:
            reply = self.chat.post(self.text)
            self.answered_at = time.monotonic()
            if reply.status_code != requests.codes.ok:
                self.refused = reply
                return
            self._read(reply)
        except requests.RequestException:  # the gateway is gone
            pass
        finally:
            self.ended_at = time.monotonic()

    def _read(self, reply: requests.Response) -> None:
        ids = {name: reply.headers[f"x-{name}-id"] for name in ("message", "parent")}
        self.answer = Answer(reply=reply, message_id=ids["message"], parent=ids["parent"])
        with reply:
            for told in self.answer.stream():
                self.heard.append((time.monotonic(), told))


def join_all(listeners: Iterable[Listener], limit_s: float = PATIENCE_S) -> None:
    """Wait until none of them will hear more."""
    for listener in listeners:
        listener.join(limit_s)
