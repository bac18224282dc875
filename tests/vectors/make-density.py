"""Makes density.json: log densities and cross-validated bandwidths by scikit-learn.

    apt-get install python3-sklearn
    /usr/bin/python3 tests/vectors/make-density.py

The tests read the JSON file; they need no Python.
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KernelDensity

HERE = pathlib.Path(__file__).parent

# The library's own grid, and MeLIME's.
OURS = [0.02, 0.025, 0.032, 0.04, 0.05, 0.064, 0.08, 0.1, 0.125, 0.16]
OURS += [0.2, 0.25, 0.32, 0.4, 0.5, 0.64, 0.8, 1, 1.25, 1.6, 2]
MELIME = np.linspace(0.005, 0.5, 20).tolist()


def estimator(rows, **settings):
    """Puts all rows into one leaf: the tree's bounds would move a log density of -2259 by up to 5e-6 (1.2.1)."""
    return KernelDensity(kernel="gaussian", leaf_size=len(rows) + 1, **settings)


def densities(rows, queries, bandwidths):
    """Returns one list of log densities per bandwidth."""
    fits = [estimator(rows, bandwidth=bandwidth).fit(rows) for bandwidth in bandwidths]
    return [{"bandwidth": fit.bandwidth, "logs": fit.score_samples(queries).tolist()} for fit in fits]


def search(rows, grid, folds):
    """Returns the bandwidth that GridSearchCV chooses, and the mean log density of a held-out row."""
    held = np.empty(len(rows), dtype=int)
    for index, (_, test) in enumerate(folds.split(rows)):
        held[test] = index
    found = GridSearchCV(estimator(rows), {"bandwidth": grid}, cv=folds).fit(rows)
    usual = GridSearchCV(KernelDensity(kernel="gaussian"), {"bandwidth": grid}, cv=folds).fit(rows)
    assert found.best_params_ == usual.best_params_
    totals = found.cv_results_["mean_test_score"] * folds.get_n_splits(rows)
    return {
        "grid": grid,
        "folds": held.tolist(),
        "best": found.best_params_["bandwidth"],
        "scores": (totals / len(rows)).tolist(),
    }


def case(name, scale, rows, random):
    units = rows.std(axis=0) if scale == "standard" else np.ones(rows.shape[1])
    scaled = rows / units
    spread = rows.std(axis=0)
    queries = rows[random.choice(len(rows), 6)] + spread * random.normal(size=(6, rows.shape[1]))
    # Two points far from all rows, where a plain sum of kernels would be zero.
    queries[4] += 30 * spread
    queries[5] -= 2000 * spread
    queries = np.round(queries, 3)
    shuffled = KFold(5, shuffle=True, random_state=1)
    return {
        "name": name,
        "scale": scale,
        "rows": rows.tolist(),
        "queries": queries.tolist(),
        "densities": densities(scaled, queries / units, [0.03, 0.2, 0.7, 2.5]),
        "searches": [search(scaled, grid, folds) for grid in (OURS, MELIME) for folds in (shuffled, KFold(5), KFold(3))],
    }


def main():
    random = np.random.default_rng(5)
    two_heaps = np.concatenate([random.normal(-3, 0.4, size=(40, 2)), random.normal(1, 1, size=(23, 2))])
    line = random.exponential(size=(50, 1))
    wide = random.normal(size=(40, 7)) @ random.normal(size=(7, 7))
    cases = [
        case("iris", "standard", load_iris().data, random),
        case("iris in centimeters", "raw", load_iris().data[::3], random),
        case("two heaps", "raw", np.round(two_heaps, 3), random),
        case("a skew line", "standard", np.round(line, 3), random),
        case("seven columns", "standard", np.round(wide, 3), random),
    ]
    source = f"scikit-learn {sklearn.__version__}: KernelDensity.score_samples, GridSearchCV"
    (HERE / "density.json").write_text(json.dumps({"source": source, "cases": cases}, separators=(",", ":")) + "\n")
    print("density.json", len(cases), "cases")


main()
