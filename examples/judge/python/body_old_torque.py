# SPDX-License-Identifier: MIT
"""A rigid body by torques and turns about three axes; wrong: the second half of the torque is that of the old attitude."""
import sys
def ask(*words):
    print(*words, flush=True)
    return [float(word) for word in sys.stdin.readline().split()[1:]]
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def axes_of(inertia):  # c with W = sum of c (c . mu), by elimination in [I | 1]: rows of L^-1 over the roots of pivots
    rows = [inertia[3 * i : 3 * i + 3] + [float(i == j) for j in range(3)] for i in range(3)]
    for k in range(3):
        for i in range(k + 1, 3):
            rows[i] = [x - rows[i][k] / rows[k][k] * y for x, y in zip(rows[i], rows[k])]
    return [[x / row[k] ** 0.5 for x in row[3:]] for k, row in enumerate(rows)]
def turn(z, axis, h):  # c . mu is constant; the rows of R and mu, axes of space and momentum seen from the body, turn back
    x = [h * dot(axis, z[3]) * c for c in axis]
    share = 1 / (1 + dot(x, x) / 4)  # the Cayley map: the angle is a function of c . mu, too
    across = [cross(x, v) for v in z]
    return [[a - share * (b - c / 2) for a, b, c in zip(v, w, cross(x, w))] for v, w in zip(z, across)]
def kick(z, h, torque):
    return z[:3] + [[m + h * t for m, t in zip(z[3], torque)]]

hello = "livi 1 name=Turns kinds=body order=2 symplectic=yes symmetric=yes momentum=angular casimir=yes gradients=1"
while (words := sys.stdin.readline().split()) and words[0] != "bye":
    answer = [{"livi": hello, "problem": "ok", "start": "ok"}.get(words[0], "unsupported")]
    if words[0] == "problem":  # the inertia by rows
        axes = axes_of([float(word) for word in words[4:]])
    elif words[0] == "start":  # the attitude by rows, and the momentum in the axes of the body
        z = [[float(word) for word in words[k : k + 3]] for k in range(2, 14, 3)]
    elif words[0] == "step":
        for _ in range(int(words[2])):
            h, torque = float(words[1]), ask("torque", *z[0], *z[1], *z[2])
            z = kick(z, h / 2, torque)
            for axis, share in zip(axes + axes[1::-1], [0.5, 0.5, 1, 0.5, 0.5]):
                z = turn(z, axis, h * share)
            z = kick(z, h / 2, torque)
        answer = ["state", *z[0], *z[1], *z[2], *z[3]]
    print(*answer, flush=True)
