"""Turns the tokens of one row into text as they come, and finds where its answer ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from serving.reference.token_model import RowSampling, TokenModel

Finish: TypeAlias = Literal["stop", "length"]
_UNFINISHED: Final = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What one client wants: prompt, sampling, and where the answer ends.

    ``max_tokens`` is at least 1. ``ignores_end`` goes on after the model's own end;
    ``keeps_special`` writes marks such as ``<|python_tag|>`` as text, the end's mark never.
    ``is_whole`` leaves the text for the end where nothing has to be looked for in it.
    """

    ids: tuple[int, ...]
    sampling: RowSampling
    max_tokens: int
    stops: tuple[str, ...] = ()
    ignores_end: bool = False
    keeps_special: bool = False
    is_whole: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """What a token has brought: text, which may be empty, and the end where it is reached."""

    text: str
    finish: Finish | None = None


class GrowingText:
    """The text of ids that come one by one.

    A token's text can depend on its neighbours (a character of several tokens, a space that only
    the first word lacks), so each is written together with the one before.
    """

    def __init__(self, write: Callable[[Sequence[int]], str]) -> None:
        """Nothing is written yet."""
        self._write = write
        self._ids: list[int] = []
        self._before = 0
        self._told = 0

    def hold(self, token: int) -> str:
        """Nothing yet: the text comes with that of a later token."""
        self._ids.append(token)
        return ""

    def push(self, token: int) -> str:
        """What is certain with ``token``: nothing while a character is not whole."""
        self._ids.append(token)
        known = self._write(self._ids[self._before : self._told])
        text = self._write(self._ids[self._before :])
        if text.endswith(_UNFINISHED) or len(text) <= len(known):
            return ""
        self._before, self._told = self._told, len(self._ids)
        return text[len(known) :]

    def rest(self) -> str:
        """What was held back, without a character that will not become whole."""
        known = self._write(self._ids[self._before : self._told])
        text = self._write(self._ids[self._before :]).rstrip(_UNFINISHED)
        return text[len(known) :]


class StopSearch:
    """Lets text through up to the first stop sequence; holds back what may begin one."""

    def __init__(self, stops: Sequence[str]) -> None:
        """No stop sequence is empty."""
        self._stops = stops
        self._held = ""
        self.is_found = False

    def push(self, text: str) -> str:
        """What can be shown with ``text``; nothing more once ``is_found``."""
        self._held += text
        places = [place for stop in self._stops if (place := self._held.find(stop)) >= 0]
        self.is_found = bool(places)
        end = min(places) if places else len(self._held) - self._overlap()
        shown, self._held = self._held[:end], self._held[end:]
        return shown

    def rest(self) -> str:
        """What was held back for a stop sequence that did not come."""
        return self._held

    def _overlap(self) -> int:
        """The longest end of the text with which some stop sequence begins."""
        longest = max((len(stop) - 1 for stop in self._stops), default=0)
        sizes = range(min(longest, len(self._held)), 0, -1)
        return next((size for size in sizes if self._may_begin(self._held[-size:])), 0)

    def _may_begin(self, text: str) -> bool:
        return any(stop.startswith(text) for stop in self._stops)


class RowText:
    """Follows one row to its end; used by one thread."""

    def __init__(self, order: Order, model: TokenModel) -> None:
        """Nothing is generated yet."""
        self._order = order
        self._ends = frozenset[int]() if order.ignores_end else model.end_ids
        self._unseen = frozenset[int]() if order.keeps_special else model.special_ids
        self._text = GrowingText(model.write)
        self._write = self._text.hold if order.is_whole and not order.stops else self._text.push
        self._search = StopSearch(order.stops)
        self._tokens = 0
        self.is_done = False

    def take(self, token: int) -> Piece:
        """What ``token`` brings."""
        self._tokens += 1
        if token in self._ends:
            return self._end("", "stop")
        text = "" if token in self._unseen else self._search.push(self._write(token))
        if self._search.is_found:
            self.is_done = True
            return Piece(text=text, finish="stop")
        if self._tokens >= self._order.max_tokens:
            return self._end(text, "length")
        return Piece(text=text)

    def _end(self, text: str, finish: Finish) -> Piece:
        """The last piece, with what was held back; a stop sequence may come to light in it."""
        self.is_done = True
        text += self._search.push(self._text.rest())
        if self._search.is_found:
            return Piece(text=text, finish="stop")
        return Piece(text=text + self._search.rest(), finish=finish)
