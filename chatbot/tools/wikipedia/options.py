"""The settings of the Wikipedia tool."""

from pydantic import BaseModel, ConfigDict, Field

PLACE_OF_LANGUAGE = "{language}"


class WikipediaSettings(BaseModel):
    """``[tools.wikipedia]``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(
        default="https://{language}.wikipedia.org/w/",
        pattern=r"^https?://[^/?#]+/([^?#]*/)?$",
        description="The folder of api.php; {language} stands for the language asked for. "
        "Without it there is one edition, the Polish one.",
    )
    contact: str = Field(
        default="",
        pattern=r"^[ -~]*$",
        max_length=200,
        description="An address or a page of yours; Wikimedia's policy wants it in the user agent.",
    )
    sentences: int = Field(
        default=4, ge=1, le=20, description="How much of a lead or a section to show."
    )
    max_chars: int = Field(default=1200, ge=100, le=10_000, description="And at most this much.")
    meanings: int = Field(
        default=6, ge=2, le=20, description="How many meanings of an ambiguous name to offer."
    )
    fresh_s: float = Field(
        default=600.0, ge=0, le=86_400, description="Seconds for which an answer is kept."
    )

    @property
    def has_editions(self) -> bool:
        """Whether the address leads to a Wikipedia of each language."""
        return PLACE_OF_LANGUAGE in self.url

    def folder(self, language: str) -> str:
        """The address of the folder of ``api.php`` for a known language."""
        return self.url.replace(PLACE_OF_LANGUAGE, language)
