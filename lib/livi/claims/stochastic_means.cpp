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
// h^3/n^2, they are (4 R_2 - R_1)/3 but for h^4. The functions are the six coordinates of (q, p) and all their products of two.
#include <livi/claims/stochastic_measures.hpp>
#include <livi/claims/stochastic_reference.hpp>

namespace livi::battery_detail {

namespace {

using Means = Vector<double, 27>;
constexpr std::size_t sizes = 3;
/// Returns a size. The smallest leaves seven digits of h^3 above the rounding, and the next term is a hundredth or so of h^3.
double step_size(std::size_t k) { return std::ldexp(1.0, -7 - static_cast<int>(k)); }

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
  Vector<double, 6> x;
  x << z.q, z.p;
  Means values;
  Eigen::Index next = 0;
  for (Eigen::Index i = 0; i < 6; ++i) {
    values(next++) = x(i);
    for (Eigen::Index j = 0; j <= i; ++j) values(next++) = x(i) * x(j);
  }
  return values;
}

/// Returns the exact means after a step h from a point, but for h^4.
Means exact_means(std::size_t start, double h) {
  const auto& problem = stochastic_test_problems<double>().round[place::varying_products];
  const auto count = static_cast<std::size_t>(problem.system.noise().count());
  ReferenceMethod method(problem.system);
  const auto from = method.start(problem.points[start].first, problem.points[start].second);
  const auto of = [](const auto& z) { return functions_at({z.q, z.v}); };
  Means one = Means::Zero(), two = Means::Zero();
  for_each_value(count, h, [&](const DrawnNoise<double>& noise, double weight) {
    auto z = from;
    method.step(z, h, noise);
    one += weight * of(z);
  });
  for_each_value(count, h / 2, [&](const DrawnNoise<double>& noise, double weight) {
    auto half = from;
    method.step(half, h / 2, noise);
    for_each_value(count, h / 2, [&](const DrawnNoise<double>& noise_2, double weight_2) {
      auto z = half;
      method.step(z, h / 2, noise_2);
      two += weight * weight_2 * of(z);
    });
  });
  return (4 * two - one) / 3;
}

}  // namespace

WeakOrder weak_order(const AnyStochasticSubject& subject) {
  const auto& points = subject.problems()[place::varying_products].points;
  static const auto exact = [&] {
    std::vector<std::array<Means, sizes>> means(points.size());
    for (std::size_t start = 0; start < points.size(); ++start)
      for (std::size_t k = 0; k < sizes; ++k) means[start][k] = exact_means(start, step_size(k));
    return means;
  }();
  const auto stepper = subject.noisy_in_double(place::varying_products);
  WeakOrder result;
  for (std::size_t k = 0; k < sizes; ++k) {
    const double h = step_size(k);
    double squares = 0;
    for (std::size_t start = 0; start < points.size(); ++start) {
      Means means = Means::Zero();
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
