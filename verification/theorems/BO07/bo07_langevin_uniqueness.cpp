// SPDX-License-Identifier: MIT
// Theorem: BO07 Section 1: constrained Langevin dynamics has no invariant probability measure but the restricted Gibbs measure
//
// "To prove this measure is unique one uses standard arguments based on nondegeneracy of the diffusion and drift vector fields on
// the momentums." The arguments, for
//
//   dq = v dt,   dv = a(q, v) dt + sum_i b_i(q) dW_i,   g(q) = 0,                                                          (1)
//
// with friction in a, b_i = P M^-1 n_i, P = I - M^-1 G^T (G M^-1 G^T)^-1 G, d the dimension of Q. b_i depends on q alone: the
// integrals of Ito and of Stratonovich are the same. The fields of drift and noise on T*Q are X_0 = (v, a), X_i = (0, b_i), and
//
//   [X_0, X_i] = DX_i X_0 - DX_0 X_i = (-b_i, Db_i v - D_v a b_i).                                                         (2)
//
// 1. X_i and (2) form a block triangle with the b_i in both diagonal blocks. So they have the rank 2 rank(b_1, b_2, ...), which is
//    2 rank(K_ij), K_ij = b_i . M b_j. The bath has n_i = (2 gamma/beta)^(1/2) L e_i with M = L L^T: K is 2 gamma/beta times
//    L^T P L^-T, which is symmetric and similar to the projection P. It has d eigenvalues 2 gamma/beta and else zeros, at every state
//    at which G has full rank. This is the nondegeneracy on the momenta; the drift, by q' = v, takes it to the positions.
//    Hormander's condition holds at every point, with brackets of length two and without X_0 itself: (1) has smooth transition
//    densities (Hormander 1967; Ichihara and Kunita 1974), its semigroup makes bounded functions continuous.
// 2. With functions u_i of time in the place of the noise, any q(t) of class C^2 on Q solves (1): what q'' lacks of a is tangent,
//    and so a combination of the b_i. So any state can be steered to any other, in any time, if Q is connected; and (1) comes
//    near to it with positive probability (Stroock and Varadhan 1972).
// 3. Two invariant probability measures, if there were, could be chosen ergodic, which then live on disjoint sets. By 1 their
//    supports are disjoint; by 2 each has all of T*Q as its support. So there is at most one (Doob 1948; Khasminskii 1960).
// 4. Where H is bounded below and sets of bounded H are compact no motion explodes: the generator applied to H is at most
//    gamma d/beta. The Gibbs measure is then invariant (BO07.langevin.gibbs). That it can be made a probability measure is a
//    hypothesis of its own: the integral of exp(-beta U) det(G M^-1 G^T)^(1/2) delta(g) dq is finite. It is on a compact Q, and
//    on the cylinder with U = x z + z^2/2. Compact sets of bounded H do not make it so: U may grow as a logarithm.
//
// So 1 to 3 say "at most one", and 4 which. For the free molecule of water in a uniform field 1 to 3 hold, but not 4: U is not
// bounded below, and the Gibbs measure is infinite. Of the molecule only the rank is meant below.
//
// What can be measured of this are the rank, by derivatives of the fields as they are and not by (2), and that steering
// arrives, both at states that are drawn: a check of the fields. That the rank is full at every state is the argument under 1. The
// theorems named are not tested. What fails without the nondegeneracy: with noise and friction along one gradient that shares
// the symmetry of U, as grad q_z on the sphere, L_z stays, no bracket leaves its levels, and the Gibbs measure times any function
// of L_z is invariant. Along grad q_x brackets of length five and less have the full rank at almost all states. But the circle
// y = 0 is not left, and has an invariant measure of its own beside the one on the sphere: the rank at states that are drawn
// decides nothing. If Q has several components, each has a measure, at full rank.
//
// One file: the four steps are one argument, and the fields of the first are used in all.
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "study/evidence/constrained_measures.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"bo07_langevin_uniqueness",
          {"BO07", "Section 1: uniqueness of the Gibbs measure", "Sec. 1"},
          "Constrained Langevin dynamics: drift and noise reach all directions of phase space, and any state from any "
          "other"};
}

namespace {

using namespace constrained_states;

// --- the fields -------------------------------------------------------------------------------------------------------

enum class LangevinFriction { of_all_momenta, along_the_noise };

/// Drift and noise of (1), for any system of systems/stochastic_problems.hpp, with its noise potentials.
template <class System>
class LangevinFields {
 public:
  using S = ScalarOf<System>;
  using V = VectorOf<System>;
  explicit LangevinFields(System system, LangevinFriction friction = LangevinFriction::of_all_momenta)
      : system_(std::move(system)), friction_(friction) {}

  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] Eigen::Index noises() const { return system_.noise().count(); }
  /// b_i, the columns of the result.
  [[nodiscard]] Matrix<S, Dynamic> kicks(const V& q) const {
    Matrix<S, Dynamic> b(q.size(), noises());
    for (Eigen::Index i = 0; i < noises(); ++i) {
      V force = zeros<V>(q.size());
      system_.noise().add_gradient(i, q, S(1), force);
      b.col(i) = kick(q, force);
    }
    return b;
  }
  /// What a force does to the velocity: P M^-1 force.
  [[nodiscard]] V kick(const V& q, const V& force) const {
    typename System::multiplier_type rates;
    system_.constraint().value(q, rates);
    rates.setConstant(S(0));
    return tangent(q, system_.velocity(force), rates);
  }
  /// a(q, v), with friction of rate one, or as much along the noise as it takes for beta = 2.
  [[nodiscard]] V acceleration(const V& q, const V& v) const {
    typename System::multiplier_type rates;
    system_.constraint().curvature(q, v, rates);
    V a = tangent(q, system_.velocity(force_at(system_, q)), rates);
    if (friction_ == LangevinFriction::of_all_momenta) return a - v;
    V momentum = v;
    system_.mass().apply(v, momentum);
    const Matrix<S, Dynamic> b = kicks(q);
    for (Eigen::Index i = 0; i < b.cols(); ++i) a -= b.col(i) * b.col(i).dot(momentum);
    return a;
  }

 private:
  /// a + M^-1 G^T nu with G (a + M^-1 G^T nu) = -rates.
  [[nodiscard]] V tangent(const V& q, const V& a, const typename System::multiplier_type& rates) const {
    const Matrix<S, Dynamic> gradients = gradients_of(system_, q);
    Matrix<S, Dynamic> directions = gradients.transpose();
    for (Eigen::Index k = 0; k < directions.cols(); ++k) directions.col(k) = system_.velocity(V(directions.col(k)));
    Vector<S, Dynamic> right = gradients * a;
    for (Eigen::Index k = 0; k < right.size(); ++k) right(k) += rates(k);
    return a - directions * solved<S>(gradients * directions, right);
  }

  System system_;
  LangevinFriction friction_;
};

/// A rank by elimination with full pivots: how many exceed 1e-30 of the first. Pivots of 50 digits that vanish are below 1e-40.
struct Rank {
  int rank = 0;
  double smallest_kept = 1, largest_dropped = 0;  ///< in units of the first pivot
};
Rank rank_of(Matrix<Float50, Dynamic> a) {
  Rank found;
  double first = 0;
  for (Eigen::Index k = 0; k < std::min(a.rows(), a.cols()); ++k) {
    Eigen::Index row = k, column = k;
    for (Eigen::Index i = k; i < a.rows(); ++i)
      for (Eigen::Index j = k; j < a.cols(); ++j)
        if (magnitude(a(row, column)) < magnitude(a(i, j))) row = i, column = j;
    const double pivot = std::abs(to_double(a(row, column)));
    if (k == 0) first = pivot;
    if (!(pivot > 1e-30 * first)) {
      found.largest_dropped = first > 0 ? pivot / first : 0;
      return found;
    }
    found.smallest_kept = pivot / first;
    ++found.rank;
    a.row(k).swap(a.row(row));
    a.col(k).swap(a.col(column));
    for (Eigen::Index i = k + 1; i < a.rows(); ++i) {
      const Float50 factor = a(i, k) / a(k, k);
      for (Eigen::Index j = k; j < a.cols(); ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return found;
}

/// What is drawn: systems with a noise in every coordinate, and one with less.
template <class Problem, int N>
struct WithBath {
  template <class S>
  static auto system() {
    std::array<int, N> all;
    std::iota(all.begin(), all.end(), 0);
    return Problem::template with_noise<S>(coordinate_noise<S, N>(S(1), all));
  }
  static auto draw(std::uint64_t number) { return Problem::draw(number); }
};
struct OnSphere {
  template <class S, class Noise>
  static auto with_noise(const Noise& noise) {
    return sphere_pendulum<S>(noise).system;
  }
  static auto draw(std::uint64_t number) { return Sphere::draw<Float50>(number, Float50(1)); }
};
struct OnCylinder {
  template <class S, class Noise>
  static auto with_noise(const Noise& noise) {
    return cylinder_pendulum<S>(noise).system;
  }
  /// A point of the sphere, and its velocity, stretched along z to the cylinder.
  static PhaseState<Float50, 3> draw(std::uint64_t number) {
    PhaseState<Float50, 3> z = Sphere::draw<Float50>(number, Float50(1));
    using std::sqrt;
    const Float50 x = z.q(0), y = z.q(1), radius = sqrt(Float50(x * x + y * y)), turn = x * z.v(1) - y * z.v(0);
    z.q(0) = x / radius, z.q(1) = y / radius;
    z.v(0) = -turn * z.q(1), z.v(1) = turn * z.q(0);
    return z;
  }
};
struct OnDoubleSphere {
  template <class S, class Noise>
  static auto with_noise(const Noise& noise) {
    return double_sphere_pendulum<S>(noise).system;
  }
  static auto draw(std::uint64_t number) { return DoubleSphere::draw<Float50>(number, Float50(1)); }
};
template <class S>
auto water() {
  const WaterModel<Float50> m = tip3p<Float50>();
  return water_in_field<S>(S(1), S(1),
                           {S(m.oxygen_mass), S(m.hydrogen_mass), S(m.squared_oh), S(m.squared_hh), S(m.coulomb),
                            S(m.repulsion), S(m.attraction)});
}
/// A rigid molecule of water, turned and moving at random.
struct OfWater {
  template <class S, class Noise>
  static auto with_noise(const Noise& noise) {
    const auto free = water<S>().system;
    using Free = std::decay_t<decltype(free)>;
    return StochasticSystem<typename Free::mass_type, UniformField<S, 9>, typename Free::constraint_type, Noise>(
        free.mass(), free.potential(), free.constraint(), noise);
  }
  static PhaseState<Float50, 9> draw(std::uint64_t number) {
    const auto still = water<Float50>();
    const auto [x, y] = orthogonal_directions<Float50>(number, 0);
    const auto [at, rate] = orthogonal_directions<Float50>(number, 1);
    const auto cross = [](const auto& a, const auto& b) {
      return Vector<Float50, 3>(a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0));
    };
    const Vector<Float50, 3> z = cross(x, y);
    PhaseState<Float50, 9> drawn{still.q, still.v};
    for (int i = 0; i < 9; i += 3) {
      const Vector<Float50, 3> site = still.q(i) * x + still.q(i + 1) * y + still.q(i + 2) * z;
      drawn.q.segment<3>(i) = site + at;
      drawn.v.segment<3>(i) = cross(at, site) + rate;
    }
    return drawn;
  }
};
/// The noises of water_in_field(), a field that fluctuates: three torques, and no force on the whole.
struct WaterInFluctuatingField {
  template <class S>
  static auto system() {
    return water<S>().system;
  }
  static auto draw(std::uint64_t number) { return OfWater::draw(number); }
};
/// The sphere with noise along one gradient.
template <int Coordinate>
struct AlongOne {
  template <class S>
  static auto system() {
    return sphere_pendulum<S>(coordinate_noise<S, 3>(S(1), std::array{Coordinate})).system;
  }
  static auto draw(std::uint64_t number) { return OnSphere::draw(number); }
};

constexpr int states = 50;

/// Among random states: how many have the noises and their brackets with the drift not of the rank 2 d.
struct Degenerate {
  int count = 0;
  double smallest_kept = 1, largest_dropped = 0;
  void add(const Degenerate& other) {
    count += other.count;
    smallest_kept = std::min(smallest_kept, other.smallest_kept);
    largest_dropped = std::max(largest_dropped, other.largest_dropped);
  }
};
template <class Problem>
Degenerate degenerate_states(LangevinFriction friction = LangevinFriction::of_all_momenta) {
  using D = Dual<Float50>;
  const LangevinFields fields(Problem::template system<D>(), friction);
  using V = typename decltype(fields)::V;
  Degenerate found;
  for (int number = 0; number < states; ++number) {
    const auto z = Problem::draw(static_cast<std::uint64_t>(number));
    const Eigen::Index n = z.q.size(), noises = fields.noises();
    const auto along = [n](const auto& at, const auto& direction) {
      V moved(n);
      for (Eigen::Index j = 0; j < n; ++j) moved(j) = D(at(j), direction(j));
      return moved;
    };
    const auto none = zeros<std::decay_t<decltype(z.q)>>(n);
    const Matrix<D, Dynamic> kicks = fields.kicks(along(z.q, z.v));  // with Db_i v
    Matrix<Float50, Dynamic> all = zeros<Matrix<Float50, Dynamic>>(2 * n, 2 * noises);
    for (Eigen::Index i = 0; i < noises; ++i) {
      auto b = none;
      for (Eigen::Index j = 0; j < n; ++j) b(j) = kicks(j, i).value;
      const V acceleration = fields.acceleration(along(z.q, none), along(z.v, b));
      for (Eigen::Index j = 0; j < n; ++j) {
        all(n + j, 2 * i) = b(j);
        all(j, 2 * i + 1) = -b(j);
        all(n + j, 2 * i + 1) = kicks(j, i).derivative - acceleration(j).derivative;
      }
    }
    const Rank rank = rank_of(all);
    const auto m = gradients_of(fields.system(), along(z.q, none)).rows();
    found.add({rank.rank == 2 * (n - m) ? 0 : 1, rank.smallest_kept, rank.largest_dropped});
  }
  return found;
}

TEST(ConstrainedLangevin, reaches_all_directions_with_brackets_of_noise_and_drift) {
  Degenerate all = degenerate_states<WithBath<OnSphere, 3>>();
  all.add(degenerate_states<WithBath<OnCylinder, 3>>());
  all.add(degenerate_states<WithBath<OnDoubleSphere, 6>>());
  all.add(degenerate_states<WithBath<OfWater, 9>>());
  report().measurement({.name = "smallest_pivot_kept", .value = all.smallest_kept, .tolerance = {.relative = 1e-6}});
  // Between those that count and those that vanish there is nothing.
  EXPECT_GT(all.smallest_kept, 1e-6);
  EXPECT_LT(all.largest_dropped, 1e-40);
  const auto count = [](const Degenerate& of) { return static_cast<double>(of.count); };
  expect_verdict(in_one_interval(
      {.id = "BO07.langevin.uniqueness",
       .measured = count(all),
       .unit = "states",
       .interval = {0, 0},
       .controls = {{.name = "noise and friction along grad q_z, on the sphere",
                     .measured = count(degenerate_states<AlongOne<2>>(LangevinFriction::along_the_noise))},
                    {.name = "a molecule in a field that fluctuates: no noise on the whole",
                     .measured = count(degenerate_states<WaterInFluctuatingField>())}},
       .note = text("Of %d states %d. No pivot is between %.0e and %.0e of the largest.", 4 * states, all.count,
                    std::max(all.largest_dropped, 1e-50), all.smallest_kept)}));
}

// --- all brackets on the sphere ---------------------------------------------------------------------------------------

/// Polynomials in q and v with integers as coefficients.
using Polynomial = std::map<std::array<int, 6>, std::int64_t>;
void add(Polynomial& sum, const std::array<int, 6>& monomial, std::int64_t coefficient) {
  std::int64_t& of = sum[monomial];
  if (__builtin_add_overflow(of, coefficient, &of)) throw std::overflow_error("coefficient: more than 64 bits");
  if (of == 0) sum.erase(monomial);
}
/// sum += sign a (db/dx_i)
void add_product_with_derivative(Polynomial& sum, const Polynomial& a, const Polynomial& b, std::size_t i, int sign) {
  for (const auto& [power, of_b] : b) {
    if (power[i] == 0) continue;
    for (const auto& [other, of_a] : a) {
      std::array<int, 6> product;
      for (std::size_t j = 0; j < 6; ++j) product[j] = power[j] + other[j] - (i == j ? 1 : 0);
      std::int64_t coefficient = 0;
      if (__builtin_mul_overflow(of_a, of_b * power[i] * sign, &coefficient))
        throw std::overflow_error("coefficient: more than 64 bits");
      add(sum, product, coefficient);
    }
  }
}
using PolynomialField = std::array<Polynomial, 6>;
PolynomialField bracket(const PolynomialField& x, const PolynomialField& y) {
  PolynomialField result;
  for (std::size_t k = 0; k < 6; ++k)
    for (std::size_t i = 0; i < 6; ++i) {
      add_product_with_derivative(result[k], x[i], y[k], i, 1);
      add_product_with_derivative(result[k], y[i], x[k], i, -1);
    }
  return result;
}
std::array<int, 6> powers(std::initializer_list<std::size_t> coordinates) {
  std::array<int, 6> result{};
  for (const std::size_t i : coordinates) ++result[i];
  return result;
}
/// All brackets of length five and less of the noise along grad q_e and the drift with friction along it, U = z, of which the noise is
/// a part. On the sphere and its tangents these are the fields of (1), elsewhere an extension, which their values there do not see.
std::vector<PolynomialField> brackets_along(std::size_t e) {
  PolynomialField drift, noise;
  add(drift[5], {}, -1);
  add(noise[3 + e], {}, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    add(drift[i], powers({3 + i}), 1);
    add(drift[3 + i], powers({2, i}), 1);  // the normal part of grad U
    for (std::size_t j = 3; j < 6; ++j) add(drift[3 + i], powers({j, j, i}), -1);
    add(noise[3 + i], powers({e, i}), -1);
    add(drift[3 + i], powers({e, i, 3 + e}), 1);  // friction -v_e (e - q_e q)
  }
  add(drift[3 + e], powers({3 + e}), -1);
  std::vector<PolynomialField> all{noise};
  for (std::size_t first = 0, length = 2; length <= 5; ++length)
    for (const std::size_t last = all.size(); first < last; ++first) {
      all.push_back(bracket(drift, all[first]));
      all.push_back(bracket(noise, all[first]));
    }
  return all;
}
int rank_at(const std::vector<PolynomialField>& fields, const PhaseState<Float50, 3>& z) {
  Matrix<Float50, Dynamic> values(6, static_cast<Eigen::Index>(fields.size()));
  for (std::size_t column = 0; column < fields.size(); ++column)
    for (std::size_t row = 0; row < 6; ++row) {
      Float50 sum(0);
      for (const auto& [power, coefficient] : fields[column][row]) {
        Float50 product(static_cast<double>(coefficient));
        for (std::size_t i = 0; i < 6; ++i)
          for (int k = 0; k < power[i]; ++k)
            product *= i < 3 ? z.q(static_cast<Eigen::Index>(i)) : z.v(static_cast<Eigen::Index>(i) - 3);
        sum += product;
      }
      values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = sum;
    }
  return rank_of(values).rank;
}

TEST(ConstrainedLangevin, with_one_noise_has_states_without_all_directions) {
  const auto vertical = brackets_along(2), horizontal = brackets_along(0);
  constexpr int drawn = 20;
  int of_vertical = 0, of_horizontal = 4, on_circle = 0;
  for (int number = 0; number < drawn; ++number) {
    const PhaseState<Float50, 3> z = OnSphere::draw(static_cast<std::uint64_t>(number));
    of_vertical = std::max(of_vertical, rank_at(vertical, z));
    of_horizontal = std::min(of_horizontal, rank_at(horizontal, z));
    // A rational point of the circle y = 0 for each number.
    const Float50 t = ratio<Float50>(2 * number - drawn + 1, 7), d = Float50(1) + t * t;
    PhaseState<Float50, 3> on = z;
    on.q << (Float50(1) - t * t) / d, Float50(0), Float50(2) * t / d;
    on.v << Float50(number - 5) * on.q(2), Float50(0), -Float50(number - 5) * on.q(0);
    on_circle = std::max(on_circle, rank_at(horizontal, on));
  }
  const Interval two{2, 2};
  expect_verdict(in_one_interval(
      {.id = "BO07.langevin.brackets",
       .measured = static_cast<double>(on_circle),
       .unit = "rank",
       .interval = two,
       .controls = {{.name = "along grad q_x, states drawn from all of phase space",
                     .measured = static_cast<double>(of_horizontal)},
                    {.name = "along grad q_z, the same states", .measured = static_cast<double>(of_vertical)}},
       .note = text("Along grad q_x %d at %d states that were drawn, %d at as many of the circle; along grad q_z %d.",
                    of_horizontal, drawn, on_circle, of_vertical)}));
}

// --- steering ---------------------------------------------------------------------------------------------------------

using Twice = Dual<Dual<double>>;  ///< values with two derivatives in time

/// The rods of a state, from the origin on, with their rates.
std::vector<PhaseState<double, 3>> rods_of(const Vector<double, Dynamic>& q, const Vector<double, Dynamic>& v) {
  std::vector<PhaseState<double, 3>> rods;
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    PhaseState<double, 3> rod{q.segment<3>(i), v.segment<3>(i)};
    if (i > 0) rod.q -= q.segment<3>(i - 3), rod.v -= v.segment<3>(i - 3);
    rods.push_back(rod);
  }
  return rods;
}

/// A curve on Q from one state to another in the time 1: each rod along Hermite's cubic and a part to the side, which keeps
/// it from zero, at its length.
class CurveOfRods {
 public:
  CurveOfRods(std::vector<PhaseState<double, 3>> from, std::vector<PhaseState<double, 3>> to)
      : from_(std::move(from)), to_(std::move(to)) {}
  /// Sets position, velocity and acceleration at a time.
  template <class V>
  void at(double time, V& q, V& v, V& a) const {
    const Twice t(Dual<double>(time, 1), Dual<double>(1, 0)), one(1), s = one - t;
    Vector<Twice, 3> end(Twice(0), Twice(0), Twice(0));
    for (std::size_t k = 0; k < from_.size(); ++k) {
      const Vector<double, 3>&x = from_[k].q, &y = to_[k].q;
      Vector<double, 3> side(x(1) * y(2) - x(2) * y(1), x(2) * y(0) - x(0) * y(2), x(0) * y(1) - x(1) * y(0));
      side *= x.norm() / side.norm();
      Vector<Twice, 3> w;
      for (Eigen::Index i = 0; i < 3; ++i)
        w(i) = s * s * ((one + Twice(2) * t) * Twice(x(i)) + t * Twice(from_[k].v(i))) +
               t * t * ((one + Twice(2) * s) * Twice(y(i)) - s * Twice(to_[k].v(i))) +
               Twice(8) * s * s * t * t * Twice(side(i));
      using std::sqrt;
      const Twice scale = Twice(x.norm()) / sqrt(w(0) * w(0) + w(1) * w(1) + w(2) * w(2));
      for (Eigen::Index i = 0; i < 3; ++i) {
        end(i) += scale * w(i);
        const Eigen::Index at = 3 * static_cast<Eigen::Index>(k) + i;
        q(at) = end(i).value.value, v(at) = end(i).value.derivative, a(at) = end(i).derivative.derivative;
      }
    }
  }

 private:
  std::vector<PhaseState<double, 3>> from_, to_;
};

/// How far from its end a motion arrives that is steered from one random state to the next by (1) with functions of time in
/// the place of the noise. These are what the curve asks for, or, if there is one noise only, as much of it as it can do.
template <class Problem>
double missed(std::uint64_t number) {
  const LangevinFields fields(Problem::template system<double>());
  using V = typename decltype(fields)::V;
  const auto in_doubles = [](const auto& x) {
    V result(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) result(i) = to_double(x(i));
    return result;
  };
  const auto from = Problem::draw(number), to = Problem::draw(number + 1);
  V q = in_doubles(from.q), v = in_doubles(from.v);
  const V q_end = in_doubles(to.q), v_end = in_doubles(to.v);
  const CurveOfRods curve(rods_of(q, v), rods_of(q_end, v_end));
  constexpr int steps = 256;
  constexpr double h = 1.0 / steps;
  const auto force_at_time = [&](double t) {
    V c = q, rate = q, acceleration = q;
    curve.at(t, c, rate, acceleration);
    const V lacking = acceleration - fields.acceleration(c, rate);
    V force = lacking;
    fields.system().mass().apply(lacking, force);
    if (fields.noises() == 1) {
      const V b = fields.kicks(c).col(0);
      V momentum = b, gradient = zeros<V>(q.size());
      fields.system().mass().apply(b, momentum);
      fields.system().noise().add_gradient(0, c, force.dot(b) / momentum.dot(b), gradient);
      force = gradient;
    }
    return force;
  };
  for (int k = 0; k < steps; ++k) {
    const double t = k * h;
    const V first = force_at_time(t), middle = force_at_time(t + h / 2), last = force_at_time(t + h);
    const auto rate = [&](const V& at, const V& velocity, const V& force) -> V {
      return fields.acceleration(at, velocity) + fields.kick(at, force);
    };
    const V a1 = rate(q, v, first), v2 = v + h / 2 * a1, a2 = rate(q + h / 2 * v, v2, middle), v3 = v + h / 2 * a2,
            a3 = rate(q + h / 2 * v2, v3, middle), v4 = v + h * a3, a4 = rate(q + h * v3, v4, last);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return std::hypot((q - q_end).norm(), (v - v_end).norm());
}

TEST(ConstrainedLangevin, can_be_steered_from_any_state_to_any_other) {
  constexpr std::uint64_t pairs = 10;
  double largest = 0, smallest_of_one = infinity;
  for (std::uint64_t number = 0; number < pairs; ++number) {
    largest = larger(largest, missed<WithBath<OnSphere, 3>>(number));
    largest = larger(largest, missed<WithBath<OnDoubleSphere, 6>>(number));
    smallest_of_one = -larger(-smallest_of_one, -missed<AlongOne<2>>(number));
  }
  expect_verdict(in_one_interval({.id = "BO07.langevin.steering",
                                  .measured = largest,
                                  .unit = "length",
                                  .interval = {0, 1e-4},
                                  .controls = {{.name = "forces along grad q_z only", .measured = smallest_of_one}}}));
}

}  // namespace
}  // namespace livi::theorem
