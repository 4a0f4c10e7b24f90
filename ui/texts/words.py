"""Every string of the page, as one value per language."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Forms:
    """Forms of one noun beside a number: 1, then 2–4, then 5 and more; English has two."""

    one: str
    few: str
    many: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """One field of the chat's settings: its label and one short sentence of what it does."""

    label: str
    explanation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Texts:
    """The words of one language; names in braces are filled by ``str.format``."""

    # The page
    language: str
    decimal_sign: str
    name: str
    tagline: str
    path: str
    other_language: str
    other_language_code: str
    other_path: str
    skip_to_message: str
    ai_line: str
    privacy: str
    accessibility: str
    account: str
    sign_out: str
    greeting: str
    greeting_hint: str
    suggestions: str
    page_failed: str
    close: str
    cancel: str
    save: str
    menu: str

    # Writing
    message: str
    message_placeholder: str
    send: str
    stop: str
    to_bottom: str

    # Messages
    conversation: str
    you_said: str
    assistant_said: str
    copy: str
    copied: str
    copy_code: str
    edit: str
    edit_message: str
    send_again: str
    regenerate: str
    good_answer: str
    bad_answer: str
    feedback_comment: str
    feedback_send: str
    feedback_skip: str
    feedback_kept: str
    feedback_thanks: str
    previous_version: str
    next_version: str
    version: str
    incomplete: str
    cut_short: str
    reasoning: str

    # States, as a screen reader and the line above the answer tell them
    status_reading: str
    status_calling: str
    status_writing: str
    status_drawing: str
    status_ready: str
    status_stopped: str
    status_failed: str
    status_lost: str
    status_deleted: str
    status_renamed: str

    # Tools and cards
    card_running: str
    card_failed: str
    card_cancelled: str
    card_details: str
    card_arguments: str
    card_raw_arguments: str
    picture_step: str
    tool_titles: Mapping[str, str]
    not_about: Mapping[str, str]
    not_about_other: str
    choose_other: str
    answer_with: str
    route_notes: Mapping[str, str]

    # Sources and pictures
    sources: str
    licence: str
    retrieved: str
    new_tab: str
    picture: str
    picture_by_ai: str
    picture_download: str
    picture_open: str
    picture_gone: str

    # Conversations
    new_chat: str
    chats: str
    search: str
    search_placeholder: str
    rename: str
    rename_label: str
    delete: str
    delete_question: str
    delete_warning: str
    delete_confirm: str
    load_more: str
    no_chats: str
    chats_failed: str
    nothing_found: str
    found: Forms
    messages: Forms
    untitled: str
    export: str
    export_all: str
    export_formats: Mapping[str, str]
    import_chats: str
    imported: str
    imported_pictures: str
    import_failed: str
    today: str
    yesterday: str
    last_week: str
    last_month: str
    months: tuple[str, ...]
    months_in_dates: tuple[str, ...]
    date: str
    month_of_year: str
    date_and_time: str

    # Settings of a conversation
    settings: str
    settings_hint: str
    settings_saved: str
    temperature: Parameter
    top_p: Parameter
    repetition_penalty: Parameter
    max_tokens: Parameter
    system_prompt: Parameter
    system_prompt_placeholder: str
    tools: Parameter
    default_value: str
    restore_defaults: str
    out_of_bounds: str

    # Theme and keys
    theme: str
    theme_light: str
    theme_dark: str
    theme_system: str
    keys: str
    keys_list: tuple[tuple[str, str], ...]

    # Units
    seconds: str
    minutes: str
    bytes: str
    kilobytes: str
    megabytes: str

    # Errors
    errors: Mapping[str, str]
    error_unknown: str
    error_unreachable: str
    error_lost: str
    try_again: str
    error_id: str
