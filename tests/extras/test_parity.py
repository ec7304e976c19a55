"""Our pipeline against the authors' own: models of the same architecture, tiny and with random weights.

Needs transformers, torch and lettucedetect: `make test-detectors` installs them in an environment of their
own.
"""

import json
import os

import pytest

if not os.environ.get("GROUNDING_DETECTORS"):
    pytest.skip("the authors' own code is installed by make test-detectors", allow_module_level=True)
# Whoever asks for no download gets none, not even a look for a newer file.
os.environ["HF_HUB_OFFLINE"] = "1"

import tokenizers
import torch
import transformers as hf
from lettucedetect.detectors.transformer import TransformerDetector
from pytest_grounding_extras.detectors import Detector, opened, shipped

CLOSE = 1e-4
TEXT = "The parcel is insured and arrives within a week; deliveries cost 12 euros. "
EDGE = "insured " * 40
#: Premise and claim: plain, long, empty, other scripts, and claims of all lengths.
PAIRS = [
    ("The parcel is insured.", "The parcel is insured."),
    ("The parcel is insured.", "It is not."),
    (TEXT, "Deliveries cost 12 euros."),
    (TEXT * 3, "Deliveries cost 21 euros."),
    (TEXT * 12, "A week."),
    (" x", "Something of nothing."),
    ("Nothing of something.", "x"),
    ("荷物には保険がかかっています。", "荷物には保険がかかっています。"),
    ("Das Paket ist versichert. Straße, Größe, naïve café.", "Es ist versichert."),
    ("الطرد مؤمن عليه", "الطرد"),
    ("Посылка застрахована.", "Застрахована ли она?"),
    ("😀 a parcel 👩‍👩‍👧 with marks", "😀"),
    ("One\nline\n\nand another.", "Lines."),
    ("{premise} and {claim} are braces", "{claim}"),
    ('Say "yes" <b>or</b> [no].', '"yes"'),
    (TEXT, EDGE),
    (EDGE, TEXT),
    ("a" * 200, "b" * 100),
    ("1 2 3 4 5 6 7 8 9", "10"),
    (TEXT * 2, TEXT * 2),
]


FURTHER = [f"Passage of a number of words, {number} of them about insured parcels." for number in range(6)]


@pytest.fixture(scope="module")
def tokenizer():
    """Byte pairs of a small text, so that every script has tokens, in the marks of both families."""
    special = ["<pad>", "</s>", "<unk>", "[CLS]", "[SEP]", "[PAD]"]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=special,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    made.train_from_iterator([premise + claim for premise, claim in PAIRS], trainer)
    return made


def t5(tokenizer):
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


def bert(tokenizer):
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 3), ("[SEP]", 4)],
    )
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="<unk>",
        eos_token="[SEP]",
    )


class Logits(torch.nn.Module):
    """What of a model's answer is exported."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, decoder_input_ids=None):
        more = (
            {} if decoder_input_ids is None else {"decoder_input_ids": decoder_input_ids, "use_cache": False}
        )
        return self.model(input_ids=input_ids, attention_mask=attention_mask, **more).logits


def ready(folder, model, text, profile, inputs, **changes):
    """A model in the folder as a user would export it, opened by a shipped profile."""
    torch.manual_seed(7)
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.2)
    model.eval()
    text.save_pretrained(folder)
    model.save_pretrained(folder)
    axes = {name: {0: "batch", 1: "length"} for name in inputs if name != "decoder_input_ids"}
    torch.onnx.export(
        Logits(model).eval(),
        tuple(inputs.values()),
        str(folder / "model.onnx"),
        input_names=list(inputs),
        output_names=["logits"],
        dynamic_axes={**axes, "logits": {0: "batch", 1: "length"}},
        opset_version=17,
        dynamo=False,
    )
    described = shipped()[profile]
    facts = {"name": profile, **described.as_data(), **changes}
    (folder / "grounding-model.json").write_text(json.dumps({"schema_version": 1, "profile": facts}))
    return Detector(opened(folder))


def ids(length=16, **more):
    text = torch.randint(6, 300, (1, length))
    return {"input_ids": text, "attention_mask": torch.ones_like(text), **more}


def class_model(text):
    return hf.DebertaV2ForSequenceClassification(
        hf.DebertaV2Config(
            vocab_size=len(text), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
            intermediate_size=48, max_position_embeddings=2048, relative_attention=True,
            pos_att_type=["p2c", "c2p"], position_buckets=32, num_labels=2, type_vocab_size=0,
        )
    )  # fmt: skip


def test_hhem(tmp_path, tokenizer):
    """The authors' own code: the prompt as one text, softmax at the first token, class 1."""
    text = t5(tokenizer)
    model = hf.T5ForTokenClassification(
        hf.T5Config(
            vocab_size=len(text), d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, num_labels=2
        )
    )
    found = ready(tmp_path, model, text, "hhem-2.1-open", ids())
    for premise, claim in PAIRS:
        prompt = (
            "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: " + premise
            + "\n\nHypothesis: " + claim
        )  # fmt: skip
        with torch.no_grad():
            encoded = text(prompt, return_tensors="pt")
            logits = model(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"]).logits
        assert found.score(premise, claim) == pytest.approx(
            torch.softmax(logits[:, 0, :], -1)[0, 1].item(), abs=CLOSE
        )


@pytest.mark.parametrize("profile", ["factcg-deberta-v3-large", "minicheck-deberta-v3-large"])
def test_classifiers_of_one_text(tmp_path, tokenizer, profile):
    text = bert(tokenizer)
    model = class_model(text)
    found = ready(tmp_path, model, text, profile, ids())
    for premise, claim in PAIRS:
        if profile.startswith("factcg"):
            whole = (
                f"{premise}\n\nChoose your answer: based on the paragraph above can we conclude that "
                f'"{claim}"?'
                "\n\nOPTIONS:\n- Yes\n- No\nI think the answer is "
            )
        else:
            whole = text.eos_token.join([premise, claim])
        if len(text(premise)["input_ids"]) > 390:
            continue  # what is longer than a window is compared below
        encoded = text(whole, return_tensors="pt")
        with torch.no_grad():
            logits = model(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"]).logits
        assert found.score(premise, claim) == pytest.approx(torch.softmax(logits, -1)[0, 1].item(), abs=CLOSE)
    long = " ".join(f"The parcel number {number} is insured." for number in range(120))
    parts = [found.score(part, "insured") for part in (long[: len(long) // 2], long)]
    assert all(0.0 <= part <= 1.0 for part in parts)


@pytest.mark.parametrize(("limit", "over_windows"), [(4096, "min"), (420, "max")])
def test_lettucedetect(tmp_path, tokenizer, limit, over_windows):
    """The package itself; where its windows differ from ours is which figure of several counts."""
    text = bert(tokenizer)
    model = hf.ModernBertForTokenClassification(
        hf.ModernBertConfig(
            vocab_size=len(text), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
            intermediate_size=48, num_labels=2, max_position_embeddings=8192, pad_token_id=5,
            bos_token_id=3, eos_token_id=4, cls_token_id=3, sep_token_id=4,
            attn_implementation="eager",
        )
    )  # fmt: skip
    name = "lettucedetect-base-modernbert-en-v1"
    # Longer than the model's near sight, which is traced away otherwise.
    found = ready(tmp_path, model, text, name, ids(400), limit=limit, over_windows=over_windows)
    authors = TransformerDetector(str(tmp_path), max_length=limit, device="cpu")
    groups = 0
    for number, (premise, answer) in enumerate(PAIRS):
        passages = [premise, PAIRS[number - 1][0][:60], "The office has a garden.", *FURTHER[: number % 6]]
        question = "" if number % 5 == 0 else "Is the parcel insured?"
        if limit < 4096 and (len(premise) > 90 or len(answer) > 60):
            continue  # the package cuts a passage that is longer than its window, and we do not
        wanted = authors.predict(passages, answer, question or None, output_format="tokens")
        shares = found.tokens(question, passages, answer)
        groups = max(groups, len(found._groups(question, passages, answer)))
        # The package counts the mark after the answer as a token of it.
        assert [item.share for item in shares] == pytest.approx(
            [token["prob"] for token in wanted[: len(shares)]], abs=CLOSE
        )
        assert len(wanted) - len(shares) <= 1
        encoded = text(answer, add_special_tokens=False, return_offsets_mapping=True)
        assert [(item.start, item.end) for item in shares] == encoded["offset_mapping"]
    assert groups > 1 or limit == 4096
