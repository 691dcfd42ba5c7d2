// SPDX-License-Identifier: MIT
//
// Integrator 5, SHAKE and RATTLE on molecules in the lanes of vectors. Highway compiles this file once for every instruction set.
#include <livi/systems/vectorised_water.hpp>

// Instruction sets whose vector size the compiler does not know are disabled: their vectors cannot be members of
// structures, as they are below.
#ifndef HWY_DISABLED_TARGETS
#define LIVI_VECTORS_OF_UNKNOWN_SIZE (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// An instruction set takes clang++ two minutes with the sanitizers: without the two that no processor with AVX2 uses.
#define HWY_DISABLED_TARGETS (LIVI_VECTORS_OF_UNKNOWN_SIZE | HWY_SSSE3 | HWY_SSE4)
#endif
#endif
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS LIVI_VECTORS_OF_UNKNOWN_SIZE
#endif
#endif
// Highway compiles what is between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "livi/systems/vectorised_water.cpp"
#include <hwy/foreach_target.h>
// Highway asks for these after foreach_target.h.
#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>
#include <livi/systems/vectorised_water_lanes.inl>

HWY_BEFORE_NAMESPACE();
namespace livi::HWY_NAMESPACE {
namespace {

// ---- Integrator 5 ---------------------------------------------------------------------------------------------------

/// Sets out = -(M + c Hess V1)^-1 (force + grad V1) for the molecules of a block, with the formulas and names of
/// ShiftedSolver<TriangleHessian>. Where A is not safely positive definite, the result is false and
/// out = -(force + grad V1).
HWY_INLINE M solve_stiff(const StiffPart& part, const Molecule& position, const Molecule& force, const Triple& mass,
                         Molecule& out) {
  const D d;
  const Sides s = sides_of(position);
  const V stiffness = hn::Set(d, part.stiffness), two = hn::Set(d, 2.0);
  const V oh = hn::Set(d, part.squared_oh), hh = hn::Set(d, part.squared_hh);
  const V d00 = dot(s.d[0], s.d[0]), d11 = dot(s.d[1], s.d[1]), d22 = dot(s.d[2], s.d[2]);
  const V tension[3] = {hn::Mul(hn::Mul(two, stiffness), hn::Sub(d00, oh)),
                        hn::Mul(hn::Mul(two, stiffness), hn::Sub(d11, oh)),
                        hn::Mul(hn::Mul(two, stiffness), hn::Sub(d22, hh))};
  const Molecule of_penalty = along_sides(tension, s);
  const Molecule b = {add(force.o, of_penalty.o), add(force.h1, of_penalty.h1), add(force.h2, of_penalty.h2)};

  const V c = hn::Set(d, part.c), t0 = hn::Mul(c, tension[0]), t1 = hn::Mul(c, tension[1]), t2 = hn::Mul(c, tension[2]);
  const Symmetric a{.a00 = hn::Add(mass.x, hn::Add(t0, t1)),
                    .a11 = hn::Add(mass.y, hn::Add(t0, t2)),
                    .a22 = hn::Add(mass.z, hn::Add(t1, t2)),
                    .a01 = hn::Neg(t0),
                    .a02 = hn::Neg(t1),
                    .a12 = hn::Neg(t2)};
  Symmetric inverse;
  const V least = least_part_of_determinant();
  const V minor = hn::MulSub(a.a00, a.a11, hn::Mul(a.a01, a.a01));
  V size, product;
  invert(a, inverse, size, product);
  M good = hn::Gt(inverse.a22, hn::Zero(d));
  good = hn::And(good, hn::And(hn::Gt(a.a00, hn::Mul(least, mass.x)),
                               hn::And(hn::Gt(a.a11, hn::Mul(least, mass.y)), hn::Gt(a.a22, hn::Mul(least, mass.z)))));
  good = hn::And(good, hn::Gt(minor, hn::Mul(least, hn::Mul(a.a00, a.a11))));

  const V strength = hn::Mul(c, hn::Mul(hn::Set(d, 4.0), stiffness)), one = hn::Set(d, 1.0);
  const Symmetric w = of_sides(inverse);
  const Symmetric k{.a00 = hn::MulAdd(hn::Mul(w.a00, d00), strength, one),
                    .a11 = hn::MulAdd(hn::Mul(w.a11, d11), strength, one),
                    .a22 = hn::MulAdd(hn::Mul(w.a22, d22), strength, one),
                    .a01 = hn::Mul(hn::Mul(w.a01, dot(s.d[0], s.d[1])), strength),
                    .a02 = hn::Mul(hn::Mul(w.a02, dot(s.d[0], s.d[2])), strength),
                    .a12 = hn::Mul(hn::Mul(w.a12, dot(s.d[1], s.d[2])), strength)};
  Symmetric k_inverse;
  V size_of_k, product_of_k;
  invert(k, k_inverse, size_of_k, product_of_k);
  const V stiffest = hn::Max(hn::Max(k.a00, k.a11), hn::Max(k.a22, one));
  good = hn::And(good,
                 hn::Gt(hn::Mul(size, size_of_k), hn::Mul(hn::Mul(least, stiffest), hn::Mul(product, product_of_k))));
  good = hn::And(good, hn::Ge(strength, hn::Zero(d)));
  const Sides y = sides_of(multiply(inverse, b));
  const V along[3] = {dot(s.d[0], y.d[0]), dot(s.d[1], y.d[1]), dot(s.d[2], y.d[2])};
  V z[3];
  multiply(k_inverse, along, z);
  for (V& entry : z) entry = hn::Mul(strength, entry);
  const Molecule pull = along_sides(z, s);
  const Molecule a_negative = multiply(inverse, {sub(b.o, pull.o), sub(b.h1, pull.h1), sub(b.h2, pull.h2)});
  const auto choose = [&](const Triple& solved, const Triple& right) HWY_ATTR {
    return Triple{hn::Neg(hn::IfThenElse(good, solved.x, right.x)), hn::Neg(hn::IfThenElse(good, solved.y, right.y)),
                  hn::Neg(hn::IfThenElse(good, solved.z, right.z))};
  };
  out = {choose(a_negative.o, b.o), choose(a_negative.h1, b.h1), choose(a_negative.h2, b.h2)};
  return good;
}

/// Computes the stiff forces. Returns true if all molecules are solved; otherwise flag[i] != 0 where one is not.
bool stiff_force(const WaterModel<double>& model, const StiffPart& part, const double* q, std::ptrdiff_t molecules,
                 bool with_pairs, double* f, double** flags) {
  const D d;
  Rows rows{};
  if (with_pairs) {
    rows = by_kind(q, molecules);
    pairs<false>(model, rows);
  } else {
    rows = rows_of_thread(molecules, lane_count());
  }
  *flags = rows.flag;
  bool all = true;
  for_each_block(molecules, [&](const Block& block) HWY_ATTR {
    const Triple mass = block.masses(part.mass);
    Molecule position, force, out;
    if (with_pairs) {
      const V coulomb = hn::Set(d, model.coulomb);
      position = load_molecule(rows.position + block.first, rows.stride);
      force = load_molecule(rows.force + block.first, rows.stride);
      force = {mul(coulomb, force.o), mul(coulomb, force.h1), mul(coulomb, force.h2)};
    } else {
      position = block.molecule(q);
      force = block.molecule(f);
    }
    const M good = solve_stiff(part, position, force, mass, out);
    block.set_molecule(out, f);
    if (HWY_UNLIKELY(!hn::AllTrue(d, good))) all = false;
    hn::StoreU(hn::IfThenElse(good, hn::Zero(d), hn::Set(d, 1.0)), d, rows.flag + block.first);
    return true;
  });
  return all;
}

// ---- SHAKE and RATTLE -----------------------------------------------------------------------------------------------

struct General {
  V a[3][3];
};
/// Sets out = b - a x.
HWY_INLINE void residual_of(const General& m, const V (&x)[3], const V (&b)[3], V (&out)[3]) {
  for (int i = 0; i < 3; ++i)
    out[i] = hn::NegMulAdd(m.a[i][2], x[2], hn::NegMulAdd(m.a[i][1], x[1], hn::NegMulAdd(m.a[i][0], x[0], b[i])));
}
/// Sets x to the solution of a x = b by cofactors. Returns where a is not singular: where the determinant is above the
/// rounding of its terms. Where it is a small part of them cofactors alone would leave a large residual, which is then
/// corrected twice; if that does not bring it to rounding, a counts as singular.
HWY_INLINE M solve(const General& m, const V (&b)[3], V (&x)[3]) {
  const D d;
  V cofactor[3][3];  // of entry (i, j)
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      cofactor[i][j] = hn::MulSub(m.a[i1][j1], m.a[i2][j2], hn::Mul(m.a[i1][j2], m.a[i2][j1]));
    }
  V size = hn::Set(d, 8 * std::numeric_limits<double>::epsilon());
  for (int i = 0; i < 3; ++i)
    size = hn::Mul(size, hn::Add(hn::Add(hn::Abs(m.a[i][0]), hn::Abs(m.a[i][1])), hn::Abs(m.a[i][2])));
  const V determinant =
      hn::MulAdd(m.a[0][2], cofactor[0][2], hn::MulAdd(m.a[0][1], cofactor[0][1], hn::Mul(m.a[0][0], cofactor[0][0])));
  const V reciprocal = hn::Div(hn::Set(d, 1.0), determinant);
  const auto times_inverse = [&](const V(&right)[3], int j) HWY_ATTR {
    return hn::Mul(reciprocal, hn::MulAdd(cofactor[2][j], right[2],
                                          hn::MulAdd(cofactor[1][j], right[1], hn::Mul(cofactor[0][j], right[0]))));
  };
  for (int j = 0; j < 3; ++j) x[j] = times_inverse(b, j);
  M regular = hn::Gt(hn::Abs(determinant), size);
  const M small = hn::Not(hn::Gt(hn::Abs(determinant), hn::Mul(hn::Set(d, 0x1p39), size)));  // 2^-10 of the product
  if (HWY_UNLIKELY(!hn::AllFalse(d, small))) {
    V rest[3];
    for (int round = 0; round < 2; ++round) {
      residual_of(m, x, b, rest);
      for (int j = 0; j < 3; ++j) x[j] = hn::Add(x[j], hn::IfThenElseZero(small, times_inverse(rest, j)));
    }
    residual_of(m, x, b, rest);
    // The factor is 64 because a residual of three terms and a right-hand side is rounded four times, as is the last
    // correction.
    const V rounding = hn::Set(d, 64 * std::numeric_limits<double>::epsilon());
    M solved = small;
    const V largest_x = hn::Max(hn::Max(hn::Abs(x[0]), hn::Abs(x[1])), hn::Abs(x[2]));
    for (int i = 0; i < 3; ++i) {
      const V row = hn::Add(hn::Add(hn::Abs(m.a[i][0]), hn::Abs(m.a[i][1])), hn::Abs(m.a[i][2]));
      solved = hn::And(solved, hn::Le(hn::Abs(rest[i]), hn::Mul(rounding, hn::MulAdd(row, largest_x, hn::Abs(b[i])))));
    }
    regular = hn::And(regular, hn::Or(solved, hn::Not(small)));
  }
  return regular;
}

/// Returns M^-1 G^T mu: at particle i, 2 / m_i times the weighted sides.
HWY_INLINE Molecule push_sides(const Triple& twice_inverse_mass, const Triple& mu, const Sides& sides) {
  const V weight[3] = {mu.x, mu.y, mu.z};
  const Molecule m = along_sides(weight, sides);
  return {mul(twice_inverse_mass.x, m.o), mul(twice_inverse_mass.y, m.h1), mul(twice_inverse_mass.z, m.h2)};
}
HWY_INLINE V largest(const Molecule& m) { return hn::Max(hn::Max(largest(m.o), largest(m.h1)), largest(m.h2)); }
HWY_INLINE Molecule add(const Molecule& a, const Molecule& b) {
  return {add(a.o, b.o), add(a.h1, b.h1), add(a.h2, b.h2)};
}

/// Returns Dg(sides) M^-1 G^T with the sides of G in `old`: 2 s_k . (twice_w_kl d_l), where w = of_sides(M^-1).
HWY_INLINE General multiplier_matrix(const Symmetric& twice_w, const Sides& s, const Sides& old) {
  const D d;
  const V w[3][3] = {{twice_w.a00, twice_w.a01, twice_w.a02},
                     {twice_w.a01, twice_w.a11, twice_w.a12},
                     {twice_w.a02, twice_w.a12, twice_w.a22}};
  General m;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) m.a[k][l] = hn::Mul(hn::Mul(hn::Set(d, 2.0), w[k][l]), dot(s.d[k], old.d[l]));
  return m;
}
HWY_INLINE Symmetric of_sides(const Triple& diagonal) {
  const V zero = hn::Zero(D());
  return of_sides(
      Symmetric{.a00 = diagonal.x, .a11 = diagonal.y, .a22 = diagonal.z, .a01 = zero, .a02 = zero, .a12 = zero});
}

/// Returns the first lane below `count` in which `mask` is false, or -1.
HWY_INLINE int first_false(M mask, std::ptrdiff_t count) {
  const D d;
  const auto lane = hn::FindFirstTrue(d, hn::Not(mask));
  return lane >= 0 && lane < count ? static_cast<int>(lane) : -1;
}

MultiplierOutcome solve_position(const double (&squared)[2], const NewtonLimits& newton,
                                 const double* twice_inverse_masses, const double* old, const double* r,
                                 std::ptrdiff_t molecules, double* mu, double* q) {
  using Failure = MultiplierOutcome::Failure;
  const D d;
  MultiplierOutcome outcome;
  const int limit = newton.fixed_iterations > 0 ? newton.fixed_iterations : newton.max_iterations;
  for_each_block(molecules, [&](const Block& block) HWY_ATTR {
    const auto fail = [&](Failure failure, int lane, int iterations) HWY_ATTR {
      outcome = {failure, static_cast<int>(block.first) + lane, iterations};
      return false;
    };
    const Triple twice_inverse_mass = block.triple(twice_inverse_masses);
    const Symmetric twice_w = of_sides(twice_inverse_mass);
    const Sides directions = sides_of(block.molecule(old));
    const Molecule free = block.molecule(r);
    Triple multiplier = block.triple(mu);
    Molecule position = add(free, push_sides(twice_inverse_mass, multiplier, directions));
    const V oh = hn::Set(d, squared[0]), hh = hn::Set(d, squared[1]);
    V residual[3];
    // Every coordinate enters a residual: if these are finite, all are. (A maximum may lose a NaN.)
    const auto first_not_finite = [&](const Sides& s) HWY_ATTR {
      residual[0] = hn::Sub(dot(s.d[0], s.d[0]), oh);
      residual[1] = hn::Sub(dot(s.d[1], s.d[1]), oh);
      residual[2] = hn::Sub(dot(s.d[2], s.d[2]), hh);
      const V sum = hn::Add(hn::Add(hn::Abs(residual[0]), hn::Abs(residual[1])), hn::Abs(residual[2]));
      return first_false(hn::Le(sum, hn::Set(d, std::numeric_limits<double>::max())), block.count);
    };
    M active = hn::Eq(oh, oh);
    int iteration = 1;
    for (; iteration <= limit; ++iteration) {
      outcome.iterations = std::max(outcome.iterations, iteration);
      const Sides s = sides_of(position);
      if (const int lane = first_not_finite(s); lane >= 0) return fail(Failure::not_finite, lane, iteration);
      V change[3];
      const M regular = solve(multiplier_matrix(twice_w, s, directions), residual, change);
      if (const int lane = first_false(hn::Or(regular, hn::Not(active)), block.count); lane >= 0)
        return fail(Failure::singular, lane, iteration);
      // A lane that has converged keeps its numbers, so that it does not depend on its neighbours.
      const Triple frozen{hn::IfThenElseZero(active, change[0]), hn::IfThenElseZero(active, change[1]),
                          hn::IfThenElseZero(active, change[2])};
      multiplier = sub(multiplier, frozen);
      position = add(free, push_sides(twice_inverse_mass, multiplier, directions));
      if (newton.fixed_iterations > 0) continue;
      const V size = largest(push_sides(twice_inverse_mass, frozen, directions));
      const V enough = hn::Mul(hn::Set(d, newton.tolerance), hn::Add(hn::Set(d, 1.0), largest(position)));
      active = hn::And(active, hn::Not(hn::Le(size, enough)));
      if (hn::AllFalse(d, active)) break;
    }
    if (const int lane = first_not_finite(sides_of(position)); lane >= 0)
      return fail(Failure::not_finite, lane, std::min(iteration, limit));
    if (newton.fixed_iterations == 0)
      if (const int lane = first_false(hn::Not(active), block.count); lane >= 0)
        return fail(Failure::no_convergence, lane, limit);
    block.set_triple(multiplier, mu);
    block.set_molecule(position, q);
    return true;
  });
  return outcome;
}

MultiplierOutcome project_velocity(const double* twice_inverse_masses, const double* q, std::ptrdiff_t molecules,
                                   double* v, double* kappa) {
  const D d;
  MultiplierOutcome outcome;
  for_each_block(molecules, [&](const Block& block) HWY_ATTR {
    const Triple twice_inverse_mass = block.triple(twice_inverse_masses);
    const Sides s = sides_of(block.molecule(q));
    const Molecule velocity = block.molecule(v);
    const Sides rate = sides_of(velocity);
    V residual[3], change[3];
    for (int k = 0; k < 3; ++k) residual[k] = hn::Mul(hn::Set(d, -2.0), dot(s.d[k], rate.d[k]));
    const M regular = solve(multiplier_matrix(of_sides(twice_inverse_mass), s, s), residual, change);
    outcome.iterations = 1;
    if (const int lane = first_false(regular, block.count); lane >= 0) {
      outcome = {MultiplierOutcome::Failure::singular, static_cast<int>(block.first) + lane, 1};
      return false;
    }
    const Triple multiplier{change[0], change[1], change[2]};
    block.set_triple(multiplier, kappa);
    block.set_molecule(add(velocity, push_sides(twice_inverse_mass, multiplier, s)), v);
    return true;
  });
  return outcome;
}

void push(const double* twice_inverse_masses, const double* old, const double* mu, std::ptrdiff_t molecules,
          double* out) {
  for_each_block(molecules, [&](const Block& block) HWY_ATTR {
    block.set_molecule(push_sides(block.triple(twice_inverse_masses), block.triple(mu), sides_of(block.molecule(old))),
                       out);
    return true;
  });
}

void reciprocal_roots(const double* x, std::ptrdiff_t n, double* out) {
  const D d;
  HWY_ALIGN double buffer[hn::MaxLanes(d)] = {};
  const auto lanes = lane_count();
  for (std::ptrdiff_t first = 0; first < n; first += lanes) {
    const std::ptrdiff_t count = std::min(lanes, n - first);
    for (std::ptrdiff_t i = 0; i < count; ++i) buffer[i] = x[first + i];
    hn::Store(reciprocal_root(hn::Load(d, buffer)), d, buffer);
    for (std::ptrdiff_t i = 0; i < count; ++i) out[first + i] = buffer[i];
  }
}

double fused_operations(std::ptrdiff_t rounds) {
  const D d;
  constexpr int chains = 16;
  // The factors stay between 0 and 1, and no compiler knows their values.
  const V factor = hn::Set(d, 1 - 1e-3 / static_cast<double>(rounds + 1)), term = hn::Sub(hn::Set(d, 1.0), factor);
  V x[chains];
  for (int k = 0; k < chains; ++k) x[k] = hn::Set(d, 1.0 / (k + 2));  // all different, lest the compiler merge them
  for (std::ptrdiff_t k = 0; k < rounds; ++k)
    for (V& each : x) each = hn::MulAdd(each, factor, term);
  V sum = hn::Zero(d);
  for (const V& each : x) sum = hn::Add(sum, each);
  const double total = hn::GetLane(hn::SumOfLanes(d, sum));
  return total < 0 ? 0 : 2.0 * chains * static_cast<double>(lane_count()) * static_cast<double>(rounds);
}

}  // namespace
}  // namespace livi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

// These come after Highway, which includes vector headers of the compiler and switches false warnings off for them.
#if HWY_ONCE
#include <livi/linalg/shifted_solver.hpp>

namespace livi {

HWY_EXPORT(value);
HWY_EXPORT(add_gradient);
HWY_EXPORT(value_and_gradient);
HWY_EXPORT(stiff_force);
HWY_EXPORT(solve_position);
HWY_EXPORT(project_velocity);
HWY_EXPORT(push);
HWY_EXPORT(reciprocal_roots);
HWY_EXPORT(fused_operations);

double VectorisedWaterPotential::value(const vector_type& q) const {
  return HWY_DYNAMIC_DISPATCH(value)(model, q.data(), q.size() / 9);
}
void VectorisedWaterPotential::gradient(const vector_type& q, vector_type& out) const {
  out.setZero(q.size());
  add_gradient(q, out);
}
void VectorisedWaterPotential::add_gradient(const vector_type& q, vector_type& out) const {
  HWY_DYNAMIC_DISPATCH(add_gradient)(model, q.data(), q.size() / 9, out.data());
}
double VectorisedWaterPotential::value_and_gradient(const vector_type& q, vector_type& out) const {
  out.resize(q.size());
  return HWY_DYNAMIC_DISPATCH(value_and_gradient)(model, q.data(), q.size() / 9, out.data());
}

namespace {

/// Sets f = -(M + c Hess V1)^-1 (grad V0 + grad V1), where grad V0 is computed from the pairs or is the f given.
FactorOutcome solve_stiff(const WaterModel<double>& model, bool with_pairs, const RestrainedWater& penalty,
                          const DiagonalMass<double, Dynamic>& mass, double c, const Vector<double, Dynamic>& q,
                          Vector<double, Dynamic>& f) {
  const std::ptrdiff_t molecules = q.size() / 9;
  const StiffPart part{penalty.squared_oh, penalty.squared_hh, penalty.stiffness, c, &mass.diagonal(0)};
  double* flags = nullptr;
  if (HWY_DYNAMIC_DISPATCH(stiff_force)(model, part, q.data(), molecules, with_pairs, f.data(), &flags)) return {};
  // f still holds the right-hand side where a flag is set.
  FactorOutcome outcome;
  for (std::ptrdiff_t a = 0; a < molecules; ++a) {
    if (flags[a] == 0) continue;
    using Sides = TriangleHessian<double>;
    Sides::Triangle triangle;
    for (int k = 0; k < 3; ++k) {
      const Vector<double, 3> d =
          q.segment<3>(9 * a + 3 * Sides::side_end[k]) - q.segment<3>(9 * a + 3 * Sides::side_start[k]);
      const DistancePenaltyProfile<double> profile{penalty.stiffness, k == 2 ? penalty.squared_hh : penalty.squared_oh};
      const RadialDerivatives<double> u = profile(d(0) * d(0) + d(1) * d(1) + d(2) * d(2));
      triangle.sides.col(k) = d;
      triangle.tension(k) = 2 * u.first;
      triangle.stiffness(k) = 4 * u.second;
    }
    const Vector<double, 3> masses(mass.diagonal(9 * a), mass.diagonal(9 * a + 3), mass.diagonal(9 * a + 6));
    Vector<double, 9> b = f.segment<9>(9 * a);
    const FactorOutcome of_one = ShiftedSolver<Sides>::solve_one(masses, c, triangle, b);
    if (!add_part(outcome, of_one, static_cast<int>(a))) return outcome;
    f.segment<9>(9 * a) = b;
  }
  return outcome;
}

}  // namespace

FactorOutcome VectorisedWaterPotential::stiff_force(const RestrainedWater& penalty,
                                                    const DiagonalMass<double, Dynamic>& mass, double c,
                                                    const vector_type& q, vector_type& f) const {
  f.resize(q.size());
  return solve_stiff(model, true, penalty, mass, c, q, f);
}
FactorOutcome vectorised_stiff_solve(const RestrainedWater& penalty, const DiagonalMass<double, Dynamic>& mass,
                                     double c, const Vector<double, Dynamic>& q, Vector<double, Dynamic>& f) {
  return solve_stiff({}, false, penalty, mass, c, q, f);
}

MultiplierOutcome VectorisedWaterMultipliers::solve_position(const vector_type& r, double tolerance, int max_iterations,
                                                             int fixed_iterations, vector_type& mu, vector_type& q) {
  q.resize(r.size());
  return HWY_DYNAMIC_DISPATCH(solve_position)(squared_, {tolerance, max_iterations, fixed_iterations},
                                              twice_inverse_mass_.data(), old_.data(), r.data(), r.size() / 9,
                                              mu.data(), q.data());
}
MultiplierOutcome VectorisedWaterMultipliers::project_velocity(const vector_type& q, vector_type& v,
                                                               vector_type& kappa) {
  kappa.resize(q.size() / 3);
  return HWY_DYNAMIC_DISPATCH(project_velocity)(twice_inverse_mass_.data(), q.data(), q.size() / 9, v.data(),
                                                kappa.data());
}
void VectorisedWaterMultipliers::push(const vector_type& mu, vector_type& out) const {
  out.resize(old_.size());
  HWY_DYNAMIC_DISPATCH(push)(twice_inverse_mass_.data(), old_.data(), mu.data(), old_.size() / 9, out.data());
}

// Among the targets of x86 the better has the lower bit; other processors have none of these.
void use_at_most_four_lanes() { hwy::DisableTargets(HWY_AVX2 - 1); }

void vectorised_reciprocal_roots(const double* x, std::ptrdiff_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(reciprocal_roots)(x, n, out);
}
double vectorised_fused_operations(std::ptrdiff_t rounds) { return HWY_DYNAMIC_DISPATCH(fused_operations)(rounds); }

}  // namespace livi
#endif
