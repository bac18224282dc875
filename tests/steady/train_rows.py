"""Trains the models of rows for `npm run steady` with scikit-learn and writes them to models/ as JSON.

    /usr/bin/python3 tests/steady/train_rows.py [name ...]

It needs scikit-learn 1.2 (Debian: python3-sklearn). Iris, wine, breast cancer, diabetes and digits are bundled with
scikit-learn. MEPS is read from the folder in LINEX_DATA, or from ../shared/data next to the project; of its rows only
statistics of columns and models are written. Every file has predictions of scikit-learn for a few rows, for the tests.
"""
import csv
import json
import os
import sys
from pathlib import Path

import numpy as np
from sklearn import datasets
from sklearn.ensemble import (GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier,
                              RandomForestRegressor)
from sklearn.neural_network import MLPClassifier, MLPRegressor

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = Path(os.environ.get("LINEX_DATA", ROOT.parent / "shared" / "data"))
SEED = 13
EXPLAINED, NEIGHBORS, CHECKED = 12, 4, 5
UCI = "UCI Machine Learning Repository, as bundled with scikit-learn; CC BY 4.0"
SOURCES = {
    "iris": f"Fisher (1936), Iris. {UCI}",
    "wine": f"Aeberhard and Forina (1991), Wine. {UCI}",
    "cancer": f"Wolberg, Mangasarian, Street and Street (1995), Breast Cancer Wisconsin (Diagnostic). {UCI}",
    "digits": f"Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits, 8 x 8 counts. {UCI}",
    "diabetes": "Efron, Hastie, Johnstone and Tibshirani (2004), Least Angle Regression, as bundled with scikit-learn (BSD-3-Clause); no license of its own",
    "meps": "Agency for Healthcare Research and Quality, Medical Expenditure Panel Survey, panel 19 (2015), HC-181",
}
NUMERIC = ["AGE", "PCS42", "MCS42", "K6SUM42"]
LEVELS = """SEX RACE REGION MARRY RTHLTH MNHLTH HIBPDX CHDDX ANGIDX MIDX OHRTDX STRKDX EMPHDX CHBRON CHOLDX CANCERDX
DIABDX JTPAIN ARTHDX ARTHTYPE ASTHDX ADHDADDX WLKLIM ACTLIM SOCLIM COGLIM DFHEAR42 DFSEE42 EMPST POVCAT INSCOV""".split()


def short(values, digits=9):
    """Nested lists of numbers with the given digits."""
    if isinstance(values, (list, tuple, np.ndarray)):
        return [short(value, digits) for value in values]
    number = float(f"{float(values):.{digits}g}")
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def bundled(name):
    loaders = {"iris": datasets.load_iris, "wine": datasets.load_wine, "cancer": datasets.load_breast_cancer,
               "digits": datasets.load_digits, "diabetes": lambda: datasets.load_diabetes(scaled=False)}
    data = loaders[name]()
    rows, names = data.data, [str(column) for column in data.feature_names]
    # Pixels at the edge that hardly ever hold anything tell nothing.
    kept = np.flatnonzero(rows.std(0) > (0.05 if name == "digits" else 0))
    classes = None if name == "diabetes" else [str(one) for one in data.target_names]
    return rows[:, kept], data.target, [names[c] for c in kept], ["sex"] if name == "diabetes" else [], classes


def survey():
    with open(DATA / "meps19.csv", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    columns = NUMERIC + LEVELS
    rows = np.array([[float(line[name]) for name in columns] for line in lines])
    # Scores below 0 stand for persons who were not asked.
    asked = (rows[:, :len(NUMERIC)] >= 0).all(1)
    answers = np.log([float(line["UTIL"]) for line in lines])
    return rows[asked], answers[asked], columns, LEVELS, None


def column_of(name, values, categorical):
    """The statistics of a column, as describeTable gives them."""
    if categorical:
        levels, counts = np.unique(values, return_counts=True)
        return {"name": name, "kind": "categorical", "levels": short(levels), "frequencies": short(counts / len(values)),
                "codes": short(levels)}
    quartiles = np.percentile(values, [25, 50, 75])
    place = np.searchsorted(quartiles, values, side="left")
    parts = [values[place == i] for i in range(4)]
    bins = [{"share": short(len(part) / len(values)), "mean": short(part.mean() if len(part) else 0),
             "spread": short(part.std() if len(part) else 0)} for part in parts]
    return {"name": name, "kind": "numeric", "mean": short(values.mean()), "spread": short(values.std()),
            "min": short(values.min()), "max": short(values.max()), "quartiles": short(quartiles), "bins": bins}


def nearest(rows, is_level, spread, index):
    """The nearest other rows: standard deviations, and 1 for another level; repeated rows count once."""
    apart = np.where(is_level, rows != rows[index], (rows - rows[index]) / spread)
    distance = (apart.astype(float)**2).sum(1)
    distance[distance == 0] = np.inf
    return np.argsort(distance, kind="stable")[:NEIGHBORS]


class Encoder:
    """Standard deviations, and one number per level, for the networks."""

    def __init__(self, table):
        self.columns = table

    def __call__(self, rows):
        parts = []
        for c, column in enumerate(self.columns):
            if column["kind"] == "numeric":
                parts.append((rows[:, c:c + 1] - column["mean"]) / column["spread"])
            else:
                parts.append((rows[:, c:c + 1] == np.array(column["levels"])[None]).astype(float))
        return np.hstack(parts)


def trees_of(estimators, values):
    """All trees in flat lists; a leaf has the feature -1 and, as its left child, the place of its values."""
    out = {"roots": [], "feature": [], "threshold": [], "left": [], "right": [], "values": []}
    for estimator in estimators:
        tree, base = estimator.tree_, len(out["feature"])
        out["roots"].append(base)
        for node in range(tree.node_count):
            leaf = tree.children_left[node] < 0
            out["feature"].append(-1 if leaf else int(tree.feature[node]))
            out["threshold"].append(0 if leaf else short(tree.threshold[node]))
            out["left"].append(len(out["values"]) if leaf else base + int(tree.children_left[node]))
            out["right"].append(0 if leaf else base + int(tree.children_right[node]))
            if leaf:
                out["values"].append(short(values(tree.value[node]), 6))
    return out


def forest(classes, leaf, most):
    settings = {"n_estimators": 50, "min_samples_leaf": leaf, "max_leaf_nodes": most, "max_features": 1 / 3}
    model = (RandomForestClassifier if classes else RandomForestRegressor)(**settings, random_state=SEED)
    share = (lambda value: value[0] / value[0].sum()) if classes else (lambda value: value[0])
    return model, lambda: {"kind": "forest", **trees_of(model.estimators_, share)}


def boosting(classes):
    settings = {"n_estimators": 100, "max_depth": 3, "learning_rate": 0.1, "subsample": 0.8, "random_state": SEED}
    model = (GradientBoostingClassifier if classes else GradientBoostingRegressor)(**settings)

    def export():
        prior = model.init_.class_prior_[1] if classes else 0
        start = np.log(prior / (1 - prior)) if classes else model.init_.constant_[0, 0]
        return {"kind": "boosting", "start": short(start, 12), "rate": 0.1, "logistic": bool(classes),
                **trees_of(model.estimators_[:, 0], lambda value: value[0])}

    return model, export


def network(classes, hidden, penalty=3):
    # Without a larger penalty, a network that predicts numbers learns the noise of so few rows.
    settings = {"hidden_layer_sizes": hidden, "activation": "tanh", "max_iter": 2000, "random_state": SEED}
    model = MLPClassifier(**settings, alpha=0.01) if classes else MLPRegressor(**settings, alpha=penalty)

    def export():
        layers = [{"weights": short(weights, 7), "offsets": short(offsets, 7)}
                  for weights, offsets in zip(model.coefs_, model.intercepts_)]
        last = {"identity": "identity", "logistic": "logistic", "softmax": "softmax"}[model.out_activation_]
        return {"kind": "network", "layers": layers, "last": last}

    return model, export


PLANS = {
    "iris": {"forest": lambda k: forest(k, 3, None), "network": lambda k: network(k, (16, 16))},
    "wine": {"forest": lambda k: forest(k, 2, None), "network": lambda k: network(k, (24, 12))},
    "diabetes": {"boosting": boosting, "network": lambda k: network(k, (24, 12))},
    "cancer": {"boosting": boosting, "network": lambda k: network(k, (24, 12))},
    "digits": {"forest": lambda k: forest(k, 3, 48), "network": lambda k: network(k, (32,))},
    "meps": {"forest": lambda k: forest(k, 20, 64), "boosting": boosting, "network": lambda k: network(k, (24, 12), 30)},
}


def made_rows(table):
    """Rows of no person, to check the models of the survey: means plus and minus a deviation, and all levels in turn."""
    def value(column, i):
        return column["levels"][i % len(column["levels"])] if column["kind"] == "categorical" else short(
            column["mean"] + (i - 2) * column["spread"] / 2, 5)
    return [[value(column, i) for column in table] for i in range(CHECKED)]


def write(name, what):
    (HERE / "models" / f"{name}.json").write_text(json.dumps(what, separators=(",", ":")) + "\n", encoding="utf-8")


def prepare(name):
    rows, answers, columns, categorical, classes = survey() if name == "meps" else bundled(name)
    order = np.random.default_rng(SEED).permutation(len(rows))
    train, test = np.split(order, [round(0.8 * len(rows))])
    table = [column_of(one, rows[train, c], one in categorical) for c, one in enumerate(columns)]
    is_level = np.array([column["kind"] == "categorical" for column in table])
    spread = np.array([column.get("spread") or 1 for column in table])
    known = np.array([all(column["kind"] == "numeric" or rows[i, c] in column["levels"] for c, column in enumerate(table))
                      for i in range(len(rows))])
    explained = [int(i) for i in test if known[i]][:EXPLAINED]
    usable = np.where(known[:, None], rows, np.nan)
    near = [[int(j) for j in nearest(usable, is_level, spread, i)] for i in explained]
    checked = made_rows(table) if name == "meps" else short(rows[explained[:CHECKED]])
    public = {"rows": short(rows[sorted({*explained, *sum(near, [])})])} if name != "meps" else {}
    places = {i: at for at, i in enumerate(sorted({*explained, *sum(near, [])}))} if public else None
    place = (lambda i: places[i]) if places else (lambda i: i)
    write(name, {"source": SOURCES[name], "classes": classes, "table": {"rows": len(train), "columns": table}, **public,
                 "checked": checked, "explained": [place(i) for i in explained], "neighbors": [[place(j) for j in one] for one in near]})
    return rows, answers, train, test, table, classes, np.array(checked, dtype=float)


def train(name):
    rows, answers, known, held, table, classes, checked = prepare(name)
    encode = Encoder(table)
    for kind, plan in PLANS[name].items():
        model, export = plan(classes)
        see = encode if kind == "network" else (lambda some: some)
        middle, unit = (0, 1) if classes or kind != "network" else (answers[known].mean(), answers[known].std())
        model.fit(see(rows[known]), answers[known] if classes else (answers[known] - middle) / unit)
        score = model.score(see(rows[held]), answers[held] if classes else (answers[held] - middle) / unit)
        if classes:
            predicted = model.predict_proba(see(checked))
        else:
            predicted = middle + unit * model.predict(see(checked))
        scale = {} if classes or kind != "network" else {"middle": short(middle), "unit": short(unit)}
        write(f"{name}-{kind}", {**export(), **scale, "score": short(score, 3), "expected": short(predicted, 8)})
        print(f"{name}, {kind}: {'accuracy' if classes else 'R2'} {score:.3f} on {len(held)} other rows", flush=True)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PLANS:
        train(wanted)
