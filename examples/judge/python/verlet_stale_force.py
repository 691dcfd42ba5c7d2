# SPDX-License-Identifier: MIT
"""Velocity Verlet with one force a step; wrong: a new start keeps the force of the run before. See docs/protocol.md."""
import sys

g = None


def ask(what, x):
    print(what, *map(float.hex, x), flush=True)
    return [float.fromhex(word) for word in sys.stdin.readline().split()[1:]]


def step(q, p, m, h):
    global g
    half = [pi - h / 2 * gi for pi, gi in zip(p, g or ask("gradient", q))]
    q = [qi + h * pi / mi for qi, pi, mi in zip(q, half, m)]
    g = ask("gradient", q)
    return q, [pi - h / 2 * gi for pi, gi in zip(half, g)]


while words := sys.stdin.readline().split():
    answer = ["ok"]
    if words[0] == "livi":
        answer = ["livi 1 name=Verlet order=2 symplectic=yes symmetric=yes momentum=linear,angular gradients=1 form=hex"]
    elif words[0] == "problem":
        n, m, g = int(words[3]), [float.fromhex(word) for word in words[4:]], None
    elif words[0] == "start":
        x = [float.fromhex(word) for word in words[2:]]
        q, p = x[:n], x[n:]
    elif words[0] == "step":
        for _ in range(int(words[2])):
            q, p = step(q, p, m, float.fromhex(words[1]))
        answer = ["state", *map(float.hex, q + p)]
    elif words[0] == "bye":
        break
    else:
        answer = ["unsupported"]
    print(*answer, flush=True)
