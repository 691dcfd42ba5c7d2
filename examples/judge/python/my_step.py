# SPDX-License-Identifier: MIT
import livi_judge


def my_verlet(q, p, h, m, gradient):  # positions, momenta, step, masses; gradient(q) is dV/dq
    p = [pi - h / 2 * g for pi, g in zip(p, gradient(q))]
    q = [qi + h * pi / mi for qi, pi, mi in zip(q, p, m)]
    return q, [pi - h / 2 * g for pi, g in zip(p, gradient(q))]


livi_judge.serve(my_verlet, name="my Verlet", order=2, symplectic=True, symmetric=True, gradients=2, stability=2)
