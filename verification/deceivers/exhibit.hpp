// SPDX-License-Identifier: MIT
//
// An exhibit of the gallery: a small integrator that is not what it declares, with the row of the battery that must say
// so; or one that is what it declares and must be cleared. All methods of one kind of state share one Subject: what is
// compiled for each is its own step, in each number type.
#pragma once

#include <livi/claims/battery.hpp>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace livi::deceivers {

struct Exhibit {
  std::string name;               ///< letters, digits and '_': also a test's name
  std::string hides;              ///< what is wrong with it, or what it is acquitted of
  std::vector<std::string> rows;  ///< one of these must not be confirmed; none: an honest method, to be cleared
  std::shared_ptr<const Subject> subject;

  [[nodiscard]] bool honest() const { return rows.empty(); }
  friend std::ostream& operator<<(std::ostream& out, const Exhibit& exhibit) { return out << exhibit.name; }
};

/// A method behind virtual calls. A method is a template over a system with `system` as its first member, declares(),
/// and step(state, h), which may return a StepOutcome; where it needs them start(q, v), canonical_position(q, h, out)
/// and work().
template <class System, class State>
class AnyMethod {
 public:
  using S = ScalarOf<System>;
  using Q = decltype(State::q);  ///< positions, or an attitude
  using V = typename System::vector_type;
  using state_type = State;

  struct Interface {
    virtual ~Interface() = default;
    [[nodiscard]] virtual Properties declares() const = 0;
    [[nodiscard]] virtual State start(const Q& q, const V& v) const = 0;
    virtual StepOutcome step(State& z, const S& h) = 0;
    virtual void canonical_position(const Q& q, const S& h, Q& out) const = 0;
    [[nodiscard]] virtual WorkCounters work() const = 0;
  };

  template <template <class> class Method>
  struct Model final : Interface {
    explicit Model(const System& system) : method{system} {}
    [[nodiscard]] Properties declares() const override { return method.declares(); }
    [[nodiscard]] State start(const Q& q, const V& v) const override {
      if constexpr (requires { method.start(q, v); }) {
        return method.start(q, v);
      } else {
        return State{q, v};
      }
    }
    StepOutcome step(State& z, const S& h) override {
      if constexpr (std::same_as<decltype(method.step(z, h)), StepOutcome>) {
        return method.step(z, h);
      } else {
        method.step(z, h);
        return {};
      }
    }
    void canonical_position(const Q& q, const S& h, Q& out) const override {
      out = q;
      if constexpr (requires { method.canonical_position(q, h, out); }) method.canonical_position(q, h, out);
    }
    [[nodiscard]] WorkCounters work() const override {
      if constexpr (requires { method.work(); }) {
        return method.work();
      } else {
        return {};
      }
    }
    Method<System> method;
  };

  AnyMethod(std::string name, std::unique_ptr<Interface> method) : name_(std::move(name)), method_(std::move(method)) {}
  [[nodiscard]] Properties declares() const {
    Properties declared = method_->declares();
    declared.name = name_;
    return declared;
  }
  [[nodiscard]] State start(const Q& q, const V& v) const { return method_->start(q, v); }
  StepOutcome step(State& z, const S& h) { return method_->step(z, h); }
  void canonical_position(const Q& q, const S& h, Q& out) const { method_->canonical_position(q, h, out); }
  [[nodiscard]] WorkCounters work() const { return method_->work(); }

 private:
  std::string name_;
  std::unique_ptr<Interface> method_;
};

/// Makers<State, S...>::make(system): an AnyMethod for each of the number types, the ones in which Subjects ask for it.
template <template <class> class State, class... S>
struct Makers {
  void make() const;
  virtual ~Makers() = default;
};
template <template <class> class State, class S, class... Others>
struct Makers<State, S, Others...> : Makers<State, Others...> {
  using Makers<State, Others...>::make;
  virtual AnyMethod<AnySystem<S>, State<S>> make(const AnySystem<S>& system) const = 0;
};

template <template <class> class Method, template <class> class State, class Base, class... S>
struct MakersOf : Base {
  explicit MakersOf(std::string method) : name(std::move(method)) {}
  std::string name;
};
template <template <class> class Method, template <class> class State, class Base, class S, class... Others>
struct MakersOf<Method, State, Base, S, Others...> : MakersOf<Method, State, Base, Others...> {
  using MakersOf<Method, State, Base, Others...>::MakersOf;
  using Base::make;
  AnyMethod<AnySystem<S>, State<S>> make(const AnySystem<S>& system) const override {
    using Erased = AnyMethod<AnySystem<S>, State<S>>;
    return Erased(this->name, std::make_unique<typename Erased::template Model<Method>>(system));
  }
};

/// For every number type of the battery: one more here is one more everywhere in the gallery.
template <template <class> class State>
using AllMakers = Makers<State, double, Float50, Dual<Float50>, Dual<Residue>, ExactSeries, FunctionOfStep>;
template <template <class> class Method, template <class> class State>
using AllMakersOf = MakersOf<Method, State, AllMakers<State>, double, Float50, Dual<Float50>, Dual<Residue>,
                             ExactSeries, FunctionOfStep>;

template <template <class> class State>
struct AnyFactory {
  std::shared_ptr<const AllMakers<State>> makers;
  template <class S>
  auto operator()(const AnySystem<S>& system) const {
    return makers->make(system);
  }
};

/// The states in use: (q, v); with a vector and a number that are saved with it; with a number that is not saved.
template <class S>
using PlainState = PhaseState<S, Dynamic>;
template <class S>
using SavedState = ForceState<S, Dynamic>;
template <class S>
struct ForgetfulState {
  Vector<S, Dynamic> q, v;
  S unsaved{0};
  auto fields() { return std::tie(q, v); }
};

template <template <class> class Method, template <class> class State = PlainState>
Exhibit deceiver(std::string name, std::string hides, std::vector<std::string> rows) {
  AnyFactory<State> factory{std::make_shared<AllMakersOf<Method, State>>(name)};
  return {std::move(name), std::move(hides), std::move(rows),
          std::make_shared<MechanicalSubject<AnyFactory<State>>>(std::move(factory))};
}

template <template <class> class Method, template <class> class State = PlainState>
Exhibit honest(std::string name, std::string of) {
  return deceiver<Method, State>(std::move(name), std::move(of), {});
}

}  // namespace livi::deceivers

namespace livi {
extern template class MechanicalSubject<deceivers::AnyFactory<deceivers::PlainState>>;
extern template class MechanicalSubject<deceivers::AnyFactory<deceivers::SavedState>>;
extern template class MechanicalSubject<deceivers::AnyFactory<deceivers::ForgetfulState>>;
}  // namespace livi
