"""Trains word vectors on the reviews for the paper's realistic neighborhoods of texts.

    apt-get install python3-gensim
    PYTHONHASHSEED=0 /usr/bin/python3 tests/paper/networks/train-words.py [folder of the data]

Reads rotten-tomatoes.tsv (a header, then label and text) from the folder given, from LINEX_DATA, or from
../shared/data, and writes tests/paper/models/reviews-words.bin in word2vec's binary format.

Only the training reviews are used: the review on line i after the header (from 0) is one of them if
random.Random(0).shuffle() of all line numbers puts i among the first 80 %. The model uses skip-grams, because with so few
sentences, continuous bags of words give nearly equal vectors. It uses one worker and fixed seeds. Python's hashing must be
fixed too, because gensim seeds with it. The same release of gensim then writes the same bytes.
"""

import os
import pathlib
import random
import re
import sys

from gensim.models import Word2Vec

HERE = pathlib.Path(__file__).parent
MOST_BYTES = 1_500_000
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def data_file():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("LINEX_DATA", HERE.parents[3] / "shared" / "data")
    path = pathlib.Path(folder) / "rotten-tomatoes.tsv"
    if not path.exists():
        sys.exit(f"could not find {path}: pass the folder of the data, or set LINEX_DATA")
    return path


def training_reviews(path):
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    order = list(range(len(lines)))
    random.Random(0).shuffle(order)
    chosen = sorted(order[: len(lines) * 8 // 10])
    return [WORD.findall(lines[i].split("\t", 1)[1].lower()) for i in chosen]


def main():
    if os.environ.get("PYTHONHASHSEED") != "0":
        sys.exit("PYTHONHASHSEED must be 0, because the vectors depend on it")
    sentences = training_reviews(data_file())
    model = Word2Vec(
        sentences, vector_size=32, window=5, min_count=2, sg=1, negative=10, epochs=20, seed=1, workers=1
    )
    target = HERE.parent / "models" / "reviews-words.bin"
    target.parent.mkdir(exist_ok=True)
    model.wv.save_word2vec_format(str(target), binary=True)
    size = target.stat().st_size
    print(f"{len(sentences)} reviews, {len(model.wv)} words, {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"the file must have at most {MOST_BYTES} bytes, not {size}")


if __name__ == "__main__":
    main()
