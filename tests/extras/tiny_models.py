"""Models of two dozen numbers in the real format, one for each layout, and what belongs beside them."""

import json

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("onnxruntime")

WORDS = ("deliveries", "parcel", "insured", "office", "garden", "week", "purple", "marble")
SPECIAL = {"[PAD]": 0, "[UNK]": 1, "[SEP]": 2, "[CLS]": 3}
SIZE = len(SPECIAL) + len(WORDS)
node = onnx.helper.make_node


def describe(folder, profile):
    """The description without hashes: what it says of a profile is all that these tests need."""
    (folder / "grounding-model.json").write_text(json.dumps({"schema_version": 1, "profile": profile}))


def save(folder, nodes, constants, *, inputs, shape):
    types = onnx.TensorProto
    folder.mkdir(exist_ok=True)
    graph = onnx.helper.make_graph(
        nodes,
        "tiny",
        [onnx.helper.make_tensor_value_info(name, types.INT64, ["n", f"{name}_t"]) for name in inputs],
        [onnx.helper.make_tensor_value_info("logits", types.FLOAT, shape)],
        [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    vocabulary = SPECIAL | {word: place for place, word in enumerate(WORDS, start=len(SPECIAL))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS]:0 $A [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[SEP]", 2), ("[CLS]", 3)],
    )
    # Files of real models cut and pad by themselves; neither may happen unseen.
    tokenizer.enable_truncation(12)
    tokenizer.enable_padding(length=64)
    tokenizer.save(str(folder / "tokenizer.json"))


def pair(folder, outputs):
    """A cross-encoder: the last logit grows with each word that both texts hold."""
    weights = np.zeros((len(WORDS), outputs), dtype="float32")
    weights[:, -1] = 1.0
    nodes = [
        node("Gather", ["table", "input_ids"], ["words"]),
        node("Cast", ["token_type_ids"], ["kinds"], to=onnx.TensorProto.FLOAT),
        node("Unsqueeze", ["kinds", "last"], ["second"]),
        node("Sub", ["one", "second"], ["first"]),
        node("Mul", ["words", "first"], ["words1"]),
        node("Mul", ["words", "second"], ["words2"]),
        node("ReduceSum", ["words1", "middle"], ["count1"], keepdims=0),
        node("ReduceSum", ["words2", "middle"], ["count2"], keepdims=0),
        node("Mul", ["count1", "count2"], ["both"]),
        node("MatMul", ["both", "weights"], ["sums"]),
        node("Sub", ["sums", "half"], ["logits"]),
    ]
    constants = {
        # One row a word: the sum over the tokens of a text says how often each stands there.
        "table": np.eye(SIZE, dtype="float32")[:, len(SPECIAL) :],
        "weights": weights,
        "one": np.float32(1.0),
        "half": np.float32(0.5),
        "last": np.array([2]),
        "middle": np.array([1]),
    }
    save(folder, nodes, constants, inputs=("input_ids", "token_type_ids"), shape=["n", outputs])


def labels(folder):
    """A label for each token: purple and marble are unsupported, whatever the passages say."""
    table = np.tile(np.array([3.0, -3.0], dtype="float32"), (SIZE, 1))
    table[-2:] = [-1.0, 1.0]
    nodes = [node("Gather", ["table", "input_ids"], ["logits"])]
    save(folder, nodes, {"table": table}, inputs=("input_ids",), shape=["n", "t", 2])


def unread(folder):
    """A label for each token: a word of the answer is supported where the prompt holds it too."""
    table = np.eye(SIZE, dtype="float32")
    nodes = [
        node("Gather", ["table", "input_ids"], ["words"]),
        # How often the word of a token stands in the whole: once is in the answer alone.
        node("ReduceSum", ["words", "middle"], ["counts"], keepdims=1),
        node("Mul", ["words", "counts"], ["own"]),
        node("ReduceSum", ["own", "last"], ["often"], keepdims=1),
        node("Sub", ["often", "half"], ["good"]),
        node("Sub", ["two", "often"], ["bad"]),
        node("Concat", ["good", "bad"], ["logits"], axis=2),
    ]
    constants = {
        "table": table,
        "middle": np.array([1]),
        "last": np.array([2]),
        "half": np.float32(0.5),
        "two": np.float32(2.0),
    }
    save(folder, nodes, constants, inputs=("input_ids",), shape=["n", "t", 2])


def first_position(folder):
    """Two figures a token, of which the first token's are the answer: the second grows with each parcel."""
    table = np.zeros((SIZE, 2), dtype="float32")
    table[SPECIAL["[UNK]"] + 4] = [0.0, 1.0]
    nodes = [
        node("Gather", ["table", "input_ids"], ["own"]),
        node("ReduceSum", ["own", "middle"], ["sums"], keepdims=1),
        node("Add", ["own", "sums"], ["logits"]),
    ]
    constants = {"table": table, "middle": np.array([1])}
    save(folder, nodes, constants, inputs=("input_ids",), shape=["n", "t", 2])
