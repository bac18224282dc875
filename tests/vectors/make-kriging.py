"""Makes kriging_vectors.h: kriging by numpy, with dense inverses and linear parts by numerical integration.

    apt-get install python3-numpy
    /usr/bin/python3 tests/vectors/make-kriging.py

The C test includes the header and makes the same samples by the same arithmetic; it needs no Python.
"""

import math
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
KNOTS = np.array([-2, -1.4, -1, -0.6, -0.25, 0, 0.25, 0.6, 1, 1.4, 2])
STEPS, BELLS, LENGTHS, NUGGETS = GRIDS = [(0, 2, 8, 32), (0, 2, 8, 32), (0.5, 0.8, 1.3, 2.5), (0.01, 0.1, 0.4, 1.5)]
TRIED = 128

# name, samples, kinds of columns (n: normal, b: binary, c: constant), kind of answers
CASES = [
    ("steps", 60, "nnn", "steps"),
    ("curves", 45, "nn", "curves"),
    ("one column", 30, "n", "steps"),
    ("mixed columns", 70, "nbcnb", "steps"),
    ("binary columns", 40, "bbb", "curves"),
    ("more samples than are tried", 209, "nnnb", "both"),
    ("a line", 50, "nnb", "line"),
    ("two samples", 2, "n", "line"),
    ("three samples", 3, "nb", "curves"),
    ("no column", 12, "c", "noise"),
]


def law_of(kind, j):
    """Returns mean, spread and unit of a column."""
    if kind == "c":
        return 0.5, 0.0, 0.0
    if kind == "b":
        p = (2 + j) / 8
        return p, math.sqrt(p * (1 - p)), math.sqrt(p * (1 - p))
    return 0.25 * j, 0.75 + 0.125 * j, 1 + 0.25 * j


def sample(case):
    """Makes points, weights and answers with operations that are exact or correctly rounded, as the C test does."""
    _, count, kinds, answer = CASES[case]
    points, weights, answers = np.zeros((count, len(kinds))), np.zeros(count), np.zeros(count)
    for i in range(count):
        square = 0.0
        for j, kind in enumerate(kinds):
            mean, _, unit = law_of(kind, j)
            first, second = ((i + 1) * (7919 + 613 * j)) % 1009 / 1009, ((i + 1) * (104729 + 811 * j)) % 2003 / 2003
            z = 3 * (first + second - 1)
            points[i, j] = 0.5 if kind == "c" else (1.0 if first < mean else 0.0) if kind == "b" else mean + unit * z
            square = square + z * z
        weights[i] = 1 / (1 + square)
        x, last = points[i, 0], points[i, -1]
        noise = ((i + 1) * 7877) % 31 / 31
        steps = (2.0 if x > 0.3 else 0.0) + (1.0 if last > 0.7 else 0.0) + 0.125 * x
        curves = x * last + 0.5 * x * x - 0.25 * last
        line = 1 + 2 * x - 0.5 * last
        answers[i] = {"steps": steps, "curves": curves, "both": steps + curves, "line": line, "noise": 0.0}[answer]
        answers[i] = answers[i] + 0.0625 * noise
    return points, weights, answers


def coordinates(points, kinds):
    """Leaves out constant columns. Returns the coordinates and, per column, the nodes and weights of its law."""
    columns, laws = [], []
    for j, kind in enumerate(kinds):
        mean, spread, unit = law_of(kind, j)
        if kind == "b":
            columns.append(points[:, j] - mean)
            laws.append(("b", np.array([-mean, 1 - mean]), np.array([1 - mean, mean])))
        elif kind == "n":
            columns.append((points[:, j] - mean) / unit)
            laws.append(("n", *normal_nodes(spread / unit)))
    return np.array(columns).T.reshape(len(points), len(columns)), laws


def normal_nodes(spread):
    """Gauss-Legendre between the knots, where the steps are smooth."""
    x, w = np.polynomial.legendre.leggauss(60)
    edges = np.concatenate([[-14 * spread - 3], KNOTS, [14 * spread + 3]])
    nodes = np.concatenate([(a + b) / 2 + (b - a) / 2 * x for a, b in zip(edges, edges[1:])])
    weights = np.concatenate([(b - a) / 2 * w for a, b in zip(edges, edges[1:])])
    return nodes, weights * np.exp(-((nodes / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))


def step_column(kind, law_nodes, x, y):
    """Returns the share of equal answers of each x and each y, for one column."""
    if kind == "b":
        middle = law_nodes.mean()
        return ((x[:, None] > middle) == (y[None] > middle)).astype(float)
    return np.mean([(x[:, None] > c) == (y[None] > c) for c in KNOTS], axis=0)


def kernels(z, laws):
    d = max(z.shape[1], 1)
    steps = [step_column(kind, nodes, z[:, j], z[:, j]) for j, (kind, nodes, _) in enumerate(laws)]
    squares = ((z[:, None] - z[None]) ** 2).sum(axis=2)
    return (
        z @ z.T / d,
        np.mean(steps, axis=0) if steps else np.ones((len(z), len(z))),
        [np.exp(-squares / (2 * length**2 * d)) for length in LENGTHS],
    )


def part_of(mean, slopes, z):
    return mean + z @ slopes if len(slopes) else np.full(len(z), mean)


def linear_part(z, laws, alpha, a, f, length):
    """Integrates the function with each column, and with the column times its coordinate."""
    d = z.shape[1]
    means, slopes = np.zeros((2, len(z), d)), np.zeros((2, len(z), d))
    for j, (kind, nodes, weights) in enumerate(laws):
        bells = np.exp(-((nodes[:, None] - z[None, :, j]) ** 2) / (2 * length**2 * d))
        for k, values in enumerate((step_column(kind, nodes, nodes, z[:, j]), bells)):
            means[k, :, j] = weights @ values
            slopes[k, :, j] = (weights * nodes) @ values / (weights @ nodes**2)
    constant = a * alpha.sum() if d == 0 else a * alpha @ means[0].mean(axis=1)
    line = a * alpha @ slopes[0] / max(d, 1)
    constant += f * alpha @ means[1].prod(axis=1)
    for j in range(d):
        line[j] += f * alpha @ (np.delete(means[1], j, axis=1).prod(axis=1) * slopes[1][:, j])
    return part_of(constant, line, z)


def krige(case):
    points, weights, answers = sample(case)
    z, laws = coordinates(points, CASES[case][2])
    count, tried = len(z), min(len(z), TRIED)
    center = weights @ answers / weights.sum()
    scale = math.sqrt(weights @ (answers - center) ** 2 / weights.sum())
    standard = (answers - center) / scale
    products, steps, bells = kernels(z, laws)
    memo = {}

    def inverse(index, n):
        a, f, l, g = index
        smooth = STEPS[a] * steps + BELLS[f] * bells[l]
        whole = 100 + 8 * products + smooth + NUGGETS[g] * np.eye(count)
        return np.linalg.inv(whole[:n, :n]), smooth

    def error(index):
        if index not in memo:
            found = inverse(index, tried)[0]
            residuals = found @ standard[:tried] / np.diag(found)
            memo[index] = weights[:tried] @ residuals**2
        return memo[index]

    def improve(index, grid):
        candidates = [index[:grid] + (v,) + index[grid + 1 :] for v in range(4)]
        return min(candidates, key=lambda one: error(one[:2] + (0,) + one[3:] if one[1] == 0 else one))

    off, current = improve((0, 0, 0, 0), 3), (2, 2, 2, 2)
    for _ in range(3):
        for grid in (1, 0, 3, 2):
            current = improve(current, grid)
    if current[1] == 0:
        current = current[:2] + (0,) + current[3:]
    choice = current if error(current) < error(off) else off
    found, smooth = inverse(choice, count)
    alpha = found @ standard
    values = [grid[v] for grid, v in zip(GRIDS, choice)]
    part = linear_part(z, laws, alpha, values[0], values[1], values[2])
    control = scale * (smooth @ alpha - part) * (choice != off)
    margin = min((abs(e / error(choice) - 1) for one, e in memo.items() if one != choice), default=1)
    print(CASES[case][0], values, "gain", error(off) / error(choice), "margin", margin, "tried", len(memo))
    return values, error(off) / error(choice), control, scale * alpha / np.diag(found)


def array_of(numbers):
    return "{" + ", ".join(f"{number:.10g}" for number in numbers) + "}"


def main():
    lines = [
        "/* kriging_vectors.h: written by make-kriging.py with numpy %s; do not edit. */" % np.__version__,
        "/* clang-format off */",
        "static const kriging_case CASES[] = {",
    ]
    for case, (name, count, kinds, answer) in enumerate(CASES):
        values, gain, control, residuals = krige(case)
        lines += [
            f'{{"{name}", {count}, "{kinds}", "{answer}", {array_of(values)}, {gain:.10g},',
            f" (const double[]){array_of(control)},",
            f" (const double[]){array_of(residuals)}}},",
        ]
    lines += ["};", "/* clang-format on */"]
    (HERE / "kriging_vectors.h").write_text("\n".join(lines) + "\n")


main()
