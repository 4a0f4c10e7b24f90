import pytest
import requests
from scripted.chats import Chat, Fields, as_account, open_chat, shown_text
from scripted.patience import PATIENCE_S
from scripted.theatre import WORDS, Theatre

from serving.settings import ChatSettings

UNKNOWN = "0123456789abcdef01234567"


def get(theatre: Theatre, path: str, **query: object) -> requests.Response:
    found: dict[str, str] = {name: str(value) for name, value in query.items()}
    return requests.get(f"{theatre.gateway.url}{path}", params=found, timeout=PATIENCE_S)


def send(url: str, method: str = "PATCH", **fields: object) -> requests.Response:
    return send_body(url, method, fields)


def send_body(url: str, method: str, body: Fields) -> requests.Response:
    return requests.request(method, url, json=body, timeout=PATIENCE_S)


def error(reply: requests.Response) -> tuple[int, str, str | None]:
    told = reply.json()["error"]
    return reply.status_code, told["code"], told["param"]


def listed(theatre: Theatre, **query: object) -> list[str]:
    return [
        one["id"] for one in get(theatre, "/api/conversations", **query).json()["conversations"]
    ]


def test_a_new_conversation_is_empty(theatre: Theatre) -> None:
    reply = send(f"{theatre.gateway.url}/api/conversations", "POST", title="Kursy  walut")
    told = reply.json()
    assert reply.status_code == 201
    assert told["title"] == "Kursy walut"
    assert told["created_at"].endswith("Z")
    expected: Fields = {"messages": [], "parameters": {}, "current": None, "busy": False}
    assert {name: told[name] for name in expected} == expected


def test_a_conversation_can_be_made_without_a_body(theatre: Theatre) -> None:
    reply = requests.post(f"{theatre.gateway.url}/api/conversations", timeout=PATIENCE_S)
    assert (reply.status_code, reply.json()["title"]) == (201, "")


def test_a_conversation_is_read_with_its_messages(chat: Chat) -> None:
    chat.ask("Cześć!", parameters={"temperature": 0.5})
    question, answer = chat.messages()
    assert (question["role"], question["state"], shown_text(question)) == (
        "user",
        "complete",
        "Cześć!",
    )
    assert (answer["role"], answer["state"], shown_text(answer)) == (
        "assistant",
        "complete",
        "".join(WORDS),
    )
    assert answer["parent"] == question["id"]
    assert answer["parameters"] == {"temperature": 0.5}
    assert (answer["finish_reason"], answer["running"], answer["error"]) == ("stop", False, None)
    assert 0 <= int(str(answer["first_text_ms"])) <= int(str(answer["total_ms"]))


def test_the_last_changed_is_listed_first(theatre: Theatre) -> None:
    with as_account(theatre.gateway, "ktoś, kto ma dwie"):
        first, second = open_chat(theatre.gateway), open_chat(theatre.gateway)
        first.ask("Cześć!")
        assert listed(theatre) == [first.id, second.id]


def test_the_list_is_continued_by_its_cursor(theatre: Theatre) -> None:
    with as_account(theatre.gateway, "ktoś, kto ma trzy"):
        made = [open_chat(theatre.gateway).id for _ in range(3)]
        page = get(theatre, "/api/conversations", limit=2).json()
        rest = get(theatre, "/api/conversations", limit=2, cursor=page["next_cursor"]).json()
    assert [one["id"] for one in page["conversations"] + rest["conversations"]] == made[::-1]
    assert rest["next_cursor"] is None


def test_a_search_finds_other_forms_without_diacritics(theatre: Theatre) -> None:
    with as_account(theatre.gateway, "ktoś, kto szuka"):
        about = open_chat(theatre.gateway)
        about.ask("Opowiedz o żółtej łódce")
        open_chat(theatre.gateway).ask("Opowiedz o psie")
        assert listed(theatre, q="ZOLTA lodka") == [about.id]


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"limit": "wiele"}, "limit"),
        ({"limit": "9" * 30}, "limit"),
        ({"q": "a" * 201}, "q"),
        ({"cursor": "a" * 300}, "cursor"),
        ({"cursor": "zmyślony"}, "cursor"),
    ],
)
def test_a_wrong_query_is_a_400(theatre: Theatre, query: Fields, param: str) -> None:
    assert error(get(theatre, "/api/conversations", **query)) == (400, "invalid_request", param)


def test_title_parameters_and_branch_are_changed(chat: Chat) -> None:
    first = chat.begin("Cześć!")
    first.read()
    chat.ask(parent=first.parent)
    changed = send(
        chat.path, title=" Mój\ntytuł ⟦x⟧", parameters={"top_p": 0.5}, current=first.message_id
    ).json()
    assert changed["title"] == "Mój tytuł [[x]]"
    assert changed["parameters"] == {"top_p": 0.5}
    assert changed["current"] == first.message_id
    assert chat.read()["title"] == changed["title"]


def test_what_is_left_out_of_a_change_stays(chat: Chat) -> None:
    send(chat.path, title="Tytuł", parameters={"tools": ["rate"]})
    send(chat.path, title=None)
    told = chat.read()
    assert (told["title"], told["parameters"]) == ("Tytuł", {"tools": ["rate"]})


def test_parameters_are_replaced_and_null_takes_one_away(chat: Chat) -> None:
    send(chat.path, parameters={"temperature": 0.2, "max_tokens": 5})
    send(chat.path, parameters={"temperature": None, "tools": None, "top_p": 1})
    assert chat.read()["parameters"] == {"top_p": 1.0}


@pytest.mark.parametrize(
    ("fields", "code", "param"),
    [
        ({"title": ""}, "invalid_request", "title"),
        ({"title": " \n"}, "invalid_request", "title"),
        ({"title": "a" * 41}, "invalid_request", "title"),
        ({"title": 7}, "invalid_request", "title"),
        ({"titel": "a"}, "unsupported_parameter", "titel"),
        ({"current": UNKNOWN}, "not_found", None),
        ({"parameters": {"temperature": 2.1}}, "invalid_request", "parameters.temperature"),
        ({"parameters": {"temperature": "1"}}, "invalid_request", "parameters.temperature"),
        ({"parameters": {"top_p": 0}}, "invalid_request", "parameters.top_p"),
        ({"parameters": {"repetition_penalty": 0}}, None, "parameters.repetition_penalty"),
        ({"parameters": {"max_tokens": 0}}, "invalid_request", "parameters.max_tokens"),
        ({"parameters": {"max_tokens": 10**12}}, "invalid_request", "parameters.max_tokens"),
        ({"parameters": {"max_tokens": 1.5}}, "invalid_request", "parameters.max_tokens"),
        ({"parameters": {"system_prompt": "a" * 201}}, None, "parameters.system_prompt"),
        ({"parameters": {"tools": ["rat"]}}, "invalid_request", "parameters.tools"),
        ({"parameters": {"tools": ["rate"] * 129}}, "invalid_request", "parameters.tools"),
        ({"parameters": {"temprature": 1}}, "unsupported_parameter", "parameters.temprature"),
    ],
)
def test_a_wrong_field_is_refused_by_its_name(
    chat: Chat, fields: Fields, code: str | None, param: str | None
) -> None:
    before = chat.read()
    status, told, at = error(send_body(chat.path, "PATCH", fields))
    assert (status, at) == (404 if code == "not_found" else 400, param)
    assert code in {None, told}
    assert chat.read() == before


@pytest.mark.parametrize(
    ("fields", "near"),
    [
        ({"parameters": {"temprature": 1}}, "temperature"),
        ({"parameters": {"tools": ["drav"]}}, "draw"),
    ],
)
def test_a_slip_is_told_the_nearest_name(theatre: Theatre, fields: Fields, near: str) -> None:
    reply = send_body(f"{theatre.gateway.url}/api/conversations", "POST", fields)
    assert f"did you mean {near!r}" in reply.json()["error"]["message"]


def test_a_deleted_conversation_is_gone(chat: Chat, theatre: Theatre) -> None:
    chat.ask("Cześć!")
    assert send(chat.path, "DELETE").status_code == 204
    assert error(requests.get(chat.path, timeout=PATIENCE_S)) == (404, "not_found", None)
    assert send(chat.path, "DELETE").status_code == 404
    assert chat.id not in listed(theatre)


def test_an_answer_that_is_being_made_ends_with_its_conversation(
    chat: Chat, theatre: Theatre
) -> None:
    answer = chat.begin("Opowiadaj bez końca")
    assert send(chat.path, "DELETE").status_code == 204
    answer.read()
    assert theatre.gateway.turns == 0
    assert chat.events(answer.message_id).status_code == 404


def test_what_is_anothers_is_not_there(chat: Chat, theatre: Theatre) -> None:
    answer = chat.begin("Cześć!")
    answer.read()
    of_answer = f"{chat.path}/messages/{answer.message_id}"
    with as_account(theatre.gateway, "ktoś inny"):
        replies = (
            send(chat.path, "GET"),
            send(chat.path, title="Moje"),
            send(chat.path, "DELETE"),
            chat.post("Cześć!"),
            send(f"{of_answer}/stop", "POST"),
            send(f"{of_answer}/events", "GET"),
            send(f"{of_answer}/feedback", "PUT", rating="up"),
        )
        assert listed(theatre) == []
    assert [error(reply) for reply in replies] == [(404, "not_found", None)] * 7
    assert len(chat.messages()) == 2
    assert chat.last()["rating"] is None


def test_nobody_else_reads_or_stops_an_answer_that_is_being_made(
    chat: Chat, theatre: Theatre
) -> None:
    answer = chat.begin("Opowiadaj bez końca")
    with as_account(theatre.gateway, "ktoś inny"):
        assert chat.stop(answer.message_id) == 404
        assert chat.events(answer.message_id).status_code == 404
    assert chat.last()["running"]
    assert chat.stop(answer.message_id) == 204
    answer.read()


@pytest.mark.parametrize("rating", ["up", "down", None])
def test_an_answer_is_rated(chat: Chat, rating: str | None) -> None:
    answer = chat.begin("Cześć!")
    answer.read()
    where = f"{chat.path}/messages/{answer.message_id}/feedback"
    send(where, "PUT", rating="up", comment="Dobrze ⟦x⟧")
    assert chat.last()["comment"] == "Dobrze [[x]]"
    assert send(where, "PUT", rating=rating).status_code == 204
    assert chat.last()["rating"] == rating


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"rating": "super"},
        {"rating": "up", "comment": "a" * 2001},
        {"rating": "up", "comment": "⟦" * 1001},  # two characters each in what is kept
        {"ocena": 1},
    ],
)
def test_a_wrong_rating_is_a_400(chat: Chat, fields: Fields) -> None:
    answer = chat.begin("Cześć!")
    answer.read()
    where = f"{chat.path}/messages/{answer.message_id}/feedback"
    assert send_body(where, "PUT", fields).status_code == 400
    assert chat.last()["rating"] is None


def test_a_users_own_message_cannot_be_rated(chat: Chat) -> None:
    answer = chat.begin("Cześć!")
    answer.read()
    where = f"{chat.path}/messages/{answer.parent}/feedback"
    assert send(where, "PUT", rating="up").status_code == 400


def test_the_account_learns_the_bounds_of_the_chat(theatre: Theatre) -> None:
    bounds = get(theatre, "/api/me").json()["bounds"]
    assert bounds["text_chars"] == {"max": 2000}
    assert bounds["system_prompt_chars"] == {"max": 200}
    assert bounds["title_chars"] == {"max": 40}
    assert bounds["query_chars"] == {"max": ChatSettings().query_chars}


def test_readiness_tells_of_the_storage(theatre: Theatre) -> None:
    told = get(theatre, "/readyz").json()
    assert told["checks"]["storage"]
    assert told["storage"] is None
