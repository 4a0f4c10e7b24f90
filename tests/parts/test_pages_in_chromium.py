"""Hostile text as pages in a real browser: what was guarded fetches nothing, the rest does."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
from parts.browser import Visit, find_chromium, show
from scripted.gateway import call
from scripted.hostile_text import CANARY, COMMANDS, IMAGES, LEAK, obedient
from scripted.hostile_turns import REMEMBERED, asked, calling, complete, plugin
from scripted.missing import stop_without
from scripted.renderers import EXTENDED, RENDERERS
from scripted.stage import Stage, open_stage

from chatbot.sanitizer import guard_text
from chatbot.testing import ScriptedEngine
from chatbot.types import ChatRequest

pytestmark = pytest.mark.parts

KATEX = Path(__file__).parents[2] / ".cache" / "parts" / "node_modules" / "katex" / "dist"
SCRIPTS = ("katex.min.js", "contrib/auto-render.min.js")
DRAW_FORMULAS = """\
<script src=/katex.min.js></script><script src=/contrib/auto-render.min.js></script>
<script>renderMathInElement(document.body, {delimiters: [
  {left: "$$", right: "$$", display: true}, {left: "$", right: "$", display: false},
  {left: "\\\\[", right: "\\\\]", display: true}, {left: "\\\\(", right: "\\\\)", display: false}
], throwOnError: false, trust: TRUST})</script>
"""
PLAIN = RENDERERS["markdown-it"]
"""Links no bare addresses, which would part a formula."""
FETCHED = f"http://control.{LEAK}/"
CONTROL = {"control": f"<img src={FETCHED}>"}
"""A page that does fetch, beside those that must not."""
Show = Callable[[Mapping[str, str]], Visit]


@pytest.fixture(scope="module")
def browse(tmp_path_factory: pytest.TempPathFactory) -> Show:
    chromium = find_chromium()
    if chromium is None or not all((KATEX / name).exists() for name in SCRIPTS):
        stop_without("Chromium or KaTeX is missing; run: make test-parts as root (or install.sh)")
    files = {name: (KATEX / name).read_bytes() for name in SCRIPTS}

    def browse_pages(pages: Mapping[str, str]) -> Visit:
        return show(chromium, tmp_path_factory.mktemp("profile"), pages, files)

    return browse_pages


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("hostile")) as stage:
        yield stage


def page(bodies: list[str]) -> str:
    blocks = "\n".join(f"<div>{body}</div>" for body in bodies)
    return f"<!doctype html><html lang=pl><meta charset=utf-8><body>{blocks}"


def rendered(texts: list[str]) -> dict[str, str]:
    """One page a renderer, plain and extended; the last draws formulas too."""
    pages = {
        f"{name}{kind}": page([render(text) for text in texts])
        for kind, renderers in (("", RENDERERS), ("+", EXTENDED))
        for name, render in renderers.items()
    }
    formulas = page([PLAIN(text) for text in texts])
    return {**pages, "katex": formulas + DRAW_FORMULAS.replace("TRUST", "false")}


def one_form_a_page(texts: Mapping[str, str], render: Callable[[str], str]) -> dict[str, str]:
    """Pages of one form each: a script or an open element would hide what stands behind it."""
    return {f"form{n}": page([render(text)]) for n, text in enumerate(texts.values())}


def test_no_form_of_an_image_fetches_anything(browse: Show) -> None:
    pages = rendered([guard_text(text) for text in IMAGES.values()])
    visit = browse({**pages, **CONTROL})
    assert visit.shown == (*pages, *CONTROL)
    assert visit.fetched == (FETCHED,)


@pytest.mark.parametrize("name", RENDERERS)
def test_unguarded_forms_fetch_in_every_renderer(browse: Show, name: str) -> None:
    chosen = {form: text for form, text in IMAGES.items() if "refresh" not in form}
    visit = browse(one_form_a_page(dict(list(chosen.items())[::4]), RENDERERS[name]))
    assert len({one for one in visit.fetched if LEAK in one}) >= 5
    assert any(CANARY in one for one in visit.fetched)


def test_trusted_formulas_fetch(browse: Show) -> None:
    texts = [text for name, text in IMAGES.items() if name.startswith("KaTeX")]
    formulas = page([PLAIN(text) for text in texts])
    visit = browse({"katex": formulas + DRAW_FORMULAS.replace("TRUST", "true")})
    assert any(LEAK in one for one in visit.fetched)


def test_an_obeying_model_carries_no_secret_away(browse: Show, stage: Stage) -> None:
    def obey(request: ChatRequest) -> list[str]:
        return [obedient("\n".join(message.text for message in request.messages))]

    hostile = "\n\n".join(COMMANDS.values())
    router, engine = calling("told"), ScriptedEngine(script=obey)
    url = stage.gateway(router=router, engine=engine, tools=(plugin("told", hostile),)).url
    ask = partial(complete, url, *REMEMBERED, asked("Co mówi wtyczka?"))
    first = ask().json()["choices"][0]["message"]["content"]
    router.script = call("default_function")
    answer = {"role": "assistant", "content": first}
    second = ask(answer, asked("Dziękuję.")).json()["choices"][0]["message"]["content"]
    visit = browse({**rendered([first, second]), **CONTROL})
    assert [one for one in visit.fetched if "/images/" not in one] == [FETCHED]
    assert not any(CANARY in one for one in visit.fetched)
    assert CANARY in second
