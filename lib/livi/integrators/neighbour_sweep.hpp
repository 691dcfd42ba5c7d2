// SPDX-License-Identifier: MIT
//
// The linear solve of a linearly implicit step on a chain, (M + c Hess V(x)) a = -grad V(x), fused with the evaluation
// of all derivatives. One sweep inwards computes each link's derivatives, adds them to its two rows and eliminates. One
// sweep outwards substitutes back and contracts the third derivative. Gradient, Hessian, a and a.V'''.a are never
// stored.
//
// Memory beside the state: one B x B multiplier per row, written by the first sweep and read by the second; the reduced
// right-hand side is stored in the place of the result. A matrix that is not clearly positive definite is computed
// again, stored, and eliminated with pivots chosen by size.
#pragma once

#include <vector>

#include <livi/integrators/integrator.hpp>
#include <livi/linalg/chain_elimination.hpp>
#include <livi/systems/potential.hpp>

namespace livi {

/// A system whose linearly implicit steps can be computed by the two sweeps.
template <class System>
concept NeighbourSystem = NeighbourPotential<typename System::potential_type> && System::mass_type::is_diagonal;

/// The result of the outward sweep.
enum class SweepResult {
  acceleration,  ///< a
  zhang_skeel,   ///< a - c^2/2 M^-1 (a . V'''(x) . a)
};

/// The callback for callers that need not know when a row is ready or done.
inline constexpr auto ignore_row = [](Eigen::Index) {};

/// The two sweeps of a linearly implicit step on a chain, with the memory that they need.
template <NeighbourSystem System>
class NeighbourSweep {
  using Potential = typename System::potential_type;

 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr int block_size = Potential::block_size;

  explicit NeighbourSweep(Eigen::Index size) : rows_(size / block_size) {
    kept_.of_ends.resize(rows_ == 0 ? 0 : static_cast<std::size_t>(ChainElimination<S, block_size>::pairs(rows_)));
  }

  /// Sets out to the result at x; x and out must be different vectors. Calls ready(k) once before row k of x is first
  /// read and row k of out written, and done(k) once when row k of out is final and row k of x no longer read.
  template <SweepResult Result, class Ready, class Done>
  StepOutcome solve(const System& system, const vector_type& x, const S& c, vector_type& out, WorkCounters& work,
                    const Ready& ready, const Done& done) {
    const Inwards<Ready> rows{system, x, c, out, kept_, ready};
    const auto refused = call_inlined<S>(
        [&] { return ChainElimination<S, block_size>::eliminate(rows_, rows, system.mass().largest()); });
    const StepOutcome outcome = work.record(refused ? solve_general(rows, system, *refused, out) : FactorOutcome{});
    if (!outcome.ok() || rows_ == 0) return outcome;
    const Outwards<Result, Done> way{system, x, out, c * c / S(2), done};
    call_inlined<S>([&] { way.run(rows_, kept_); });
    return outcome;
  }

 private:
  static constexpr int B = block_size;
  template <class T>
  using Block = Vector<T, B>;
  template <class T>
  using Square = Matrix<T, B>;
  template <class At>
  using NumberOf = typename At::number;

  /// Solves where the elimination has stopped: stores the matrix, solves, and sets all multipliers to zero, so that the
  /// outward sweep leaves the solution in `out` as it is.
  template <class Rows>
  [[gnu::noinline, gnu::cold]] FactorOutcome solve_general(const Rows& rows, const System& system, Eigen::Index refused,
                                                           vector_type& out) {
    const auto n = static_cast<std::size_t>(rows_);
    diagonal_.assign(n, zeros<Square<S>>());
    lower_.assign(n, zeros<Square<S>>());
    const ChainLink<S, B> first = rows.first_link();
    diagonal_[0] = first.upper;
    set_row(out, FrontRow<S>{0}, first.right_upper);
    for (Eigen::Index k = 0; k + 1 < rows_; ++k) {
      const ChainLink<S, B> link = rows.link(FrontRow<S>{k});
      const auto at = static_cast<std::size_t>(k);
      lower_[at + 1] = link.cross;
      for (int i = 0; i < B; ++i) {
        out(k * B + i) += link.right_lower(i);
        out((k + 1) * B + i) = link.right_upper(i);
        for (int j = 0; j <= i; ++j) {
          diagonal_[at](i, j) += link.lower(i, j);
          diagonal_[at + 1](i, j) = link.upper(i, j);
        }
      }
    }
    const FactorOutcome outcome = general_.factor(
        rows_, refused, system.mass(),
        [&](Eigen::Index k, int i, int j) -> const S& { return diagonal_[static_cast<std::size_t>(k)](i, j); },
        [&](Eigen::Index k, int i, int j) -> const S& { return lower_[static_cast<std::size_t>(k)](i, j); });
    if (outcome.singular) return outcome;
    general_.solve_in_place(out);
    for (auto& multiplier : kept_.of_ends) multiplier.setConstant(BothEnds<S>(0));
    kept_.of_front.setConstant(S(0));
    return outcome;
  }

  template <class At>
  [[gnu::always_inline]] static Block<NumberOf<At>> row(const vector_type& x, const At& at) {
    Block<NumberOf<At>> block;
    static_for<B>(
        [&]<int i>() { return block(i) = at.at_row([&](Eigen::Index k) -> const S& { return x(k * B + i); }), true; });
    return block;
  }
  template <class At>
  [[gnu::always_inline]] static void set_row(vector_type& x, const At& at, const Block<NumberOf<At>>& block) {
    static_for<B>(
        [&]<int i>() { return at.set([&](Eigen::Index k, const S& value) { x(k * B + i) = value; }, block(i)), true; });
  }
  template <class T>
  [[gnu::always_inline]] static Block<T> zero() {
    return Block<T>::Constant(T(0));
  }
  /// Select from two blocks, of a row and of its inner neighbour, that of the lower and that of the upper row, and
  /// conversely (lower_of and upper_of of chain_elimination.hpp).
  template <class At>
  [[gnu::always_inline]] static Block<NumberOf<At>> lower_of(const Block<NumberOf<At>>& own,
                                                             const Block<NumberOf<At>>& inner) {
    Block<NumberOf<At>> block;
    static_for<B>([&]<int i>() { return block(i) = At::lower_of(own(i), inner(i)), true; });
    return block;
  }
  template <class At>
  [[gnu::always_inline]] static Block<NumberOf<At>> upper_of(const Block<NumberOf<At>>& own,
                                                             const Block<NumberOf<At>>& inner) {
    Block<NumberOf<At>> block;
    static_for<B>([&]<int i>() { return block(i) = At::upper_of(own(i), inner(i)), true; });
    return block;
  }

  /// The multipliers that are kept for the outward sweep.
  struct Kept {
    std::vector<Square<BothEnds<S>>> of_ends;  ///< multipliers of the pairs of rows
    Square<S> of_front = zeros<Square<S>>();   ///< multiplier of the row at the front that is left over if n is even
  };

  /// The rows in the form in which the elimination asks for them.
  template <class Ready>
  struct Inwards {
    const System& system;
    const vector_type& x;
    const S& c;
    vector_type& out;
    Kept& kept;
    const Ready& ready;

    [[gnu::always_inline]] void prepare(Eigen::Index k) const { ready(k); }
    [[gnu::always_inline]] ChainLink<S, B> first_link() const {
      const TermAt first{0};
      return terms(first, zero<S>(), row(x, FrontRow<S>{0}));
    }
    template <class At>
    [[gnu::always_inline]] ChainLink<NumberOf<At>, B> link(const At& at) const {
      const Block<NumberOf<At>> own = row(x, at), inner = row(x, at.inner());
      return terms([&](const auto& f) { return at.at_link(f); }, lower_of<At>(own, inner), upper_of<At>(own, inner));
    }
    template <class T, class AtLink>
    [[gnu::always_inline]] ChainLink<T, B> terms(const AtLink& at, const Block<T>& before, const Block<T>& here) const {
      const NeighbourDerivatives<T, B> w = system.potential().neighbour_derivatives(at, before, here);
      ChainLink<T, B> link;
      const T factor(c);
      static_for<B>([&]<int i>() {
        link.right_lower(i) = -w.gradient_before(i);
        link.right_upper(i) = -w.gradient(i);
        static_for<B>([&]<int j>() { return link.cross(i, j) = factor * w.hessian_cross(i, j), true; });
        static_for<i + 1>([&]<int j>() {
          link.lower(i, j) = factor * w.hessian_before(i, j);
          link.upper(i, j) = factor * w.hessian(i, j);
          return true;
        });
        link.upper(i, i) += at([&](Eigen::Index k) -> S { return system.mass().diagonal(k * B + i); });
        return true;
      });
      return link;
    }
    [[gnu::always_inline]] void eliminated(const EndRows<S>& at, const PivotInverse<BothEnds<S>, B>& inverse,
                                           const Square<BothEnds<S>>& multiplier,
                                           const Block<BothEnds<S>>& right) const {
      kept.of_ends[static_cast<std::size_t>(at.front)] = multiplier;
      set_row(out, at, inverse.times(right));
    }
    void eliminated(const FrontRow<S>& at, const PivotInverse<S, B>& inverse, const Square<S>& multiplier,
                    const Block<S>& right) const {
      kept.of_front = multiplier;
      set_row(out, at, inverse.times(right));
    }
    void middle(Eigen::Index m, const PivotInverse<S, B>& inverse, const Block<S>& right) const {
      set_row(out, FrontRow<S>{m}, inverse.times(right));
    }
  };

  /// The state of the outward sweep at one end or both: `a` of the last substituted row, and its third derivative
  /// without the link ahead.
  template <class T>
  struct End {
    Block<T> a, third;
  };

  template <SweepResult Result, class Done>
  struct Outwards {
    static constexpr bool with_third = Result == SweepResult::zhang_skeel;
    const System& system;
    const vector_type& x;
    vector_type& out;
    const S half_c_squared;
    const Done& done;

    /// Goes from the row of `end` to the next one outwards, `at`. Returns what the link between the two adds to the
    /// third derivative of the row it leaves.
    template <class At>
    [[gnu::always_inline]] Block<NumberOf<At>> advance(const At& at, const Square<NumberOf<At>>& multiplier,
                                                       End<NumberOf<At>>& end) const {
      using T = NumberOf<At>;
      const Block<T> inner = end.a, reduced = row(out, at);
      static_for<B>([&]<int i>() {
        T sum = multiplier(0, i) * inner(0);
        static_for<B - 1>([&]<int j>() { return sum += multiplier(j + 1, i) * inner(j + 1), true; });
        return end.a(i) = reduced(i) - sum, true;
      });
      if constexpr (with_third) {
        const Block<T> own_x = row(x, at), inner_x = row(x, at.inner());
        const NeighbourThird<T, B> t = system.potential().neighbour_third(
            [&](const auto& f) { return at.at_link(f); }, lower_of<At>(own_x, inner_x), upper_of<At>(own_x, inner_x),
            lower_of<At>(end.a, inner), upper_of<At>(end.a, inner));
        end.third = lower_of<At>(t.before, t.here);
        return upper_of<At>(t.before, t.here);
      } else {
        return zero<T>();
      }
    }
    /// Writes the result of the row of `end`, which is now complete.
    template <class At>
    [[gnu::always_inline]] void finish(const At& at, const End<NumberOf<At>>& end,
                                       const Block<NumberOf<At>>& of_link_ahead) const {
      using T = NumberOf<At>;
      Block<T> result = end.a;
      if constexpr (with_third) {
        static_for<B>([&]<int i>() {
          const T reciprocal = at.at_row([&](Eigen::Index k) -> S { return system.mass().reciprocal(k * B + i); });
          return result(i) = end.a(i) - T(half_c_squared) * ((end.third(i) + of_link_ahead(i)) * reciprocal), true;
        });
      }
      set_row(out, at, result);
    }
    [[gnu::always_inline]] Block<S> of_first_link(const Block<S>& a) const {
      if constexpr (with_third) {
        const Block<S> first = row(x, FrontRow<S>{0});
        return system.potential().neighbour_third(TermAt{0}, zero<S>(), first, zero<S>(), a).here;
      } else {
        return zero<S>();
      }
    }

    void run(Eigen::Index n, const Kept& kept) const {
      const Eigen::Index m = ChainElimination<S, B>::middle(n), both = ChainElimination<S, B>::pairs(n);
      End<S> middle{row(out, FrontRow<S>{m}), zero<S>()};
      Block<S> ahead = zero<S>();
      End<BothEnds<S>> ends;
      EndRows<S> at{m - 1, m + 1};
      if (m == 0) {  // the only row
        ahead = of_first_link(middle.a);
      } else if (both == m) {
        // n is odd: both ends start from the middle row, which is complete after both have.
        ends.a = both_ends(middle.a, middle.a);
        const Block<BothEnds<S>> links = advance(at, kept.of_ends[static_cast<std::size_t>(at.front)], ends);
        middle.third = front_of(links);
        ahead = back_of(links);
      } else {
        // n is even: the middle row becomes the first row of the back once the front has done its odd row.
        End<S> front = middle;
        ahead = advance(FrontRow<S>{m - 1}, kept.of_front, front);
        at = {m - 1, m};
        ends = {both_ends(front.a, middle.a), both_ends(front.third, ahead)};
      }
      if (both == m) {
        finish(FrontRow<S>{m}, middle, ahead);
        done(m);
        if (m == 0) return;
      }
      while (at.front > 0) {
        const EndRows<S> next = at.outer();
        const End<BothEnds<S>> left = ends;
        const Block<BothEnds<S>> links = advance(next, kept.of_ends[static_cast<std::size_t>(next.front)], ends);
        finish(at, left, links);
        done(at.front);
        done(at.back);
        at = next;
      }
      finish(at, ends, both_ends(of_first_link(front_of(ends.a)), zero<S>()));
      done(at.front);
      done(at.back);
    }
  };

  Eigen::Index rows_;
  Kept kept_;
  std::vector<Square<S>> diagonal_, lower_;  ///< blocks of a matrix that is not clearly positive definite
  IndefiniteChain<S, B> general_;
};

}  // namespace livi
