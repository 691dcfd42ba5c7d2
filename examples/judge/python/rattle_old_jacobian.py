# SPDX-License-Identifier: MIT
"""RATTLE under constraints; wrong: Dg M^-1 p = 0 is met along the old Dg, that of the start of the step."""
import sys
def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in sys.stdin.readline().split()[1:]]
def push(here, along, b):  # along^T x, where (here M^-1 along^T) x = b; the rows of both stand one after the other
    a = [[sum(here[r + i] * along[s + i] / m[i] for i in range(n)) for s in rows] + [bi] for r, bi in zip(rows, b)]
    for k in range(len(a)):  # the matrix is nearly symmetric and positive: no pivots
        a = [r if r is a[k] else [x - r[k] / a[k][k] * y for x, y in zip(r, a[k])] for r in a]
    return [sum(r[-1] / r[k] * along[s + i] for k, (r, s) in enumerate(zip(a, rows))) for i in range(n)]
def step(q, p, h):
    start, sizes = ask("constraint_jacobian", *q), [1, 1]
    p = [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *q))]
    for _ in range(50):  # Newton's iteration, until its steps are rounding
        end = [qi + h * pi / mi for qi, pi, mi in zip(q, p, m)]
        change = push(ask("constraint_jacobian", *end), start, ask("constraint", *end))
        p, sizes = [pi - x / h for pi, x in zip(p, change)], [max(map(abs, change)), sizes[0]]
        if 1e-12 > sizes[0] >= sizes[1] / 2:
            here, p = ask("constraint_jacobian", *end), [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *end))]
            across = [sum(here[r + i] * p[i] / m[i] for i in range(n)) for r in rows]
            return end + [pi - x for pi, x in zip(p, push(here, start, across))]
    raise ArithmeticError("no convergence")

hello = "livi 1 name=RATTLE kinds=constrained order=2 symplectic=yes symmetric=yes hidden=yes gradients=2 momentum=linear,angular"
while (words := sys.stdin.readline().split()) and words[0] != "bye":
    answer = [{"livi": hello, "problem": "ok", "start": "ok"}.get(words[0], "unsupported")]
    if words[0] == "problem":  # the number of constraints comes after the masses
        n, m = int(words[3]), [float(word) for word in words[4:-1]]
        rows = range(0, n * int(words[-1]), n)
    elif words[0] == "start":
        z = [float(word) for word in words[2:]]
    elif words[0] == "step":
        try:
            for _ in range(int(words[2])):
                z = step(z[:n], z[n:], float(words[1]))
            answer = ["state", *z]
        except ArithmeticError as error:
            answer = ["failed", error]
    print(*answer, flush=True)
