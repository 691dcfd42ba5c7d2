// SPDX-License-Identifier: MIT
// Velocity Verlet; wrong: momenta are taken for velocities. See docs/protocol.md.
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
fn kick(h: f64, m: &[f64], q: &[f64], v: &mut [f64]) {
    say("gradient", q);
    v.iter_mut().zip(m).zip(numbers(&listen()[1..])).for_each(|((v, m), g)| *v -= h * g / m);
}
fn main() {
    let (mut m, mut q, mut v) = (vec![], vec![], vec![]);
    loop {
        let words = listen();
        match words.first().map_or("bye", String::as_str) {
            "livi" => say("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2", &[]),
            "problem" => (m, _) = (numbers(&words[4..]), say("ok", &[])),
            "start" => (q, v, _) = (numbers(&words[2..2 + m.len()]), numbers(&words[2 + m.len()..]), say("ok", &[])),
            "step" => {
                for _ in 0..words[2].parse().unwrap() {
                    let h = words[1].parse::<f64>().unwrap();
                    kick(h / 2.0, &m, &q, &mut v);
                    (0..q.len()).for_each(|i| q[i] += h * v[i]);
                    kick(h / 2.0, &m, &q, &mut v);
                }
                say("state", &[&q[..], &v].concat())
            }
            "bye" => break,
            _ => say("unsupported", &[]),
        }
    }
}
