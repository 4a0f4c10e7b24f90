"""A model server on loopback that words tools' results as it is told to, truly or not."""

import json
from collections.abc import Mapping

from scripted.service import Asked, Reply
from scripted.talker import Talker


class Wordsmith(Talker):
    """Says what `lines` has under the first of its keys that the last message holds."""

    lines: Mapping[str, str]

    def answer(self, asked: Asked) -> Reply:
        if asked.path == "/v1/chat/completions":
            last = json.loads(asked.body)["messages"][-1]["content"]
            self.says = next((said for key, said in self.lines.items() if key in last), "")
        return super().answer(asked)
