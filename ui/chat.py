"""What happens when somebody writes, stops, edits, switches or comes back: the page's events."""

import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import anyio
from gradio import Request

from ui.abilities import Abilities
from ui.client import Gateway, GatewayError, LiveAnswer
from ui.conversation import (
    NEW_ANSWER,
    NEW_QUESTION,
    Answer,
    ConversationView,
    Failure,
    Question,
    read_conversation,
)
from ui.drawing import say_failure
from ui.fields import JsonObject, JsonValue, object_of, parse_object, text_of
from ui.following import PAUSES_S, Focus, Hold, begin_again, follow_answer
from ui.look.signals import draw_signal
from ui.parameters import read_parameters
from ui.stage import Opening, Stage, Update
from ui.texts import Texts

UPDATE_S: Final = 0.05
"""Shortest time between two drawings of a growing answer."""
NOTICE_S: Final = 0.3
"""Time for the browser to take words back before it is told of something else."""
CALM_CHATS: Final = 20
"""More answers than these at once are drawn less often, so that none waits for its first word."""


Drawn = TypeVar("Drawn")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    """A question to answer on a new branch, and what the gateway is told."""

    question: Question
    body: JsonObject


class Chat:
    """The chat in one language; holds nothing of its users beyond a running event."""

    def __init__(
        self,
        *,
        gateway: Gateway,
        texts: Texts,
        abilities: Abilities,
        pauses_s: tuple[float, ...] = PAUSES_S,
    ) -> None:
        """``pauses_s``: how long to wait before each look for a gateway that was lost."""
        self._gateway = gateway
        self._texts = texts
        self._abilities = abilities
        self._stage = Stage(texts=texts, abilities=abilities)
        self._focus = Focus()
        self._pauses_s = pauses_s

    # --- what is shown -------------------------------------------------------------------------

    async def load(self, request: Request) -> AsyncIterator[Opening]:
        """The page was opened or reloaded: the conversation of its address, or a new one.

        Gradio begins events that come together in any order: what was asked for already stays.
        """
        if not self._focus.is_new(request.session_hash or ""):
            return
        conversation_id = str(request.query_params.get("c", ""))
        async for update in self._open(conversation_id, None, request):
            yield update

    async def equip(self, request: Request) -> str:
        """The settings and suggestions of a page that was loaded, also for who types fast.

        What `load` draws is left out where a message was sent before it was there.
        """
        view = ConversationView()
        with suppress(GatewayError):
            view = await self._read(str(request.query_params.get("c", "")))
        return await self._stage.equip(view, {})

    async def open(
        self, payload: str | None, draft: str | None, request: Request
    ) -> AsyncIterator[Opening]:
        """Show the conversation ``{"id": …}``, without one the page of a new conversation."""
        conversation_id = text_of(parse_object(payload or ""), "id")
        async for update in self._open(conversation_id, draft, request):
            yield update

    async def look_again(
        self, conversation_id: str | None, draft: str | None, request: Request
    ) -> AsyncIterator[Opening]:
        """The page of a new conversation, where the shown one is no more."""
        if not conversation_id:
            return
        try:
            await self._gateway.read(conversation_id)
        except GatewayError as error:
            if error.code == "not_found":
                async for update in self._open("", draft, request):
                    yield update

    async def act(
        self, payload: str | None, conversation_id: str | None, request: Request
    ) -> AsyncIterator[Update]:
        """A control inside the conversation was used: ``{"do": …, "id": …}``."""
        order = parse_object(payload or "")
        drawn = self._hold(request, lambda hold: self._obey(conversation_id or "", order, hold))
        async for update in drawn:
            yield update

    # --- what is said --------------------------------------------------------------------------

    async def send(
        self, text: str | None, conversation_id: str | None, draft: str | None, request: Request
    ) -> AsyncIterator[Update]:
        """A new message at the end of the shown branch; ``draft``: settings of a new one."""
        if not text or not text.strip():
            return
        new = parse_object(draft or "")
        drawn = self._hold(request, lambda hold: self._say(text, conversation_id or "", new, hold))
        async for update in drawn:
            yield update

    async def stop(self, conversation_id: str | None, answer_id: str | None) -> None:
        """Stop the running answer at the gateway; its end arrives as an event."""
        with suppress(GatewayError):
            if conversation_id and answer_id:
                await self._gateway.stop(conversation_id, answer_id)

    # --- what leaves the conversation as it is -------------------------------------------------

    async def tell(self, payload: str | None, conversation_id: str | None) -> str:
        """Copy the answer ``{"do": "copy", "id": …}``, or renew the links of the pictures."""
        order = parse_object(payload or "")
        with suppress(GatewayError):
            view = await self._read(conversation_id or "")
            answer = view.find(text_of(order, "id"))
            if text_of(order, "do") == "copy" and isinstance(answer, Answer):
                return draw_signal(copy=answer.text)
            return draw_signal(pictures=_links(view))
        return draw_signal()

    async def set(self, payload: str | None, conversation_id: str | None) -> tuple[str, str]:
        """Keep the settings ``{"parameters": …}``, those of a new conversation in the browser."""
        sent = object_of(parse_object(payload or ""), "parameters")
        parameters = read_parameters(sent, await self._abilities.bounds())
        try:
            if conversation_id:
                await self._gateway.change(conversation_id, {"parameters": parameters})
        except GatewayError as error:
            return "", draw_signal(notice=error.message or self._texts.error_unknown)
        draft = "" if conversation_id else json.dumps(parameters)
        return draft, draw_signal(status=self._texts.settings_saved)

    async def leave(self, request: Request) -> None:
        """The tab was closed."""
        self._focus.drop(request.session_hash or "")

    # --- what they are made of -----------------------------------------------------------------

    async def _hold(
        self, request: Request, draw: Callable[[Hold], AsyncIterator[Drawn]]
    ) -> AsyncIterator[Drawn]:
        """What ``draw`` draws in a tab, as far as nothing else was asked for there meanwhile."""
        session = request.session_hash or ""
        hold = self._focus.take(session)
        try:
            async for drawn in draw(hold):
                if hold.is_held:
                    yield drawn
        finally:
            self._focus.leave(session, hold)

    async def _open(
        self, conversation_id: str, draft: str | None, request: Request
    ) -> AsyncIterator[Opening]:
        new = parse_object(draft or "")
        async for opening in self._hold(
            request, lambda hold: self._show(conversation_id, new, hold)
        ):
            yield opening

    async def _show(
        self, conversation_id: str, new: JsonObject, hold: Hold
    ) -> AsyncIterator[Opening]:
        """A conversation with the answer that is being made, or the page of a ``new`` one."""
        try:
            await self._abilities.check()
            view = await self._read(conversation_id)
            opened = await self._stage.introduce(view, new)
            yield (*await self._stage.draw(view, view.running()), opened)
            async for update in self._continue(view, hold):
                yield (*update, opened)
        except GatewayError as error:
            opened = await self._stage.introduce(ConversationView(), new)
            yield (*await self._refuse("", error, ""), opened)

    async def _say(
        self, text: str, conversation_id: str, new: JsonObject, hold: Hold
    ) -> AsyncIterator[Update]:
        """A message at the end of the shown branch."""
        try:
            view = await self._read(conversation_id)
            if not view.conversation_id:
                view = replace(view, parameters=new)
            question = Question(message_id=NEW_QUESTION, parent=view.current, text=text)
            plan = _Plan(question=question, body={"text": text})
            async for update in self._ask(view, plan, hold):
                yield update
        except GatewayError as error:
            yield await self._refuse(conversation_id, error, text)

    async def _obey(
        self, conversation_id: str, order: JsonObject, hold: Hold
    ) -> AsyncIterator[Update]:
        """Whatever a control inside the conversation asks for."""
        try:
            view = await self._read(conversation_id)
            if plan := _plan(view, order):
                async for update in self._ask(view, plan, hold):
                    yield update
                return
            view, news = await self._change(view, order)
            yield await self._stage.draw(view, view.running(), **news)
            async for update in self._continue(view, hold):
                yield update
        except GatewayError as error:
            yield await self._refuse(conversation_id, error, _draft_of(order))

    async def _change(
        self, view: ConversationView, order: JsonObject
    ) -> tuple[ConversationView, dict[str, str]]:
        """Show another version, rate an answer or tell why; a rating given again is taken back."""
        action, target = text_of(order, "do"), text_of(order, "id")
        if action == "show":
            current = view.end_of(target)
            await self._gateway.change(view.conversation_id, {"current": current})
            return replace(view, current=current), {}
        answer = view.find(target)
        if action == "comment" and isinstance(answer, Answer):
            comment = text_of(order, "text")
            await self._gateway.rate(view.conversation_id, target, answer.rating, comment)
            return view, {"notice": self._texts.feedback_kept}
        if action in {"up", "down"} and isinstance(answer, Answer):
            rating = None if answer.rating == action else action
            await self._gateway.rate(view.conversation_id, target, rating)
            return view.with_message(replace(answer, rating=rating)), {}
        return view, {}

    async def _continue(self, view: ConversationView, hold: Hold) -> AsyncIterator[Update]:
        """Follow the answer that is being made, if there is one, from its first event."""
        answer = view.running()
        if answer is None or not view.is_shown(answer.message_id):
            return
        live = hold.read(await self._gateway.follow(view.conversation_id, answer.message_id))
        async for update in self._grow(view, begin_again(answer), live, hold):
            yield update

    async def _ask(self, view: ConversationView, plan: _Plan, hold: Hold) -> AsyncIterator[Update]:
        """Post a message and draw its answer as it grows; while another one grows, that one."""
        if running := view.running():
            words = say_failure(self._texts, "conversation_busy", "")
            news = {"draft": plan.question.text} if plan.question.message_id == NEW_QUESTION else {}
            yield await self._stage.draw(view, running, notice=words, **news)
            await anyio.sleep(NOTICE_S)
            async for update in self._continue(view, hold):
                yield update
            return
        question, status = plan.question, self._texts.status_reading
        answer = Answer(message_id=NEW_ANSWER, parent=question.message_id)
        yield await self._stage.draw(_asked(view, question, answer), answer, status=status)
        try:
            conversation_id = view.conversation_id or await self._create(view.parameters)
            view = replace(view, conversation_id=conversation_id)
            live = hold.read(await self._gateway.post(conversation_id, plan.body))
        except GatewayError as error:
            yield await self._draw_unasked(view, question, error)
            return
        question = replace(question, message_id=live.parent_id or question.message_id)
        answer = Answer(message_id=live.message_id, parent=question.message_id)
        view = _asked(view, question, answer)
        yield await self._stage.draw(view, answer, status=status)
        async for update in self._grow(view, answer, live, hold):
            yield update

    async def _draw_unasked(
        self, view: ConversationView, question: Question, error: GatewayError
    ) -> Update:
        """A question that the gateway did not take, with why; new words go back into their box."""
        failure = Failure(code=error.code, message=error.message, request_id=error.request_id)
        answer = Answer(
            message_id=NEW_ANSWER,
            parent=question.message_id,
            state="incomplete",
            is_routed=True,
            failure=failure,
        )
        view = _asked(view, question, answer)
        status = say_failure(self._texts, error.code, error.message)
        if question.message_id == NEW_QUESTION:
            return await self._stage.draw(view, answer, status=status, draft=question.text)
        return await self._stage.draw(view, answer, status=status)

    async def _grow(
        self, view: ConversationView, answer: Answer, live: LiveAnswer, hold: Hold
    ) -> AsyncIterator[Update]:
        """Draw an answer with all that has come, again and again; its first word at once."""
        draw = await self._stage.prepare(view)
        following = follow_answer(
            self._gateway,
            view.conversation_id,
            answer,
            live,
            hold=hold,
            pauses_s=self._pauses_s,
        )
        async for progress in following:
            began = time.monotonic()
            yield draw(progress)
            rest_s = UPDATE_S * max(1.0, len(self._focus) / CALM_CHATS)
            if progress.answer.items and progress.answer.state == "running":
                await anyio.sleep(max(0.0, rest_s - (time.monotonic() - began)))

    async def _refuse(self, conversation_id: str, error: GatewayError, draft: str) -> Update:
        """Why nothing happened, over the conversation as far as it can be read."""
        view = ConversationView()
        with suppress(GatewayError):
            view = await self._read(conversation_id)
        return await self._stage.draw_refusal(view, error, draft=draft)

    async def _read(self, conversation_id: str) -> ConversationView:
        if not conversation_id:
            return ConversationView()
        return read_conversation(await self._gateway.read(conversation_id))

    async def _create(self, parameters: JsonObject) -> str:
        return text_of(await self._gateway.create(parameters), "id")


def _plan(view: ConversationView, order: JsonObject) -> _Plan | None:
    """The new branch that an order asks for: again, on another track, in other words."""
    action, target = text_of(order, "do"), view.find(text_of(order, "id"))
    if action == "edit" and isinstance(target, Question):
        text = text_of(order, "text")
        edited = Question(message_id=NEW_QUESTION, parent=target.parent, text=text)
        return _Plan(question=edited, body={"parent": target.message_id, "text": text})
    question = view.find(target.parent or "") if isinstance(target, Answer) else target
    if not isinstance(question, Question):
        return None
    if action == "again":
        return _Plan(question=question, body={"parent": question.message_id})
    if action == "force":
        force = text_of(order, "tool")
        return _Plan(question=question, body={"parent": question.message_id, "force": force})
    return None


def _draft_of(order: JsonObject) -> str:
    """A message's words that are not to be lost with an order that failed."""
    return text_of(order, "text") if text_of(order, "do") == "edit" else ""


def _asked(view: ConversationView, question: Question, answer: Answer) -> ConversationView:
    """The branch that ends with ``question`` and ``answer``."""
    return view.with_message(question).with_message(answer)


def _links(view: ConversationView) -> dict[str, JsonValue]:
    """The fresh address of every picture."""
    return {
        picture.image_id: picture.path
        for message in view.messages
        if isinstance(message, Answer)
        for picture in message.pictures
    }
