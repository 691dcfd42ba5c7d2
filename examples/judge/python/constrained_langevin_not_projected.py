# SPDX-License-Identifier: MIT
"""RATTLE, then a heat bath, under constraints; wrong: noise is not projected to the constraints."""
import contextlib, math, sys
def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in sys.stdin.readline().split()[1:]]
def push(here, along, b):  # along^T x, where (here M^-1 along^T) x = b; the rows of both stand one after the other
    a = [[sum(here[r + i] * along[s + i] / m[i] for i in range(n)) for s in rows] + [bi] for r, bi in zip(rows, b)]
    for k in range(len(a)):  # the matrix is nearly symmetric and positive: no pivots
        a = [r if r is a[k] else [x - r[k] / a[k][k] * y for x, y in zip(r, a[k])] for r in a]
    return [sum(r[-1] / r[k] * along[s + i] for k, (r, s) in enumerate(zip(a, rows))) for i in range(n)]
def tangent(here, p):
    return [pi - x for pi, x in zip(p, push(here, here, [sum(here[r + i] * p[i] / m[i] for i in range(n)) for r in rows]))]
def step(q, p, h):
    start, sizes, c = ask("constraint_jacobian", *q), [1, 1], math.exp(-bath[0] * h)
    p = [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *q))]
    for _ in range(50):  # Newton's iteration, until its steps are rounding
        end = [qi + h * pi / mi for qi, pi, mi in zip(q, p, m)]
        change = push(here := ask("constraint_jacobian", *end), start, ask("constraint", *end))
        p, sizes = [pi - x / h for pi, x in zip(p, change)], [max(map(abs, change)), sizes[0]]
        if 1e-12 > sizes[0] >= sizes[1] / 2:
            p = tangent(here, [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *end))])
            # Friction and noise over h, exactly; without a bath c is 1, and all kicks are 0.
            kicks = [math.sqrt(bath[1] * mi * (1 - c * c)) * x for mi, x in zip(m, ask("noise", n) if bath[0] else m)]
            return end + [c * pi + x for pi, x in zip(p, kicks)]
    raise ArithmeticError("no convergence")
hello = "livi 1 name=RATTLE-bath kinds=constrained,constrained_langevin order=2 symplectic=yes symmetric=yes hidden=yes sampling=2"
while (words := sys.stdin.readline().split()) and words[0] != "bye":
    answer = [{"livi": hello, "problem": "ok", "start": "ok", "step": "failed"}.get(words[0], "unsupported")]
    if words[0] == "problem":  # in a bath friction and temperature come after the masses, then the number of constraints
        n, numbers = int(words[3]), [float(word) for word in words[4:]]
        m, bath, rows = numbers[:n], numbers[n:-1] or [0, 0], range(0, n * int(words[-1]), n)
    elif words[0] == "start":
        z = [float(word) for word in words[2:]]
    elif words[0] == "step":
        with contextlib.suppress(ArithmeticError):
            for _ in range(int(words[2])):
                z = step(z[:n], z[n:], float(words[1]))
            answer = ["state", *z]
    print(*answer, flush=True)
