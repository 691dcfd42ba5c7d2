# SPDX-License-Identifier: MIT
"""Velocity Verlet in 50 digits; wrong: the forces pass through float. Needs mpmath. See docs/protocol.md."""
import sys

from mpmath import mp, mpf

mp.dps = 55  # five digits to spare


def ask(what, x):
    print(what, *(mp.nstr(xi, 55) for xi in x), flush=True)
    return [mpf(float(word)) for word in sys.stdin.readline().split()[1:]]


def step(q, p, m, h):
    half = [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", q))]
    q = [qi + h * pi / mi for qi, pi, mi in zip(q, half, m)]
    return q, [pi - h / 2 * gi for pi, gi in zip(half, ask("gradient", q))]


while words := sys.stdin.readline().split():
    answer = ["ok"]
    if words[0] == "livi":
        answer = ["livi 1 name=Verlet order=2 symplectic=yes symmetric=yes momentum=linear,angular numbers=digits:50"]
    elif words[0] == "problem":
        n, m = int(words[3]), [mpf(word) for word in words[4:]]
    elif words[0] == "start":
        x = [mpf(word) for word in words[2:]]
        q, p = x[:n], x[n:]
    elif words[0] == "step":
        for _ in range(int(words[2])):
            q, p = step(q, p, m, mpf(words[1]))
        answer = ["state", *(mp.nstr(xi, 55) for xi in q + p)]
    elif words[0] == "bye":
        break
    else:
        answer = ["unsupported"]
    print(*answer, flush=True)
