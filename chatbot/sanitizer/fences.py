"""Follows the lines of a Markdown text as it streams, to know where clean fenced code stands.

A clean fence opens with a line of exactly three backticks or tildes at column 0 and at most a
plain word, outside display mathematics, and closes with a line of exactly the same three. The
first fence-like run of any other form ends all trust: renderers disagree on what it means.
"""

import re
from dataclasses import dataclass
from typing import Literal

FENCE_RUN = 3
INFO_CHARS = 20
_PLAIN_INFO = re.compile(r"[A-Za-z0-9+#._-]+", re.ASCII)
_RENDERED_INFO = frozenset({
    *("html", "htm", "xhtml", "svg", "xml", "mathml", "vue", "svelte", "jsx", "tsx", "php", "erb"),
    *("ejs", "jinja", "handlebars", "mermaid", "dot", "graphviz", "latex", "tex", "katex", "math"),
    *("markdown", "md", "mdx", "rst"),
})
_FENCE_MARKS = "`~"
_ODD_LINE_ENDS = "\r\u2028\u2029"

Place = Literal["prose", "code", "only prose"]
Phase = Literal["start", "lead", "run", "info", "text"]


@dataclass(slots=True)
class Fences:
    """Where the next character stands; ``place`` never leaves ``"only prose"``."""

    place: Place = "prose"
    _phase: Phase = "start"
    _mark: str = ""
    _run: int = 0
    _info: str = ""
    _is_at_column_0: bool = True
    _opened_by: str = ""
    _mathematics: str = ""
    _before: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether the rest of the line cannot matter unless it holds a notable character."""
        return self.place == "only prose" or (self._phase == "text" and not self._before)

    @property
    def closing(self) -> str:
        """What closes the code that is still open, or that no clean line has closed.

        Some renderers take an opening line for code only where its closing line exists.
        """
        is_closing_line = self._phase == "run" and self._run == FENCE_RUN
        if not self._opened_by or (self.place == "code" and is_closing_line):
            return ""
        is_at_line_start = self.place == "code" and self._phase == "start"
        return ("" if is_at_line_start else "\n") + self._opened_by * FENCE_RUN

    def follow(self, char: str) -> None:
        """Take one more character."""
        if self.place == "only prose":
            return
        if self.place == "prose":
            self._follow_mathematics(char)
        if char == "\n":
            self._end_line()
        elif char in _FENCE_MARKS:
            self._extend_run(char)
        elif self._phase in {"run", "info"} and self._run == FENCE_RUN:
            self._extend_info(char)
        elif self.place == "code" and self._is_lead(char):
            self._phase, self._is_at_column_0, self._run = "lead", False, 0
        else:
            self._phase, self._run = "text", 0

    def _is_lead(self, char: str) -> bool:
        """Whether a fence after ``char`` may count as standing at the start of a line."""
        is_blank = char in " \t" or not char.isprintable()
        return char in _ODD_LINE_ENDS or (is_blank and self._phase in {"start", "lead"})

    def _end_line(self) -> None:
        if self._phase in {"run", "info"} and self._run == FENCE_RUN:
            self._end_fence_line()
        self._phase, self._mark, self._run, self._info = "start", "", 0, ""
        self._is_at_column_0, self._before = True, ""

    def _end_fence_line(self) -> None:
        if self.place == "code":
            self.place, self._opened_by = "prose", ""
        elif self._mathematics or self._info.lower() in _RENDERED_INFO:
            self.place = "only prose"
        else:
            self.place, self._opened_by = "code", self._mark

    def _extend_run(self, char: str) -> None:
        if self._phase == "info":
            self.place = "only prose"
            return
        if self._phase == "run" and self._mark == char:
            self._run += 1
        else:
            self._is_at_column_0 = self._is_at_column_0 and self._phase == "start"
            is_out_of_place = self.place == "code" and self._phase == "text"
            self._mark, self._run = char, 1
            self._phase = "text" if is_out_of_place else "run"
        self._judge_run()

    def _judge_run(self) -> None:
        """A run of three that is not exactly ours, at column 0, is of another form."""
        if self._phase != "run" or self._run < FENCE_RUN:
            return
        is_ours = self.place == "prose" or self._mark == self._opened_by
        if self._run > FENCE_RUN or not self._is_at_column_0 or not is_ours:
            self.place = "only prose"

    def _extend_info(self, char: str) -> None:
        self._phase, self._info = "info", self._info + char
        is_plain = _PLAIN_INFO.fullmatch(self._info) and len(self._info) <= INFO_CHARS
        if self.place == "code" or not is_plain:
            self.place = "only prose"

    def _follow_mathematics(self, char: str) -> None:
        pair = self._before + char
        if pair == "$$" and self._mathematics in {"", "$$"}:
            self._mathematics = "" if self._mathematics else "$$"
            self._before = ""
            return
        if pair in {r"\[", r"\("} and not self._mathematics:
            self._mathematics = pair
        elif pair in {r"\]", r"\)"} and self._mathematics == {"]": r"\[", ")": r"\("}[char]:
            self._mathematics = ""
        self._before = char if char in "$\\" else ""
