// SPDX-License-Identifier: MIT
//
// One file, for Highway compiles it once for every instruction set: pairs, blocks and multipliers are made of the same triples
// of vectors, which must be inlined.
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

// This part is compiled once, not for each instruction set.
#ifndef LIVI_VECTORISED_WATER_WORKSPACE
#define LIVI_VECTORISED_WATER_WORKSPACE
namespace livi {
namespace {

/// The workspace: nine rows of coordinates and nine of forces, of `stride` numbers each, and one row of flags. Row 3
/// atom + k holds coordinate k of that atom of all molecules in turn, around the ring one and a half times.
struct Rows {
  double* position;
  double* force;
  double* flag;
  std::ptrdiff_t molecules, used, stride;
};

/// Returns the workspace of this thread for this number of molecules and lanes.
Rows rows_of_thread(std::ptrdiff_t molecules, std::ptrdiff_t lanes) {
  thread_local hwy::AlignedFreeUniquePtr<double[]> memory;
  thread_local std::ptrdiff_t capacity = 0;
  const std::ptrdiff_t used = (molecules + lanes - 1) / lanes * lanes + molecules / 2;
  // The last load or store begins before `used`. With an odd number of cache lines the rows share the cache evenly.
  const std::ptrdiff_t line = std::max<std::ptrdiff_t>(8, lanes);
  const std::ptrdiff_t stride = ((used + lanes + line - 1) / line | 1) * line;
  if (capacity < 19 * stride) {
    capacity = 0;  // stays zero if the allocation fails
    memory = hwy::AllocateAligned<double>(static_cast<std::size_t>(19 * stride));
    if (!memory) throw std::bad_alloc();
    capacity = 19 * stride;
  }
  return {memory.get(), memory.get() + 9 * stride, memory.get() + 18 * stride, molecules, used, stride};
}

/// The parameters of a stiff force. `mass` has 9 N entries, coordinate by coordinate.
struct StiffPart {
  double squared_oh, squared_hh, stiffness, c;
  const double* mass;
};

/// The options of Newton's method for the multipliers.
struct NewtonLimits {
  double tolerance;
  int max_iterations, fixed_iterations;
};

}  // namespace

}  // namespace livi
#endif

HWY_BEFORE_NAMESPACE();
namespace livi::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
HWY_INLINE std::ptrdiff_t lane_count() { return static_cast<std::ptrdiff_t>(hn::Lanes(D())); }

/// Returns 1 / sqrt(x) to 13 bits or more.
HWY_INLINE V approximate_reciprocal_root(V x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return hn::Div(hn::Set(D(), 1.0), hn::Sqrt(x));
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return V{_mm512_rsqrt14_pd(x.raw)};  // Highway has the instruction for float only
#else
  const D d;
  const hn::Rebind<float, D> in_float;
  const V y = hn::PromoteTo(d, hn::ApproximateReciprocalSqrt(hn::DemoteTo(in_float, x)));
  // The instruction gives 7 bits on some processors and 11 on most; one step of Newton's method doubles them.
  return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Mul(hn::Set(d, 0.5), x), y), y, hn::Set(d, 1.5)));
#endif
}
/// Returns 1 / sqrt(x) = y (1 - e)^(-1/2) with e = 1 - x y^2. The series to e^3 leaves 35/128 e^4, less than 2^-53.
/// With the processor's root and quotient the gradient takes 1.07 times as long on AMD Zen 5, whose divider is fast.
HWY_INLINE V reciprocal_root(V x) {
  const D d;
  const V y = approximate_reciprocal_root(x);
  const V e = hn::NegMulAdd(hn::Mul(x, y), y, hn::Set(d, 1.0));
  const V series = hn::MulAdd(hn::MulAdd(hn::Set(d, 5.0 / 16), e, hn::Set(d, 3.0 / 8)), e, hn::Set(d, 0.5));
  return hn::MulAdd(hn::Mul(series, e), y, y);
}

/// The strengths of the interactions, in units of the Coulomb strength of two hydrogens.
struct Strengths {
  V twelve_repulsion, six_attraction, repulsion, attraction;
  explicit Strengths(const WaterModel<double>& m)
      : twelve_repulsion(hn::Set(D(), 12 * m.repulsion / m.coulomb)),
        six_attraction(hn::Set(D(), 6 * m.attraction / m.coulomb)),
        repulsion(hn::Set(D(), m.repulsion / m.coulomb)),
        attraction(hn::Set(D(), m.attraction / m.coulomb)) {}
};

/// Three coordinates of an atom, in lanes of molecules.
struct Triple {
  V x, y, z;
};
HWY_INLINE Triple add(const Triple& a, const Triple& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Triple sub(const Triple& a, const Triple& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Triple mul(V a, const Triple& b) { return {hn::Mul(a, b.x), hn::Mul(a, b.y), hn::Mul(a, b.z)}; }
/// Returns a b + c.
HWY_INLINE Triple mul_add(V a, const Triple& b, const Triple& c) {
  return {hn::MulAdd(a, b.x, c.x), hn::MulAdd(a, b.y, c.y), hn::MulAdd(a, b.z, c.z)};
}
HWY_INLINE V dot(const Triple& a, const Triple& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE V largest(const Triple& a) { return hn::Max(hn::Max(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z)); }
HWY_INLINE Triple load(const double* row, std::ptrdiff_t stride) {
  const D d;
  return {hn::LoadU(d, row), hn::LoadU(d, row + stride), hn::LoadU(d, row + 2 * stride)};
}
HWY_INLINE void store(const Triple& t, double* row, std::ptrdiff_t stride) {
  const D d;
  hn::StoreU(t.x, d, row);
  hn::StoreU(t.y, d, row + stride);
  hn::StoreU(t.z, d, row + 2 * stride);
}

/// Adds the gradient of one pair of atoms, and its energy; `Charges` is the product of the charges, in units of a
/// hydrogen's.
template <int Charges, bool WithValue, bool Masked>
HWY_INLINE void add_pair(const Strengths& strengths, const Triple& own, const Triple& other, M mask, Triple& force,
                         Triple& other_force, V& energy) {
  const D d;
  const V dx = hn::Sub(other.x, own.x), dy = hn::Sub(other.y, own.y), dz = hn::Sub(other.z, own.z);
  const V square = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
  V y = reciprocal_root(square);
  if constexpr (Masked) y = hn::IfThenElseZero(mask, y);
  const V inverse = hn::Mul(y, y);
  const V charged = Charges == 1 ? y : hn::Mul(hn::Set(d, Charges), y);
  if constexpr (WithValue) energy = hn::Add(energy, charged);
  V pull = hn::Mul(charged, inverse);
  if constexpr (Charges == 4) {
    const V six = hn::Mul(hn::Mul(inverse, inverse), inverse);
    const V slope = hn::Mul(six, hn::MulSub(strengths.twelve_repulsion, six, strengths.six_attraction));
    pull = hn::MulAdd(slope, inverse, pull);
    if constexpr (WithValue)
      energy = hn::MulAdd(six, hn::MulSub(strengths.repulsion, six, strengths.attraction), energy);
  }
  force = {hn::MulAdd(pull, dx, force.x), hn::MulAdd(pull, dy, force.y), hn::MulAdd(pull, dz, force.z)};
  other_force = {hn::NegMulAdd(pull, dx, other_force.x), hn::NegMulAdd(pull, dy, other_force.y),
                 hn::NegMulAdd(pull, dz, other_force.z)};
}

struct Molecule {
  Triple o, h1, h2;
};
HWY_INLINE void store_molecule(const Molecule& m, double* row, std::ptrdiff_t stride) {
  store(m.o, row, stride);
  store(m.h1, row + 3 * stride, stride);
  store(m.h2, row + 6 * stride, stride);
}
HWY_INLINE Molecule load_molecule(const double* row, std::ptrdiff_t stride) {
  return {load(row, stride), load(row + 3 * stride, stride), load(row + 6 * stride, stride)};
}

/// Adds the pairs of `own` with one atom of the molecules whose rows are given.
template <int Charge, bool WithValue, bool Masked>
HWY_INLINE void meet_atom(const Strengths& strengths, const Molecule& own, const double* position, double* force,
                          std::ptrdiff_t stride, M mask, Molecule& sum, V& energy) {
  const Triple other = load(position, stride);
  Triple of_other = load(force, stride);
  add_pair<-2 * Charge, WithValue, Masked>(strengths, own.o, other, mask, sum.o, of_other, energy);
  add_pair<Charge, WithValue, Masked>(strengths, own.h1, other, mask, sum.h1, of_other, energy);
  add_pair<Charge, WithValue, Masked>(strengths, own.h2, other, mask, sum.h2, of_other, energy);
  store(of_other, force, stride);
}
template <bool WithValue, bool Masked>
HWY_INLINE void meet(const Strengths& strengths, const Molecule& own, const Rows& rows, std::ptrdiff_t other, M mask,
                     Molecule& sum, V& energy) {
  const double* position = rows.position + other;
  double* force = rows.force + other;
  const std::ptrdiff_t stride = rows.stride, atom = 3 * stride;
  meet_atom<-2, WithValue, Masked>(strengths, own, position, force, stride, mask, sum, energy);
  meet_atom<1, WithValue, Masked>(strengths, own, position + atom, force + atom, stride, mask, sum, energy);
  meet_atom<1, WithValue, Masked>(strengths, own, position + 2 * atom, force + 2 * atom, stride, mask, sum, energy);
}

/// Sums the gradients of all pairs of molecules into the rows, in units of the Coulomb strength; returns the energy if
/// WithValue.
template <bool WithValue>
double pairs(const WaterModel<double>& model, const Rows& rows) {
  const D d;
  const auto lanes = lane_count();
  const std::ptrdiff_t n = rows.molecules, stride = rows.stride, rounds = (n - 1) / 2;
  const V zero = hn::Zero(d);
  for (double* at = rows.force; at < rows.force + 9 * stride; at += lanes) hn::StoreU(zero, d, at);
  const Strengths strengths(model);
  V energy = zero;
  for (std::ptrdiff_t first = 0; first < n; first += lanes) {
    const Molecule own = load_molecule(rows.position + first, stride);
    Molecule sum{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    if (first + lanes <= n) {
      for (std::ptrdiff_t s = 1; s <= rounds; ++s)
        meet<WithValue, false>(strengths, own, rows, first + s, M(), sum, energy);
    } else {
      const M mask = hn::FirstN(d, static_cast<std::size_t>(n - first));
      for (std::ptrdiff_t s = 1; s <= rounds; ++s)
        meet<WithValue, true>(strengths, own, rows, first + s, mask, sum, energy);
    }
    if (n % 2 == 0 && first < n / 2) {
      const M mask = hn::FirstN(d, static_cast<std::size_t>(std::min(n / 2 - first, lanes)));
      meet<WithValue, true>(strengths, own, rows, first + n / 2, mask, sum, energy);
    }
    const Molecule others = load_molecule(rows.force + first, stride);
    store_molecule({add(others.o, sum.o), add(others.h1, sum.h1), add(others.h2, sum.h2)}, rows.force + first, stride);
  }
  // Forces added beyond the end of the ring belong to its beginning.
  for (double* row = rows.force; row < rows.force + 9 * stride; row += stride)
    for (std::ptrdiff_t turn = n; turn < rows.used; turn += n) {
      const std::ptrdiff_t count = std::min(n, rows.used - turn);
      for (std::ptrdiff_t i = 0; i < count; i += lanes) {
        const M mask = hn::FirstN(d, static_cast<std::size_t>(std::min(count - i, lanes)));
        const V sum = hn::LoadU(d, row + i);
        hn::StoreU(hn::Add(sum, hn::IfThenElseZero(mask, hn::LoadU(d, row + turn + i))), d, row + i);
      }
    }
  return model.coulomb * hn::GetLane(hn::SumOfLanes(d, energy));
}

/// Copies q into rows by kind of coordinate, around the ring one and a half times.
Rows by_kind(const double* q, std::ptrdiff_t molecules) {
  const D d;
  const auto lanes = lane_count();
  const Rows rows = rows_of_thread(molecules, lanes);
  for (std::ptrdiff_t a = 0; a < molecules; ++a)
    for (std::ptrdiff_t k = 0; k < 9; ++k) rows.position[k * rows.stride + a] = q[9 * a + k];
  // Each vector is copied from one turn before. Where a turn is shorter than a vector, wrong entries are overwritten by
  // the next copy.
  const std::ptrdiff_t advance = std::min(molecules, lanes);
  for (std::ptrdiff_t k = 0; k < 9; ++k) {
    double* row = rows.position + k * rows.stride;
    for (std::ptrdiff_t i = molecules; i < rows.used; i += advance)
      hn::StoreU(hn::LoadU(d, row + i - molecules), d, row + i);
  }
  return rows;
}

double value(const WaterModel<double>& model, const double* q, std::ptrdiff_t molecules) {
  return pairs<true>(model, by_kind(q, molecules));
}
void add_gradient(const WaterModel<double>& model, const double* q, std::ptrdiff_t molecules, double* out) {
  const Rows rows = by_kind(q, molecules);
  pairs<false>(model, rows);
  for (std::ptrdiff_t a = 0; a < molecules; ++a)
    for (std::ptrdiff_t k = 0; k < 9; ++k) out[9 * a + k] += model.coulomb * rows.force[k * rows.stride + a];
}
double value_and_gradient(const WaterModel<double>& model, const double* q, std::ptrdiff_t molecules, double* out) {
  const Rows rows = by_kind(q, molecules);
  const double energy = pairs<true>(model, rows);
  for (std::ptrdiff_t a = 0; a < molecules; ++a)
    for (std::ptrdiff_t k = 0; k < 9; ++k) out[9 * a + k] = model.coulomb * rows.force[k * rows.stride + a];
  return energy;
}

// ---- One block of molecules, each in a lane -------------------------------------------------------------------------

/// The sides 0, 1, 2 of TriangleHessian.
struct Sides {
  Triple d[3];
};
HWY_INLINE Sides sides_of(const Molecule& m) { return {{sub(m.h1, m.o), sub(m.h2, m.o), sub(m.h1, m.h2)}}; }
/// Returns sum_k weight_k (d_k at its end, -d_k at its start).
HWY_INLINE Molecule along_sides(const V (&weight)[3], const Sides& s) {
  const Triple to_h1 = mul(weight[0], s.d[0]), to_h2 = mul(weight[1], s.d[1]), across = mul(weight[2], s.d[2]);
  const Triple both = add(to_h1, to_h2);
  return {mul(hn::Set(D(), -1.0), both), add(to_h1, across), sub(to_h2, across)};
}

struct Symmetric {
  V a00, a11, a22, a01, a02, a12;
};
HWY_INLINE void multiply(const Symmetric& a, const V (&x)[3], V (&out)[3]) {
  out[0] = hn::MulAdd(a.a02, x[2], hn::MulAdd(a.a01, x[1], hn::Mul(a.a00, x[0])));
  out[1] = hn::MulAdd(a.a12, x[2], hn::MulAdd(a.a11, x[1], hn::Mul(a.a01, x[0])));
  out[2] = hn::MulAdd(a.a22, x[2], hn::MulAdd(a.a12, x[1], hn::Mul(a.a02, x[0])));
}
/// Returns the product of a (x) I, with I of R^3, and m.
HWY_INLINE Molecule multiply(const Symmetric& a, const Molecule& m) {
  return {mul_add(a.a02, m.h2, mul_add(a.a01, m.h1, mul(a.a00, m.o))),
          mul_add(a.a12, m.h2, mul_add(a.a11, m.h1, mul(a.a01, m.o))),
          mul_add(a.a22, m.h2, mul_add(a.a12, m.h1, mul(a.a02, m.o)))};
}

/// Returns the part of the product of the rows' sizes below which a determinant is too small for its inverse to be
/// relied on (livi/linalg/factor_outcome.hpp).
HWY_INLINE V least_part_of_determinant() { return hn::Set(D(), 0x1p-10); }

/// Sets out = a^-1 by cofactors, `size` to the absolute determinant and `product` to the product of the rows' sizes, of
/// which the determinant should not be too small a part.
HWY_INLINE void invert(const Symmetric& a, Symmetric& out, V& size, V& product) {
  const D d;
  out.a00 = hn::MulSub(a.a11, a.a22, hn::Mul(a.a12, a.a12));
  out.a01 = hn::MulSub(a.a12, a.a02, hn::Mul(a.a01, a.a22));
  out.a02 = hn::MulSub(a.a01, a.a12, hn::Mul(a.a11, a.a02));
  out.a11 = hn::MulSub(a.a00, a.a22, hn::Mul(a.a02, a.a02));
  out.a12 = hn::MulSub(a.a01, a.a02, hn::Mul(a.a00, a.a12));
  out.a22 = hn::MulSub(a.a00, a.a11, hn::Mul(a.a01, a.a01));
  const V determinant = hn::MulAdd(a.a02, out.a02, hn::MulAdd(a.a01, out.a01, hn::Mul(a.a00, out.a00)));
  const V row0 = hn::Add(hn::Add(hn::Abs(a.a00), hn::Abs(a.a01)), hn::Abs(a.a02)),
          row1 = hn::Add(hn::Add(hn::Abs(a.a01), hn::Abs(a.a11)), hn::Abs(a.a12)),
          row2 = hn::Add(hn::Add(hn::Abs(a.a02), hn::Abs(a.a12)), hn::Abs(a.a22));
  size = hn::Abs(determinant);
  product = hn::Mul(hn::Mul(row0, row1), row2);
  const V reciprocal = hn::Div(hn::Set(d, 1.0), determinant);
  for (V* entry : {&out.a00, &out.a01, &out.a02, &out.a11, &out.a12, &out.a22}) *entry = hn::Mul(*entry, reciprocal);
}

/// Returns e_k . a e_l for e_0 = (-1, 1, 0), e_1 = (-1, 0, 1), e_2 = (0, 1, -1), which give the ends and starts of the
/// sides.
HWY_INLINE Symmetric of_sides(const Symmetric& a) {
  const V h1_o = hn::Sub(a.a01, a.a00), h2_o = hn::Sub(a.a02, a.a00), h1_h1 = hn::Sub(a.a11, a.a01),
          h2_h2 = hn::Sub(a.a22, a.a02), h1_h2 = hn::Sub(a.a12, a.a01);
  return {.a00 = hn::Sub(h1_h1, h1_o),
          .a11 = hn::Sub(h2_h2, h2_o),
          .a22 = hn::Sub(hn::Sub(a.a11, a.a12), hn::Sub(a.a12, a.a22)),
          .a01 = hn::Sub(h1_h2, h2_o),
          .a02 = hn::Sub(hn::Sub(a.a11, a.a12), hn::Sub(a.a01, a.a02)),
          .a12 = hn::Sub(hn::Sub(a.a12, a.a22), hn::Sub(a.a01, a.a02))};
}

/// A block of `count` consecutive molecules, one in each lane. The lanes beyond hold copies of its first molecule, so
/// that nothing happens in them that does not happen elsewhere.
struct Block {
  std::ptrdiff_t first, count;

  /// Loads `Numbers` numbers of each molecule, `Spacing` apart, into lanes.
  template <int Numbers, int Spacing = 1>
  HWY_INLINE void load_lanes(const double* from, double* buffer) const {
    const std::ptrdiff_t lanes = lane_count();
    from += first * Numbers * Spacing;
    for (std::ptrdiff_t lane = 0; lane < lanes; ++lane) {
      const double* molecule = from + (lane < count ? lane * Numbers * Spacing : 0);
      for (int k = 0; k < Numbers; ++k) buffer[k * lanes + lane] = molecule[k * Spacing];
    }
  }
  template <int Numbers>
  HWY_INLINE void store_lanes(const double* buffer, double* to) const {
    const std::ptrdiff_t lanes = lane_count();
    to += first * Numbers;
    for (std::ptrdiff_t lane = 0; lane < count; ++lane)
      for (int k = 0; k < Numbers; ++k) to[lane * Numbers + k] = buffer[k * lanes + lane];
  }
  HWY_INLINE Molecule molecule(const double* q) const {
    HWY_ALIGN double buffer[9 * hn::MaxLanes(D())];
    load_lanes<9>(q, buffer);
    return load_molecule(buffer, lane_count());
  }
  HWY_INLINE void set_molecule(const Molecule& m, double* q) const {
    HWY_ALIGN double buffer[9 * hn::MaxLanes(D())];
    store_molecule(m, buffer, lane_count());
    store_lanes<9>(buffer, q);
  }
  HWY_INLINE Triple triple(const double* x) const {
    HWY_ALIGN double buffer[3 * hn::MaxLanes(D())];
    load_lanes<3>(x, buffer);
    return load(buffer, lane_count());
  }
  HWY_INLINE void set_triple(const Triple& t, double* x) const {
    HWY_ALIGN double buffer[3 * hn::MaxLanes(D())];
    store(t, buffer, lane_count());
    store_lanes<3>(buffer, x);
  }
  /// Returns the masses of the three atoms, which are given coordinate by coordinate.
  HWY_INLINE Triple masses(const double* mass) const {
    HWY_ALIGN double buffer[3 * hn::MaxLanes(D())];
    load_lanes<3, 3>(mass, buffer);
    return load(buffer, lane_count());
  }
};
/// Calls f(block) for one block after the other, until f returns false.
template <class F>
HWY_INLINE void for_each_block(std::ptrdiff_t molecules, const F& f) {
  const std::ptrdiff_t lanes = lane_count();
  for (std::ptrdiff_t first = 0; first < molecules; first += lanes)
    if (!f(Block{first, std::min(lanes, molecules - first)})) return;
}

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
