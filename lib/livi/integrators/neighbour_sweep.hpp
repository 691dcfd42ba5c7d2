// SPDX-License-Identifier: MIT
//
// The linear solve of a linearly implicit step on a chain, (M + c Hess V(x)) a = -grad V(x), fused with all that goes
// with it: one sweep inwards computes each link's derivatives, adds them to its two rows and eliminates; one sweep
// outwards substitutes back and contracts the third derivative. Gradient, Hessian, a and a.V'''.a are never stored.
//
// Kept between the sweeps: one B x B multiplier a row; the reduced right-hand side lies where the result will be. With
// x and f that is 4 + B numbers a row of B, in each sweep.
#pragma once

#include <vector>

#include <livi/integrators/integrator.hpp>
#include <livi/linalg/chain_elimination.hpp>
#include <livi/systems/neighbour_potential.hpp>

namespace livi {

/// Systems whose linearly implicit steps can be swept.
template <class System>
concept NeighbourSystem = NeighbourPotential<typename System::potential_type> && System::mass_type::is_diagonal;

/// What the outward sweep delivers.
enum class SweepResult {
  acceleration,  ///< a
  zhang_skeel,   ///< a - c^2/2 M^-1 (a . V'''(x) . a)
};

/// For who has nothing to do when a row is ready or done.
inline constexpr auto ignore_row = [](Eigen::Index) {};

template <NeighbourSystem System>
class NeighbourSweep {
  using Potential = typename System::potential_type;

 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr int block_size = Potential::block_size;

  explicit NeighbourSweep(Eigen::Index size) : multipliers_(static_cast<std::size_t>(size / block_size)) {}

  /// out = the result at x; x and out are two vectors. Calls ready(k) once before row k of x is read for the first time
  /// and of out written, done(k) once when row k of out is final and of x no longer read.
  template <SweepResult Result, class Ready, class Done>
  StepOutcome solve(const System& system, const vector_type& x, const S& c, vector_type& out, WorkCounters& work,
                    const Ready& ready, const Done& done) {
    const auto n = static_cast<Eigen::Index>(multipliers_.size());
    Inwards<Ready> rows{system, x, c, out, multipliers_.data(), ready};
    const StepOutcome outcome = work.record(ChainElimination<S, block_size>::eliminate(n, rows));
    if (outcome.ok() && n > 0) outwards<Result>(system, x, c, out, done);
    return outcome;
  }

 private:
  static constexpr int B = block_size;
  using Block = Vector<S, B>;
  using Square = Matrix<S, B>;

  template <int Stride = B>
  [[gnu::always_inline]] static Block row(const vector_type& x, Eigen::Index k) {
    Block block;
    static_for<B>([&]<int i>() { return block(i) = x(k * B + i), true; });
    return block;
  }
  [[gnu::always_inline]] static void set_row(vector_type& x, Eigen::Index k, const Block& block) {
    static_for<B>([&]<int i>() { return x(k * B + i) = block(i), true; });
  }
  static Block zero() { return Block::Constant(S(0)); }

  /// The rows as the elimination asks for them.
  template <class Ready>
  struct Inwards {
    const System& system;
    const vector_type& x;
    const S& c;
    vector_type& out;
    Square* multipliers;
    const Ready& ready;

    [[gnu::always_inline]] void prepare(Eigen::Index k) const { ready(k); }
    [[gnu::always_inline]] ChainLink<S, B> first_link() const {
      return of(0, system.potential().neighbour_derivatives(0, zero(), row(x, 0)));
    }
    [[gnu::always_inline]] ChainLink<S, B> link(Eigen::Index k) const {
      return of(k, system.potential().neighbour_derivatives(k, row(x, k - 1), row(x, k)));
    }
    [[gnu::always_inline]] ChainLink<S, B> of(Eigen::Index k, const NeighbourDerivatives<S, B>& w) const {
      ChainLink<S, B> link;
      static_for<B>([&]<int i>() {
        link.right_before(i) = -w.gradient_before(i);
        link.right(i) = -w.gradient(i);
        static_for<B>([&]<int j>() { return link.cross(i, j) = c * w.hessian_cross(i, j), true; });
        static_for<i + 1>([&]<int j>() {
          link.before(i, j) = c * w.hessian_before(i, j);
          link.here(i, j) = c * w.hessian(i, j);
          return true;
        });
        link.here(i, i) += system.mass().diagonal(k * B + i);
        return true;
      });
      return link;
    }
    [[gnu::always_inline]] void eliminated(Eigen::Index k, const PivotInverse<S, B>& pivot, const Square& multiplier,
                                           const Block& right) const {
      multipliers[k] = multiplier;
      set_row(out, k, pivot.times(right));
    }
  };

  /// The last row that one end has substituted, and its third derivative without the link ahead.
  struct End {
    Block a, third;
  };

  template <SweepResult Result, class Done>
  void outwards(const System& system, const vector_type& x, const S& c, vector_type& out, const Done& done) const {
    const auto n = static_cast<Eigen::Index>(multipliers_.size()), m = ChainElimination<S, B>::middle(n), last = n - 1;
    constexpr bool with_third = Result == SweepResult::zhang_skeel;
    const S half_c_squared = c * c / S(2);
    const auto finish = [&](Eigen::Index k, const End& end, const Block& ahead) __attribute__((always_inline)) {
      if constexpr (with_third) {
        static_for<B>([&]<int i>() {
          const S third = (end.third(i) + ahead(i)) * system.mass().reciprocal(k * B + i);
          return out(k * B + i) = end.a(i) - half_c_squared * third, true;
        });
      }
      done(k);
    };
    // a_k of the row next to `end`.
    const auto substitute = [&](Eigen::Index k, const Block& nearer) __attribute__((always_inline)) {
      const Square& multiplier = multipliers_[static_cast<std::size_t>(k)];
      Block a;
      static_for<B>([&]<int i>() {
        S sum = multiplier(0, i) * nearer(0);
        static_for<B - 1>([&]<int j>() { return sum += multiplier(j + 1, i) * nearer(j + 1), true; });
        return a(i) = out(k * B + i) - sum, true;
      });
      if constexpr (!with_third) set_row(out, k, a);
      return a;
    };
    // Each end goes to the next row k and returns what the link between adds to the third derivative of the row left.
    const auto forwards = [&](Eigen::Index k, End & end) __attribute__((always_inline)) {
      const Block left = end.a;
      end.a = substitute(k, left);
      if constexpr (!with_third) return zero();
      const NeighbourThird<S, B> t = system.potential().neighbour_third(k, row(x, k - 1), row(x, k), left, end.a);
      end.third = t.here;
      return t.before;
    };
    const auto backwards = [&](Eigen::Index k, End & end) __attribute__((always_inline)) {
      const Block left = end.a;
      end.a = substitute(k, left);
      if constexpr (!with_third) return zero();
      const NeighbourThird<S, B> t = system.potential().neighbour_third(k + 1, row(x, k), row(x, k + 1), end.a, left);
      end.third = t.before;
      return t.here;
    };
    const auto of_first_link = [&](const End& end) {
      if constexpr (!with_third) return zero();
      return Block(system.potential().neighbour_third(0, zero(), row(x, 0), zero(), end.a).here);
    };

    const End middle{row(out, m), zero()};
    End down = middle, up = middle;  // towards row 0, towards the last
    Block ahead = zero();
    if (m < last) ahead = forwards(m + 1, up);
    if (m > 0) {
      const Block of_lower = backwards(m - 1, down);
      static_for<B>([&]<int i>() { return ahead(i) += of_lower(i), true; });
    } else {
      ahead = of_first_link(middle);
    }
    finish(m, middle, ahead);
    Eigen::Index k = m - 1, j = m + 1;
    for (; k > 0 && j < last; --k, ++j) {
      const End lower = down, upper = up;
      const Block below = backwards(k - 1, down), above = forwards(j + 1, up);
      finish(k, lower, below);
      finish(j, upper, above);
    }
    for (; k > 0; --k) {  // one more if n is even
      const End lower = down;
      const Block below = backwards(k - 1, down);
      finish(k, lower, below);
    }
    if (m > 0) finish(0, down, of_first_link(down));
    if (m < last) finish(last, up, zero());
  }

  std::vector<Square> multipliers_;
};

}  // namespace livi
