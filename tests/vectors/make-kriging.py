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
TRIED = 192

# name, samples, kinds of columns (n: normal, b: binary, l: binary with levels, c: constant), kind of answers
CASES = [
    ("steps", 60, "nnn", "steps"),
    ("curves", 45, "nn", "curves"),
    ("one column", 30, "n", "steps"),
    ("mixed columns", 70, "nbcnb", "steps"),
    ("binary columns", 40, "bbb", "curves"),
    ("more samples than are tried", 209, "nnnb", "both"),
    ("levels and a normal column", 60, "nl", "levels"),
    ("levels", 205, "llbnl", "levels"),
    ("a line", 50, "nnb", "line"),
    ("two samples", 2, "n", "line"),
    ("three samples", 3, "nb", "curves"),
    ("no column", 12, "c", "noise"),
]


def law_of(kind, j):
    """Returns mean, spread and unit of a column."""
    if kind == "c":
        return 0.5, 0.0, 0.0
    if kind in "bl":
        p = (2 + j) / 8
        return p, math.sqrt(p * (1 - p)), math.sqrt(p * (1 - p))
    return 0.25 * j, 0.75 + 0.125 * j, 1 + 0.25 * j


OWN_LEVEL = 1


def frequencies_of(j):
    """Of the levels of column j."""
    return (np.arange(3 + j % 3) + 1 + j % 2) / 32


def level_of(i, j, own):
    other = (i * 7 + j * 3) % (len(frequencies_of(j)) - 1)
    return OWN_LEVEL if own else other + (other >= OWN_LEVEL)


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
            points[i, j] = 0.5 if kind == "c" else (1.0 if first < mean else 0.0) if kind in "bl" else mean + unit * z
            square = square + z * z
        weights[i] = 1 / (1 + square)
        x, last = points[i, 0], points[i, -1]
        noise = ((i + 1) * 7877) % 31 / 31
        steps = (2.0 if x > 0.3 else 0.0) + (1.0 if last > 0.7 else 0.0) + 0.125 * x
        curves = x * last + 0.5 * x * x - 0.25 * last
        line = 1 + 2 * x - 0.5 * last
        levels = steps
        for j, kind in enumerate(kinds):
            if kind == "l" and level_of(i, j, points[i, j] > 0) == 2:
                levels = levels + (0.75 if points[i, 0] > 0.5 else 0.5)
        answers[i] = {"levels": levels, "steps": steps, "curves": curves, "both": steps + curves, "line": line, "noise": 0.0}[answer]
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
        elif kind == "l":
            # The level is in the fraction of an imaginary part; each level is a node.
            share = frequencies_of(j)
            share[OWN_LEVEL] = 0
            share = (1 - mean) * share / share.sum()
            share[OWN_LEVEL] = mean
            level = np.array([level_of(i, j, x > 0) for i, x in enumerate(points[:, j])])
            columns.append(points[:, j] - mean + 1j * level)
            laws.append(("l", (np.arange(len(share)) == OWN_LEVEL) - mean + 1j * np.arange(len(share)), share))
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
    if kind == "l":
        return (x[:, None].imag == y[None].imag).astype(float)
    x, y = x.real, y.real
    if kind == "b":
        middle = law_nodes.mean()
        return ((x[:, None] > middle) == (y[None] > middle)).astype(float)
    return np.mean([(x[:, None] > c) == (y[None] > c) for c in KNOTS], axis=0)


def square_column(kind, x, y):
    """Returns the squared distance of each x and each y, for one column. Different levels are 1 apart."""
    if kind == "l":
        return (x[:, None].imag != y[None].imag).astype(float)
    return (x[:, None].real - y[None].real) ** 2


def kernels(z, laws, relevance):
    d = max(z.shape[1], 1)
    steps = [step_column(kind, nodes, z[:, j], z[:, j]) for j, (kind, nodes, _) in enumerate(laws)]
    squares = sum(
        relevance[j] * square_column(kind, z[:, j], z[:, j]) for j, (kind, _, _) in enumerate(laws)
    ) + np.zeros((len(z), len(z)))
    return (
        (relevance * z.real) @ z.real.T / d,
        np.tensordot(relevance, steps, 1) / d if steps else np.ones((len(z), len(z))),
        [np.exp(-squares / (2 * length**2 * d)) for length in LENGTHS],
    )


def linear_part(z, laws, relevance, alpha, a, f, length):
    """Integrates m with each column, and with the column times its coordinate. Returns its mean and its slopes."""
    d = z.shape[1]
    means, slopes = np.zeros((2, len(z), d)), np.zeros((2, len(z), d))
    for j, (kind, nodes, weights) in enumerate(laws):
        bells = np.exp(-relevance[j] * square_column(kind, nodes, z[:, j]) / (2 * length**2 * d))
        for k, values in enumerate((step_column(kind, nodes, nodes, z[:, j]), bells)):
            means[k, :, j] = weights @ values
            slopes[k, :, j] = (weights * nodes.real) @ values / (weights @ nodes.real**2)
    constant = a * alpha.sum() if d == 0 else a * alpha @ (means[0] @ relevance) / d
    line = a * relevance * (alpha @ slopes[0]) / max(d, 1)
    constant += f * alpha @ means[1].prod(axis=1)
    for j in range(d):
        line[j] += f * alpha @ (np.delete(means[1], j, axis=1).prod(axis=1) * slopes[1][:, j])
    return constant, line


class Search:
    """Coordinate descent on the leave-one-out error of the first samples, for given relevances."""

    def __init__(self, z, laws, relevance, weights, standard):
        self.products, self.steps, self.bells = kernels(z, laws, relevance)
        self.weights, self.standard, self.tried, self.memo = weights, standard, min(len(z), TRIED), {}

    def inverse(self, index, n):
        a, f, l, g = index
        smooth = STEPS[a] * self.steps + BELLS[f] * self.bells[l]
        whole = 100 + 8 * self.products + smooth + NUGGETS[g] * np.eye(len(smooth))
        return np.linalg.inv(whole[:n, :n]), smooth

    def error(self, index):
        if index[1] == 0:
            index = index[:2] + (0,) + index[3:]
        if index not in self.memo:
            found = self.inverse(index, self.tried)[0]
            residuals = found @ self.standard[: self.tried] / np.diag(found)
            self.memo[index] = self.weights[: self.tried] @ residuals**2
        return self.memo[index]

    def improve(self, index, grid):
        return min((index[:grid] + (v,) + index[grid + 1 :] for v in range(4)), key=self.error)

    def descend(self, index):
        for _ in range(3):
            for grid in (1, 0, 3, 2):
                index = self.improve(index, grid)
        return index


def krige(case):
    points, weights, answers = sample(case)
    z, laws = coordinates(points, CASES[case][2])
    count, d = z.shape
    center = weights @ answers / weights.sum()
    scale = math.sqrt(weights @ (answers - center) ** 2 / weights.sum())
    standard = (answers - center) / scale
    relevance = np.ones(d)
    search = Search(z, laws, relevance, weights, standard)
    off = search.improve((0, 0, 0, 0), 3)
    off_error, choice = search.error(off), search.descend((2, 2, 2, 2))
    if d > 0 and choice[:2] != (0, 0):
        n, (a, f, l, _) = search.tried, choice
        alpha = search.inverse(choice, n)[0] @ standard[:n]
        slopes = linear_part(z[:n], laws, relevance, alpha, STEPS[a], BELLS[f], LENGTHS[l])[1] + 8 / d * alpha @ z[:n].real
        second = 0.2 + 0.8 * abs(slopes) / abs(slopes).mean()
        other = Search(z, laws, second, weights, standard)
        found = other.descend(choice)
        if other.error(found) < search.error(choice):
            search, choice, relevance = other, found, second
    gain = max(off_error / search.error(choice), 1)
    if gain == 1:
        search, choice, relevance = Search(z, laws, np.ones(d), weights, standard), off, np.ones(d)
    found, smooth = search.inverse(choice, count)
    alpha = found @ standard
    values = [grid[v] for grid, v in zip(GRIDS, choice)]
    constant, slopes = linear_part(z, laws, relevance, alpha, *values[:3])
    control = scale * (smooth @ alpha - constant - z.real @ slopes) * (gain > 1)
    print(CASES[case][0], values, "gain", gain, "relevance", relevance)
    return values, gain, control, scale * alpha / np.diag(found)


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
