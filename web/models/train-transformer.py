"""Trains the transformer of film reviews: the files in reviews-transformer/, which transformers.js loads.

    apt-get install python3-torch libopenblas0-pthread
    LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/openblas-pthread LINEX_DATA=folder OMP_WAIT_POLICY=PASSIVE \\
        /usr/bin/python3 web/models/train-transformer.py

The data and the tested lines are those of train-reviews.py. Without OpenBLAS, Debian's torch is several times slower.

The model is a small BERT: WordPiece tokens, two layers with four heads each, then the mean over the tokens in place of the
first token, because there is no pre-training that would teach the first token to collect the others. As in
train-reviews.py, it starts from naive Bayes (each token's log ratio along a random direction), some words are left out at
random, and the running mean of the weights is kept. Each text starts at a random position, so that all positions are
trained, though no review is that long.

Weights are stored as int8 with one scale per column. The graph converts them when a session opens.

It also writes tests/vectors/transformer.json: torch's answers for the sentences of tests/vectors/reviews.json, after this
script's own tokenizer.
"""

import collections
import heapq
import json
import math
import os
import pathlib
import unicodedata

import numpy as np
import torch
from torch import nn
from torch.nn import functional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = pathlib.Path(os.environ.get("LINEX_DATA", ROOT.parent / "shared" / "data"))
TARGET = HERE / "reviews-transformer"
CLASSES = ["negative", "positive"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TOKENS, POSITIONS = 8000, 256
WIDTH, HEADS, LAYERS, INNER = 64, 4, 2, 256
BATCH, RATE, DECAY, LEFT_OUT, DROPOUT, SMOOTHING, AVERAGING = 64, 1e-3, 1e-2, 0.3, 0.3, 0.1, 0.995
# Chosen by the likelihood of a held-out tenth of the training lines.
EPOCHS = 4
MOST_BYTES = 1_000_000


def is_punctuation(letter):
    return unicodedata.category(letter)[0] == "P" or letter in "$+<=>^`|~"


def is_chinese(letter):
    code = ord(letter)
    ranges = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2CEAF), (0x2F800, 0x2FA1F)]
    return any(first <= code <= last for first, last in ranges)


def words(text):
    """Returns the words of a text as BERT's normalizer and pre-tokenizer find them: lower case, no accents, punctuation alone."""
    known = [
        letter
        for letter in text
        if letter in "\t\n\r" or unicodedata.category(letter) not in ("Cc", "Cf", "Co", "Cs") and letter != "\ufffd"
    ]
    spaced = "".join(f" {letter} " if is_chinese(letter) else letter for letter in known).lower()
    plain = [letter for letter in unicodedata.normalize("NFD", spaced) if unicodedata.category(letter)[0] != "M"]
    return "".join(f" {letter} " if is_punctuation(letter) else letter for letter in plain).split()


class WordPiece:
    """Tokens that are learned by merging the most frequent pair of neighbors again and again, as in byte-pair encoding."""

    def __init__(self, texts):
        counts = collections.Counter(word for text in texts for word in words(text))
        self.tokens = SPECIAL + self.learn(counts)
        self.number = {token: i for i, token in enumerate(self.tokens)}

    @staticmethod
    def learn(counts):
        spelled = [[word[0], *("##" + letter for letter in word[1:])] for word in counts]
        times = list(counts.values())
        tokens = dict.fromkeys(sorted({token for word in spelled for token in word}))
        pairs, places = collections.Counter(), collections.defaultdict(set)
        for i, word in enumerate(spelled):
            for pair in zip(word, word[1:]):
                pairs[pair] += times[i]
                places[pair].add(i)
        heap = [(-count, pair) for pair, count in pairs.items()]
        heapq.heapify(heap)
        while len(tokens) < TOKENS - len(SPECIAL) and heap:
            count, pair = heapq.heappop(heap)
            if pairs[pair] != -count or count == 0:
                continue
            merged = pair[0] + pair[1][2:]
            tokens[merged] = None
            changed = set()
            for i in places.pop(pair):
                word = spelled[i]
                for old in zip(word, word[1:]):
                    pairs[old] -= times[i]
                    changed.add(old)
                    places[old].discard(i)
                joined = []
                for token in word:
                    if joined and (joined[-1], token) == pair:
                        joined[-1] = merged
                    else:
                        joined.append(token)
                spelled[i] = joined
                for new in zip(joined, joined[1:]):
                    pairs[new] += times[i]
                    changed.add(new)
                    places[new].add(i)
            for other in changed:
                heapq.heappush(heap, (-pairs[other], other))
        return list(tokens)

    def pieces(self, word):
        """Returns the numbers of a word's tokens: the longest known beginning, then the longest known continuation, and so on."""
        found, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if prefix + word[start:end] in self.number), None)
            if end is None or len(word) > 100:
                return [self.number["[UNK]"]]
            found.append(self.number[prefix + word[start:end]])
            start = end
        return found

    def split(self, text):
        """Returns the tokens of a text, one list per word."""
        return [self.pieces(word) for word in words(text)]

    def write(self):
        special = [
            {"id": i, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
            for i, token in enumerate(SPECIAL)
        ]
        begin, end = ({"SpecialToken": {"id": token, "type_id": 0}} for token in ("[CLS]", "[SEP]"))
        marks = {token: {"id": token, "ids": [self.number[token]], "tokens": [token]} for token in ("[CLS]", "[SEP]")}
        text = {"Sequence": {"id": "A", "type_id": 0}}
        write(
            "tokenizer.json",
            {
                "version": "1.0",
                "truncation": None,
                "padding": None,
                "added_tokens": special,
                "normalizer": {
                    "type": "BertNormalizer",
                    "clean_text": True,
                    "handle_chinese_chars": True,
                    "strip_accents": True,
                    "lowercase": True,
                },
                "pre_tokenizer": {"type": "BertPreTokenizer"},
                "post_processor": {
                    "type": "TemplateProcessing",
                    "single": [begin, text, end],
                    "pair": [begin, text, end, {"Sequence": {"id": "B", "type_id": 0}}, end],
                    "special_tokens": marks,
                },
                "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
                "model": {
                    "type": "WordPiece",
                    "unk_token": "[UNK]",
                    "continuing_subword_prefix": "##",
                    "max_input_chars_per_word": 100,
                    "vocab": self.number,
                },
            },
        )
        names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
        write("tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "model_max_length": POSITIONS, **names})


def write(name, content):
    path = TARGET / name
    path.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def batch(rows, first=2, last=3):
    """Returns numbers and mask of texts, between [CLS] and [SEP]; rows are cut off and padded as transformers.js does it."""
    cut = [[first, *row[: POSITIONS - 2], last] for row in rows]
    numbers = np.zeros((len(cut), max(map(len, cut))), np.int64)
    for filled, row in zip(numbers, cut):
        filled[: len(row)] = row
    mask = np.arange(numbers.shape[1]) < np.array([[len(row)] for row in cut])
    return torch.from_numpy(numbers), torch.from_numpy(mask.astype(np.int64))


class Layer(nn.Module):
    def __init__(self, linear):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mixed, self.joined = linear(WIDTH, 3 * WIDTH), linear(WIDTH, WIDTH)
        self.wide, self.narrow = linear(WIDTH, INNER), linear(INNER, WIDTH)

    def forward(self, x, hidden):
        count, length, _ = x.shape
        parts = self.mixed(self.before(x)).reshape(count, length, 3 * HEADS, WIDTH // HEADS).transpose(1, 2)
        query, key, value = parts.chunk(3, 1)
        scores = query @ key.transpose(2, 3) / math.sqrt(WIDTH // HEADS) + hidden
        heads = (scores.softmax(3) @ value).transpose(1, 2).reshape(count, length, WIDTH)
        x = x + functional.dropout(self.joined(heads), DROPOUT, self.training)
        grown = functional.gelu(self.wide(self.between(x)))
        return x + functional.dropout(self.narrow(grown), DROPOUT, self.training)


class Transformer(nn.Module):
    """The network. `table` and `linear` make its weights, so that the exported one can have other types of them."""

    def __init__(self, table, linear):
        super().__init__()
        self.tokens, self.positions = table(TOKENS, WIDTH), table(POSITIONS, WIDTH)
        self.layers = nn.ModuleList(Layer(linear) for _ in range(LAYERS))
        self.last, self.answer = nn.LayerNorm(WIDTH), linear(WIDTH, len(CLASSES))

    def forward(self, input_ids, attention_mask):
        shown = attention_mask.float()
        places = torch.cumsum(attention_mask, 1) - attention_mask
        if self.training:
            count, length = input_ids.shape
            places = places + torch.randint(POSITIONS - length + 1, (count, 1))
        x = functional.dropout(self.tokens(input_ids) + self.positions(places), DROPOUT, self.training)
        hidden = (shown[:, None, None, :] - 1) * 1e4
        for layer in self.layers:
            x = layer(x, hidden)
        mean = (self.last(x) * shown[..., None]).sum(1) / shown.sum(1, keepdim=True)
        return self.answer(functional.dropout(mean, DROPOUT, self.training))


def rounded(weights):
    """Returns weights as int8, and the scale of each column."""
    scale = weights.abs().amax(0, keepdim=True).clamp(min=1e-9) / 127
    return (weights / scale).round().to(torch.int8), scale


class RoundedTable(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.register_buffer("bytes", torch.zeros(rows, columns, dtype=torch.int8))
        self.register_buffer("scale", torch.ones(1, columns))

    def take(self, table):
        self.bytes, self.scale = rounded(table.weight.detach())

    def forward(self, numbers):
        return self.bytes[numbers].float() * self.scale


class RoundedLinear(RoundedTable):
    def take(self, linear):
        self.bytes, self.scale = rounded(linear.weight.detach().T.contiguous())
        self.bias = nn.Parameter(linear.bias.detach())

    def forward(self, x):
        return x @ (self.bytes.float() * self.scale) + self.bias


def export(network):
    """Writes the network with rounded weights; returns it."""
    exported = Transformer(RoundedTable, RoundedLinear)
    trained = dict(network.named_modules())
    for name, module in exported.named_modules():
        if isinstance(module, RoundedTable):
            module.take(trained[name])
        elif isinstance(module, nn.LayerNorm):
            module.load_state_dict(trained[name].state_dict())
    exported.eval()
    (TARGET / "onnx").mkdir(parents=True, exist_ok=True)
    axes = {0: "texts", 1: "length"}
    torch.onnx.export(
        exported,
        batch([[5, 6, 7], [8]]),
        str(TARGET / "onnx" / "model_quantized.onnx"),
        opset_version=14,
        # Otherwise torch would store the products of bytes and scales.
        do_constant_folding=False,
        input_names=["input_ids", "attention_mask"],
        output_names=["logits"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "logits": {0: "texts"}},
    )
    labels = dict(enumerate(CLASSES))
    write(
        "config.json",
        {
            "architectures": ["BertForSequenceClassification"],
            "model_type": "bert",
            "vocab_size": TOKENS,
            "hidden_size": WIDTH,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS,
            "intermediate_size": INNER,
            "max_position_embeddings": POSITIONS,
            "pad_token_id": 0,
            "id2label": labels,
            "label2id": {label: i for i, label in labels.items()},
        },
    )
    return exported


def log_ratios(rows, labels):
    """Returns naive Bayes' log ratio for each token: how much more often it is in a positive line."""
    seen = np.ones((2, TOKENS))
    for row, label in zip(rows, labels):
        seen[label, np.unique([token for word in row for token in word])] += 1
    seen[:, : len(SPECIAL)] = 1
    ratios = np.log(seen[1] / seen[1].sum()) - np.log(seen[0] / seen[0].sum())
    return torch.from_numpy(ratios).float()


def some_words(row):
    """Returns the tokens of a text without some of its words."""
    left = torch.rand(len(row)) >= LEFT_OUT
    return [token for word, is_left in zip(row, left.tolist()) if is_left for token in word]


def train(rows, labels):
    torch.manual_seed(2023)
    network = Transformer(nn.Embedding, nn.Linear)
    with torch.no_grad():
        network.tokens.weight.mul_(0.1).add_(0.3 * log_ratios(rows, labels)[:, None] * torch.randn(WIDTH))
        network.positions.weight.mul_(0.1)
    average = [parameter.detach().clone() for parameter in network.parameters()]
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    steps = EPOCHS * math.ceil(len(rows) / BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    answers = torch.from_numpy(labels)
    for _ in range(EPOCHS):
        network.train()
        for some in torch.randperm(len(rows)).split(BATCH):
            numbers, mask = batch([some_words(rows[i]) for i in some])
            optimizer.zero_grad()
            guess = network(numbers, mask)
            functional.cross_entropy(guess, answers[some], label_smoothing=SMOOTHING).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            with torch.no_grad():
                for mean, parameter in zip(average, network.parameters()):
                    mean.lerp_(parameter, 1 - AVERAGING)
    with torch.no_grad():
        for mean, parameter in zip(average, network.parameters()):
            parameter.copy_(mean)
    return network.eval()


@torch.no_grad()
def positive(network, rows):
    """Returns the probability of the positive class for each text."""
    flat = [[token for word in row for token in word] for row in rows]
    parts = [network(*batch(flat[i : i + 500])).softmax(1)[:, 1] for i in range(0, len(flat), 500)]
    return torch.cat(parts).numpy()


def main():
    torch.set_num_threads(1)
    lines = (DATA / "rotten-tomatoes.tsv").read_text(encoding="utf-8").split("\n")[1:]
    rows = [line.split("\t") for line in lines if line]
    texts, labels = [text for _, text in rows], np.array([int(label) for label, _ in rows])
    tested = np.arange(len(texts)) % 5 == 4
    tokenizer = WordPiece([texts[i] for i in np.flatnonzero(~tested)])
    split = [tokenizer.split(text) for text in texts]
    network = train([split[i] for i in np.flatnonzero(~tested)], labels[~tested])
    TARGET.mkdir(exist_ok=True)
    tokenizer.write()
    exported = export(network)
    kept = [split[i] for i in np.flatnonzero(tested)]
    exact, answers = positive(network, kept), positive(exported, kept)
    accuracy = [round(float(((some > 0.5) == labels[tested]).mean()), 4) for some in (exact, answers)]
    rounding = float(np.abs(exact - answers).max())
    print(f"transformer: {accuracy[0]}, rounded {accuracy[1]}; rounding changes a probability by at most {rounding:.1e}")
    vectors = ROOT / "tests" / "vectors"
    sentences = [one["text"] for one in json.loads((vectors / "reviews.json").read_text("utf-8"))["cases"]]
    cases = [
        {"text": text, "tokens": [token for word in tokenizer.split(text) for token in word], "positive": round(float(answer), 7)}
        for text, answer in zip(sentences, positive(exported, [tokenizer.split(text) for text in sentences]))
    ]
    content = {"source": f"torch {torch.__version__}", "tested": len(kept), "accuracy": accuracy[1], "cases": cases}
    (vectors / "transformer.json").write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
    size = sum(path.stat().st_size for path in TARGET.rglob("*") if path.is_file())
    print(f"{size} bytes")
    if size > MOST_BYTES:
        raise SystemExit(f"the files must have at most {MOST_BYTES} bytes, not {size}")


if __name__ == "__main__":
    main()
