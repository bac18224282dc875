"""Runs LIME, scikit-image and numpy for tests/bench/python.js.

Reads one JSON object per line and answers with one. {"prepare": kind, "name": ..., ...} prepares a job; the answer is {}.
{"run": name, "times": ...} runs it this many times; the answer is {"seconds": ..., ...}, in processor time. The answer to
a failure is {"failed": reason}.

LIME draws its own random numbers, which takes time, but then gets ours, so that it explains the same perturbations.
"""
import json
import os
import sys
import time
import types
import warnings

import numpy as np

warnings.filterwarnings("ignore")
if os.environ.get("LIME_PATH"):
    sys.path.insert(0, os.environ["LIME_PATH"])
try:
    import pyDOE2
except ImportError:
    # LIME imports it for a sampling method that is not used here.
    sys.modules["pyDOE2"] = types.SimpleNamespace(lhs=None)


class Replayed(np.random.RandomState):
    """Draws numbers as usual, but returns given ones: one list per kind of draw, from the start for each explanation."""

    def __init__(self, **given):
        super().__init__(0)
        self.given = given
        self.rewind()

    def rewind(self):
        self.next_choice = iter(self.given.get("choice", ()))

    def normal(self, *args, **kwargs):
        super().normal(*args, **kwargs)
        return self.given["normal"]

    def randint(self, *args, **kwargs):
        super().randint(*args, **kwargs)
        return self.given["randint"]

    def choice(self, *args, **kwargs):
        super().choice(*args, **kwargs)
        return next(self.next_choice)


def in_order(pairs, width):
    weights = np.zeros(width)
    for index, weight in pairs:
        weights[index] = weight
    return weights.tolist()


def row_job(ask):
    from lime.lime_tabular import LimeTabularExplainer

    training, rows, answers = (np.array(ask[key], float) for key in ("training", "rows", "answers"))
    random = Replayed()
    explainer = LimeTabularExplainer(
        training, mode="regression", discretize_continuous=False, sample_around_instance=True, random_state=random
    )
    random.given["normal"] = ((rows - rows[0]) / explainer.scaler.scale_).ravel()

    def run():
        explained = explainer.explain_instance(
            rows[0], lambda inverse: answers, num_features=ask["features"], num_samples=len(rows)
        )
        return in_order(explained.local_exp[1], rows.shape[1])

    return run


def text_job(ask):
    from lime.lime_text import LimeTextExplainer

    masks, answers = np.array(ask["masks"]), np.array(ask["answers"], float)[:, None]
    gone = [np.flatnonzero(mask == 0) for mask in masks[1:]]
    random = Replayed(randint=np.array([len(one) for one in gone]), choice=gone)
    explainer = LimeTextExplainer(random_state=random)

    def run():
        random.rewind()
        explained = explainer.explain_instance(
            ask["text"], lambda texts: answers, labels=(0,), num_features=ask["features"], num_samples=len(masks)
        )
        return in_order(explained.local_exp[0], masks.shape[1])

    return run


def picture_of(ask):
    return np.array(ask["pixels"], np.uint8).reshape(ask["height"], ask["width"], ask["channels"])


def image_job(ask):
    """Explains an image. Without a number of segments, every pixel is a segment. The model reads every 97th value, but
    returns our answers, so that the weights can be compared."""
    from lime.lime_image import LimeImageExplainer
    from sklearn.linear_model import Ridge

    picture = picture_of(ask)
    picture = picture if picture.shape[2] == 3 else picture[:, :, 0]
    labels = np.array(ask["labels"]).reshape(picture.shape[:2])
    masks, answers = np.array(ask["masks"]), np.array(ask["answers"], float)[:, None]
    explainer = LimeImageExplainer(random_state=Replayed(randint=masks.ravel()), feature_selection="none")
    asked = [0]

    def model(images):
        images.reshape(len(images), -1)[:, ::97].astype(float).sum(axis=1)
        first, asked[0] = asked[0], asked[0] + len(images)
        return answers[first : asked[0]]

    def cut(image):
        if ask.get("segments"):
            cut_slic(image, ask)
        return labels

    def run():
        asked[0] = 0
        explained = explainer.explain_instance(
            picture, model, labels=(0,), top_labels=None, num_samples=len(masks), segmentation_fn=cut,
            random_seed=1, progress_bar=False, model_regressor=Ridge(alpha=ask["ridge"]),
        )
        return in_order(explained.local_exp[0], masks.shape[1])

    return run


def cut_slic(picture, ask):
    from skimage.segmentation import slic

    return slic(picture, ask["segments"], ask["compactness"], max_num_iter=ask["rounds"], start_label=0)


def slic_job(ask):
    picture = picture_of(ask)
    return lambda: [int(cut_slic(picture, ask).max()) + 1]


def quickshift_job(ask):
    from skimage.segmentation import quickshift

    picture = picture_of(ask)
    return lambda: [int(quickshift(picture, ask["ratio"], ask["kernel"], ask["reach"]).max()) + 1]


def gram_job(ask):
    """Multiplies a matrix by its transpose; numpy uses BLAS's syrk for that."""
    points = np.random.RandomState(0).rand(ask["samples"], ask["width"])
    return lambda: [float((points.T @ points)[0, 0])]


def blas():
    """Returns the BLAS library of numpy, or "unknown" without threadpoolctl."""
    try:
        from threadpoolctl import threadpool_info

        found = [one for one in threadpool_info() if one["user_api"] == "blas"]
        return f"{found[0]['internal_api']} {found[0]['version']}, {found[0].get('architecture')}" if found else "reference"
    except ImportError:
        return "unknown"


JOBS = {
    "row": row_job,
    "text": text_job,
    "image": image_job,
    "slic": slic_job,
    "quickshift": quickshift_job,
    "gram": gram_job,
}
ready = {}


def answer(ask):
    if "hello" in ask:
        return {"python": sys.version.split()[0], "numpy": np.__version__, "blas": blas()}
    if "prepare" in ask:
        ready.clear()
        ready[ask["name"]] = JOBS[ask["prepare"]](ask)
        return {}
    before = time.process_time()
    for _ in range(ask["times"]):
        result = ready[ask["run"]]()
    return {"seconds": time.process_time() - before, "result": result}


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:
        reply = {"failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
