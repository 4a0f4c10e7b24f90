"""What a request asks of a server, and what makes two requests turns of one conversation."""

from dataclasses import replace

from chatbot.types import ChatMessage, ChatRequest, JsonObject, Sampling
from serving.engines.replicas.demand import judge_body, judge_request

FIRST = ChatMessage(role="user", text="Opowiedz o Krakowie.")
LATER = (
    ChatMessage(role="assistant", text="Kraków leży nad Wisłą."),
    ChatMessage(role="user", text="A o Wawelu?"),
)
OPENING = ChatRequest(messages=(FIRST,))


def test_prompt_and_answer_are_counted() -> None:
    demand = judge_request(OPENING, answer_tokens=1_000)
    assert (demand.prompt_tokens, demand.answer_tokens, demand.tokens) == (7, 1_000, 1_007)


def test_what_the_request_allows_is_the_answers_length() -> None:
    short = replace(OPENING, sampling=Sampling(max_tokens=5))
    assert judge_request(short, answer_tokens=1_000).answer_tokens == 5


def test_the_turns_of_a_conversation_have_one_key() -> None:
    later = replace(OPENING, messages=(FIRST, *LATER))
    keys = {judge_request(one, answer_tokens=1).key for one in (OPENING, later)}

    assert len(keys) == 1
    assert None not in keys


def test_another_conversation_has_another_key() -> None:
    other = ChatRequest(messages=(replace(FIRST, text="Opowiedz o Gdańsku."),))
    assert judge_request(other, answer_tokens=1).key != judge_request(OPENING, answer_tokens=1).key


def test_a_router_has_no_conversation_to_stay_with() -> None:
    demand = judge_request(replace(OPENING, priority=-1), answer_tokens=1)
    assert (demand.key, demand.is_routing) == (None, True)


def test_a_clients_own_request_is_of_the_same_conversation() -> None:
    body: JsonObject = {
        "messages": [{"role": "user", "content": FIRST.text}],
        "max_tokens": 20,
        "n": 3,
    }
    demand = judge_body(body, answer_tokens=1_000)

    assert (demand.prompt_tokens, demand.answer_tokens) == (7, 60)
    assert demand.key == judge_request(OPENING, answer_tokens=1).key


def test_strange_messages_are_counted_somehow() -> None:
    body: JsonObject = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}, 7]
    }
    assert judge_body(body, answer_tokens=1).prompt_tokens > 0


def test_a_picture_is_no_longer_for_its_bytes() -> None:
    def judged(picture: str) -> int:
        parts = [{"type": "text", "text": "x"}, {"type": "image_url", "image_url": picture}]
        body: JsonObject = {"messages": [{"role": "user", "content": parts}]}
        return judge_body(body, answer_tokens=1).prompt_tokens

    assert judged("data:image/png;base64,AA") == judged("data:image/png;base64," + "A" * 10**6) > 1
