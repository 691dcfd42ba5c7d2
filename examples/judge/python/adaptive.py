# SPDX-License-Identifier: MIT
"""Reversible steps that follow the force (Hairer and Soederlind 2005): livi-judge -- python3 adaptive.py."""


def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in input().split()[1:]]


def rate(q, p, m, g):  # dz/dtau of z = 1/sigma = (1 + |grad V|^2)^(1/2) along the motion, dt = sigma dtau
    return sum(x * g[k // n] * p[k % n] / m[k % n] for k, x in enumerate(ask("hessian", *q))) / (1 + sum(x**2 for x in g))


def step(t, q, p, z, m, h):
    g = ask("gradient", *q)
    dt = h / (z := z + h / 2 * rate(q, p, m, g))
    p = [pi - dt / 2 * gi for pi, gi in zip(p, g)]
    q = [qi + dt * pi / mi for qi, pi, mi in zip(q, p, m)]
    g = ask("gradient", *q)
    p = [pi - dt / 2 * gi for pi, gi in zip(p, g)]
    return t + dt, q, p, z + h / 2 * rate(q, p, m, g)


while (words := input().split())[0] != "bye":
    answer = ["ok"]
    if words[0] == "livi":
        answer = ['livi 1 name=integrated kinds=adaptive order=2 symmetric=yes memory=yes momentum=linear,angular']
    elif words[0] == "problem":
        n, m = int(words[3]), [float(word) for word in words[4:]]
    elif words[0] in ("start", "restore"):
        t, *x = [float(word) for word in words[1:]]
        q, p = x[:n], x[n : 2 * n]
        z = x[-1] if words[0] == "restore" else (1 + sum(g * g for g in ask("gradient", *q))) ** 0.5
    elif words[0] == "step":
        for _ in range(int(words[2])):
            t, q, p, z = step(t, q, p, z, m, float(words[1]))
        answer = ["state", t, *q, *p] if z > 0 else ["failed", "the density is not positive"]
    else:
        answer = ["saved", t, *q, *p, z] if words[0] == "save" else ["unsupported"]
    print(*answer, flush=True)
