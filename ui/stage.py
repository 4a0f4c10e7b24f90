"""What a moment of a conversation looks like: values for the page's components."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from ui.abilities import Abilities
from ui.client import GatewayError
from ui.conversation import NEW_ANSWER, Answer, Call, ConversationView
from ui.drawing import Drawing, DrawnMessage, say_failure
from ui.fields import JsonObject
from ui.following import Progress
from ui.look.signals import draw_signal
from ui.parameters import ToolChoice, fill_form
from ui.texts import Texts, say_tool

Update: TypeAlias = tuple[list[DrawnMessage], str, str, str]
"""Values of the chatbot, of the conversation's and the running answer's id, and of the signals."""

Opening: TypeAlias = tuple[list[DrawnMessage], str, str, str, str]
"""The same, and the signal with what belongs to a conversation that was opened."""


class Stage:
    """Draws moments in one language."""

    def __init__(self, *, texts: Texts, abilities: Abilities) -> None:
        """``texts`` are the words of the page."""
        self._texts = texts
        self._abilities = abilities

    async def introduce(self, view: ConversationView, draft: JsonObject) -> str:
        """The signal with what belongs to a conversation that was opened.

        Its settings are ``draft`` where it is a new one, for which there are suggestions too.
        """
        outfit = await self._outfit(view, draft)
        return draw_signal(title=view.title, focus="message", **outfit)

    async def equip(self, view: ConversationView, draft: JsonObject) -> str:
        """Settings and suggestions alone, whatever is shown by now."""
        return draw_signal(**await self._outfit(view, draft))

    async def _outfit(self, view: ConversationView, draft: JsonObject) -> dict[str, object]:
        tools = await self._abilities.tools()
        settings = fill_form(
            self._texts,
            bounds=await self._abilities.bounds(),
            parameters=view.parameters if view.conversation_id else draft,
            tools=[
                ToolChoice(name=tool.name, title=say_tool(self._texts, tool.name, tool.title))
                for tool in tools
            ],
        )
        examples = dict.fromkeys(tool.examples[0] for tool in tools if tool.examples)
        return {"settings": settings, "suggestions": list(examples)}

    async def draw(
        self, view: ConversationView, answer: Answer | None = None, **news: object
    ) -> Update:
        """A conversation, in which ``answer`` may be on its way."""
        messages = (await self._drawing()).conversation(view)
        return messages, view.conversation_id, _running(answer), _signal(view, answer, **news)

    async def draw_refusal(
        self, view: ConversationView, error: GatewayError, *, draft: str = ""
    ) -> Update:
        """What was asked did not begin: the page as it was, why, and the words back."""
        words = say_failure(self._texts, error.code, error.message)
        if draft:
            return await self.draw(view, notice=words, draft=draft)
        return await self.draw(view, notice=words)

    async def prepare(self, view: ConversationView) -> Callable[[Progress], Update]:
        """Draws the last answer of ``view`` again and again, and all before it but once."""
        drawing = await self._drawing()
        *before, last = view.branch
        history = [drawn for shown in before for drawn in drawing.message(shown)]
        said, signal = "", ""

        def draw(progress: Progress) -> Update:
            nonlocal said, signal
            answer, status = progress.answer, self.say(progress)
            if status != said or answer.state != "running":
                said, signal = status, _signal(view, answer, status=status)
            messages = [*history, *drawing.message(replace(last, message=answer))]
            return messages, view.conversation_id, _running(answer), signal

        return draw

    def say(self, progress: Progress) -> str:
        """What goes on, in the words of the live region."""
        texts, answer = self._texts, progress.answer
        if progress.is_lost:
            return texts.status_lost
        if answer.state == "running":
            return self._say_running(answer)
        if answer.state == "complete":
            return texts.status_ready
        is_stopped = answer.finish_reason == "cancelled"
        return texts.status_stopped if is_stopped else texts.status_failed

    def _say_running(self, answer: Answer) -> str:
        match answer.items[-1] if answer.items else None:
            case Call(status="running", steps=steps) if steps:
                return self._texts.status_drawing
            case Call(status="running") as call:
                title = say_tool(self._texts, call.tool, call.title)
                return self._texts.status_calling.format(title=title)
            case None if not answer.is_routed:
                return self._texts.status_reading
            case _:
                return self._texts.status_writing

    async def _drawing(self) -> Drawing:
        return Drawing(texts=self._texts, tools=await self._abilities.tools())


def _signal(view: ConversationView, answer: Answer | None, **news: object) -> str:
    is_running = answer is not None and answer.state == "running"
    return draw_signal(conversation=view.conversation_id, running=is_running, **news)


def _running(answer: Answer | None) -> str:
    is_known = answer is not None and answer.message_id != NEW_ANSWER
    return answer.message_id if answer and is_known and answer.state == "running" else ""
