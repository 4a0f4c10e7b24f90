from concurrent.futures import ThreadPoolExecutor

import pytest
from scripted.chats import Answer, Chat, Fields, kinds, open_chat, shown_text, text_of
from scripted.hostile import P1, P2, P3, Hostile
from scripted.http_client import ask, post
from scripted.theatre import WORDS, Actor, Theatre

UNKNOWN = "0123456789abcdef01234567"
POSTS = 50


def finish(answer: Answer) -> Answer:
    answer.read()
    return answer


def family(chat: Chat) -> dict[str, object]:
    """The parent of each message."""
    return {str(one["id"]): one["parent"] for one in chat.messages()}


def seen(actor: Actor) -> list[tuple[str, str]]:
    """What the model last read, without the system prompt."""
    return [(one.role, one.text) for one in actor.requests[-1].messages if one.role != "system"]


def test_an_answer_is_told_by_events_that_end_in_done(chat: Chat) -> None:
    told = chat.ask("Cześć!")
    assert [event.name for event in told] == ["route", *["text"] * 5, "usage", "done"]
    assert [event.id for event in told] == [event["seq"] for event in told] == list(range(8))
    assert text_of(told) == "".join(WORDS)
    assert told[-1]["finish_reason"] == "stop"


def test_the_headers_name_answer_and_question(chat: Chat) -> None:
    answer = finish(chat.begin("Cześć!"))
    assert answer.reply.headers["content-type"].startswith("text/event-stream")
    assert list(family(chat)) == [answer.parent, answer.message_id]
    assert chat.read()["current"] == answer.message_id


def test_a_text_alone_continues_the_current_branch(chat: Chat, actor: Actor) -> None:
    first = finish(chat.begin("Raz"))
    second = finish(chat.begin("Dwa"))
    assert family(chat)[second.parent] == first.message_id
    assert seen(actor) == [("user", "Raz"), ("assistant", "".join(WORDS)), ("user", "Dwa")]


def test_a_question_is_answered_again_beside_the_first_answer(chat: Chat) -> None:
    first = finish(chat.begin("Raz"))
    second = finish(chat.begin(parent=first.parent))
    third = finish(chat.begin("Raz", parent=first.parent))
    parents = family(chat)
    answers = [first.message_id, second.message_id, third.message_id]
    assert [parents[answer] for answer in answers] == [first.parent] * 3
    assert len(parents) == 4
    assert chat.read()["current"] == third.message_id


def test_an_edited_question_is_a_branch_of_its_own(chat: Chat, actor: Actor) -> None:
    first = finish(chat.begin("Raz"))
    second = finish(chat.begin("Dwa"))
    edited = finish(chat.begin("Trzy", parent=second.parent))
    parents = family(chat)
    assert parents[edited.parent] == parents[second.parent] == first.message_id
    assert seen(actor)[-1] == ("user", "Trzy")
    assert ("user", "Dwa") not in seen(actor)


def test_the_first_question_can_be_edited(chat: Chat, actor: Actor) -> None:
    first = finish(chat.begin("Raz"))
    edited = finish(chat.begin("Dwa", parent=first.parent))
    assert family(chat)[edited.parent] is None
    assert seen(actor) == [("user", "Dwa")]


def test_an_earlier_answer_can_be_continued(chat: Chat, actor: Actor) -> None:
    first = finish(chat.begin("Raz"))
    finish(chat.begin("Dwa"))
    third = finish(chat.begin("Trzy", parent=first.message_id))
    assert family(chat)[third.parent] == first.message_id
    assert [text for _, text in seen(actor)] == ["Raz", "".join(WORDS), "Trzy"]


def test_null_as_parent_begins_anew(chat: Chat, actor: Actor) -> None:
    finish(chat.begin("Raz"))
    anew = finish(chat.begin("Dwa", parent=None))
    assert family(chat)[anew.parent] is None
    assert seen(actor) == [("user", "Dwa")]


def test_to_force_a_tool_routes_again(chat: Chat) -> None:
    first = finish(chat.begin("Ile kosztuje euro?"))
    told = chat.ask(parent=first.parent, force="default")
    assert (told[0]["decision"], told[0]["reason"]) == ("default", "forced")
    assert chat.last()["force"] == "default"
    again = chat.ask(parent=first.parent, force="rate")
    assert (again[0]["tools"], again[0]["reason"]) == (["rate"], "forced")


def test_a_tool_is_kept_as_it_was_told(chat: Chat) -> None:
    told = chat.ask("Ile kosztuje euro?")
    answer = chat.last()
    assert kinds(answer) == [
        "route",
        "tool_call",
        "tool_result",
        "text",
        "attribution",
        "usage",
    ]
    parts = answer["parts"]
    assert isinstance(parts, list)
    shared = {"v", "seq", "message_id", "at_ms"}
    for part, event in zip(parts, told, strict=False):
        own = {name: value for name, value in event.data.items() if name not in shared}
        assert part == {"type": event.name, **own}


def test_a_missing_argument_is_asked_for(chat: Chat) -> None:
    told = chat.ask("Proszę, nazwij mnie")
    assert "question" in [event.name for event in told]
    assert chat.last()["state"] == "complete"
    assert "question" in kinds(chat.last())


def test_parameters_of_the_message_go_before_those_of_the_conversation(
    theatre: Theatre, actor: Actor
) -> None:
    asked = {"temperature": 0.3, "top_p": 0.9, "system_prompt": "Mów jak pirat ⟦x⟧."}
    chat = open_chat(theatre.gateway, parameters=asked)
    chat.ask("Cześć!", parameters={"temperature": 0.7, "top_p": None, "max_tokens": 9})
    sampling = actor.requests[-1].sampling
    assert (sampling.temperature, sampling.top_p, sampling.max_tokens) == (0.7, None, 9)
    assert actor.requests[-1].messages[0].text == "Mów jak pirat [[x]]."
    assert chat.last()["parameters"] == {
        "temperature": 0.7,
        "max_tokens": 9,
        "system_prompt": "Mów jak pirat [[x]].",
    }


@pytest.mark.parametrize("given", [{"tools": ["draw"]}, {"parameters": {"tools": ["draw"]}}])
def test_only_the_tools_that_are_named_are_offered(chat: Chat, given: Fields) -> None:
    assert chat.ask("Ile kosztuje euro?", **given)[0]["reason"] == "unknown_tool"


def test_without_tools_nothing_is_routed(chat: Chat) -> None:
    assert chat.ask("Ile kosztuje euro?", tools=[])[0]["reason"] == "no_tools"


@pytest.mark.parametrize(
    ("fields", "status", "param"),
    [
        ({}, 400, "text"),
        ({"text": " \n"}, 400, "text"),
        ({"text": "a" * 2001}, 400, "text"),
        ({"text": ["a"]}, 400, "text"),
        ({"parent": None}, 400, "text"),
        ({"text": "a", "parent": UNKNOWN}, 404, "parent"),
        ({"text": "a", "parent": "a" * 129}, 400, "parent"),
        ({"text": "a", "force": "rat"}, 400, "force"),
        ({"text": "a", "force": "default_function"}, 400, "force"),
        ({"text": "a", "tools": ["rat"]}, 400, "tools"),
        ({"text": "a", "tools": "rate"}, 400, "tools"),
        ({"text": "a", "txet": "b"}, 400, "txet"),
        ({"text": "a", "parameters": {"temperature": -1}}, 400, "parameters.temperature"),
    ],
)
def test_a_wrong_message_is_refused_before_anything_is_stored(
    chat: Chat, fields: Fields, status: int, param: str
) -> None:
    reply = chat.post_body(fields)
    error = reply.json()["error"]
    assert (reply.status_code, error["param"]) == (status, param)
    assert error["request_id"] == reply.headers["x-request-id"]
    assert chat.messages() == []


def test_the_nearest_tool_is_named(chat: Chat) -> None:
    message = chat.post("a", force="drav").json()["error"]["message"]
    assert "did you mean 'draw'" in message


@pytest.mark.parametrize("case", [*P1, *P2, *P3], ids=lambda case: case.name)
async def test_hostile_bodies_are_refused_and_nothing_is_stored(
    theatre: Theatre, chat: Chat, case: Hostile
) -> None:
    path = chat.path.removeprefix(theatre.gateway.url)
    reply = await ask(theatre.gateway.port, post(f"{path}/messages", case.body))
    assert reply.status in case.statuses
    assert chat.messages() == []


def test_a_users_text_is_kept_exactly_but_for_frame_characters(chat: Chat) -> None:
    text = '  <b>![a](https://x.example/a.png)</b>\r\n\t"x" ⟦źródło: x⟧ 🙂  '
    chat.ask(text)
    kept = shown_text(chat.messages()[0])
    assert kept == text.replace("⟦", "[[").replace("⟧", "]]")


def test_of_fifty_questions_at_once_one_is_answered(chat: Chat, actor: Actor) -> None:
    with ThreadPoolExecutor(POSTS) as pool:
        replies = list(pool.map(lambda _: chat.post("czekaj na znak"), range(POSTS)))
    refused = [reply for reply in replies if reply.status_code == 409]
    assert len(refused) == POSTS - 1
    assert {reply.json()["error"]["code"] for reply in refused} == {"conversation_busy"}
    assert {reply.headers["x-should-retry"] for reply in refused} == {"false"}
    assert len(chat.messages()) == 2
    assert chat.read()["busy"]
    actor.gate.set()
    (won,) = [reply for reply in replies if reply.status_code == 200]
    assert b"event: done" in won.content
    assert not chat.read()["busy"]


def test_who_has_read_the_end_can_ask_on(chat: Chat) -> None:
    for _ in range(5):
        assert chat.ask("Cześć!")[-1].name == "done"


def test_the_model_reads_what_was_said_and_nothing_else(chat: Chat, actor: Actor) -> None:
    chat.ask("Ile kosztuje euro?")
    chat.ask("narysuj psa i kota")
    chat.ask("przerwij w pół słowa")
    told = text_of(chat.ask("powtórz wszystko"))
    read = "\n".join(one.text for one in actor.requests[-1].messages)
    assert "4,26 zł" in read
    assert "".join(WORDS[:2]).strip() in read
    assert "Pokazano obraz: pies i kot" in read
    for trace in ("/images/", "⟦", "nbp.example", "Gotowe.", "call_id"):
        assert trace not in read
        assert trace not in told


def test_of_a_cut_answer_the_calls_and_results_are_no_history(chat: Chat, actor: Actor) -> None:
    answer = chat.begin("poczekaj chwilę")
    answer.read_until("tool_call")
    chat.stop(answer.message_id)
    chat.ask("Cześć!")
    assert seen(actor) == [("user", "poczekaj chwilę\n\nCześć!")]
