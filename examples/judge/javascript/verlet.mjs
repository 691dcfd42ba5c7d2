// SPDX-License-Identifier: MIT
// Velocity Verlet: livi-judge -- node verlet.mjs (the protocol: docs/protocol.md).
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const listen = async () => ((await lines.next()).value ?? "bye").split(" ");
const say = (...words) => process.stdout.write(words.join(" ") + "\n");
let m, q, p, g;

async function ask_for_force() {
  say("gradient", ...q);
  g = (await listen()).slice(1).map(Number);
}
async function step(h) {
  await ask_for_force();
  const g_before = g;
  q = q.map((x, i) => x + (h * (p[i] - (h / 2) * g[i])) / m[i]);
  await ask_for_force();
  p = p.map((x, i) => x - (h / 2) * (g_before[i] + g[i]));
}
for (;;) {
  const [word, ...rest] = await listen();
  if (word === "livi") {
    say("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2");
  } else if (word === "problem") {
    m = rest.slice(3).map(Number);
    say("ok");
  } else if (word === "start") {
    const x = rest.slice(1).map(Number);
    [q, p] = [x.slice(0, m.length), x.slice(m.length)];
    say("ok");
  } else if (word === "step") {
    for (let k = 0; k < Number(rest[1]); ++k) await step(Number(rest[0]));
    say("state", ...q, ...p);
  } else if (word === "bye") {
    break;
  } else say("unsupported");
}
process.exit(0);
