// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/ensemble.hpp>
#include <livi/linalg/normal_numbers.hpp>
#include <livi/stochastic/brownian_steps.hpp>
#include <livi/trajectory/checkpoint.hpp>

#include <algorithm>
#include <optional>
#include <sstream>
#include <tuple>

namespace livi {

/// A method that asks for normal numbers, by the number of the step that its state counts.
template <class Method>
concept TakesNormalNumbers = requires(Method& method) {
  method.set_normals(NormalNumbers());
};

/// The noise of one path from step number `first` on, for methods that take the integrals of Brownian motions.
template <class Method>
class NoiseOfPath {
 public:
  NoiseOfPath(Method& method, const EnsembleOptions& options, long path, long first)
      : method_(&method), steps_(steps_of(method, options, path, first)) {}
  /// Makes the next step.
  StepOutcome step(typename Method::state_type& z, double h) {
    noises_ = steps_.next();
    return method_->step(z, h, noises_);
  }
  /// Returns the largest |dW| of the last step; not a number where there is none.
  [[nodiscard]] double largest_increment() const {
    if (noises_.size() == 0) return undeclared;
    double largest = 0;
    for (const auto& of : noises_) largest = std::max(largest, std::abs(of.increment));
    return largest;
  }

 private:
  static BrownianSteps steps_of(const Method& method, const EnsembleOptions& options, long path, long first) {
    const auto number = static_cast<std::uint64_t>(path), begin = static_cast<std::uint64_t>(first);
    const int noises = static_cast<int>(method.system().noise().count());
    return BrownianSteps(options.seed, number, noises, options.span, options.level, options.refinement, begin);
  }
  Method* method_;
  BrownianSteps steps_;
  StepNoise<double> noises_;
};
/// The noise of one path for methods that ask for normal numbers: seed and path select them, and the state counts steps.
template <TakesNormalNumbers Method>
class NoiseOfPath<Method> {
 public:
  NoiseOfPath(Method& method, const EnsembleOptions& options, long path, long) : method_(&method) {
    method.set_normals(NormalNumbers(options.seed, static_cast<std::uint64_t>(path)));
  }
  StepOutcome step(typename Method::state_type& z, double h) { return method_->step(z, h); }
  /// Returns what is not a number: there are no increments.
  [[nodiscard]] double largest_increment() const { return undeclared; }

 private:
  Method* method_;
};

/// A method on its system, along many paths.
template <class Method>
class EnsembleOf final : public Ensemble {
  using System = typename Method::system_type;
  using State = typename Method::state_type;
  using V = Vector<double, Dynamic>;

 public:
  /// Takes the system, which the method refers to.
  EnsembleOf(std::shared_ptr<const System> system, Method method, const V& q, const V& v,
             const EnsembleOptions& options)
      : system_(std::move(system)), method_(std::move(method)), options_(options), start_(method_.start(q, v)) {
    energy_of_start_ = system_->energy(start_.q, start_.v);
    states_.assign(static_cast<std::size_t>(options.paths), start_);
    ended_.resize(states_.size());
  }

  [[nodiscard]] StochasticProperties declares() const override { return method_.declares_for_noise(); }
  [[nodiscard]] double energy_of_start() const override { return energy_of_start_; }
  [[nodiscard]] long paths() const override { return options_.paths; }
  Stretch advance(long part, long first, long last, long every, bool with_first,
                  const std::vector<long>& points) override {
    Stretch stretch;
    const long rows = last / every - first / every + (with_first ? 1 : 0), n = start_.q.size();
    EnsembleRow empty;
    empty.of_state.resize(static_cast<std::size_t>(2 * n));
    stretch.rows.assign(static_cast<std::size_t>(rows), empty);
    Method method = method_;
    const long end = std::min((part + 1) * paths_of_part, paths());
    for (long path = part * paths_of_part; path < end; ++path) {
      auto& ended = ended_[static_cast<std::size_t>(path)];
      if (ended) continue;
      const bool shown = std::binary_search(points.begin(), points.end(), path);
      ended = advance_path(method, path, first, last, every, with_first, shown, stretch);
      if (ended) stretch.ended.push_back(*ended);
    }
    return stretch;
  }

  [[nodiscard]] std::vector<FailedStep> ended() const override {
    std::vector<FailedStep> list;
    for (const auto& ended : ended_)
      if (ended) list.push_back(*ended);
    return list;
  }

  /// For each path a line that says whether it has ended, and the lines of its state.
  [[nodiscard]] std::string save() const override {
    using checkpoint_detail::write_number;
    std::string text;
    for (std::size_t path = 0; path < states_.size(); ++path) {
      if (const auto& ended = ended_[path]) {
        text += "ended " + std::to_string(ended->step) + ' ' +
                std::to_string(static_cast<int>(ended->outcome.failure)) + ' ' + std::to_string(ended->outcome.detail) +
                ' ' + write_number(ended->h_times_momentum) + ' ' + write_number(ended->largest_increment) + '\n';
      } else {
        text += "running\n";
      }
      text += save_state(states_[path]);
    }
    return text;
  }
  void load(const std::string& text) override {
    std::istringstream lines(text);
    const auto next = [&] {
      std::string line;
      if (!std::getline(lines, line))
        throw InvalidParameter("checkpoint", "end of text", "must hold " + std::to_string(paths()) + " paths");
      return line;
    };
    State state = start_;
    const std::size_t fields = std::tuple_size_v<decltype(state.fields())>;
    for (std::size_t path = 0; path < states_.size(); ++path) {
      ended_[path] = ended_of(next(), path);
      std::string own;
      for (std::size_t k = 0; k < fields; ++k) own += next() + '\n';
      states_[path] = start_;
      load_state(own, states_[path]);
    }
    if (std::string rest; std::getline(lines, rest))
      throw InvalidParameter("checkpoint", rest, "must end after the last path");
  }

 private:
  std::optional<FailedStep> advance_path(Method& method, long path, long first, long last, long every, bool with_first,
                                         bool shown, Stretch& stretch) {
    State& z = states_[static_cast<std::size_t>(path)];
    std::size_t row = 0;
    if (with_first && !observe(z, path, row++, shown, stretch))
      return failed(z, {Failure::not_finite}, path, first, undeclared);
    NoiseOfPath<Method> noise(method, options_, path, first);
    const double h = step_size();
    State before = z;
    for (long k = first; k < last; ++k) {
      StepOutcome outcome = noise.step(z, h);
      if (outcome.ok() && !(all_finite(z.q) && all_finite(z.v))) outcome = {Failure::not_finite};
      if (outcome.ok() && (k + 1) % every == 0 && !observe(z, path, row++, shown, stretch))
        outcome = {Failure::not_finite};
      if (!outcome.ok()) {
        z = before;
        return failed(z, outcome, path, k, noise.largest_increment());
      }
      before = z;
    }
    return {};
  }

  /// Adds a state to a row; false if its energy is not finite.
  bool observe(const State& z, long path, std::size_t row, bool shown, Stretch& stretch) {
    const double energy = system_->energy(z.q, z.v);
    if (!std::isfinite(energy)) return false;
    EnsembleRow& of = stretch.rows[row];
    const auto n = static_cast<std::size_t>(z.q.size());
    for (std::size_t i = 0; i < n; ++i) {
      of.of_state[i].add(z.q(static_cast<Eigen::Index>(i)));
      of.of_state[n + i].add(z.v(static_cast<Eigen::Index>(i)));
    }
    of.energy_growth.add(energy - energy_of_start_);
    typename System::multiplier_type g, rate;
    typename System::jacobian_type jacobian;
    system_->constraint().value(z.q, g);
    system_->constraint().jacobian(z.q, jacobian);
    const double twice_kinetic_energy = z.v.dot(system_->momentum(z.v));
    of.kinetic_temperature.add(twice_kinetic_energy / static_cast<double>(z.q.size() - g.size()));
    rate = g;
    multiply(jacobian, z.v, rate);
    of.constraint_defect = std::max(of.constraint_defect, max_magnitude(g));
    of.velocity_defect = std::max(of.velocity_defect, max_magnitude(rate));
    if (shown) stretch.points.push_back({path, static_cast<long>(row), z.q, z.v, energy});
    return true;
  }

  [[nodiscard]] double step_size() const { return std::ldexp(options_.span, -options_.level); }
  FailedStep failed(const State& z, StepOutcome outcome, long path, long step, double largest_increment) const {
    const double h = step_size();
    const auto p = system_->momentum(z.v);
    return {outcome, static_cast<std::uint64_t>(path), static_cast<std::uint64_t>(step),
            h,       h * std::sqrt(p.dot(p)),          largest_increment};
  }

  std::optional<FailedStep> ended_of(const std::string& line, std::size_t path) const {
    if (line == "running") return {};
    std::istringstream in(line);
    std::string word, momentum, increment, rest;
    FailedStep ended;
    int failure = 0;
    if (!(in >> word >> ended.step >> failure >> ended.outcome.detail >> momentum >> increment) || word != "ended" ||
        in >> rest || failure <= 0 || failure > static_cast<int>(Failure::step_too_small))
      throw InvalidParameter("checkpoint line", line, "must say whether path " + std::to_string(path) + " has ended");
    ended.outcome.failure = static_cast<Failure>(failure);
    checkpoint_detail::read_number(momentum, ended.h_times_momentum);
    checkpoint_detail::read_number(increment, ended.largest_increment);
    ended.path = path;
    ended.h = step_size();
    return ended;
  }

  std::shared_ptr<const System> system_;
  Method method_;
  EnsembleOptions options_;
  State start_;
  double energy_of_start_ = 0;
  std::vector<State> states_;
  std::vector<std::optional<FailedStep>> ended_;
};

}  // namespace livi
