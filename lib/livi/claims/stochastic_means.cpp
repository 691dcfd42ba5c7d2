// SPDX-License-Identifier: MIT
//
// Weak orders, without a random number. A method of weak order p errs by h^(p+1) in the means of smooth functions after one step.
// These means are sums over values of the noises: for an increment the four nodes of Gauss and Hermite, with its moments up to the
// seventh, for zeta two values +-(h^3/12)^(1/2), with its moments up to the third, for the next are of h^6. So they are exact but
// for h^4. No value is zero, which has no probability: where increments or zeta vanish, a method may do what it does nowhere else.
// The integrals of products are their means under increments and zeta: where they enter linearly nothing else counts, and their
// squares are of h^4.
//
// The exact means are those of the reference method (stochastic_reference.hpp): with R_n the means after n steps h/n, which err by
// h^3/n^2, they are (4 R_2 - R_1)/3 but for h^4. The functions are the coordinates of (q, p) and all their products of two.
//
// The reference knows round problems in the unit mass only. On rods with a full mass matrix it is RATTLE with the weights of weak
// order two, whose step has no products K_ij. It is a method of the library, but it judges itself, too: if its means erred by C h^2,
// R_2 would err by C h^2/2 and (4 R_2 - R_1)/3 by C h^2/3, so that the difference were of h^2, and the order one.
#include <livi/claims/stochastic_measures.hpp>
#include <livi/claims/stochastic_reference.hpp>
#include <map>

namespace livi::battery_detail {

namespace {

using Means = Vector<double, Dynamic>;
constexpr std::size_t sizes = 3;
/// Returns a size. The smallest leaves seven digits of h^3 above the rounding, and the next term is a hundredth or so of h^3. On the
/// rods errors of h^3 are twenty times as large, and those of h^2 that RATTLE has are smaller: down to 2^-9 both are of one size. Steps
/// are shorter there, which leaves four digits of h^3.
double step_size(std::size_t k, std::size_t problem) {
  return std::ldexp(1.0, (problem == place::rods ? -11 : -7) - static_cast<int>(k));
}

/// Calls f(noises, weight) for each value of the noises of a step h.
template <class Function>
void for_each_value(std::size_t count, double h, const Function& f) {
  const std::array nodes{std::sqrt(3 - std::sqrt(6.0)), std::sqrt(3 + std::sqrt(6.0))};
  const std::array weights{(3 + std::sqrt(6.0)) / 12, (3 - std::sqrt(6.0)) / 12};
  // Three bits for each noise: the sign of zeta, the sign of the increment, its node.
  for (std::size_t bits = 0; bits < std::size_t{1} << 3 * count; ++bits) {
    DrawnNoise<double> drawn;
    double weight = 1;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t of = bits >> 3 * i;
      const double w = ((of & 2) != 0 ? 1 : -1) * std::sqrt(h) * nodes[of >> 2 & 1],
                   zeta = ((of & 1) != 0 ? 1 : -1) * std::sqrt(h * h * h / 12);
      weight *= weights[of >> 2 & 1] / 2;
      drawn.noises.push_back({w, zeta + h * w / 2, 0});
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i; j < count; ++j) {
        auto &a = drawn.noises[i], &b = drawn.noises[j];
        const double za = a.zeta(h), zb = b.zeta(h);
        const double mean =
            h * a.increment * b.increment / 3 + (a.increment * zb + b.increment * za) / 2 + 6 * za * zb / (5 * h);
        if (i == j)
          a.squared = mean + h * h / 15;
        else
          drawn.products.push_back(mean);
      }
    f(drawn, weight);
  }
}

Means functions_at(const PhasePoint<double>& z) {
  const Eigen::Index n = 2 * z.q.size();
  Vector<double, Dynamic> x(n);
  x << z.q, z.p;
  Means values(n * (n + 3) / 2);
  Eigen::Index next = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    values(next++) = x(i);
    for (Eigen::Index j = 0; j <= i; ++j) values(next++) = x(i) * x(j);
  }
  return values;
}

/// Returns the means of a method of weak order two after a step h, but for h^4: step(state, h, noise) makes its steps, and
/// values(state) are the functions.
template <class State, class Step, class Values>
Means extrapolated_means(std::size_t count, double h, const State& from, const Step& step, const Values& values) {
  Means one = 0 * values(from), two = one;
  for_each_value(count, h, [&](const DrawnNoise<double>& noise, double weight) {
    State z = from;
    step(z, h, noise);
    one += weight * values(z);
  });
  for_each_value(count, h / 2, [&](const DrawnNoise<double>& noise, double weight) {
    State half = from;
    step(half, h / 2, noise);
    for_each_value(count, h / 2, [&](const DrawnNoise<double>& noise_2, double weight_2) {
      State z = half;
      step(z, h / 2, noise_2);
      two += weight * weight_2 * values(z);
    });
  });
  return (4 * two - one) / 3;
}

/// Returns the exact means after a step h from a point of the round problem with products that vary, or of the rods, but for h^4.
Means exact_means(std::size_t start, double h, std::size_t problem = place::varying_products) {
  const auto& problems = stochastic_test_problems<double>();
  const auto means_on = [&](const auto& of, auto&& method, const auto& step) {
    const auto from = method.start(of.points[start].first, of.points[start].second);
    return extrapolated_means(static_cast<std::size_t>(of.system.noise().count()), h, from, step, [&](const auto& z) {
      return functions_at({z.q, of.system.momentum(z.v)});
    });
  };
  if (problem < problems.round.size()) {
    ReferenceMethod method(problems.round[problem].system);
    return means_on(problems.round[problem], method,
                    [&](auto& z, double length, const DrawnNoise<double>& noise) { method.step(z, length, noise); });
  }
  const auto& rods = problems.rods[problem - problems.round.size()];
  StochasticRattle method(rods.system, NoiseWeights::weak);
  return means_on(rods, method, [&](auto& z, double length, const DrawnNoise<double>& noise) {
    if (!method.step(z, length, noise).ok()) throw InvalidParameter("step of the reference", length, "must exist");
  });
}

}  // namespace

WeakOrder weak_order(const AnyStochasticSubject& subject, std::size_t problem) {
  const auto& points = subject.problems()[problem].points;
  static std::map<std::size_t, std::vector<std::array<Means, sizes>>> kept;
  auto& exact = kept[problem];
  for (std::size_t start = exact.size(); start < points.size(); ++start) {
    exact.emplace_back();
    for (std::size_t k = 0; k < sizes; ++k) exact.back()[k] = exact_means(start, step_size(k, problem), problem);
  }
  const auto stepper = subject.noisy_in_double(problem);
  WeakOrder result;
  for (std::size_t k = 0; k < sizes; ++k) {
    const double h = step_size(k, problem);
    double squares = 0;
    for (std::size_t start = 0; start < points.size(); ++start) {
      Means means = 0 * exact[start][k];
      for_each_value(stepper->noises(), h, [&](const DrawnNoise<double>& noise, double weight) {
        stepper->start(convert_point<double>(points[start]));
        if (!stepper->step_under(h, noise).ok()) means.setConstant(not_a_number);
        means += weight * functions_at(stepper->point());
      });
      squares += (means - exact[start][k]).squaredNorm();
    }
    result.errors.push_back(std::sqrt(squares));
  }
  const double coarse = std::log2(result.errors[0] / result.errors[1]),
               fine = std::log2(result.errors[1] / result.errors[2]);
  result.order = 2 * fine - coarse - 1;
  result.change = fine - coarse;
  return result;
}

}  // namespace livi::battery_detail
