// SPDX-License-Identifier: MIT
// Velocity Verlet; wrong: the kicks take a step for positive, whatever its sign. See docs/protocol.md.
#include <iostream>
#include <string>
#include <valarray>

std::valarray<double> numbers(std::size_t count) {
  std::valarray<double> x(count);
  for (double& entry : x) std::cin >> entry;
  return x;
}
void say(const std::string& what, const std::valarray<double>& x = {}, const std::valarray<double>& y = {}) {
  std::cout << what;
  for (const double entry : x) std::cout << ' ' << entry;
  for (const double entry : y) std::cout << ' ' << entry;
  std::cout << std::endl;
}
void kick(double h, const std::valarray<double>& q, std::valarray<double>& p) {
  say("gradient", q);
  std::cin.ignore(sizeof "gradient");
  p -= (h < 0 ? -h : h) * numbers(q.size());
}
int main() {
  std::valarray<double> m, q, p;
  std::cout.precision(17);
  for (std::string word; std::cin >> word && word != "bye"; std::getline(std::cin, word)) {
    if (word == "livi")
      say("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2");
    else if (word == "problem")
      std::cin >> word >> word, m = numbers(static_cast<std::size_t>(numbers(1)[0])), say("ok");
    else if (word == "start")
      numbers(1), q = numbers(m.size()), p = numbers(m.size()), say("ok");
    else if (word == "step") {
      for (double h = numbers(1)[0], k = numbers(1)[0]; k > 0; --k)
        kick(h / 2, q, p), q += h * p / m, kick(h / 2, q, p);
      say("state", q, p);
    } else
      say("unsupported");
  }
}
