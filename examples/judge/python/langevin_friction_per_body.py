# SPDX-License-Identifier: MIT
"""BAOAB for Langevin's equation; wrong: the heat bath of all bodies is applied once for every body."""
import math
import sys


def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in sys.stdin.readline().split()[1:]]


def step(q, p, m, h):
    p = [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *q))]
    q = [qi + h / 2 * pi / mi for qi, pi, mi in zip(q, p, m)]
    if bath:
        c, width = math.exp(-bath[0] * h), [math.sqrt(bath[1] * mi * -math.expm1(-2 * bath[0] * h)) for mi in m]
        for _ in m:
            p = [c * pi + si * xi for pi, si, xi in zip(p, width, ask("noise", len(m)))]
    q = [qi + h / 2 * pi / mi for qi, pi, mi in zip(q, p, m)]
    return q, [pi - h / 2 * gi for pi, gi in zip(p, ask("gradient", *q))]


while words := sys.stdin.readline().split():
    answer = ["ok"]
    if words[0] == "livi":
        answer = ["livi 1 name=BAOAB kinds=mechanical,langevin order=2 symplectic=yes symmetric=yes gradients=2 sampling=2"]
    elif words[0] == "problem":  # friction and temperature follow the masses of the kind langevin
        n, numbers = int(words[3]), [float(word) for word in words[4:]]
        m, bath = numbers[:n], numbers[n:]
    elif words[0] == "start":
        q, p = [float(word) for word in words[2 : 2 + n]], [float(word) for word in words[2 + n :]]
    elif words[0] == "step":
        for _ in range(int(words[2])):
            q, p = step(q, p, m, float(words[1]))
        answer = ["state", *q, *p]
    elif words[0] == "bye":
        break
    else:
        answer = ["unsupported"]
    print(*answer, flush=True)
