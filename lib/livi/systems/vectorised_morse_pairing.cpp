// SPDX-License-Identifier: MIT
#include <livi/systems/vectorised_morse_pairing.hpp>

// Highway compiles what is between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "livi/systems/vectorised_morse_pairing.cpp"
#include <hwy/foreach_target.h>
// Highway asks for these after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace livi::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The largest angle for which Highway's sin and cos are valid.
constexpr double largest_angle = 39000;

/// Calls `block` for the whole vector at each index. A rest shorter than a vector is padded, so that every number goes
/// through the same instructions.
template <class Block>
HWY_INLINE void for_each_vector(std::ptrdiff_t n, std::ptrdiff_t lanes, const Block& block) {
  std::ptrdiff_t i = 0;
  for (; i + lanes <= n; i += lanes) block(i, lanes);
  if (i < n) block(i, n - i);
}

/// Loads count <= lanes numbers; the rest of the vector is zero.
template <class D>
HWY_INLINE hn::Vec<D> load(D d, const double* from, std::ptrdiff_t count, std::ptrdiff_t lanes) {
  if (count == lanes) return hn::LoadU(d, from);
  HWY_ALIGN double padded[hn::MaxLanes(d)] = {};
  for (std::ptrdiff_t i = 0; i < count; ++i) padded[i] = from[i];
  return hn::Load(d, padded);
}
template <class D>
HWY_INLINE void store(D d, hn::Vec<D> x, double* to, std::ptrdiff_t count, std::ptrdiff_t lanes) {
  if (count == lanes) {
    hn::StoreU(x, d, to);
    return;
  }
  HWY_ALIGN double padded[hn::MaxLanes(d)];
  hn::Store(x, d, padded);
  for (std::ptrdiff_t i = 0; i < count; ++i) to[i] = padded[i];
}

template <bool Second, bool Third>
void derivatives(const MorsePairing<double>& pairing, const double* q, std::ptrdiff_t n, double* first, double* second,
                 double* third) {
  const hn::ScalableTag<double> d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const DnaParameters<double>& p = pairing.parameters();
  const auto a = hn::Set(d, p.a), rest = hn::Set(d, 1 - p.x0), twice_epsilon = hn::Set(d, 2 * p.epsilon);
  const auto one = hn::Set(d, 1.0), three = hn::Set(d, 3.0), limit = hn::Set(d, largest_angle);
  for_each_vector(n, lanes, [&](std::ptrdiff_t at, std::ptrdiff_t count) HWY_ATTR {
    const auto angle = load(d, q + at, count, lanes);
    const auto s = hn::Sin(d, angle), c = hn::Cos(d, angle);
    const auto e = hn::Exp(d, hn::Mul(a, hn::Sub(c, rest)));
    const auto as = hn::Mul(a, s), e1 = hn::Sub(e, one), factor = hn::Mul(twice_epsilon, e);
    store(d, hn::Neg(hn::Mul(hn::Mul(factor, as), e1)), first + at, count, lanes);
    if constexpr (Second || Third) {
      const auto ac = hn::Mul(a, c), square = hn::Mul(as, as), bent = hn::Sub(square, ac);
      if constexpr (Second)
        store(d, hn::Mul(factor, hn::MulAdd(square, e, hn::Mul(e1, bent))), second + at, count, lanes);
      if constexpr (Third) {
        const auto bending = hn::MulAdd(three, ac, hn::Sub(one, square));
        const auto sum = hn::NegMulAdd(hn::Mul(three, e), bent, hn::Mul(e1, bending));
        store(d, hn::Mul(hn::Mul(factor, as), sum), third + at, count, lanes);
      }
    }
    if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Le(hn::Abs(angle), limit))))
      for (std::ptrdiff_t i = at; i < at + count; ++i)
        if (!(std::abs(q[i]) <= largest_angle)) {
          const OnSiteDerivatives<double> u = pairing.derivatives(q[i]);
          first[i] = u.first;
          if constexpr (Second) second[i] = u.second;
          if constexpr (Third) third[i] = u.third;
        }
  });
}

void gradients(const MorsePairing<double>& pairing, const double* q, std::ptrdiff_t n, double* first) {
  derivatives<false, false>(pairing, q, n, first, nullptr, nullptr);
}
void two_derivatives(const MorsePairing<double>& pairing, const double* q, std::ptrdiff_t n, double* first,
                     double* second) {
  derivatives<true, false>(pairing, q, n, first, second, nullptr);
}
void three_derivatives(const MorsePairing<double>& pairing, const double* q, std::ptrdiff_t n, double* first,
                       double* second, double* third) {
  derivatives<true, true>(pairing, q, n, first, second, third);
}

void elementary_functions(const double* angle, const double* exponent, std::ptrdiff_t n, double* sine, double* cosine,
                          double* exponential) {
  const hn::ScalableTag<double> d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  for_each_vector(n, lanes, [&](std::ptrdiff_t at, std::ptrdiff_t count) HWY_ATTR {
    const auto x = load(d, angle + at, count, lanes);
    store(d, hn::Sin(d, x), sine + at, count, lanes);
    store(d, hn::Cos(d, x), cosine + at, count, lanes);
    store(d, hn::Exp(d, load(d, exponent + at, count, lanes)), exponential + at, count, lanes);
  });
}

const char* instructions() { return hwy::TargetName(HWY_TARGET); }

}  // namespace livi::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace livi {

HWY_EXPORT(gradients);
HWY_EXPORT(two_derivatives);
HWY_EXPORT(three_derivatives);
HWY_EXPORT(elementary_functions);
HWY_EXPORT(instructions);

VectorisedMorsePairing::VectorisedMorsePairing(const DnaParameters<double>& parameters)
    : MorsePairing<double>(parameters) {
  if (!(parameters.a * parameters.x0 <= 700))
    throw InvalidParameter("a x0", parameters.a * parameters.x0, "must be at most 700, or exp(a x0) is not finite");
}

void VectorisedMorsePairing::derivatives(const double* q, std::ptrdiff_t n, double* first, double* second,
                                         double* third) const {
  if (third) {
    HWY_DYNAMIC_DISPATCH(three_derivatives)(*this, q, n, first, second, third);
  } else if (second) {
    HWY_DYNAMIC_DISPATCH(two_derivatives)(*this, q, n, first, second);
  } else {
    HWY_DYNAMIC_DISPATCH(gradients)(*this, q, n, first);
  }
}

void vectorised_elementary_functions(const double* angle, const double* exponent, std::ptrdiff_t n, double* sine,
                                     double* cosine, double* exponential) {
  HWY_DYNAMIC_DISPATCH(elementary_functions)(angle, exponent, n, sine, cosine, exponential);
}

const char* vectorised_instructions() { return HWY_DYNAMIC_DISPATCH(instructions)(); }

}  // namespace livi
#endif
