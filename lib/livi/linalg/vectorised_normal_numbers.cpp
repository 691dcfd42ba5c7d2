// SPDX-License-Identifier: MIT
#include <livi/linalg/vectorised_normal_numbers.hpp>

#include <array>

// Highway compiles what is between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "livi/linalg/vectorised_normal_numbers.cpp"
#include <hwy/foreach_target.h>
// Highway asks for these after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace livi::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Computes one vector of pairs. The bits become numbers as Random123's uneg11 and u01 make them: an angle in (-1, 1),
/// in half turns, and an exponentially distributed square of a radius, from a number in (0, 1].
template <class D>
HWY_INLINE void pairs_of(D d, hn::Vec<hn::RebindToSigned<D>> angle_bits, hn::Vec<hn::RebindToUnsigned<D>> radius_bits,
                         hn::Vec<D>& x, hn::Vec<D>& y) {
  const hn::RebindToSigned<D> di;
  const auto turn = hn::MulAdd(hn::ConvertTo(d, angle_bits), hn::Set(d, 0x1p-63), hn::Set(d, 0x1p-64));
  const auto angle = hn::Mul(hn::Set(d, 3.1415926535897932), turn);
  // The conversion is done in two halves, each exact: vector instructions convert signed numbers only.
  const auto high = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<32>(radius_bits)));
  const auto low = hn::ConvertTo(
      d, hn::BitCast(di, hn::And(radius_bits, hn::Set(hn::RebindToUnsigned<D>(), std::uint64_t{0xffffffff}))));
  const auto uniform = hn::MulAdd(high, hn::Set(d, 0x1p-32), hn::MulAdd(low, hn::Set(d, 0x1p-64), hn::Set(d, 0x1p-65)));
  const auto radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0), hn::Log(d, uniform)));
  x = hn::Mul(radius, hn::Sin(d, angle));
  y = hn::Mul(radius, hn::Cos(d, angle));
}

/// Computes n numbers, which need not fill vectors: the rest is padded, so that every number goes through the same
/// instructions.
void box_muller(const std::uint64_t* angle, const std::uint64_t* radius, std::ptrdiff_t n, double* out) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  hn::Vec<decltype(d)> x, y;
  std::ptrdiff_t k = 0;
  for (; 2 * (k + lanes) <= n; k += lanes) {
    pairs_of(d, hn::BitCast(di, hn::LoadU(du, angle + k)), hn::LoadU(du, radius + k), x, y);
    hn::StoreInterleaved2(x, y, d, out + 2 * k);
  }
  if (2 * k == n) return;
  const std::ptrdiff_t pairs = (n + 1) / 2;
  HWY_ALIGN std::uint64_t padded_angle[hn::MaxLanes(d)] = {}, padded_radius[hn::MaxLanes(d)] = {};
  HWY_ALIGN double padded[2 * hn::MaxLanes(d)];
  std::copy(angle + k, angle + pairs, padded_angle);
  std::copy(radius + k, radius + pairs, padded_radius);
  pairs_of(d, hn::BitCast(di, hn::Load(du, padded_angle)), hn::Load(du, padded_radius), x, y);
  hn::StoreInterleaved2(x, y, d, padded);
  std::copy_n(padded, n - 2 * k, out + 2 * k);
}

}  // namespace livi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace livi {

HWY_EXPORT(box_muller);

void vectorised_box_muller(const std::uint64_t* angle, const std::uint64_t* radius, std::ptrdiff_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(box_muller)(angle, radius, n, out);
}

void VectorisedNormalNumbers::operator()(std::uint64_t step, std::uint64_t draw, double* out, std::ptrdiff_t n) const {
  constexpr std::ptrdiff_t most = 256;  // numbers at a time: 2 kilobytes of random bits on the stack
  std::array<std::uint64_t, most / 2> angle, radius;
  for (std::ptrdiff_t done = 0; done < n; done += most) {
    const std::ptrdiff_t count = std::min(most, n - done);
    for (std::ptrdiff_t k = 0; 4 * k < count; ++k) {
      const auto bits = random_bits(step, draw, static_cast<std::uint64_t>(done / 4 + k));
      const auto pair = static_cast<std::size_t>(2 * k);
      angle[pair] = bits[0];
      radius[pair] = bits[1];
      angle[pair + 1] = bits[2];
      radius[pair + 1] = bits[3];
    }
    vectorised_box_muller(angle.data(), radius.data(), count, out + done);
  }
}

}  // namespace livi
#endif
