"""Makes the vectors in this folder: answers to the same questions by numpy, scikit-learn and LIME's own code.

    apt-get install python3-sklearn python3-scipy
    LIME_PATH=<a checkout of github.com/marcotcr/lime> /usr/bin/python3 tests/vectors/make.py

The tests read the JSON files; they need neither Python nor LIME.
"""

import importlib.util
import json
import os
import pathlib
import sys

import numpy as np
import sklearn
from sklearn.linear_model import Ridge

HERE = pathlib.Path(__file__).parent


def load_lime_base():
    """Loads only LIME's lime_base.py, because importing the package needs matplotlib."""
    path = os.environ.get("LIME_PATH")
    if not path:
        sys.exit("set LIME_PATH to a checkout of LIME")
    spec = importlib.util.spec_from_file_location("lime_base", pathlib.Path(path, "lime", "lime_base.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.LimeBase(kernel_fn=None, random_state=0)


def write(name, source, cases):
    text = {"source": source, "cases": cases}
    (HERE / name).write_text(json.dumps(text, separators=(",", ":")) + "\n")
    print(name, len(cases), "cases")


def neighborhood(random, count, width):
    """Returns correlated points, nonlinear answers with noise, and weights like LIME's."""
    mixing = np.eye(width) + 0.5 * random.normal(size=(width, width)) / np.sqrt(width)
    points = np.round(random.normal(size=(count, width)) @ mixing, 3)
    slopes = random.normal(size=width) * (random.uniform(size=width) < 0.7)
    answers = np.round(np.tanh(points @ slopes / 2) + 0.1 * random.normal(size=count), 3)
    distances = np.linalg.norm(points - points[0], axis=1)
    weights = np.sqrt(np.exp(-(distances**2) / (0.75**2 * width)))
    return points, answers, weights


def ridge_cases(random):
    cases = []
    for count, width, alpha in [(10, 4, 1.0), (30, 3, 0.01), (50, 12, 1.0), (200, 7, 10.0), (15, 20, 0.5), (65, 5, 1e-4)]:
        points, answers, weights = neighborhood(random, count, width)
        fit = Ridge(alpha=alpha, fit_intercept=True).fit(points, answers, sample_weight=weights)
        cases.append(
            {
                "points": points.tolist(),
                "answers": answers.tolist(),
                "weights": weights.tolist(),
                "alpha": alpha,
                "coefficients": fit.coef_.tolist(),
                "intercept": float(fit.intercept_),
                "score": float(fit.score(points, answers, sample_weight=weights)),
            }
        )
    return cases


def selection_cases(random, lime):
    cases = []
    for index in range(60):
        count, width = int(random.integers(20, 60)), int(random.integers(3, 13))
        features = int(random.integers(1, width))
        points, answers, weights = neighborhood(random, count, width)
        chosen = {
            ours: sorted(int(i) for i in lime.feature_selection(points, answers, weights, features, theirs))
            for ours, theirs in [("forward", "forward_selection"), ("highest", "highest_weights"), ("lasso", "lasso_path"), ("auto", "auto")]
        }
        cases.append(
            {
                "points": points.tolist(),
                "answers": answers.tolist(),
                "weights": weights.tolist(),
                "features": features,
                "chosen": chosen,
            }
        )
    return cases


def column_cases(random):
    cases = []
    columns = [
        random.normal(size=50),
        np.round(random.exponential(size=31), 1),
        np.array([3.0]),
        np.full(9, 0.1),
        np.array([1.0, 1.0, 1.0, 2.0, 5.0, 5.0, 5.0, 5.0]),
        random.uniform(-1e6, 1e6, size=1000).round(3),
    ]
    for values in columns:
        quartiles = np.percentile(values, [25, 50, 75])
        bins = np.searchsorted(quartiles, values)
        parts = [values[bins == b] for b in range(4)]
        cases.append(
            {
                "values": values.tolist(),
                "mean": float(np.mean(values)),
                "spread": float(np.std(values)) if np.ptp(values) > 0 else 0.0,
                "quartiles": quartiles.tolist(),
                "bins": [
                    {
                        "share": len(part) / len(values),
                        "mean": float(np.mean(part)) if len(part) else 0.0,
                        "spread": float(np.std(part)) if len(part) and np.ptp(part) > 0 else 0.0,
                    }
                    for part in parts
                ],
            }
        )
    return cases


def main():
    random = np.random.default_rng(20231210)
    versions = f"numpy {np.__version__}, scikit-learn {sklearn.__version__}"
    write("ridge.json", f"sklearn.linear_model.Ridge; {versions}", ridge_cases(random))
    write("selection.json", f"LIME's lime_base.py, feature_selection; {versions}", selection_cases(random, load_lime_base()))
    write("columns.json", f"numpy mean, std, percentile, searchsorted; {versions}", column_cases(random))


main()
