"""A wiki and a weather service whose texts are commands, and the product that asks them."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scripted.hostile_turns import Obedient
from scripted.images import ScriptedImages
from scripted.mediawiki import ScriptedMediaWiki
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.product import CONFIG, PICTURES, Product, serve_product
from scripted.service import Asked, Reply, ScriptedService, json_reply

MODEL = """\
default_engine = "obedient"

[engines.obedient]
kind = "openai"
url = "{obedient}/v1"
model = "obedient"

"""


class HostileMediaWiki(ScriptedMediaWiki):
    """Every article reads: ``says``."""

    says = ""

    def answer(self, asked: Asked) -> Reply:
        body = json.loads(super().answer(asked).body)
        for page in body.get("query", {}).get("pages", []):
            if "extract" in page:
                page["extract"] = f"Irena Sendlerowa – {self.says}"
        return json_reply(body)


class HostileOpenMeteo(ScriptedOpenMeteo):
    """Every country and region is called: ``says``."""

    says = ""

    def answer(self, asked: Asked) -> Reply:
        reply = super().answer(asked)
        body = json.loads(reply.body)
        for place in body.get("results", []) if isinstance(body, dict) else []:
            place.update(dict.fromkeys(("country", "admin1", "admin2", "admin3"), self.says))
        return json_reply(body, reply.status)


@dataclass(frozen=True, kw_only=True, slots=True)
class HostileProduct:
    """The product with an obedient default model, and all that its tools can ask."""

    product: Product
    model: Obedient
    wiki: HostileMediaWiki
    weather: HostileOpenMeteo
    images: ScriptedImages

    def outgoing(self) -> list[Asked]:
        """Every request that tools have sent."""
        services: tuple[ScriptedService, ...] = (self.wiki, self.weather, self.images)
        return [asked for service in services for asked in service.requests]


@contextmanager
def serve_hostile_product(folder: Path, says: str) -> Iterator[HostileProduct]:
    """Serve the product; its wiki and its weather service say ``says`` wherever they can."""
    with ExitStack() as stack:
        model = stack.enter_context(Obedient())
        wiki = stack.enter_context(HostileMediaWiki())
        weather = stack.enter_context(HostileOpenMeteo(now=lambda: datetime.now(UTC)))
        images = stack.enter_context(ScriptedImages())
        wiki.says = weather.says = says
        addresses = {
            "obedient": model.url,
            "weather": weather.url,
            "openweather": weather.url,
            "wikipedia": wiki.url,
            "images": images.url,
        }
        product = stack.enter_context(serve_product(folder, MODEL + CONFIG + PICTURES, addresses))
        yield HostileProduct(
            product=product, model=model, wiki=wiki, weather=weather, images=images
        )
