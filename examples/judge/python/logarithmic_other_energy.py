# SPDX-License-Identifier: MIT
"""The logarithmic Hamiltonian, wrongly: its energy is that of the start, whichever is given."""


def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in input().split()[1:]]


def kinetic(p):
    return sum(pi * pi / (2 * mi) for pi, mi in zip(p, m))


def drift(t, q, p, by):
    dt = by / (kinetic(p) - E)
    return t + dt, [qi + dt * pi / mi for qi, pi, mi in zip(q, p, m)]


def step(t, q, p, h):
    t, q = drift(t, q, p, h / 2)
    depth = -ask("value", *q)[0]
    p = [pi - h / depth * gi for pi, gi in zip(p, ask("gradient", *q))]
    return *drift(t, q, p, h / 2), p


while (words := input().split())[0] != "bye":
    answer = ["ok" if words[0] in ("problem", "start") else "unsupported"]
    if words[0] == "livi":
        answer = ["livi 1 name=logarithmic kinds=adaptive,extended order=2 symplectic=yes symmetric=yes memory=yes"]
    elif words[0] == "problem":
        kind, n, m = words[2], int(words[3]), [float(word) for word in words[4:]]
    elif words[0] == "start":
        t, *x = [float(word) for word in words[1:]]
        q, p = x[:n], x[n : 2 * n]
        E = kinetic(p) + ask("value", *q)[0]
    elif words[0] == "step":
        for _ in range(int(words[2])):
            t, q, p = step(t, q, p, float(words[1]))
        answer = ["state", t, *q, *p, *[E] * (kind == "extended")] if t == t else ["failed", "V is no number"]
    print(*answer, flush=True)
