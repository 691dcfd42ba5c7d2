# SPDX-License-Identifier: MIT
# Velocity Verlet; wrong: the size of the step passes through single precision. See docs/protocol.md. Untested: no test runs Julia.
numbers(words) = parse.(Float64, words)

function say(what, x = [])
    println(join([what; x], " "))
    flush(stdout)
end

function gradient(q)
    say("gradient", q)
    numbers(split(readline())[2:end])
end

function step(q, p, m, h)
    p = p - h / 2 * gradient(q)
    q = q + h * p ./ m
    q, p - h / 2 * gradient(q)
end

function serve()
    m = q = p = Float64[]
    while (words = split(readline())) != ["bye"] && !isempty(words)
        if words[1] == "livi"
            say("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2")
        elseif words[1] == "problem"
            m = numbers(words[5:end])
            say("ok")
        elseif words[1] == "start"
            q, p = numbers(words[3:2+length(m)]), numbers(words[3+length(m):end])
            say("ok")
        elseif words[1] == "step"
            for _ in 1:parse(Int, words[3])
                q, p = step(q, p, m, parse(Float32, words[2]))
            end
            say("state", [q; p])
        else say("unsupported") end
    end
end
serve()
