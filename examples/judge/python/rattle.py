# SPDX-License-Identifier: MIT
"""RATTLE (Andersen 1983) under constraints g(q) = 0: livi-judge -- python3 rattle.py."""
import sys
def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in sys.stdin.readline().split()[1:]]
def rows(q):  # Dg
    dg = ask("constraint_jacobian", *q)
    return [dg[k : k + n] for k in range(0, len(dg), n)]
def solve(here, along, b):  # along^T x, where (here M^-1 along^T) x = b
    a = [[sum(x * y / mi for x, y, mi in zip(r, s, m)) for s in along] + [bi] for r, bi in zip(here, b)]
    for k in range(len(a)):
        a[k:] = sorted(a[k:], key=lambda row: -abs(row[k]))
        a = [r if r is a[k] else [x - r[k] / a[k][k] * y for x, y in zip(r, a[k])] for r in a]
    return [sum(r[-1] / r[k] * along[k][i] for k, r in enumerate(a)) for i in range(n)]
def step(q, p, h):
    p, start, last = [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *q))], rows(q), 1
    for _ in range(50):  # Newton's iteration, until its steps are rounding
        end = [qi + h * pi / mi for qi, pi, mi in zip(q, p, m)]
        push = solve(rows(end), start, ask("constraint", *end))
        p, size = [pi - x / h for pi, x in zip(p, push)], max(map(abs, push))
        if size < 1e-12 and size >= last / 2:
            here, p = rows(end), [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *end))]
            across = [sum(x * pi / mi for x, pi, mi in zip(r, p, m)) for r in here]
            return end, [pi - x for pi, x in zip(p, solve(here, here, across))]
        last = size
    raise ArithmeticError("no convergence")
for line in sys.stdin:
    words, answer = line.split(), ["ok"]
    numbers = [float(word) for word in words[1:]] if words[0] in ("start", "step") else []
    if words[0] == "livi":
        answer = ["livi 1 name=RATTLE kinds=constrained order=2 symplectic=yes symmetric=yes gradients=2 hidden=yes momentum=linear,angular"]
    elif words[0] == "problem":  # the number of constraints comes after the masses
        n, m = int(words[3]), [float(word) for word in words[4:-1]]
    elif words[0] == "start":
        q, p = numbers[1 : 1 + n], numbers[1 + n :]
    elif words[0] == "step":
        try:
            for _ in range(int(words[2])):
                q, p = step(q, p, numbers[0])
            answer = ["state", *q, *p]
        except ArithmeticError as error:
            answer = ["failed", error]
    elif words[0] == "bye":
        break
    else:
        answer = ["unsupported"]
    print(*answer, flush=True)
