# SPDX-License-Identifier: MIT
"""Steps that follow the force, wrongly: their length is that of the old position's density."""


def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in input().split()[1:]]


def step(t, q, p, m, h):
    g = ask("gradient", *q)
    dt = h / (1 + sum(x * x for x in g)) ** 0.5
    p = [pi - dt / 2 * gi for pi, gi in zip(p, g)]
    q = [qi + dt * pi / mi for qi, pi, mi in zip(q, p, m)]
    return t + dt, q, [pi - dt / 2 * gi for pi, gi in zip(p, ask("gradient", *q))]


while (words := input().split())[0] != "bye":
    answer = ["ok"]
    if words[0] == "livi":
        answer = ['livi 1 name="steps of the old density" kinds=adaptive order=2 symmetric=yes momentum=linear,angular']
    elif words[0] == "problem":
        n, m = int(words[3]), [float(word) for word in words[4:]]
    elif words[0] in ("start", "restore"):
        t, *x = [float(word) for word in words[1:]]
        q, p = x[:n], x[n : 2 * n]
    elif words[0] == "step":
        for _ in range(int(words[2])):
            t, q, p = step(t, q, p, m, float(words[1]))
        answer = ["state", t, *q, *p] if t == t else ["failed", "no number"]
    else:
        answer = ["saved", t, *q, *p] if words[0] == "save" else ["unsupported"]
    print(*answer, flush=True)
