// SPDX-License-Identifier: MIT
//
// Molecules in the lanes of vectors: triples of vectors, the forces of pairs, and blocks of molecules. vectorised_water.cpp includes it
// once for each instruction set, so its guard is that of Highway, which turns with each of them.
#if defined(LIVI_VECTORISED_WATER_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef LIVI_VECTORISED_WATER_LANES
#undef LIVI_VECTORISED_WATER_LANES
#else
#define LIVI_VECTORISED_WATER_LANES
#endif

#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>
#include <livi/systems/vectorised_water.hpp>

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

}  // namespace
}  // namespace livi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
