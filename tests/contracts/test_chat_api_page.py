import re
import shutil
import subprocess
from pathlib import Path

from scripted.missing import stop_without
from scripted.product import Product

from serving.gateway.route_table import ROUTES

PAGE = (Path(__file__).parents[2] / "docs" / "chat-api.md").read_text("utf-8")
BASH = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROUTE = re.compile(r"^\| `(GET|POST|PUT|PATCH|DELETE) ?([^`?]*)[^`]*` \|", re.MULTILINE)
BASE = "/api/conversations"
LIMIT_S = 60


def run(commands: str) -> str:
    if shutil.which("curl") is None:
        stop_without("curl is missing: apt-get install curl")
    done = subprocess.run(
        ("bash", "-eu", "-c", commands),
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=LIMIT_S,
    )
    return done.stdout


def test_the_commands_of_the_page_get_an_answer(product: Product) -> None:
    (commands,) = BASH.findall(PAGE)
    events, _, conversation = run(commands.replace("http://127.0.0.1:7860", product.url)).partition(
        '"finish_reason":"stop"}\n\n'
    )
    assert "event: tool_call" in events
    assert "integrate(x**3, (x, 0, 2))" in events
    assert 'Wynik: 4","channel":"answer"' in events
    assert '"state":"complete"' in conversation


def test_the_page_names_every_route_of_conversations() -> None:
    told = {(method, BASE + path.strip()) for method, path in ROUTE.findall(PAGE)}
    served = {
        (route.method, re.sub(r"\{\w*?(conversation_)?id\}", "{id}", route.path, count=1))
        for route in ROUTES
        if route.path.startswith(BASE)
    }
    served = {(method, path.replace("{message_id}", "{mid}")) for method, path in served}
    assert served - told == {(method, path) for method, path in served if "export" in path}
    assert told <= served
