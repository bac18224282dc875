"""Writes bend_vectors.h: control variates by dense numpy, without the shortcuts of src/adjust/bend.c.

Run it with Debian's python3 and python3-numpy, python3-scipy:

    /usr/bin/python3 tests/vectors/make-bend.py && npm run format

bend_test.c makes the same points, weights and answers, so only results are stored. The linear parts of masks come from
a regression on all sizes and their exact conditional moments, solved as a system of d + 1 equations.
"""

import pathlib

import numpy as np
from scipy.special import gammaln
from scipy.stats import norm

HERE = pathlib.Path(__file__).parent
KNOTS = np.array([-1.4, -0.8, -0.25, 0.25, 0.8, 1.4])
STEPPED = 10
EXACT_WORK = 1e6
EXACT_SAMPLES = 16
PAIRED, PAIRED_IN_LINE, ROW_PAIRED = 12, 8, 8
MOST_IN_LINE = 32
PRODUCT_PENALTIES = [1, 3, 0.3]
PAIR_PENALTIES = [1, 30, 1e12]
SHOWN = 6

# name, samples, kinds of the columns (n: normal, b: binary, l: binary with levels, c: constant;
# m: parts of a mask), ridge (-1: automatic)
CASES = [
    ("three normal columns", 120, "nnn", -1),
    ("ten normal columns, leverages shared", 700, "n" * 10, -1),
    ("more columns than have steps", 300, "n" * 13, -1),
    ("normal, binary and constant columns", 150, "nbncb", -1),
    ("binary columns only", 90, "bbbb", -1),
    ("columns with levels", 160, "nlnl", -1),
    ("more levels than are terms", 700, "nlllllllllllllll", -1),
    ("levels only", 120, "lbl", -1),
    ("one column", 60, "n", 0.5),
    ("more samples than are fitted", 2300, "nnb", -1),
    ("a mask of eight parts", 100, "m" * 8, -1),
    ("a mask of forty parts", 300, "m" * 40, -1),
    ("a mask of sixty parts, leverages shared", 700, "m" * 60, -1),
    ("a mask with a ridge", 80, "m" * 6, 2.5),
    ("a mask of three parts", 60, "m" * 3, -1),
    ("pairs of twenty parts", 1000, "m" * 20, -1),
    ("neighbors, also with a gap between them", 500, "m" * 17, -1),
    ("neighbors without a gap", 300, "m" * 13, -1),
]
MOST_FITTED = 1025
# Masks with so many parts have answers in which neighbors matter; the factor of those with a gap between them.
IN_LINE = {17: 0.1, 13: 0}


def remainder(i, factor, prime):
    return ((i + 1) * factor % prime) / prime


def law_of(kind, j):
    """mean, spread"""
    p = (2 + j % 5) / 8
    if kind == "c":
        return 0.5, 0.0
    if kind in "bl":
        return p, np.sqrt(p * (1 - p))
    return 0.25 * (j % 4), 0.75 + 0.125 * (j % 3)


def sizes_of(d):
    """The kernel-weighted share of the masks by size: LIME's for texts."""
    q = np.arange(d + 1)
    share = np.where(q < d, 1 / d, 0.0) * np.exp(-0.5 * (100 * (1 - np.sqrt(q / d)) / 25) ** 2)
    return share / share.sum()


OWN_LEVEL, MOST_LEVELS = 1, 48


def frequencies_of(j):
    """Of the levels of column j."""
    count = 3 + j % 3
    return (np.arange(count) + 1 + j % 2) / 32


def levels_of(j, ones):
    """The levels of column j: the row's where the column is 1, otherwise one of the others."""
    count = len(frequencies_of(j))
    other = (np.arange(len(ones)) * 7 + j * 3) % (count - 1)
    return np.where(ones > 0, OWN_LEVEL, other + (other >= OWN_LEVEL))


def problem(n, kinds):
    d = len(kinds)
    i = np.arange(n, dtype=np.int64)
    if kinds[0] == "m":
        kept = np.floor(remainder(i, 7603, 12289) * d)
        draw = np.array([remainder(i * (j + 3) + j, 3079, 12289) for j in range(d)]).T
        rank = draw.argsort(1, kind="stable").argsort(1, kind="stable")
        x = (rank < kept[:, None]).astype(float)
        w = np.exp(-0.5 * (100 * (1 - np.sqrt(kept / d)) / 25) ** 2)
        b = np.array([1 - 0.37 * (j % 5) for j in range(d)])
        t = (x * b).sum(1) * 4 / d
        y = t / (1 + t * t) + 0.9 * x[:, 0] * x[:, 1] + 0.05 * remainder(i, 7919, 104729)
        if d in IN_LINE:
            y = y + IN_LINE[d] * sum((-1) ** j * x[:, j] * (1 - x[:, j + 1]) * x[:, j + 2] for j in range(d - 2))
            y = y + 0.1 * sum((-1) ** (j // 2) * x[:, j] * x[:, j + 1] for j in range(d - 1))
        return x, w, y
    z = np.empty((n, d))
    for j in range(d):
        u = [remainder(i * (5 * k + 2 * j + 1) + j, 7919 + 1000 * k + 17 * j, 104729) for k in range(4)]
        z[:, j] = (u[0] + u[1] + u[2] + u[3] - 2) * 1.7320508075688772
    x = np.empty((n, d))
    for j, kind in enumerate(kinds):
        mean, spread = law_of(kind, j)
        if kind == "n":
            x[:, j] = mean + spread * z[:, j]
        elif kind == "c":
            x[:, j] = mean
        else:
            x[:, j] = z[:, j] > 0.3
    w = 0.25 + 0.75 * remainder(i, 4027, 104729)
    t = x @ np.array([0.9 - 0.4 * (j % 4) for j in range(d)])
    y = t / (1 + t * t) + (x[:, 0] > 0.4) * 0.5 + 0.05 * remainder(i, 6113, 104729)
    for j, kind in enumerate(kinds):
        if kind == "l":
            y = y + (levels_of(j, x[:, j]) == 2) * 0.0625
    return x, w, y


def leave_one_out(columns, w, y, penalty):
    sw = w.sum()
    a = columns - w @ columns / sw
    m = np.linalg.inv((a * w[:, None]).T @ a + np.diag(penalty))
    c = m @ (a * w[:, None]).T @ (y - w @ y / sw)
    p = columns.shape[1]
    if len(w) * p * p / 2 <= EXACT_WORK and len(w) <= EXACT_SAMPLES * p:
        h = w / sw + w * np.einsum("ij,jk,ik->i", a, m, a)
    else:
        h = w / sw * (1 + np.sum(1 - penalty * np.diag(m)))
    e = (y - w @ y / sw - a @ c) / (1 - np.minimum(h, 0.98))
    return w @ e**2, c, e


def mask_terms(b, sizes, x):
    """Terms, and their linear parts [constant, slopes] by the conditional moments of t given the size."""
    d = len(b)
    q = np.arange(d + 1.0)
    r = [np.ones(d + 1)]
    for k in range(4):
        r.append(r[-1] * np.maximum(q - k, 0) / max(d - k, 1))
    p = [d, b.sum(), (b**2).sum(), (b**3).sum()]
    m = [
        r[0],
        r[1] * p[1],
        r[1] * p[2] + r[2] * (p[1] ** 2 - p[2]),
        r[1] * p[3] + 3 * r[2] * (p[1] * p[2] - p[3]) + r[3] * (p[1] ** 3 - 3 * p[1] * p[2] + 2 * p[3]),
    ]
    o = b[:, None]
    p1, p2, p3 = p[1] - o, p[2] - o**2, p[3] - o**3
    e1 = r[2] * p1
    e2 = r[2] * p2 + r[3] * (p1**2 - p2)
    e3 = r[2] * p3 + 3 * r[3] * (p1 * p2 - p3) + r[4] * (p1**3 - 3 * p1 * p2 + 2 * p3)
    own = [
        np.tile(r[1], (d, 1)),
        r[1] * o + e1,
        r[1] * o**2 + 2 * o * e1 + e2,
        r[1] * o**3 + 3 * o**2 * e1 + 3 * o * e2 + e3,
    ]
    a = [np.vstack([m[k][None], own[k]]) for k in range(4)]
    mu = sizes @ m[1]
    sd = np.sqrt(sizes @ m[2] - mu**2)
    qm = sizes @ q
    qs = np.sqrt(sizes @ (q - qm) ** 2)
    s = (q - qm) / qs
    c = [
        a[0],
        (a[1] - mu * a[0]) / sd,
        (a[2] - 2 * mu * a[1] + mu**2 * a[0]) / sd**2,
        (a[3] - 3 * mu * a[2] + 3 * mu**2 * a[1] - mu**3 * a[0]) / sd**3,
    ]
    powers = [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]
    right = np.column_stack([c[i] @ (sizes * s**j) for i, j in powers])
    one, two = sizes @ r[1], sizes @ r[2]
    gram = np.full((d + 1, d + 1), two)
    gram[0] = gram[:, 0] = one
    gram[0, 0] = 1
    gram[np.arange(1, d + 1), np.arange(1, d + 1)] = one
    t, s = (x @ b - mu) / sd, (x.sum(1) - qm) / qs
    return np.column_stack([t**i * s**j for i, j in powers]), np.linalg.solve(gram, right)


def mask_products(b, sizes, x):
    """1 where all parts of a product are kept, the linear parts by the probabilities that some parts are kept, and how many
    products there are with close neighbors, with all neighbors, and in all."""
    d = len(b)
    q = np.arange(d + 1.0)
    kept = [np.sum(sizes)]
    for k in range(4):
        kept.append(sizes @ np.prod([np.maximum(q - j, 0) / max(d - j, 1) for j in range(k + 1)], 0))
    gram = np.full((d + 1, d + 1), kept[2])
    gram[0] = gram[:, 0] = kept[1]
    gram[0, 0] = 1
    gram[np.arange(1, d + 1), np.arange(1, d + 1)] = kept[1]
    line = d if 2 < d <= MOST_IN_LINE else 0
    close = [(c, c + 1) for c in range(line - 1)]
    further = [one for c in range(line - 2) for one in ((c, c + 2), (c, c + 1, c + 2))]
    leading = sorted(range(d), key=lambda j: -abs(b[j]))[: PAIRED_IN_LINE if line else PAIRED] if d > 2 else []
    pairs = [(leading[i], leading[k]) for k in range(len(leading)) for i in range(k)]
    products = close + further + [(i, k) for i, k in pairs if abs(i - k) > 2 or not line]
    right = np.zeros((d + 1, len(products)))
    for k, parts in enumerate(products):
        right[:, k] = kept[len(parts) + 1]
        right[[0, *(1 + np.array(parts))], k] = kept[len(parts)]
    terms = [x[:, list(parts)].prod(1) for parts in products]
    counts = sorted({len(close), len(close + further), len(products)} - {0})
    return np.array(terms).reshape(len(products), len(x)).T, np.linalg.solve(gram, right), counts


def row_terms(b, laws, kinds, x):
    mean, spread = laws.T
    normal = np.array([k == "n" for k in kinds])
    binary = np.array([k in "bl" for k in kinds])
    n, d = x.shape
    dn = normal.sum()
    terms, linear = [], []
    if dn:
        t = (x - mean)[:, normal] @ b[normal] / np.sqrt(np.sum((b * spread)[normal] ** 2))
        r2 = np.sum(((x - mean)[:, normal] / spread[normal]) ** 2, 1)
        terms += [t**2 - 1, t**3 - 3 * t, t * (r2 - dn - 2) / np.sqrt(dn), (r2 - dn) / np.sqrt(dn)]
        linear += [np.zeros(d + 1)] * 4
    if binary.any():
        f = b * binary / np.sqrt(np.sum((b * spread)[binary] ** 2))
        q = (x - mean) @ f
        if dn:
            terms.append(t * q)
            linear.append(np.zeros(d + 1))
        slopes = f**2 * (1 - 2 * mean)
        terms.append(q**2 - 1)
        linear.append(np.r_[-slopes @ mean, slopes])
    return np.column_stack(terms), np.column_stack(linear)


def row_products(b, laws, x):
    """Products of two of the leading columns, which have no linear part."""
    mean, spread = laws.T
    leading = sorted(np.flatnonzero(spread > 0), key=lambda j: -abs(b[j]) * spread[j])[:ROW_PAIRED]
    z = [(x[:, j] - mean[j]) / spread[j] for j in leading]
    products = [z[i] * z[k] for k in range(len(z)) for i in range(k)]
    return np.array(products).reshape(len(products), len(x)).T


def index_steps(b, laws, kinds, x):
    """Steps along the fitted sum over the normal columns, and their linear parts."""
    mean, spread = laws.T
    normal = np.array([k == "n" for k in kinds])
    if not normal.any():
        return np.zeros((len(x), 0)), np.zeros((x.shape[1] + 1, 0))
    f = b * normal / np.sqrt(np.sum((b * spread)[normal] ** 2))
    t = (x - mean) @ f
    slopes = np.outer(f, norm.pdf(KNOTS))
    return (t[:, None] > KNOTS).astype(float), np.vstack([norm.sf(KNOTS) - mean @ slopes, slopes])


def level_terms(laws, kinds, x):
    """1 where a sample has a level that the row does not have; those of the largest variance. And their linear parts."""
    found = []
    for j, kind in enumerate(kinds):
        if kind != "l":
            continue
        share = frequencies_of(j)
        share[OWN_LEVEL] = 0
        share /= share.sum()
        found += [((1 - laws[j, 0]) * s * (1 - s), j, level, s) for level, s in enumerate(share) if s > 0]
    found = sorted(found, key=lambda one: -one[0])[:MOST_LEVELS]
    terms, linear = np.zeros((len(x), len(found))), np.zeros((x.shape[1] + 1, len(found)))
    for k, (_, j, level, share) in enumerate(found):
        terms[:, k] = levels_of(j, x[:, j]) == level
        linear[0, k], linear[1 + j, k] = share, -share
    return terms, linear


def bend(x, w, y, kinds, ridge):
    n, d = x.shape
    masks = kinds[0] == "m"
    laws = np.array([law_of(k, j) for j, k in enumerate(kinds)])
    ridges = [1, 0.3, 0.1] if masks and ridge == -1 else [1 if ridge == -1 else ridge]
    few = slice(0, min(n, MOST_FITTED))
    xf, wf, yf = x[few], w[few], y[few]
    tries = [(*leave_one_out(xf, wf, yf, np.full(d, r)), r) for r in ridges]
    base = tries[0][0]
    best = min(tries, key=lambda found: found[0])
    b = best[1]
    steps, above = np.zeros((n, 0)), np.zeros((d + 1, 0))
    if not masks:
        normal = [j for j, k in enumerate(kinds) if k == "n"]
        order = sorted(normal, key=lambda j: -abs(b[j]) * laws[j, 1])[:STEPPED]
        parts = [(x[:, j] > laws[j, 0] + laws[j, 1] * c, j, c) for j in order for c in KNOTS]
        if parts:
            steps = np.column_stack([p[0] for p in parts]).astype(float)
            above = np.zeros((d + 1, len(parts)))
            for k, (_, j, c) in enumerate(parts):
                above[1 + j, k] = norm.pdf(c) / laws[j, 1]
                above[0, k] = norm.sf(c) - above[1 + j, k] * laws[j, 0]
    for round_ in range(2):
        terms, linear = mask_terms(b, sizes_of(d), x) if masks else row_terms(b, laws, kinds, x)
        late, late_linear = np.zeros((n, 0)), np.zeros((d + 1, 0))
        if not masks:
            (late, late_linear), (levels, level_linear) = index_steps(b, laws, kinds, x), level_terms(laws, kinds, x)
            late, late_linear = np.column_stack([late, levels]), np.column_stack([late_linear, level_linear])
            if round_ == 1:
                pairs = row_products(b, laws, x)
                terms = np.column_stack([terms, pairs])
                linear = np.column_stack([linear, np.zeros((d + 1, pairs.shape[1]))])
        found = []
        for r in ridges:
            for degree in (3, 7) if masks else (terms.shape[1],):
                for penalty in (0,) if masks else (20, 5, 1.5):
                    own = 0.1 * max(r, 0.1) if masks else 1
                    if round_ == 1 and (r, penalty) != (chosen[0], chosen[2]) or masks and round_ == 1 and degree != chosen[1]:
                        continue
                    columns = np.column_stack([x, terms[:, :degree], late, steps])
                    binary = late.shape[1] + steps.shape[1]
                    for pair in PAIR_PENALTIES if not masks and round_ == 1 else [own]:
                        pen = np.r_[np.full(d, r), np.full(degree, own), np.full(binary, penalty)]
                        if not masks and round_ == 1:
                            pen[d + degree - pairs.shape[1] : d + degree] = pair
                        found.append((*leave_one_out(columns[few], wf, yf, pen), (r, degree, penalty, pair), columns))
        if masks and round_ == 1:
            products, parts, counts = mask_products(b, sizes_of(d), x)
            r = chosen[0]

            def product_trial(count, penalty):
                columns = np.column_stack([x, terms, products[:, :count]])
                pen = np.r_[np.full(d, r), np.full(7, 0.1 * max(r, 0.1)), np.full(count, penalty)]
                # A trial of try_products; its degree counts the products too.
                return (*leave_one_out(columns[few], wf, yf, pen), (r, 7 + count, penalty), columns)

            sets = [product_trial(count, PRODUCT_PENALTIES[0]) for count in counts]
            if sets:
                count = min(sets, key=lambda one: one[0])[3][1] - 7
                found += sets + [product_trial(count, penalty) for penalty in PRODUCT_PENALTIES[1:]]
            linear = np.column_stack([linear, parts])
        now = min(found, key=lambda one: one[0])
        assert now[0] < best[0]
        chosen, columns = now[3], now[4]
        parts = np.column_stack([linear[:, : chosen[1]], late_linear, above])
        b = now[1][:d] + parts[1:] @ now[1][d:]
    c = now[1]
    control = columns[:, d:] @ c[d:] - np.column_stack([np.ones(n), x]) @ (parts @ c[d:])
    e = np.empty(n)
    e[few] = now[2]
    rest = slice(MOST_FITTED, n)
    sw = wf.sum()
    e[rest] = y[rest] - wf @ yf / sw - (columns[rest] - wf @ columns[few] / sw) @ c
    return base / now[0], chosen[0], control, e, chosen


def main():
    lines = ["/* bend_vectors.h: written by make-bend.py, do not edit. */", "static const bend_case CASES[] = {"]
    for name, n, kinds, ridge in CASES:
        x, w, y = problem(n, kinds)
        gain, used, control, e, trial = bend(x, w, y, kinds, ridge)
        shown = lambda v: "{" + ", ".join(repr(float(one)) for one in list(v[:SHOWN]) + [v[-1]]) + "}"
        lines.append(f'    {{"{name}", {n}, "{kinds}", {ridge}, {gain!r}, {used},')
        lines.append(f"     {shown(control)},")
        lines.append(f"     {shown(e)},")
        lines.append(f"     {float(w @ control**2)!r}, {float(w @ e**2)!r}}},")
        print(name, gain, used, trial)
    lines.append("};")
    (HERE / "bend_vectors.h").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
