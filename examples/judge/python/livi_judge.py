# SPDX-License-Identifier: MIT
"""Puts a step before livi-judge: `livi_judge.serve(step, order=2, ...)`, and then `livi-judge -- python3 my_step.py`.

step(q, p, h, m, gradient) gets and returns lists of numbers: positions, momenta (not velocities), the step, masses, and
the function q -> dV/dq. The other arguments are the keys of docs/protocol.md, with True and False for yes and no. With
number=fractions.Fraction, numbers="rational" the answers are exact.
"""
import sys


def serve(step, number=float, **declaration):
    def say(*words):
        print(*words, flush=True)

    def gradient(q):
        say("gradient", *q)
        return [number(word) for word in sys.stdin.readline().split()[1:]]

    while words := sys.stdin.readline().split():
        if words[0] == "livi":
            values = {key: ("no", "yes")[x] if isinstance(x, bool) else x for key, x in declaration.items()}
            say("livi 1", *(f'{key}="{value}"' for key, value in values.items()))
        elif words[0] == "problem":
            m = [number(word) for word in words[4:]]
            say("ok")
        elif words[0] == "start":
            x = [number(word) for word in words[2:]]
            q, p = x[: len(m)], x[len(m) :]
            say("ok")
        elif words[0] == "step":
            try:
                for _ in range(int(words[2])):
                    q, p = step(q, p, number(words[1]), m, gradient)
                say("state", *q, *p)
            except Exception as error:  # a step that cannot be made
                say("failed", *repr(error).split())
        elif words[0] == "bye":
            break
        else:
            say("unsupported")
