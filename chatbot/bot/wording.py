"""Has the default model word a tool's result, and shows only what the result bears out."""

from collections.abc import Awaitable, Callable

import anyio
from anyio import to_thread

from chatbot.bot.equipment import Equipment
from chatbot.bot.hearing import Wish, hear, log, quote
from chatbot.bot.record import Record
from chatbot.bot.sentence_feed import SentenceFeed
from chatbot.language.facts import Source
from chatbot.language.polish import is_polish
from chatbot.prompts import load
from chatbot.sanitizer import Guard, guard_text, write_notice
from chatbot.tools import ToolRun
from chatbot.types import ToolResult, TurnRequest

PHRASE_TOKENS = 256
SUMMARY_TOKENS = 512
TEMPERATURE = 0.2
MOST_CHARS = 6_000
QUESTION_CHARS = 1_000
LONGEST_SHARE = 2
LONGEST_MORE = 200
"""A wording may have this many times the characters of its result, and so many more."""
REFUSALS = 2
CUT_SHORT = "Streszczenie jest niepełne: model nie dokończył odpowiedzi. Całość jest w źródle."

Say = Callable[[str], Awaitable[None]]


async def word(
    equipment: Equipment, request: TurnRequest, record: Record, run: ToolRun, say: Say
) -> None:
    """Say how a call ended: in the model's words as far as they are true, else word for word.

    What is said is guarded. A failed call, a result that is to be shown as it is, one that is
    longer than 6,000 characters, and an engine that is no language model leave nothing to word.
    """
    result = run.result
    if result is not None and _is_phrased(equipment, run, result):
        wording = _Wording(equipment, request, record, run, say)
        if await wording.speak(result):
            return
    if words := _verbatim(request, run):
        await say(guard_text(words))


def _is_phrased(equipment: Equipment, run: ToolRun, result: ToolResult) -> bool:
    wants = equipment.tools.get(run.outcome.name).answer == "phrased" and result.answer is None
    return equipment.phrases and wants and 0 < len(_material(result)) <= MOST_CHARS


def _material(result: ToolResult) -> str:
    return (result.plain or result.content).strip()


def _verbatim(request: TurnRequest, run: ToolRun) -> str:
    """What the user reads of a call: its result in the markup asked for, or what failed."""
    if run.result is None:
        return run.outcome.error or ""
    is_plain = request.markup == "plain"
    return (run.result.plain if is_plain else None) or run.result.content


class _Wording:
    """The model's words for one result."""

    def __init__(
        self, equipment: Equipment, request: TurnRequest, record: Record, run: ToolRun, say: Say
    ) -> None:
        self._equipment = equipment
        self._request = request
        self._record = record
        self._tool = equipment.tools.get(run.outcome.name).spec.title
        self._say = say
        self._shown = 0
        self._refused = 0

    async def speak(self, result: ToolResult) -> bool:
        """Whether anything was shown; a short result is worded as a whole or not at all.

        A result that tells the limits of what it knows is not worded: they would get lost.
        """
        text = _material(result)
        source = await to_thread.run_sync(Source, text)
        if source.has_caveats:
            return False
        if len(text) > self._equipment.limits.phrase_chars:
            return await self._summarise(text, source, result)
        words = await self._phrase(text, source)
        if words is None:
            return False
        await self._say(guard_text(words, links=self._equipment.links(self._request, result)))
        return True

    async def _phrase(self, text: str, source: Source) -> str | None:
        """The whole wording, if it came in time and is true."""
        said: list[str] = []

        async def listen(piece: str) -> None:
            said.append(piece)

        with anyio.move_on_after(self._equipment.limits.phrase_s) as scope:
            wish = self._wish("phrase", text, PHRASE_TOKENS)
            finish = await hear(self._equipment, self._request, self._record, wish, listen)
            words = "".join(said).strip()
            is_whole = finish is not None and finish != "length"
            is_short = len(words) <= LONGEST_SHARE * len(text) + LONGEST_MORE
            if is_whole and is_short and await self._is_true(words, source):
                return words
        if scope.cancelled_caught:
            log.warning("wording came too late", extra={"tool": self._tool})
        return None

    async def _summarise(self, text: str, source: Source, result: ToolResult) -> bool:
        """Each sentence once it is known to be true; gives whether there was one.

        A summary that its model did not end says so, to people and by its finish reason.
        """
        guard = Guard(links=self._equipment.links(self._request, result))
        feed = SentenceFeed()
        limit_s = self._equipment.limits.summary_s
        is_whole = False
        with anyio.move_on_after(limit_s) as scope:

            async def listen(piece: str) -> None:
                for sentence in feed.feed(piece):
                    if await self._show(sentence, source, guard):
                        scope.deadline = anyio.current_time() + limit_s
                    elif not self._shown and self._refused >= REFUSALS:
                        scope.cancel()

            wish = self._wish("summary", text, SUMMARY_TOKENS)
            finish = await hear(self._equipment, self._request, self._record, wish, listen)
            is_whole = finish is not None and finish != "length"
            if is_whole:
                await self._show(feed.finish(), source, guard)
        if self._shown:
            await self._say(guard.finish() + ("" if is_whole else self._cut_short()))
        return self._shown > 0

    def _cut_short(self) -> str:
        self._record.finish = "length"
        return "\n\n" + guard_text(write_notice(CUT_SHORT))

    async def _show(self, sentence: str, source: Source, guard: Guard) -> bool:
        if not sentence.strip():
            return False
        if not await self._is_true(sentence, source):
            self._refused += 1
            return False
        self._shown += 1
        await self._say(guard.feed(sentence if self._shown > 1 else sentence.lstrip()))
        return True

    async def _is_true(self, words: str, source: Source) -> bool:
        """Whether ``words`` are Polish and claim nothing that the result does not."""
        if not words or not await to_thread.run_sync(is_polish, words):
            return False
        objections = await to_thread.run_sync(source.object_to, words)
        if objections:
            kinds = ",".join(sorted({one.kind for one in objections}))
            log.info("wording refused", extra={"tool": self._tool, "kinds": kinds})
        return not objections

    def _wish(self, prompt: str, text: str, max_tokens: int) -> Wish:
        question = self._request.messages[-1].text.strip()[:QUESTION_CHARS]
        material = load(
            "phrase_material",
            question=quote(question).splitlines(),
            tool=quote(self._tool),
            result=quote(text).splitlines(),
        )
        return Wish(
            system=load(prompt), user=material, temperature=TEMPERATURE, max_tokens=max_tokens
        )
