"""Makes designs.h: Sobol points by scipy and normal quantiles by mpmath, for the C tests of designed samples.

    apt-get install python3-scipy python3-mpmath
    /usr/bin/python3 tests/vectors/make-designs.py

With the option --tables FILE, it prints instead the numbers that src/base holds: the table of sobol.c from FILE, which is
Joe and Kuo's new-joe-kuo-6.21201 as "dimension,polynomial,initial numbers", and the coefficients of normal_quantile.c.
"""

import pathlib
import sys

from mpmath import cos, erfc, erfinv, exp, log, lu_solve, matrix, mp, mpf, npdf, pi, sqrt

HERE = pathlib.Path(__file__).parent
DIMENSIONS, POINTS = 53, 4096
mp.dps = 40


def quantile(share):
    """The standard normal quantile of a share up to 1/2."""
    if share > mpf("1e-6"):
        return sqrt(2) * erfinv(2 * share - 1)
    t = sqrt(-2 * log(share))
    z = -(t - (log(t) + log(2 * pi) / 2) / t)
    for _ in range(60):
        step = (erfc(-z / sqrt(2)) / 2 - share) / npdf(z)
        z -= step / (1 + z * step / 2)
    return z


def fit(function, low, high, above, below, count=120, rounds=40):
    """A rational function with nearly the least largest relative error on [low, high], by reweighted least squares."""
    at = [(low + high) / 2 - (high - low) / 2 * cos(pi * (i + mpf(1) / 2) / count) for i in range(count)]
    values = [function(x) for x in at]
    weights, bottoms, best = [mpf(1)] * count, [mpf(1)] * count, None
    for _ in range(rounds):
        left, right = matrix(count, above + 1 + below), matrix(count, 1)
        for i, (x, y) in enumerate(zip(at, values)):
            scale = weights[i] / (y * bottoms[i])
            for j in range(above + 1):
                left[i, j] = scale * x**j
            for j in range(1, below + 1):
                left[i, above + j] = -scale * y * x**j
            right[i] = scale * y
        solved = lu_solve(left.T * left, left.T * right)
        top = [solved[j] for j in range(above + 1)]
        bottom = [mpf(1)] + [solved[above + j] for j in range(1, below + 1)]
        value = lambda terms, x: sum(term * x**j for j, term in enumerate(terms))
        bottoms = [value(bottom, x) for x in at]
        errors = [abs(value(top, x) / b / y - 1) for x, b, y in zip(at, bottoms, values)]
        if best is None or max(errors) < best[0]:
            best = (max(errors), top, bottom)
        weights = [w * sqrt(e / max(errors) + mpf("1e-3")) for w, e in zip(weights, errors)]
        weights = [w / max(weights) for w in weights]
    return best


def print_fit(name, best):
    print(f"{name}: largest relative error {mp.nstr(best[0], 3)}")
    for terms in best[1:]:
        print("   ", ", ".join(mp.nstr(term, 18) for term in terms))


def print_tables(path):
    polynomials, numbers = [], []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("#") or int(line.split(",")[0]) > DIMENSIONS:
            continue
        _, polynomial, initial = line.split(",")
        polynomials.append(int(polynomial) >> 1)
        packed = 0
        for k, number in enumerate(map(int, initial.split()), start=1):
            reversed_bits = int(format(number, f"0{k}b")[::-1], 2)
            packed |= (reversed_bits - (1 << (k - 1))) << ((k - 1) * (k - 2) // 2)
        numbers.append(packed)
    print(", ".join(map(str, polynomials)))
    print(", ".join(f"0x{number:07x}" for number in numbers))
    half = mpf(1) / 2
    central = lambda r: -quantile(half - sqrt(r)) / sqrt(r)
    print_fit("central", fit(central, mpf(10) ** -10, (mpf(15) / 32) ** 2, 5, 5))
    tail = lambda t: -quantile(exp(-t * t / 2))
    print_fit("tail", fit(tail, sqrt(2 * log(mpf(32))), sqrt(100 * log(mpf(2))), 4, 3))


def write_vectors():
    import scipy
    from scipy.stats import qmc

    points = qmc.Sobol(DIMENSIONS, scramble=False, bits=32).random(POINTS)
    rows = [0, 1, 2, 3, 5, 7, 12, 100, 255, 256, 1000, 2047, 2048, 3000, 4095]
    lines = [f"/* designs.h: Sobol points by scipy {scipy.__version__} and normal quantiles by mpmath; made by make-designs.py. */"]
    lines += ["#ifndef LINEX_TEST_DESIGNS_H", "#define LINEX_TEST_DESIGNS_H", "", "#include <stdint.h>", ""]
    lines += ["/* scipy lists the points in the order of the Gray code: its point i is point i ^ (i >> 1). */"]
    lines += [f"static const uint32_t SOBOL_ROWS[] = {{{', '.join(map(str, rows))}}};"]
    lines += [f"static const uint32_t SOBOL_POINTS[][{DIMENSIONS}] = {{"]
    lines += ["    {" + ", ".join(f"0x{int(value * 2**32):x}" for value in points[row]) + "}," for row in rows]
    words = [0, 1, 2, 5, 100, 4295, 4294967, 134217726, 134217727, 134217728, 134217729, 429496730, 1073741824]
    words += [1717986918, 2147483000, 2147483646, 2147483647]
    lines += ["};", "", "/* Words, and the standard normal quantiles of (word + 1/2) / 2^32. */"]
    lines += ["static const struct {", "    uint32_t word;", "    double quantile;", "} QUANTILES[] = {"]
    for word in words:
        lines += [f"    {{{word}, {float(quantile((word + mpf(1) / 2) / 2**32))!r}}},"]
    lines += ["};", "", "#endif", ""]
    (HERE / "designs.h").write_text("\n".join(lines))


if len(sys.argv) == 3 and sys.argv[1] == "--tables":
    print_tables(sys.argv[2])
else:
    write_vectors()
