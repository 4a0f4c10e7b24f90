"""The settings of the Wikipedia tool."""

from pydantic import BaseModel, ConfigDict, Field


class WikipediaSettings(BaseModel):
    """``[tools.wikipedia]``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(
        default="https://{language}.wikipedia.org/w/",
        pattern=r"^https?://[^/?#]+/([^?#]*/)?$",
        description="The folder of api.php; {language} stands for the language asked for.",
    )
    contact: str = Field(
        default="",
        description="An address or a page of yours; Wikimedia's policy wants it in the user agent.",
    )
    sentences: int = Field(default=4, ge=1, le=20, description="How much of the lead to show.")
    max_chars: int = Field(default=1200, ge=100, le=10_000, description="And at most this much.")
