"""Writes sgd.json: scikit-learn's SGDRegressor.partial_fit with MeLIME's settings, in the order of the samples.

    /usr/bin/python3 tests/vectors/make-sgd.py
"""

import json
import pathlib

import numpy as np
from sklearn.linear_model import SGDRegressor

PASSES = 3
rng = np.random.default_rng(7)
points = rng.normal(size=(12, 4)).round(3)
predictions = rng.uniform(size=12).round(3)
weights = rng.uniform(0.1, 1, size=12).round(3)
# A larger step than MeLIME's, so that a wrong penalty or a wrong order of operations shows.
settings = {"alpha": 0.05, "eta0": 0.03}
model = SGDRegressor(learning_rate="adaptive", shuffle=False, warm_start=True, n_iter_no_change=10000, **settings)
for _ in range(PASSES):
    model.partial_fit(points, predictions, sample_weight=weights)
found = {"coefficients": model.coef_.tolist(), "intercept": float(model.intercept_[0])}
target = pathlib.Path(__file__).parent / "sgd.json"
target.write_text(json.dumps({
    "settings": settings, "passes": PASSES, "points": points.tolist(), "predictions": predictions.tolist(),
    "weights": weights.tolist(), **found,
}, indent=1) + "\n")
