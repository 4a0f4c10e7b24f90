"""What a prompt says we took wrongly: "źle mnie zrozumiałeś, chodziło mi o pogodę"."""

from dataclasses import replace

from chatbot.language.patterns import regex
from chatbot.router.dialogue.forecasts import fill_weather
from chatbot.router.dialogue.scene import Finding, Scene, draw
from chatbot.router.dialogue.state import IMAGE, NEEDED, WEATHER

_MEANT = regex(
    r"\b(?:chodzil\w* (?:mi )?o|mial[ea]m na mysli|mysl(?:alem|alam) o|pytal[ea]m o)\s+"
    r"(?P<what>\w.*)"
)
_WEATHER = regex(r"(?:t[ea] )?(?:pogod|prognoz)\w+")
_PICTURE = regex(r"(?:inn\w+ )?(?:obraz|rysun|zdjeci|pogod|prognoz)\w*\W*$")


def mistaken(scene: Scene) -> Finding:
    """Ask the last question again as it was meant, or draw what was meant."""
    told = _MEANT.search(scene.folded)
    if told is None or scene.state.last is None:
        return None
    if _WEATHER.match(told["what"]):
        return _forecast(scene)
    if scene.is_active(IMAGE) and not _PICTURE.match(told["what"]):
        return _picture(scene, scene.text[told.start("what") :])
    return None


def _forecast(scene: Scene) -> Finding:
    """The last prompt as a question about the weather ("a na Kasprowym?")."""
    last = scene.state.last
    if last is None or scene.is_active(WEATHER) or WEATHER not in scene.offered:
        return None
    if scene.detected(WEATHER) and any("city" in one.arguments for one in scene.detection.calls):
        return None
    found = fill_weather.fill(scene.within(last.prompt).after(scene.state.turns[:-1]))
    return replace(found, is_settled=True) if found is not None and found.calls else None


def _picture(scene: Scene, what: str) -> Finding:
    """A picture of what the prompt names in the place of the last one."""
    calls = scene.within(f"narysuj {what}").detected(IMAGE)
    described = [str(one.arguments[NEEDED[IMAGE]]) for one in calls if one.arguments]
    if not described or IMAGE not in scene.offered:
        return None
    return replace(draw(*described), is_settled=True)
