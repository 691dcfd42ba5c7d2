# SPDX-License-Identifier: MIT
# Velocity Verlet, forces that depend on time too; wrong: the time is not advanced. See docs/protocol.md.
input <- file("stdin", "r")

say <- function(what, x = NULL) {
  cat(what, sprintf("%a", x), "\n")
  flush(stdout())
}
gradient <- function(q, t) {
  say("gradient", c(q, t))
  as.numeric(strsplit(readLines(input, 1), " ")[[1]][-1])
}
while (length(line <- readLines(input, 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  if (words[1] == "livi") {
    say("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2 kinds=mechanical,timed form=hex")
  } else if (words[1] == "problem") {
    m <- as.numeric(words[-(1:4)])
    say("ok")
  } else if (words[1] == "start") {
    x <- as.numeric(words[-1])
    t <- x[1]
    q <- x[1 + seq_along(m)]
    p <- x[1 + length(m) + seq_along(m)]
    say("ok")
  } else if (words[1] == "step") {
    h <- as.numeric(words[2])
    for (k in seq_len(as.integer(words[3]))) {
      p <- p - h / 2 * gradient(q, t)
      q <- q + h * p / m
      p <- p - h / 2 * gradient(q, t)
    }
    say("state", c(q, p))
  } else if (words[1] == "bye") {
    break
  } else {
    say("unsupported")
  }
}
