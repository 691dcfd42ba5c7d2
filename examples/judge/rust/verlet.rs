// SPDX-License-Identifier: MIT
// Velocity Verlet: rustc -O verlet.rs; livi-judge -- ./verlet (the protocol: docs/protocol.md).
use std::io::stdin;

fn listen() -> Vec<String> {
    let line = stdin().lines().next().map_or(String::new(), Result::unwrap);
    line.split_whitespace().map(String::from).collect()
}
fn numbers(words: &[String]) -> Vec<f64> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}
fn say(what: &str, x: &[f64]) {
    println!("{what} {}", x.iter().map(f64::to_string).collect::<Vec<_>>().join(" "));
}
fn kick(h: f64, q: &[f64], p: &mut [f64]) {
    say("gradient", q);
    p.iter_mut().zip(numbers(&listen()[1..])).for_each(|(p, g)| *p -= h * g);
}
fn main() {
    let (mut m, mut q, mut p) = (vec![], vec![], vec![]);
    loop {
        let words = listen();
        match words.first().map_or("bye", String::as_str) {
            "livi" => say("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2", &[]),
            "problem" => (m, _) = (numbers(&words[4..]), say("ok", &[])),
            "start" => (q, p, _) = (numbers(&words[2..2 + m.len()]), numbers(&words[2 + m.len()..]), say("ok", &[])),
            "step" => {
                for _ in 0..words[2].parse().unwrap() {
                    let h = words[1].parse::<f64>().unwrap();
                    kick(h / 2.0, &q, &mut p);
                    (0..q.len()).for_each(|i| q[i] += h * p[i] / m[i]);
                    kick(h / 2.0, &q, &mut p);
                }
                say("state", &[&q[..], &p].concat())
            }
            "bye" => break,
            _ => say("unsupported", &[]),
        }
    }
}
