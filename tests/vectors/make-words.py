"""Makes words.json: word vectors and nearest words, computed by gensim and numpy.

    apt-get install python3-gensim
    /usr/bin/python3 tests/vectors/make-words.py

- files: the same few vectors, written by gensim as word2vec's text and binary formats, and by hand as GloVe's, in base64;
- nearest: for some words of tests/paper/models/reviews-words.bin the nearest ten by a brute-force cosine in double
  precision; gensim must find the same words in single precision;
- middle: the words nearest to the mean of two vectors.
"""

import base64
import json
import pathlib
import tempfile

import gensim
import numpy as np
from gensim.models import KeyedVectors

HERE = pathlib.Path(__file__).parent
MODEL = HERE.parent / "paper" / "models" / "reviews-words.bin"
WORDS = ["the", "love", "moving", "masterpiece", "audacious", "bad", "it's", "tale", "comedy", "2", "too", "unfunny"]
FEW = ["the", "naïve", "日本", "1984", "ice-cream", "🎬"]


def encode(data):
    return base64.b64encode(data).decode()


def files():
    values = np.random.RandomState(0).standard_normal((len(FEW), 5)).astype(np.float32)
    vectors = KeyedVectors(5)
    vectors.add_vectors(FEW, values)
    made = {"words": FEW, "values": [[float(value) for value in row] for row in values]}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "vectors"
        for name, binary in (("word2vec", False), ("word2vec-binary", True)):
            vectors.save_word2vec_format(str(path), binary=binary)
            made[name] = encode(path.read_bytes())
    lines = [" ".join([word, *(repr(float(value)) for value in row)]) for word, row in zip(FEW, values)]
    made["glove"] = encode(("\n".join(lines) + "\n").encode())
    return made


def main():
    vectors = KeyedVectors.load_word2vec_format(str(MODEL), binary=True)
    exact = vectors.vectors.astype(np.float64)
    lengths = np.sqrt((exact**2).sum(axis=1))

    def nearest(vector, without):
        cosines = exact @ vector / (lengths * np.sqrt(vector @ vector))
        order = [i for i in np.argsort(-cosines, kind="stable") if vectors.index_to_key[i] not in without][:10]
        return [[vectors.index_to_key[i], float(cosines[i])] for i in order]

    near = {}
    for word in WORDS:
        near[word] = nearest(exact[vectors.key_to_index[word]], {word})
        assert [one for one, _ in near[word]] == [one for one, _ in vectors.most_similar(word, topn=10)], word
    some = ("funny", "sad")
    mean = (vectors[some[0]] + vectors[some[1]]).astype(np.float32)
    made = {
        "versions": {"gensim": gensim.__version__, "numpy": np.__version__},
        "files": files(),
        "nearest": near,
        "middle": {"of": some, "near": nearest(mean.astype(np.float64), set())},
    }
    (HERE / "words.json").write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
