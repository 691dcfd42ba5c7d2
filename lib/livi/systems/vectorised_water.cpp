// SPDX-License-Identifier: MIT
#include <livi/systems/vectorised_water.hpp>

// Highway compiles what is between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "livi/systems/vectorised_water.cpp"
#include <hwy/foreach_target.h>
// After it, as Highway asks.
#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>

// Once, not for each instruction set.
#ifndef LIVI_VECTORISED_WATER_WORKSPACE
#define LIVI_VECTORISED_WATER_WORKSPACE
namespace livi {
namespace {

/// Nine rows of coordinates and nine of forces, each of `stride` numbers: row 3 atom + k is coordinate k of that atom
/// of the molecules in turn, around the ring once and a half.
struct Rows {
  double* position;
  double* force;
  std::ptrdiff_t molecules, used, stride;
};

/// The workspace of this thread for so many molecules and lanes.
Rows rows_of_thread(std::ptrdiff_t molecules, std::ptrdiff_t lanes) {
  thread_local hwy::AlignedFreeUniquePtr<double[]> memory;
  thread_local std::ptrdiff_t capacity = 0;
  const std::ptrdiff_t used = (molecules + lanes - 1) / lanes * lanes + molecules / 2;
  // The last load or store begins before `used`. An odd number of cache lines: rows then share the cache evenly.
  const std::ptrdiff_t line = std::max<std::ptrdiff_t>(8, lanes);
  const std::ptrdiff_t stride = ((used + lanes + line - 1) / line | 1) * line;
  if (capacity < 18 * stride) {
    memory = hwy::AllocateAligned<double>(static_cast<std::size_t>(18 * stride));
    if (!memory) throw std::bad_alloc();
    capacity = 18 * stride;
  }
  return {memory.get(), memory.get() + 9 * stride, molecules, used, stride};
}

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

/// About 1 / sqrt(x), 13 bits or more.
HWY_INLINE V approximate_reciprocal_root(V x) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return V{_mm512_rsqrt14_pd(x.raw)};  // Highway has the instruction for float only
#else
  const D d;
  const hn::Rebind<float, D> in_float;
  const V y = hn::PromoteTo(d, hn::ApproximateReciprocalSqrt(hn::DemoteTo(in_float, x)));
  // 7 bits on some processors, 11 on most: one step of Newton's method doubles them.
  return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Mul(hn::Set(d, 0.5), x), y), y, hn::Set(d, 1.5)));
#endif
}
/// With e = 1 - x y^2: 1 / sqrt(x) = y (1 - e)^(-1/2), whose series to e^3 leaves 35/128 e^4, less than 2^-53.
HWY_INLINE V reciprocal_root(V x) {
  const D d;
  const V y = approximate_reciprocal_root(x);
  const V e = hn::NegMulAdd(hn::Mul(x, y), y, hn::Set(d, 1.0));
  const V series = hn::MulAdd(hn::MulAdd(hn::Set(d, 5.0 / 16), e, hn::Set(d, 3.0 / 8)), e, hn::Set(d, 0.5));
  return hn::MulAdd(hn::Mul(series, e), y, y);
}

/// In units of the Coulomb strength of two hydrogens.
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

/// Adds the gradient of one pair of atoms, and its energy; `Charges`: product of the charges in those of a hydrogen.
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
HWY_INLINE Molecule load_molecule(const double* row, std::ptrdiff_t stride) {
  return {load(row, stride), load(row + 3 * stride, stride), load(row + 6 * stride, stride)};
}

/// The pairs of `own` with one atom of the molecules whose rows are given.
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

/// The gradients of all pairs of molecules, row by row, in units of the Coulomb strength; and the energy.
template <bool WithValue>
double pairs(const WaterModel<double>& model, const Rows& rows) {
  const D d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
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
    store(add(others.o, sum.o), rows.force + first, stride);
    store(add(others.h1, sum.h1), rows.force + 3 * stride + first, stride);
    store(add(others.h2, sum.h2), rows.force + 6 * stride + first, stride);
  }
  // What was added beyond the end of the ring belongs to its beginning.
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

/// q by kind, around the ring once and a half.
Rows by_kind(const double* q, std::ptrdiff_t molecules) {
  const D d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const Rows rows = rows_of_thread(molecules, lanes);
  for (std::ptrdiff_t a = 0; a < molecules; ++a)
    for (std::ptrdiff_t k = 0; k < 9; ++k) rows.position[k * rows.stride + a] = q[9 * a + k];
  // Each vector from one turn before; where a turn is shorter than a vector, what is not yet right is overwritten.
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

void reciprocal_roots(const double* x, std::ptrdiff_t n, double* out) {
  const D d;
  HWY_ALIGN double buffer[hn::MaxLanes(d)] = {};
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  for (std::ptrdiff_t first = 0; first < n; first += lanes) {
    const std::ptrdiff_t count = std::min(lanes, n - first);
    for (std::ptrdiff_t i = 0; i < count; ++i) buffer[i] = x[first + i];
    hn::Store(reciprocal_root(hn::Load(d, buffer)), d, buffer);
    for (std::ptrdiff_t i = 0; i < count; ++i) out[first + i] = buffer[i];
  }
}

}  // namespace
}  // namespace livi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace livi {

HWY_EXPORT(value);
HWY_EXPORT(add_gradient);
HWY_EXPORT(value_and_gradient);
HWY_EXPORT(reciprocal_roots);

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

void vectorised_reciprocal_roots(const double* x, std::ptrdiff_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(reciprocal_roots)(x, n, out);
}

}  // namespace livi
#endif
