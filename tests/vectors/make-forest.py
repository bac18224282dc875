"""Writes forest.json: the answers of scikit-learn's trees and forests for the same data, and MAPLE on a shared forest.

    python3 tests/vectors/make-forest.py [folder with meps19.csv]

Made with scikit-learn 1.2.1. Wine and digits are scikit-learn's copies of the UCI sets (CC BY 4.0); for MEPS the file
has only the scores and the splits.
"""
import base64
import gzip
import json
import pathlib
import sys

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

HERE = pathlib.Path(__file__).parent
LEAF = -1
RIDGE = 0.001


def packed(data):
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def thousandths(rng, *shape):
    """Draws numbers that single precision represents exactly, because scikit-learn's trees use single precision."""
    return rng.integers(-4096, 4096, shape) / 1024


def export(trees, classes=False):
    """Trees as forestFromJSON takes them. scikit-learn numbers its nodes in preorder too."""
    out = dict(columns=trees[0].n_features, roots=[], features=[], thresholds=[], rights=[], gains=[], values=[])
    out["outputs"] = trees[0].value.shape[2] if classes else trees[0].n_outputs
    leaves = 0
    for tree in trees:
        root = len(out["features"])
        out["roots"].append(root)
        weight, impurity = tree.weighted_n_node_samples, tree.impurity
        for node in range(tree.node_count):
            left, right = tree.children_left[node], tree.children_right[node]
            if left < 0:
                value = tree.value[node]
                shares = value[0] / value[0].sum() if classes else value[:, 0]
                out["values"] += shares.tolist()
                row = (LEAF, 0.0, leaves, 0.0)
                leaves += 1
            else:
                assert left == node + 1
                lost = weight[node] * impurity[node] - weight[left] * impurity[left] - weight[right] * impurity[right]
                row = (int(tree.feature[node]), float(tree.threshold[node]), root + int(right), lost / weight[0])
            for name, value in zip(("features", "thresholds", "rights", "gains"), row):
                out[name].append(value)
    return out


def unique_tree(make, rows, responses, classes=False):
    """Returns a tree that does not depend on the order in which scikit-learn tries the columns, or None if splits tie."""
    found = [export([make(seed).fit(rows, responses).tree_], classes) for seed in range(12)]
    keys = ("features", "thresholds", "rights")
    return found[0] if all(one[key] == found[0][key] for one in found for key in keys) else None


def tree_cases():
    settings = [
        ("regression", dict(min_samples_leaf=6), 1),
        ("regression", dict(min_samples_leaf=4, max_depth=4), 1),
        ("regression", dict(min_samples_leaf=8), 3),
        ("classification", dict(min_samples_leaf=8), 1),
        ("classification", dict(max_depth=3), 1),
    ]
    for kind, how, outputs in settings:
        classes = kind == "classification"
        Tree = DecisionTreeClassifier if classes else DecisionTreeRegressor
        for seed in range(1000):
            rng = np.random.default_rng(seed)
            rows = thousandths(rng, 80, 4)
            score = rows[:, [0]] * rows[:, [1]] + np.sin(rows[:, [2]]) + rng.normal(size=(80, outputs))
            responses = np.digitize(score[:, 0], [-2, 2]) if classes else np.round(score, 6)
            if outputs == 1 and not classes:
                responses = responses[:, 0]
            tree = unique_tree(lambda state: Tree(random_state=state, **how), rows, responses, classes)
            if tree:
                break
        else:
            raise SystemExit(f"no data without ties for {kind} {how}")
        yield dict(
            kind=kind,
            minLeaf=how.get("min_samples_leaf", 1),
            depth=how.get("max_depth"),
            rows=rows.tolist(),
            responses=responses.tolist(),
            tree=tree,
        )


def leaf_weights(forest, rows, at):
    """Returns MAPLE's weights, summed over the trees. All training rows pass through each tree."""
    weights = np.zeros(len(rows))
    for own, leaf in zip(forest.apply(rows).T, forest.apply(at[None])[0]):
        same = own == leaf
        weights[same] += 1 / same.sum()
    return weights


def maple_case():
    rng = np.random.default_rng(5)
    rows = thousandths(rng, 100, 5)
    answer = lambda x: x[:, 0] * 2 + np.where(x[:, 1] > 0, 3 * x[:, 2], -x[:, 2]) + 0.2 * np.sin(x[:, 3])
    responses = np.round(answer(rows), 6)
    forest = RandomForestRegressor(12, min_samples_leaf=5, max_features=0.5, random_state=0).fit(rows, responses)
    trees = export([one.tree_ for one in forest.estimators_])
    checks, at = thousandths(rng, 25, 5), thousandths(rng, 5, 5)
    check_responses = np.round(answer(checks), 6)

    scores = np.zeros(5)
    for root in trees["roots"]:
        scores[trees["features"][root]] += trees["gains"][root]
    order = np.argsort(-scores, kind="stable")
    mean, spread = rows.mean(0), rows.std(0)
    scale = lambda x: (x - mean) / spread

    def fit(x, columns):
        weights = leaf_weights(forest, rows, x)
        ridge = Ridge(alpha=RIDGE, solver="cholesky").fit(scale(rows)[:, columns], responses, weights)
        return ridge, ridge.predict(scale(x)[None, columns])[0]

    errors = [
        sum((fit(x, order[: k + 1])[1] - y) ** 2 for x, y in zip(checks, check_responses)) for k in range(len(order))
    ]
    keep = order[: int(np.argmin(errors)) + 1]
    explained = []
    for x in at:
        ridge, predicted = fit(x, keep)
        coefficients = np.zeros(5)
        coefficients[keep] = ridge.coef_
        explained.append(
            dict(
                leaves=forest.apply(x[None])[0].tolist(),
                weights=(leaf_weights(forest, rows, x) / len(forest.estimators_)).tolist(),
                prediction=forest.predict(x[None])[0],
                coefficients=coefficients.tolist(),
                intercept=float(ridge.intercept_),
                localPrediction=float(predicted),
            )
        )
    return dict(
        rows=rows.tolist(),
        responses=responses.tolist(),
        checks=checks.tolist(),
        checkResponses=check_responses.tolist(),
        at=at.tolist(),
        trees=trees,
        importances=forest.feature_importances_.tolist(),
        scores=scores.tolist(),
        keep=keep.tolist(),
        explained=explained,
    )


def class_case():
    """A classifier's shares and leaves."""
    rng = np.random.default_rng(6)
    rows = thousandths(rng, 90, 3)
    labels = np.digitize(rows[:, 0] + rows[:, 1] + rng.normal(size=90), [-2, 2])
    forest = RandomForestClassifier(6, max_depth=4, random_state=0).fit(rows, labels)
    at = thousandths(rng, 20, 3)
    return dict(
        trees=export([one.tree_ for one in forest.estimators_], classes=True),
        at=at.tolist(),
        shares=forest.predict_proba(at).tolist(),
        leaves=forest.apply(at).tolist(),
        importances=forest.feature_importances_.tolist(),
    )


def splits(count, how_many, test_share):
    """Returns the test rows as bits, one string per split."""
    rng = np.random.default_rng(count)
    for _ in range(how_many):
        test = np.zeros(count, bool)
        test[rng.permutation(count)[: int(test_share * count)]] = True
        yield test, base64.b64encode(np.packbits(test).tobytes()).decode()


def compare(rows, responses, make, how_many, seeds, test_share=1 / 3):
    """The mean score over splits and seeds: accuracy, or R2."""
    masks, scores = [], []
    for test, mask in splits(len(rows), how_many, test_share):
        masks.append(mask)
        for seed in range(seeds):
            scores.append(make(seed).fit(rows[~test], responses[~test]).score(rows[test], responses[test]))
    return dict(masks=masks, seeds=seeds, score=float(np.mean(scores)))


def accuracy_cases():
    classifier = lambda seed: RandomForestClassifier(100, random_state=seed)
    for name, load, how_many, seeds in (("iris", load_iris, 20, 5), ("wine", load_wine, 20, 5), ("digits", load_digits, 4, 2)):
        data = load()
        rows = data.data
        case = compare(rows, data.target, classifier, how_many, seeds)
        case.update(name=name, columns=rows.shape[1], labels=data.target.tolist() if name != "digits" else None)
        if name == "digits":
            case["bytes"] = packed(rows.astype(np.uint8).tobytes())
            case["labelBytes"] = packed(data.target.astype(np.uint8).tobytes())
            del case["labels"]
        else:
            case["rows"] = rows.tolist()
        yield case


MEPS = (
    "AGE SEX RACE REGION MARRY RTHLTH MNHLTH HIBPDX CHDDX ANGIDX MIDX OHRTDX STRKDX EMPHDX CHBRON CHOLDX CANCERDX DIABDX "
    "JTPAIN ARTHDX ARTHTYPE ASTHDX ADHDADDX WLKLIM ACTLIM SOCLIM COGLIM DFHEAR42 DFSEE42 EMPST POVCAT INSCOV"
).split()


def meps_case(folder):
    lines = (folder / "meps19.csv").read_text().split()
    head, cells = lines[0].split(","), np.array([line.split(",") for line in lines[1:]], float)
    rows = cells[:, [head.index(name) for name in MEPS]]
    rows[:, 0] = np.minimum(8, np.floor(rows[:, 0] / 10))
    forest = lambda seed: RandomForestRegressor(100, min_samples_leaf=10, max_features=10, random_state=seed)
    case = compare(rows, np.log(cells[:, head.index("UTIL")]), forest, 3, 1, 0.2)
    return dict(columns=MEPS, **case)


def main():
    path = HERE / "forest.json"
    found = json.loads(path.read_text())["meps"] if path.exists() else None
    meps = meps_case(pathlib.Path(sys.argv[1])) if len(sys.argv) > 1 else found
    vectors = dict(
        trees=list(tree_cases()), maple=maple_case(), classes=class_case(), accuracy=list(accuracy_cases()), meps=meps
    )
    path.write_text(json.dumps(vectors, separators=(",", ":")) + "\n")


main()
