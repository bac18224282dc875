"""Trains the two models of film reviews: reviews-bayes.json, and reviews.onnx with reviews-network.json.

    apt-get install python3-sklearn python3-torch
    LINEX_DATA=folder OMP_WAIT_POLICY=PASSIVE /usr/bin/python3 web/models/train-reviews.py

The folder (default: shared/data next to the repository) holds rotten-tomatoes.tsv, the sentence polarity data of Pang
and Lee (2005): a header, then lines `label<tab>text`, read without quotes. Every fifth line is kept for testing; both
models are trained on the others.

The naive Bayes model is the paper's: counts, tf-idf, multinomial naive Bayes, with scikit-learn's defaults. With two
classes only their difference matters. So each word has one weight, rounded to four decimals, and the number of lines that
contain it, which gives its exact idf.

The network has 32 numbers per word and per pair of neighbors. It adds them up, divides by the root of their count, and
applies one hidden layer. It starts from naive Bayes (each word's log ratio along a random direction, after Wang and
Manning, 2012), because from small random numbers it ends two points lower. In training, half of the words are left out at
random, because an explanation asks about incomplete sentences. The embeddings are stored as int8, with one scale per
dimension.

It also writes tests/vectors/reviews.json: the answers of scikit-learn and torch for sentences that are in no data set.
"""

import collections
import json
import os
import pathlib
import re

import numpy as np
import sklearn
import torch
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from torch import nn
from torch.nn import functional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = pathlib.Path(os.environ.get("LINEX_DATA", ROOT.parent / "shared" / "data"))
CLASSES = ["negative", "positive"]
DIMENSIONS, HIDDEN = 32, 32
BATCH, RATE, DECAY, LEFT_OUT, AVERAGING = 64, 1e-3, 1e-4, 0.5, 0.99
# With less smoothing the probabilities are too extreme, judged by the likelihood of held-out lines.
SMOOTHING = 0.2
# Chosen where the accuracy on a held-out tenth of the lines stopped rising.
EPOCHS = 6

SENTENCES = [
    "A moving tale of love, beautifully acted and never dull.",
    "Two hours that feel like four, with jokes that were old a decade ago.",
    "The performances are wonderful, but the script is a mess.",
    "Not good.",
    "Not bad at all!",
    "I loved every minute of it.",
    "I wanted to love it, and I was bored to tears.",
    "An honest, funny and surprisingly touching portrait of a family.",
    "Lifeless, loud and far too long.",
    "It's the kind of film that makes you glad there are films.",
    "The director has a fine eye and nothing to say.",
    "Neither funny nor scary: a comedy of horrors without comedy or horror.",
    "A slow start, a silly plot, and yet the best ending of the year.",
    "Warm, witty, wise.",
    "The worst sequel since the last sequel.",
    "One of the year's most powerful and provocative documentaries.",
    "If you have seen the trailer, you have seen the movie.",
    "There is no reason for this remake to exist.",
    "A gorgeous, haunting picture that stays with you for days.",
    "Somewhere in here is a decent thriller that nobody bothered to edit.",
    "The cast does what it can; the screenplay does not.",
    "Charming in places, tedious in others, forgettable in the end.",
    "An unexpected delight from its first frame to its last.",
    "the the the the the",
    "dull dull dull brilliant",
    "",
    "?!",
    "a",
    "Zyzzyva quokka xylophonist",
    "Amélie meets Pokémon in a café: naïve, but très touching",
    "DAS IST EIN GROẞER SPAß, İstanbul'da geçen",
    "ΟΔΥΣΣΕΥΣ: a slow epic",
    "10 out of 10, 2nd best of 1999_2000, ½ hour too long, x² ٣٤",
    "cafe\u0301 and nai\u0308ve, written with marks that stand alone",
    "美しい映画 だった, a beautiful film",
    "good🙂film, great👍🏽cast, it’s fun — isn't it?",
    "under_score and __init__ make a bad_film",
    "An engaging drama\nwith a moving\tfinale",
    "𝐁𝐨𝐥𝐝 choices, 𝒇ancy letters",
    "ﬁne ﬁlm, oﬃcially great",
]


def words(text):
    """Returns the words of a text as scikit-learn's CountVectorizer finds them."""
    return re.findall(r"(?u)\b\w\w+\b", text.lower())


def read():
    lines = (DATA / "rotten-tomatoes.tsv").read_text(encoding="utf-8").split("\n")[1:]
    rows = [line.split("\t") for line in lines if line]
    return [text for _, text in rows], np.array([int(label) for label, _ in rows])


def write(path, text):
    path.write_text(json.dumps(text, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def bayes(texts, labels, tested):
    """Trains and writes the model; returns its answers, its answers after rounding (both functions), and a description."""
    learned = np.flatnonzero(~tested)
    model = make_pipeline(CountVectorizer(), TfidfTransformer(), MultinomialNB())
    model.fit([texts[i] for i in learned], labels[learned])
    counter, tfidf, naive = (step for _, step in model.steps)
    counts = counter.transform([texts[i] for i in learned])
    weights = np.round(naive.feature_log_prob_[1] - naive.feature_log_prob_[0], 4)
    prior = round(float(naive.class_log_prior_[1] - naive.class_log_prior_[0]), 6)
    text = {
        "classes": CLASSES,
        "lines": len(learned),
        "prior": prior,
        "words": " ".join(counter.get_feature_names_out()),
        "in": (counts > 0).sum(0).tolist()[0],
        "weights": weights.tolist(),
    }
    write(HERE / "reviews-bayes.json", text)

    def rounded(some):
        return 1 / (1 + np.exp(-(tfidf.transform(counter.transform(some)) @ weights + prior)))

    return (lambda some: model.predict_proba(some)[:, 1]), rounded, f"{len(weights)} words"


class Vocabulary:
    """The words and pairs of neighbors in two or more lines. Words have numbers from 1; pairs follow."""

    def __init__(self, texts):
        lists = [words(text) for text in texts]
        self.words = self.frequent(lists)
        number = {word: i + 1 for i, word in enumerate(self.words)}
        pairs = self.frequent(zip(some, some[1:]) for some in lists)
        self.pairs = [(number[a], number[b]) for a, b in pairs]
        self.number = number | {pair: len(number) + 1 + i for i, pair in enumerate(self.pairs)}

    @staticmethod
    def frequent(lists):
        found = collections.Counter(one for some in lists for one in set(some))
        return sorted(one for one, lines in found.items() if lines > 1)

    def numbers(self, text):
        """Returns the numbers of the known words, then those of the known pairs."""
        singles = [self.number.get(word, 0) for word in words(text)]
        pairs = [self.number.get(pair, 0) for pair in zip(singles, singles[1:])]
        return [i for i in singles + pairs if i]

    def tensor(self, texts):
        """Returns one row per text, padded with zeros."""
        rows = [self.numbers(text) for text in texts]
        filled = np.zeros((len(rows), max(1, *map(len, rows))), np.int32)
        for row, numbers in zip(filled, rows):
            row[: len(numbers)] = numbers
        return torch.from_numpy(filled)

    def write(self, path):
        text = {"classes": CLASSES, "words": " ".join(self.words), "pairs": [i for pair in self.pairs for i in pair]}
        write(path, text)


class Network(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.table = nn.Parameter(start)
        self.inner = nn.Linear(DIMENSIONS, HIDDEN)
        self.outer = nn.Linear(HIDDEN, len(CLASSES))

    def forward(self, numbers, left_out=0.0):
        kept = (numbers > 0) & (torch.rand(numbers.shape) >= left_out)
        found = functional.embedding(numbers, self.table) * kept[..., None]
        pooled = found.sum(1) / kept.sum(1, keepdim=True).clamp(min=1).sqrt()
        return self.outer(functional.dropout(functional.relu(self.inner(pooled)), 0.5, self.training))


class Exported(nn.Module):
    """The network with an int8 table, which returns probabilities. Row 0 of the table is zero, so padding adds nothing."""

    def __init__(self, network):
        super().__init__()
        table = network.table.detach()
        self.register_buffer("scale", table.abs().amax(0) / 127)
        self.register_buffer("table", (table / self.scale).round().to(torch.int8))
        self.inner, self.outer = network.inner, network.outer

    def forward(self, numbers):
        total = self.table[numbers.long()].float().sum(1) * self.scale
        pooled = total / (numbers > 0).float().sum(1, keepdim=True).clamp(min=1).sqrt()
        return self.outer(functional.relu(self.inner(pooled))).softmax(1)


def log_ratios(numbers, labels, size):
    """Returns naive Bayes' log ratio for each word or pair: how much more often it is in a positive line; 0 for padding."""
    seen = np.ones((2, size))
    for row, label in zip(numbers.numpy(), labels):
        seen[label, np.unique(row)] += 1
    ratios = np.log(seen[1] / seen[1, 1:].sum()) - np.log(seen[0] / seen[0, 1:].sum())
    ratios[0] = 0
    return torch.from_numpy(ratios).float()


def train(numbers, labels, size):
    torch.manual_seed(2023)
    start = 0.05 * torch.randn(size, DIMENSIONS)
    start += 0.3 * log_ratios(numbers, labels, size)[:, None] * torch.randn(DIMENSIONS)
    start[0] = 0
    network = Network(start)
    average = [parameter.detach().clone() for parameter in network.parameters()]
    optimizer = torch.optim.Adam(network.parameters(), RATE, weight_decay=DECAY)
    answers = torch.from_numpy(labels)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(labels)).split(BATCH):
            optimizer.zero_grad()
            guess = network(numbers[some], LEFT_OUT)
            functional.cross_entropy(guess, answers[some], label_smoothing=SMOOTHING).backward()
            optimizer.step()
            with torch.no_grad():
                for mean, parameter in zip(average, network.parameters()):
                    mean.lerp_(parameter, 1 - AVERAGING)
    # The running mean of the weights is more accurate than the last weights.
    with torch.no_grad():
        for mean, parameter in zip(average, network.parameters()):
            parameter.copy_(mean)
        network.table[0] = 0
    return network.eval()


def network(texts, labels, tested):
    """Trains and writes the network; returns its answers, its answers before rounding (both functions), and a description."""
    learned = np.flatnonzero(~tested)
    vocabulary = Vocabulary([texts[i] for i in learned])
    size = 1 + len(vocabulary.number)
    trained = train(vocabulary.tensor([texts[i] for i in learned]), labels[learned], size)
    exported = Exported(trained).eval()
    vocabulary.write(HERE / "reviews-network.json")
    axes = {"numbers": {0: "texts", 1: "length"}, "probabilities": {0: "texts"}}
    torch.onnx.export(
        exported,
        (vocabulary.tensor(SENTENCES[:2]),),
        str(HERE / "reviews.onnx"),
        opset_version=13,
        input_names=["numbers"],
        output_names=["probabilities"],
        dynamic_axes=axes,
    )

    @torch.no_grad()
    def answer(some):
        return exported(vocabulary.tensor(some))[:, 1].numpy()

    @torch.no_grad()
    def unrounded(some):
        return trained(vocabulary.tensor(some)).softmax(1)[:, 1].numpy()

    return answer, unrounded, f"{len(vocabulary.words)} words, {len(vocabulary.pairs)} pairs"


def main():
    torch.set_num_threads(1)
    texts, labels = read()
    tested = np.arange(len(texts)) % 5 == 4
    kept, truth = [texts[i] for i in np.flatnonzero(tested)], labels[tested]

    def accuracy(answer):
        return round(float(((answer(kept) > 0.5) == truth).mean()), 4)

    exact, rounded, bayes_size = bayes(texts, labels, tested)
    bayes_cost = float(np.abs(exact(kept) - rounded(kept)).max())
    print(f"naive Bayes: {accuracy(exact)}, rounded {accuracy(rounded)}, {bayes_size}")
    print(f"  rounding changes a probability by at most {bayes_cost:.1e}")
    answer, unrounded, network_size = network(texts, labels, tested)
    network_cost = float(np.abs(answer(kept) - unrounded(kept)).max())
    print(f"network: {accuracy(unrounded)}, rounded {accuracy(answer)}, {network_size}")
    print(f"  rounding changes a probability by at most {network_cost:.1e}")
    vectors = {
        "source": f"scikit-learn {sklearn.__version__}, torch {torch.__version__}",
        "tested": len(kept),
        "bayes": {"accuracy": accuracy(exact), "rounding": bayes_cost},
        "network": {"accuracy": accuracy(answer), "rounding": network_cost},
        "cases": [
            {"text": text, "bayes": float(a), "network": round(float(b), 7)}
            for text, a, b in zip(SENTENCES, exact(SENTENCES), answer(SENTENCES))
        ],
    }
    path = ROOT / "tests" / "vectors" / "reviews.json"
    path.write_text(json.dumps(vectors, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
