"""A model of random weights as a GGUF file: a vocabulary of bytes and marks, and two layers that know nothing."""

from pathlib import Path
from typing import Any, Final

import gguf
import numpy as np

WIDTH: Final = 64
HEADS: Final = 4
LAYERS: Final = 2
FEED: Final = 128
CONTEXT: Final = 8192
_SEED: Final = 7
_SCALE: Final = 0.08

#: what ends a turn, begins and ends a call of a tool, and marks who speaks
END, CALL, CALL_END = "<|im_end|>", "<tool_call>", "</tool_call>"
MARKS: Final = ("<|endoftext|>", "<|im_start|>", END, CALL, CALL_END)

#: how likely a token is beyond chance, by what it is; so that replies end, and tools are called where they may be
_BIAS_END: Final = 0.32
_BIAS_CALL: Final = 0.7
_BIAS_MARK: Final = -3.0
_BIAS_UNREADABLE: Final = -1.5

TEMPLATE: Final = """
{%- if tools %}<|im_start|>system
You may call tools, as <tool_call>{"name": ..., "arguments": ...}</tool_call>. There are:
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or '' }}
{%- for call in message.tool_calls or [] %}<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def write_model(path: Path) -> None:
    """Write the model; equal bytes each time."""
    tokens = [*_byte_tokens(), "he", *MARKS]
    writer = gguf.GGUFWriter(str(path), "llama")
    _describe(writer, tokens)
    for name, values in _weights(tokens).items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _byte_tokens() -> list[str]:
    """The 256 bytes as GPT-2 writes them: those that cannot be printed as characters beyond Latin-1."""
    printed = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in printed else next(others)) for byte in range(256)]


def _describe(writer: Any, tokens: list[str]) -> None:
    writer.add_name("conformance")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    kinds = [gguf.TokenType.CONTROL if token in MARKS[:3] else gguf.TokenType.NORMAL for token in tokens]
    kinds[-2:] = [gguf.TokenType.USER_DEFINED] * 2
    writer.add_token_types(kinds)
    writer.add_token_merges(["h e"])
    writer.add_bos_token_id(tokens.index(MARKS[0]))
    writer.add_eos_token_id(tokens.index(END))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)


def _weights(tokens: list[str]) -> dict[str, Any]:
    draw = np.random.default_rng(_SEED)

    def drawn(*shape: int) -> Any:
        return (draw.standard_normal(shape) * _SCALE).astype(np.float32)

    embedding, output = drawn(len(tokens), WIDTH), drawn(len(tokens), WIDTH)
    # A column that is always 1 makes the same column of the output a bias of each token.
    embedding[:, 0], output[:, 0] = 1.0, [_bias(token) for token in tokens]
    weights = {"token_embd.weight": embedding, "output.weight": output, "output_norm.weight": _ones()}
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            weights[f"{block}.{part}.weight"] = drawn(WIDTH, WIDTH)
        weights[f"{block}.ffn_gate.weight"] = drawn(FEED, WIDTH)
        weights[f"{block}.ffn_up.weight"] = drawn(FEED, WIDTH)
        weights[f"{block}.ffn_down.weight"] = drawn(WIDTH, FEED)
        weights[f"{block}.attn_norm.weight"] = _ones()
        weights[f"{block}.ffn_norm.weight"] = _ones()
    return weights


def _ones() -> Any:
    return np.ones(WIDTH, dtype=np.float32)


def _bias(token: str) -> float:
    marks = {END: _BIAS_END, CALL: _BIAS_CALL}
    if token in MARKS:
        return marks.get(token, _BIAS_MARK)
    return 0.0 if token.isascii() else _BIAS_UNREADABLE
