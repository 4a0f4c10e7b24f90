"""Settings of stored conversations, of the database beneath them, and of the web page."""

from typing import Final

from pydantic import (
    Field,
    FilePath,
    NonNegativeFloat,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    model_validator,
)

from serving.settings.sections import Days, Section, WholeDays

LEAST_LEDGER_DAYS: Final = 62


class StorageSettings(Section):
    """The database of conversations."""

    url: str | None = Field(
        default=None,
        description="Address of the database, as `sqlite:///PATH` or `postgresql://USER@HOST/NAME` "
        "(extra `postgres`); unset: `zwrotnica.sqlite3` in the data folder.",
    )
    wait_s: PositiveFloat = Field(
        default=3.0,
        description="Seconds that a new request waits for a locked database before it gets 503.",
    )
    keep_s: PositiveFloat = Field(
        default=30.0,
        description="Seconds for which a running answer tries to be saved in a locked database.",
    )
    conversation_days: Days = Field(
        default=0,
        description="Days after its last message until a conversation is deleted; 0: never.",
    )
    call_days: Days = Field(
        default=30,
        description="Days for which tool calls of `/v1/chat/completions` are kept (no user text), "
        "so that a signed frame that comes back finds its call; 0: they are never kept.",
    )
    picture_days: Days = Field(
        gt=0,
        default=30,
        description="Days after which a picture that no conversation shows is deleted: those of "
        "`/v1/images/generations` and of API clients' tools.",
    )
    audit_days: Days = Field(
        default=730,
        description="Days for which the log of changes of accounts and keys is kept; 0: always.",
    )
    ledger_days: WholeDays = Field(
        default=0,
        description="Days for which the ledger's requests are kept, at least 62; 0: always.",
    )
    sweep_s: PositiveFloat = Field(
        default=3600.0, description="Seconds between two looks for what has to be deleted."
    )

    @model_validator(mode="after")
    def _check_ledger(self) -> "StorageSettings":
        if 0 < self.ledger_days < LEAST_LEDGER_DAYS:
            raise ValueError(
                f"ledger_days is at least {LEAST_LEDGER_DAYS}, so that the budgets of two months "
                "can be told, or 0 for always"
            )
        return self


class ChatSettings(Section):
    """Conversations of the Chat API."""

    unread_s: PositiveFloat = Field(
        default=60.0, description="Seconds without a reader after which an answer is stopped."
    )
    replay_s: NonNegativeFloat = Field(
        default=120.0,
        description="Seconds for which the events of an ended answer can be read again one by one.",
    )
    save_s: PositiveFloat = Field(
        default=1.0, description="Longest time for which new words of an answer are unsaved."
    )
    conversations: PositiveInt = Field(
        default=10_000, description="Conversations that one account may keep."
    )
    messages: PositiveInt = Field(
        default=2000, description="Messages of one conversation, all branches together."
    )
    text_chars: PositiveInt = Field(
        default=100_000, description="Characters of one message that a user sends."
    )
    system_prompt_chars: PositiveInt = Field(
        default=8000, description="Characters of a conversation's own system prompt."
    )
    title_chars: PositiveInt = Field(default=120, description="Characters of a title.")
    title_s: PositiveFloat = Field(
        default=10.0, description="Seconds that the default model gets to make a title."
    )
    query_chars: PositiveInt = Field(default=200, description="Characters of a search.")
    import_bytes: PositiveInt = Field(
        default=33_554_432, description="Largest file of conversations that is imported, bytes."
    )


class PageSettings(Section):
    """The web chat, a process of its own behind the gateway's address."""

    enabled: bool = Field(default=True, description="Start the web chat with the gateway.")
    api_key: SecretStr | None = Field(
        default=None,
        description="Key with which the page asks for everybody who opens it and sends none: they "
        "all share its account and read each other's conversations.",
    )
    privacy_notice: FilePath | None = Field(
        default=None,
        description="Markdown file that `/privacy` shows and the web chat links to; `zwrotnica "
        "notices FOLDER` writes one to begin with.",
    )
    accessibility_statement: FilePath | None = Field(
        default=None, description="The same for `/accessibility`."
    )
    chats: PositiveInt = Field(
        default=200, description="Answers that the page streams at once, over all its users."
    )
    start_s: PositiveFloat = Field(
        default=60.0, description="Seconds in which the page's process must be ready."
    )
    rest_s: PositiveFloat = Field(
        default=2.0,
        description="Seconds before the page's process is started again after a crash; twice as "
        "many each further time, at most 60.",
    )

    @property
    def notices(self) -> tuple[str, ...]:
        """The notices that there are, by the last part of their paths."""
        given = {"privacy": self.privacy_notice, "accessibility": self.accessibility_statement}
        return tuple(name for name, path in given.items() if path is not None)
