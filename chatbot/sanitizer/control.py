"""Breaks control tokens typed as text, so that no engine's tokenizer reads them as its own."""

import re

# Llama 3, ChatML (Bielik, Qwen): <|…|>. Mistral and Llama 2: [INST], <s>, <<SYS>>. Hermes and
# Bielik: <tool_call>. Reasoning models: <think>. Gemma: <start_of_turn>. Names are matched without
# regard to case and surroundings: one space too many in a text costs less than a forged turn.
_ANGLED = (
    "s|bos|eos|pad|unk|mask|sys|think|thinking|reasoning|tools?|tool_calls?|tool_responses?|"
    "function|function_calls?|functions|start_of_turn|end_of_turn|start_of_image|end_of_text|"
    "sep|cls|im_start|im_end|eot|eom|python_tag|seg|special_[0-9]{1,3}|extra_id_[0-9]{1,3}|"
    "reserved_[0-9]{1,3}|0x[0-9a-f]{2}"
)
_SQUARE = (
    "inst|tool_calls|tool_results|available_tools|tool_content|call_id|args|system_prompt|"
    "img|img_break|img_end|think|prefix|middle|suffix|audio|begin_audio|control_[0-9]{1,3}"
)
_CONTROL = re.compile(
    rf"<(?=\||<?/?(?:{_ANGLED})\s*>)|<(?=｜)|\[(?=/?(?:{_SQUARE})\])", re.IGNORECASE
)


def break_control_tokens(text: str) -> str:
    """``text`` with a space after the first character of whatever looks like a control token.

    A tokenizer matches control tokens letter by letter, so ``< |eot_id|>`` is ordinary text.
    """
    return _CONTROL.sub(lambda match: match[0] + " ", text)
