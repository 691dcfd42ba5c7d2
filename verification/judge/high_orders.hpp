// SPDX-License-Identifier: MIT
//
// Methods of order 5 to 12 as functions that make a step, for any kind of problem H = T(p) + V(q, t) in double: explicit and
// implicit Runge-Kutta methods, extrapolation, compositions. Each is of the order in its name, as published.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "verification/judge/of_step.hpp"

namespace high_orders {

using livi::Forces;
using livi::TimedPoint;

/// Rows of a tableau below each other; the last one has the weights.
using Tableau = std::vector<std::vector<double>>;

struct Named {
  std::string name;
  int order;
  bool symmetric, symplectic;
  Step step;
};

/// The rates of (q, p) at a point, one behind the other.
inline std::vector<double> rates(Forces<double>& forces, double t, const std::vector<double>& y) {
  const auto n = static_cast<std::ptrdiff_t>(y.size() / 2);
  std::vector<double> f = forces.velocity({y.begin() + n, y.end()});
  for (const double g : forces.gradient(t, {y.begin(), y.begin() + n})) f.push_back(-g);
  return f;
}
inline std::vector<double> joined(const TimedPoint<double>& z) {
  std::vector<double> y = z.q;
  y.insert(y.end(), z.p.begin(), z.p.end());
  return y;
}
inline void put(TimedPoint<double>& z, const std::vector<double>& y) {
  const auto n = static_cast<std::ptrdiff_t>(z.q.size());
  z.q.assign(y.begin(), y.begin() + n);
  z.p.assign(y.begin() + n, y.end());
}
/// Returns y + h (w_1 f_1 + w_2 f_2 + ...), the sum made before it is added.
inline std::vector<double> moved(std::vector<double> y, double h, const std::vector<double>& w,
                                 const std::vector<std::vector<double>>& f) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < w.size() && k < f.size(); ++k) sum += w[k] * f[k][i];
    y[i] += h * sum;
  }
  return y;
}
inline double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double entry : x) sum += entry;
  return sum;
}

inline Step runge_kutta(Tableau tableau) {
  return [tableau](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::vector<double> y = joined(z);
    std::vector<std::vector<double>> f;
    for (std::size_t i = 0; i + 1 < tableau.size(); ++i)
      f.push_back(rates(forces, z.t + h * sum_of(tableau[i]), moved(y, h, tableau[i], f)));
    put(z, moved(y, h, tableau.back(), f));
  };
}

/// Verner 1978, eight stages, of order 6 (DVERK).
inline Tableau verner_6() {
  return {{},
          {1. / 6},
          {4. / 75, 16. / 75},
          {5. / 6, -8. / 3, 5. / 2},
          {-165. / 64, 55. / 6, -425. / 64, 85. / 96},
          {12. / 5, -8, 4015. / 612, -11. / 36, 88. / 255},
          {-8263. / 15000, 124. / 75, -643. / 680, -81. / 250, 2484. / 10625, 0},
          {3501. / 1720, -300. / 43, 297275. / 52632, -319. / 2322, 24068. / 84065, 0, 3850. / 26703},
          {3. / 40, 0, 875. / 2244, 23. / 72, 264. / 1955, 0, 125. / 11592, 43. / 616}};
}

/// Fehlberg 1968, thirteen stages: the weights of order 8, or those of order 7.
inline Tableau fehlberg_78(bool eighth = true) {
  Tableau tableau{
      {},
      {2. / 27},
      {1. / 36, 1. / 12},
      {1. / 24, 0, 1. / 8},
      {5. / 12, 0, -25. / 16, 25. / 16},
      {1. / 20, 0, 0, 1. / 4, 1. / 5},
      {-25. / 108, 0, 0, 125. / 108, -65. / 27, 125. / 54},
      {31. / 300, 0, 0, 0, 61. / 225, -2. / 9, 13. / 900},
      {2, 0, 0, -53. / 6, 704. / 45, -107. / 9, 67. / 90, 3},
      {-91. / 108, 0, 0, 23. / 108, -976. / 135, 311. / 54, -19. / 60, 17. / 6, -1. / 12},
      {2383. / 4100, 0, 0, -341. / 164, 4496. / 1025, -301. / 82, 2133. / 4100, 45. / 82, 45. / 164, 18. / 41},
      {3. / 205, 0, 0, 0, 0, -6. / 41, -3. / 205, -3. / 41, 3. / 41, 6. / 41, 0},
      {-1777. / 4100, 0, 0, -341. / 164, 4496. / 1025, -289. / 82, 2193. / 4100, 51. / 82, 33. / 164, 12. / 41, 0, 1},
      {0, 0, 0, 0, 0, 34. / 105, 9. / 35, 9. / 35, 9. / 280, 9. / 280, 0, 41. / 840, 41. / 840}};
  if (!eighth) tableau.back() = {41. / 840, 0, 0, 0, 0, 34. / 105, 9. / 35, 9. / 35, 9. / 280, 9. / 280, 41. / 840};
  return tableau;
}

/// Dormand and Prince 1981, twelve stages, of order 8: DOP853 in Hairer, Norsett and Wanner 1993.
inline Tableau dop_853() {
  return {
      {},
      {5.26001519587677318785587544488e-2},
      {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
      {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
      {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1, 9.24834003261792003115737966543e-1},
      {3.7037037037037037037037037037e-2, 0, 0, 1.70828608729473871279604482173e-1, 1.25467687566822425016691814123e-1},
      {3.7109375e-2, 0, 0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2, -1.7578125e-2},
      {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1, 1.07262030446373284651809199168e-1,
       -1.53194377486244017527936158236e-2, 8.27378916381402288758473766002e-3},
      {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825, -8.68219346841726006818189891453e-1,
       2.75920996994467083049415600797e1, 2.01540675504778934086186788979e1, -4.34898841810699588477366255144e1},
      {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468, -5.90290826836842996371446475743e-1,
       2.12300514481811942347288949897e1, 1.52792336328824235832596922938e1, -3.32882109689848629194453265587e1,
       -2.03312017085086261358222928593e-2},
      {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209, 1.09143734899672957818500254654,
       -8.14978701074692612513997267357, -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
       2.49360555267965238987089396762, -3.0467644718982195003823669022},
      {2.27331014751653820792359768449, 0, 0, -1.05344954667372501984066689879e1, -2.00087205822486249909675718444,
       -1.79589318631187989172765950534e1, 2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
       -8.87285693353062954433549289258, 1.23605671757943030647266201528e1, 6.43392746015763530355970484046e-1},
      {5.42937341165687622380535766363e-2, 0, 0, 0, 0, 4.45031289275240888144113950566, 1.89151789931450038304281599044,
       -5.8012039600105847814672114227, 3.1116436695781989440891606237e-1, -1.52160949662516078556178806805e-1,
       2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2}};
}

/// Returns the next row of an extrapolation (Aitken and Neville): j is its number from 1, `power` the power of the small step in which the
/// error is a series.
inline std::vector<std::vector<double>> extrapolated_row(const std::vector<std::vector<double>>& row,
                                                         const std::vector<double>& now, int j, int power) {
  std::vector<std::vector<double>> next{now};
  for (int k = 1; k < j; ++k) {
    const double ratio = std::pow(static_cast<double>(j) / (j - k), power) - 1;
    std::vector<double> better = next.back();
    for (std::size_t i = 0; i < better.size(); ++i)
      better[i] += (better[i] - row[static_cast<std::size_t>(k) - 1][i]) / ratio;
    next.push_back(better);
  }
  return next;
}

/// Extrapolation of 1, 2, ..., order Euler steps: Hairer, Norsett and Wanner 1993, II.9.
inline Step extrapolated_euler(int order) {
  return [order](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::vector<double> y = joined(z);
    std::vector<std::vector<double>> row;
    for (int j = 1; j <= order; ++j) {
      std::vector<double> now = y;
      for (int k = 0; k < j; ++k) now = moved(now, h / j, {1}, {rates(forces, z.t + h / j * k, now)});
      row = extrapolated_row(row, now, j, 1);
    }
    put(z, row.back());
  };
}

/// Extrapolation of Gragg's midpoint steps, 2, 4, ..., order of them in a step: Hairer, Norsett and Wanner 1993, II.9.
inline Step gragg_bulirsch_stoer(int order) {
  return [order](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::vector<double> y = joined(z);
    std::vector<std::vector<double>> row;
    for (int j = 1; 2 * j <= order; ++j) {
      const int n = 2 * j;
      const double small = h / n;
      std::vector<double> before = y, now = moved(y, small, {1}, {rates(forces, z.t, y)});
      for (int k = 1; k < n; ++k) {
        before = moved(before, 2 * small, {1}, {rates(forces, z.t + k * small, now)});
        std::swap(before, now);
      }
      row = extrapolated_row(row, now, j, 2);
    }
    put(z, row.back());
  };
}

/// Returns the zeros of P_s - left P_{s-1} on [0, 1], P Legendre's polynomials: nodes of Gauss, or with left = 1 of Radau IIA.
inline std::vector<double> collocation_nodes(int s, int left) {
  const auto value = [&](double x) {
    double before = 1, now = x;
    for (int k = 2; k <= s; ++k) {
      const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
      before = now;
      now = next;
    }
    return now - left * before;
  };
  std::vector<double> nodes;
  constexpr int parts = 1000;
  for (int k = 0; k < parts; ++k) {
    // Off the zeros in the middle and, for Radau, at the end.
    double low = -1 + (2 * k - 0.3) / parts, high = -1 + (2 * k + 1.7) / parts;
    if (value(low) * value(high) > 0) continue;
    for (int bisections = 0; bisections < 80; ++bisections) {
      const double middle = (low + high) / 2;
      (value(low) * value(middle) > 0 ? low : high) = middle;
    }
    nodes.push_back((1 + (low + high) / 2) / 2);
  }
  if (left == 1) nodes.push_back(1);
  return nodes;
}

/// The collocation method of some nodes: stages by fixed-point iteration to rounding, for steps that are not stiff.
inline Step collocation(const std::vector<double>& nodes) {
  const std::size_t s = nodes.size();
  // The integrals of Lagrange's polynomials from 0 to each node and to 1.
  Tableau tableau(s + 1, std::vector<double>(s));
  for (std::size_t j = 0; j < s; ++j) {
    std::vector<long double> polynomial{1};
    for (std::size_t k = 0; k < s; ++k) {
      if (k == j) continue;
      const long double by = 1 / (static_cast<long double>(nodes[j]) - nodes[k]);
      std::vector<long double> next(polynomial.size() + 1, 0);
      for (std::size_t i = 0; i < polynomial.size(); ++i) {
        next[i] -= polynomial[i] * by * nodes[k];
        next[i + 1] += polynomial[i] * by;
      }
      polynomial = next;
    }
    for (std::size_t i = 0; i <= s; ++i) {
      const long double c = i == s ? 1 : static_cast<long double>(nodes[i]);
      long double sum = 0, power = c;
      for (std::size_t k = 0; k < polynomial.size(); ++k, power *= c)
        sum += polynomial[k] * power / static_cast<long double>(k + 1);
      tableau[i][j] = static_cast<double>(sum);
    }
  }
  return [tableau, nodes, s](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::vector<double> y = joined(z);
    std::vector<std::vector<double>> f(s, rates(forces, z.t, y));
    double last = INFINITY;
    for (int round = 0; round < 300; ++round) {
      double change = 0;
      std::vector<std::vector<double>> next;
      for (std::size_t i = 0; i < s; ++i) {
        next.push_back(rates(forces, z.t + h * nodes[i], moved(y, h, tableau[i], f)));
        for (std::size_t k = 0; k < y.size(); ++k) change = std::max(change, std::abs(next[i][k] - f[i][k]));
      }
      f = next;
      // Until it no longer falls.
      if (change == 0 || (round > 20 && change >= last)) break;
      last = change;
    }
    put(z, moved(y, h, tableau.back(), f));
  };
}

/// Steps of Verlet's method, one for each fraction.
inline Step composition(const std::vector<double>& fractions) {
  return [fractions](Forces<double>& forces, TimedPoint<double>& z, double h) {
    double t = z.t;
    for (const double fraction : fractions) {
      const double part = fraction * h;
      const auto drift = [&] {
        const std::vector<double> v = forces.velocity(z.p);
        for (std::size_t i = 0; i < v.size(); ++i) z.q[i] += part / 2 * v[i];
      };
      drift();
      const std::vector<double> g = forces.gradient(t + part / 2, z.q);
      for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= part * g[i];
      drift();
      t += part;
    }
  };
}
/// Raises a palindrome of even order: Yoshida's triple jump with two copies on the sides, Suzuki's with four.
inline std::vector<double> raised(const std::vector<double>& fractions, int order, int copies) {
  const double root = std::pow(copies, 1.0 / (order + 1)), gamma = 1 / (copies - root);
  std::vector<double> all;
  for (int k = 0; k <= copies; ++k)
    for (const double fraction : fractions) all.push_back(fraction * (k == copies / 2 ? 1 - copies * gamma : gamma));
  return all;
}
/// Yoshida 1990, order 6, solution A.
inline std::vector<double> yoshida_6() {
  const double w1 = -1.17767998417887, w2 = 0.235573213359357, w3 = 0.784513610477560;
  const double w0 = 1 - 2 * (w1 + w2 + w3);
  return {w3, w2, w1, w0, w1, w2, w3};
}
/// Yoshida 1990, order 8, solution D.
inline std::vector<double> yoshida_8() {
  const std::vector<double> w{1.04242620869991,  1.82020630970714,  0.157739928123617, 2.44002732616735,
                              -0.00716989419708, -2.44699182370524, -1.61582374150097, -1.7808286265894512};
  std::vector<double> all = w;
  all.insert(all.end(), w.rbegin() + 1, w.rend());
  return all;
}
inline std::vector<double> suzuki(int order) {
  std::vector<double> fractions{1};
  for (int of = 2; of < order; of += 2) fractions = raised(fractions, of, 4);
  return fractions;
}
inline std::vector<double> triple_jump(int order) {
  std::vector<double> fractions{1};
  for (int of = 2; of < order; of += 2) fractions = raised(fractions, of, 2);
  return fractions;
}
/// Half a step of each of two methods of one order: not symmetric though both are.
inline std::vector<double> halves(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  for (double& fraction : first) fraction /= 2;
  return first;
}

inline std::vector<Named> right_methods() {
  std::vector<Named> all{
      {"Verner 6", 6, false, false, runge_kutta(verner_6())},
      {"Fehlberg 7", 7, false, false, runge_kutta(fehlberg_78(false))},
      {"Fehlberg 8", 8, false, false, runge_kutta(fehlberg_78())},
      {"DOP853", 8, false, false, runge_kutta(dop_853())},
      {"Yoshida 6", 6, true, true, composition(yoshida_6())},
      {"triple jump 6", 6, true, true, composition(triple_jump(6))},
      {"triple jump 8", 8, true, true, composition(triple_jump(8))},
      {"Suzuki 6", 6, true, true, composition(suzuki(6))},
      {"Yoshida 6 and Suzuki 6", 6, false, true, composition(halves(yoshida_6(), suzuki(6)))},
  };
  for (const int order : {6, 8, 10, 12})
    all.push_back(
        {"Gragg, Bulirsch, Stoer " + std::to_string(order), order, false, false, gragg_bulirsch_stoer(order)});
  for (const int s : {3, 4, 5, 6})
    all.push_back({"Gauss " + std::to_string(2 * s), 2 * s, true, true, collocation(collocation_nodes(s, 0))});
  for (const int s : {3, 4, 5})
    all.push_back(
        {"Radau " + std::to_string(2 * s - 1), 2 * s - 1, false, false, collocation(collocation_nodes(s, 1))});
  return all;
}

}  // namespace high_orders
