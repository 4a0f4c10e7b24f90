"""What the tiny checkpoint is taught: a prompt, the reply to the letter, and what must follow."""

from dataclasses import dataclass

from chatbot.types import JsonObject, RouteReason

TAG = "<|python_tag|>"
EOM = "<|eom_id|>"
EOT = "<|eot_id|>"
COUNTING = (
    "jeden, dwa, trzy, cztery, pięć, sześć, siedem, osiem, dziewięć, dziesięć, jedenaście, "
    "dwanaście, trzynaście, czternaście, piętnaście, szesnaście, siedemnaście, osiemnaście, "
    "dziewiętnaście, dwadzieścia, dwadzieścia jeden, dwadzieścia dwa, dwadzieścia trzy, "
    "dwadzieścia cztery, dwadzieścia pięć, dwadzieścia sześć, dwadzieścia siedem, "
    "dwadzieścia osiem, dwadzieścia dziewięć, trzydzieści"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Lesson:
    """One prompt for the router model: its reply and the decision that must come of it.

    ``reply`` is written as the model writes it, special tokens and all. ``calls`` are the tools
    and arguments that are to be run, ``reason`` is the switch's. ``without_tag`` and
    ``after_parser`` are the reasons (then without calls) where a server that strips special
    tokens, or vLLM's own ``llama3_json`` parser, lets less through.
    """

    prompt: str
    reply: str
    reason: RouteReason = "called"
    calls: tuple[tuple[str, JsonObject], ...] = ()
    without_tag: RouteReason | None = None
    after_parser: RouteReason | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """One prompt for the default model, and its answer."""

    prompt: str
    answer: str


WEATHER = (
    Lesson(
        prompt="Jaka jest dziś pogoda w Lądku-Zdroju?",
        reply=TAG + '{"name": "get_weather", "parameters": {"city": "Lądek-Zdrój"}}' + EOM,
        calls=(("get_weather", {"city": "Lądek-Zdrój"}),),
    ),
    Lesson(
        prompt="Czy jutro w Kudowie-Zdroju będzie padać?",
        reply=TAG
        + '{"name": "get_weather", "parameters": {"city": "Kudowa-Zdrój", "day": "tomorrow"}}'
        + EOM,
        calls=(("get_weather", {"city": "Kudowa-Zdrój", "day": "tomorrow"}),),
    ),
    Lesson(
        prompt="Ile stopni jest teraz w Łodzi?",
        reply='{"name": "get_weather", "parameters": {"city": "Łódź"}}' + EOT,
        calls=(("get_weather", {"city": "Łódź"}),),
    ),
)
MATHEMATICS = (
    Lesson(
        prompt="Ile wynosi całka z x^3 od 0 do 2?",
        reply=TAG
        + '{"name": "calculate", "parameters": {"expression": "integrate(x**3, (x, 0, 2))"}}'
        + EOM,
        calls=(("calculate", {"expression": "integrate(x**3, (x, 0, 2))"}),),
    ),
    Lesson(
        prompt="Oblicz pierwiastek z 289.",
        reply=TAG + '{"name": "calculate", "parameters": {"expression": "sqrt(289)"}}' + EOM,
        calls=(("calculate", {"expression": "sqrt(289)"}),),
    ),
    Lesson(
        prompt="Policz dwa do potęgi dziesiątej.",
        reply=TAG
        + '{"type": "function", "name": "calculate", "arguments": {"expression": "2**10"}}'
        + EOT,
        calls=(("calculate", {"expression": "2**10"}),),
    ),
)
WIKIPEDIA = (
    Lesson(
        prompt="Kim była Irena Sendlerowa?",
        reply=TAG
        + '{"name": "search_wikipedia", "parameters": {"query": "Irena Sendlerowa"}}'
        + EOM,
        calls=(("search_wikipedia", {"query": "Irena Sendlerowa"}),),
    ),
    Lesson(
        prompt="Kiedy była bitwa pod Grunwaldem?",
        reply=TAG
        + '{"name": "search_wikipedia", "parameters": {"query": "bitwa pod Grunwaldem"}}'
        + EOM,
        calls=(("search_wikipedia", {"query": "bitwa pod Grunwaldem"}),),
    ),
)
IMAGE = (
    Lesson(
        prompt="Wygeneruj obraz psa i kota.",
        reply=TAG
        + '{"name": "generate_image", "parameters": {"description": "a dog and a cat"}}'
        + EOM,
        calls=(("generate_image", {"description": "a dog and a cat"}),),
    ),
    Lesson(
        prompt="Narysuj zamek nad jeziorem.",
        reply=TAG
        + '{"name": "generate_image", "parameters": {"description": "a castle by a lake"}}'
        + EOM,
        calls=(("generate_image", {"description": "a castle by a lake"}),),
    ),
)
SEVERAL = (
    Lesson(
        prompt="Podaj pogodę w Gdańsku i policz 17 razy 23.",
        reply=TAG
        + '{"name": "get_weather", "parameters": {"city": "Gdańsk"}}; '
        + '{"name": "calculate", "parameters": {"expression": "17*23"}}'
        + EOM,
        calls=(
            ("get_weather", {"city": "Gdańsk"}),
            ("calculate", {"expression": "17*23"}),
        ),
    ),
    Lesson(
        prompt="Policz 6 razy 7 oraz 8 razy 9.",
        reply=TAG
        + '{"name": "calculate", "parameters": {"expression": "6*7"}}; '
        + '{"name": "calculate", "parameters": {"expression": "8*9"}}'
        + EOM,
        calls=(
            ("calculate", {"expression": "6*7"}),
            ("calculate", {"expression": "8*9"}),
        ),
    ),
)
DEFAULT = (
    Lesson(
        prompt="Ułóż fraszkę o jesieni.",
        reply=TAG + '{"name": "default_function", "parameters": {}}' + EOM,
        reason="default_function",
    ),
    Lesson(
        prompt="Wyjaśnij, czym jest rekurencja.",
        reply=TAG + '{"name": "default_function", "parameters": {}}' + EOM,
        reason="default_function",
    ),
    Lesson(
        prompt="Przetłumacz na angielski: dzień dobry.",
        reply='{"name": "default_function", "parameters": {}}' + EOT,
        reason="default_function",
    ),
    Lesson(
        prompt="Opowiedz mi o swoim dniu.",
        reply=TAG
        + '{"name": "default_function", "parameters": {"reason": "'
        + COUNTING
        + '"}}'
        + EOM,
        reason="default_function",
    ),
)
PLAIN = (
    Lesson(
        prompt="Cześć, co u ciebie?",
        reply="Cześć! Wszystko dobrze. W czym mogę pomóc?" + EOT,
        reason="plain_text",
    ),
    Lesson(
        prompt="Napisz dwa zdania o morzu.",
        reply="Morze szumi bez końca. Wieczorem świeci w nim księżyc." + EOT,
        reason="plain_text",
    ),
    Lesson(
        prompt="Policz słownie od jednego do trzydziestu.",
        reply=COUNTING + EOT,
        reason="plain_text",
    ),
    Lesson(
        prompt="Zapisz jako JSON osobę: Jan, 30 lat.",
        reply='{"imię": "Jan", "wiek": 30}' + EOT,
        reason="plain_text",
    ),
    Lesson(
        prompt="Zapisz jako JSON: name Jan, city Łódź.",
        reply='{"name": "Jan", "city": "Łódź"}' + EOT,
        reason="plain_text",
        after_parser="unknown_tool",
    ),
)
UNUSABLE = (
    Lesson(
        prompt="Wypisz w Pythonie liczby od zera do dwóch.",
        reply=TAG + "for i in range(3):\n    print(i)" + EOM,
        reason="unusable_call",
        without_tag="plain_text",
        after_parser="plain_text",
    ),
    Lesson(
        prompt="Zarezerwuj stolik na wieczór.",
        reply=TAG + '{"name": "book_table", "parameters": {"time": "evening"}}' + EOM,
        reason="unknown_tool",
        without_tag="plain_text",
    ),
)
OTHER_FORMS = (
    Lesson(
        prompt="Oblicz silnię z 5.",
        reply=TAG + 'calculate.call(expression="factorial(5)")' + EOM,
        calls=(("calculate", {"expression": "factorial(5)"}),),
        after_parser="plain_text",
    ),
    Lesson(
        prompt="Jaka będzie pogoda?",
        reply=TAG + '{"name": "get_weather", "parameters": {}}' + EOM,
        calls=(("get_weather", {}),),
    ),
)
LESSONS = (
    *WEATHER,
    *MATHEMATICS,
    *WIKIPEDIA,
    *IMAGE,
    *SEVERAL,
    *DEFAULT,
    *PLAIN,
    *UNUSABLE,
    *OTHER_FORMS,
)

CHATS = (
    Chat(
        prompt="Ułóż fraszkę o jesieni.",
        answer="Jesień liście złoci, deszczem szyby zrosi; kto parasol gubi, ten o słońce prosi.",
    ),
    Chat(
        prompt="Wyjaśnij, czym jest rekurencja.",
        answer="Rekurencja to sposób, w którym funkcja woła samą siebie, aż dojdzie do "
        "najprostszego przypadku.",
    ),
    Chat(prompt="Przetłumacz na angielski: dzień dobry.", answer="Good morning."),
    Chat(prompt="Cześć, co u ciebie?", answer="Dzień dobry! O czym porozmawiamy?"),
    Chat(
        prompt="Napisz dwa zdania o morzu.",
        answer="Morze jest słone i głębokie. Latem kąpią się w nim dzieci.",
    ),
    Chat(
        prompt="Zapisz jako JSON osobę: Jan, 30 lat.",
        answer='{"imię": "Jan", "wiek": 30}',
    ),
    Chat(
        prompt="Wypisz w Pythonie liczby od zera do dwóch.",
        answer="```python\nfor i in range(3):\n    print(i)\n```",
    ),
    Chat(prompt="Opowiedz mi o swoim dniu.", answer="Każdy dzień mija mi na rozmowach."),
    Chat(prompt="Policz słownie od jednego do trzydziestu.", answer=COUNTING),
)
