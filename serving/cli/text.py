"""What people write as an argument: text, which a terminal may hand over spoilt."""

import click


class Utf8(click.ParamType[str]):
    """Text that can be stored, searched and answered.

    Python hands over a byte of an argument that is not UTF-8 as half of a surrogate pair, on which
    everything that encodes the text would fail.
    """

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Take it where it is whole."""
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is not UTF-8; write it in a terminal set to UTF-8", param, ctx)
        return text
