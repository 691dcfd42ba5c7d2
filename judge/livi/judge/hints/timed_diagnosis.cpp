// SPDX-License-Identifier: MIT
//
// What a refuted method for forces of time probably does wrong with its clock. It asks for each force at a time and at a position.
// On the free motion of a particle of speed one, where forces are zero, the position is how far into its step the method is, and
// so when the force is due. Other times within a step, those of its middle, may do as well. The method is then judged anew with
// every force at the time at which it is due, or at its own time in a step that begins at the right one: a mistake is named only
// where this, and nothing else, gives the method the order that it declares, which it has not got as it stands.
#include <livi/judge/hints/diagnosis.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/method/declared_accuracy.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// A question for a force: how far from the beginning of the step it is asked for, and how far it is due, in steps.
struct Question {
  double time, due;
  double t;  ///< the time for which it is asked
};
/// The questions of a start, of the first step after it, of the two steps after that, which are alike, and of one of half the
/// size.
using Questions = std::vector<std::vector<Question>>;

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

/// No force, and a list of when and where it is asked for.
class AskedTimes final : public Forces<double> {
 public:
  using Forces<double>::Forces;
  std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
    asked.emplace_back(t, q.at(0));
    return {0};
  }
  std::vector<std::pair<double, double>> asked;
};

/// Times of all digits that are neither zero nor a step, one of either sign.
constexpr std::array<double, 2> times_of_start{8 + 1.0 / 3, -3 - 1.0 / 7};

/// Returns the questions in steps of h; none where steps are not alike, or need no force.
Questions questions_of(ForeignSubject& subject, double h, double time_of_start) {
  const JudgedProblem problem{.name = "a free particle", .kind = ProblemKind::timed, .masses = {1}, .potential = {}};
  AskedTimes forces(problem);
  const auto run = subject.in_double(forces);
  Questions all;
  TimedPoint<double> begin{time_of_start, {0}, {1}};
  for (int step = 0; step <= 4; ++step) {
    forces.asked.clear();
    if (step == 4) h /= 2;
    if (step == 0) {
      run->start(begin);
    } else {
      begin = run->point();
      run->step(h, 1);
    }
    auto& of_step = all.emplace_back();
    for (const auto& [t, q] : forces.asked) of_step.push_back({(t - begin.t) / h, (q - begin.q[0]) / h, t});
  }
  const bool are_alike =
      std::ranges::equal(all[2], all[3], [](const Question& a, const Question& b) { return near(a.due, b.due); });
  return all[1].empty() || all[2].empty() || !are_alike ? Questions() : all;
}

/// A method whose questions for forces are answered as at the time at which they are due.
class Retimed final : public ForeignSubject {
 public:
  Retimed(std::unique_ptr<ForeignSubject> subject, Questions forwards, Questions backwards)
      : subject_(std::move(subject)), forwards_(std::move(forwards)), backwards_(std::move(backwards)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return subject_->declares(); }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(*this, forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Retimed>(subject_->another(), forwards_, backwards_);
  }

 private:
  class DueForces final : public Forces<double> {
   public:
    explicit DueForces(Forces<double>& forces) : Forces<double>(forces.problem()), forces_(forces) {}
    void begin(double t, double h, const std::vector<Question>& questions) {
      t_ = t;
      h_ = h;
      questions_ = &questions;
      answered_ = 0;
    }
    std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
      static_cast<void>(t);
      // An iteration may ask more often where there are forces.
      const auto at = std::min(answered_++, questions_->size() - 1);
      return forces_.gradient(questions_->empty() ? t_ : t_ + h_ * (*questions_)[at].due, q);
    }

   private:
    Forces<double>& forces_;
    double t_ = 0, h_ = 0;
    const std::vector<Question>* questions_ = nullptr;
    std::size_t answered_ = 0;
  };
  class Run final : public ForeignRun<double> {
   public:
    Run(Retimed& method, Forces<double>& forces)
        : method_(method), forces_(forces), run_(method.subject_->in_double(forces_)) {}
    void start(const TimedPoint<double>& z) override {
      forces_.begin(z.t, 0, method_.forwards_[0]);
      made_ = 0;
      run_->start(z);
    }
    void step(const double& h, long count) override {
      const Questions& questions = h < 0 ? method_.backwards_ : method_.forwards_;
      for (; count > 0; --count) {
        forces_.begin(run_->point().t, h, questions[++made_ == 1 ? 1 : 2]);
        run_->step(h, 1);
      }
    }
    TimedPoint<double> point() override { return run_->point(); }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw ForeignRefusal("nothing is saved: " + text); }

   private:
    Retimed& method_;
    DueForces forces_;
    std::unique_ptr<ForeignRun<double>> run_;
    long made_ = 0;
  };

  std::unique_ptr<ForeignSubject> subject_;
  Questions forwards_, backwards_;
};

/// What was measured of a method under forces of time, forwards and backwards, beside the order that it declares, and in steps of
/// changing size. What could not be measured is neither.
struct MeasuredClock {
  bool is_right, is_wrong;
  double order;  ///< the lower one
};
MeasuredClock measured_clock(ForeignSubject& subject, std::uint64_t seed) {
  constexpr int finest = 8;  // 256 steps
  Measurements measurements(seed, finest);
  const int declared = subject.declares().order.value_or(1);
  const double error = measurements.forces_of_time(subject, declared).value, none = allowed(subject.declares(), 1e-9);
  MeasuredClock clock{error <= none, error > none, infinity};
  const JudgedProblem driven = judged_problems({ProblemKind::timed}, seed, 0).driven;
  for (const double time : {1.0, -1.0}) {
    if (time < 0 && subject.declares().forward) continue;
    const MeasuredOrder measured = measurements.order(subject, driven, time);
    const double lower = std::min(measured.q, measured.p), least = declared - 0.3;
    const bool is_known = measured.why_undecided.empty();
    clock.is_right = clock.is_right && is_known && lower > least;
    clock.is_wrong = clock.is_wrong || (is_known && lower < least);
    clock.order = std::min(clock.order, lower);
  }
  if (!subject.declares().memory) {
    const double kept = measurements.memory(subject, driven).value;
    clock.is_right = clock.is_right && kept <= none;
    clock.is_wrong = clock.is_wrong || kept > none;
  }
  return clock;
}

/// Returns a list of numbers of steps.
std::string list_of(const std::vector<Question>& questions, double Question::*which) {
  std::string text;
  for (const Question& question : questions) {
    const double steps = question.*which, half = std::round(2 * steps) / 2;
    text += (text.empty() ? "" : ", ") + unlike(near(steps, half) ? half : steps, half, 4) + " h";
  }
  return text;
}

/// Returns the times of the first step, each once, in their order.
std::vector<double> times_of(const std::vector<Question>& questions) {
  std::vector<double> times;
  for (const Question& question : questions)
    if (times.empty() || !near(times.back(), question.time)) times.push_back(question.time);
  return times;
}
/// Returns whether questions at one time are due at one time.
bool are_one_by_one(const std::vector<Question>& questions) {
  for (std::size_t k = 1; k < questions.size(); ++k)
    if (near(questions[k].time, questions[k - 1].time) != near(questions[k].due, questions[k - 1].due)) return false;
  return true;
}
/// Returns whether there are three numbers or more, each `by` more than the one before.
bool go_on_by(const std::vector<double>& times, double by) {
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!near(times[k] - times[k - 1], by)) return false;
  return times.size() > 2;
}

/// Returns what has shortened the times of questions in steps of h, if something has.
std::string mistake_in_digits(const std::vector<Question>& questions, double h) {
  const auto every_time_is_within = [&](double rounding, const auto& is_short) {
    return std::ranges::all_of(questions, [&](const Question& question) {
      return is_short(question.t) && std::abs((question.time - question.due) * h) <= rounding * std::abs(question.t);
    });
  };
  for (int digits = 2; digits <= 12; ++digits)
    if (every_time_is_within(std::pow(10.0, 1 - digits),
                             [=](double t) { return std::stod(format("%.*g", digits, t)) == t; }))
      return format("times come with %d digits", digits);
  const auto is_single = [](double t) { return static_cast<double>(static_cast<float>(t)) == t; };
  return every_time_is_within(0x1p-23, is_single) ? "times pass through single precision" : "";
}

/// Returns what is wrong in the times of the questions in steps of h after a start, if anything is.
std::string mistake_in(const Questions& questions, double h, double time_of_start) {
  std::vector<Question> all;
  for (std::size_t step = 1; step <= 3; ++step) all.insert(all.end(), questions[step].begin(), questions[step].end());
  const auto every = [&](const auto& is_so) { return std::ranges::all_of(all, is_so); };
  const auto every_delay_is = [&](double delay) {
    return every([&](const Question& question) { return near(question.time - question.due, delay); });
  };
  if (every_delay_is(0)) {
    const auto is_on_time = [](const Question& question) { return near(question.time, question.due); };
    // Three steps, counted in halves of them.
    const auto is_of_halves = [](const Question& question) { return near(question.time - question.due, -3); };
    return std::ranges::all_of(questions[4], is_on_time) ? ""
           : std::ranges::all_of(questions[4], is_of_halves)
               ? "the clock is the number of steps times the size of the last one"
               : "after a step of another size the clock is another";
  }
  if (every_delay_is(-time_of_start / h)) return "the time of a start is not read: the clock begins at zero";
  if (const std::string mistake = mistake_in_digits(all, h); !mistake.empty()) return mistake;
  // How far the clock goes in a step, in steps.
  const double rate = questions[3][0].time + 1 - questions[2][0].time;
  for (std::size_t k = 0; k < questions[2].size(); ++k)
    if (!near(questions[3][k].time + 1 - questions[2][k].time, rate)) return "the clock does not go evenly";
  const std::vector<double> times = times_of(questions[1]);
  if (near(rate, 0)) {
    const bool is_still =
        times.size() == 1 && near(questions[2][0].time + 1, times[0]) && times_of(questions[2]).size() == 1;
    return is_still ? "the clock stands still: all forces are those of one time"
                    : "the clock does not go on from step to step: every step begins at the time of the start";
  }
  if (h < 0 && near(rate, -1)) return "the clock goes forwards, as by abs(h)";
  if (!near(rate, 1))
    return "the clock goes on by " + unlike(rate, 1, 4) + " h in a step of h" +
           (go_on_by(times, 1) ? ", by h in each part of the step" : "");
  const auto every_time_is = [&](double time) {
    return every([&](const Question& question) { return near(question.time, time); });
  };
  const std::vector<std::pair<double, const char*>> one_time{
      {0, "with which a step begins"}, {0.5, "in the middle of the step"}, {1, "with which a step ends"}};
  for (const auto& [time, words] : one_time)
    if (every_time_is(time)) return std::string("all forces of a step are those of the time ") + words;
  const std::vector<std::pair<double, const char*>> delays{
      {1, "a step ahead"}, {0.5, "half a step ahead"}, {-0.5, "half a step behind"}, {-1, "a step behind"}};
  for (const auto& [delay, words] : delays)
    if (every_delay_is(delay)) return std::string("the clock is ") + words;
  if (const double by = 1.0 / std::max(1.0, static_cast<double>(times.size()) - 1);
      go_on_by(times, by) && are_one_by_one(questions[1]))
    return format("the clock goes on by %.4g h in every part of a step, as if all were equally long", by);
  return "forces of a step from t on are those of t + " + list_of(questions[1], &Question::time) + ", due at t + " +
         list_of(questions[1], &Question::due);
}

/// Sets the times at which forces are due to those of a method's steps forwards, of size h, counted from the beginning of the step:
/// to the nearest half of it where digits may be missing. Returns false where these are the ones already, or steps are not alike.
bool keep_times(Questions& questions, const Questions& forwards, double h, double time_of_start) {
  bool is_other = false;
  for (std::size_t step = 1; step < questions.size(); ++step) {
    const std::vector<Question>& of_forwards = forwards[std::min<std::size_t>(step, 2)];
    if (of_forwards.size() != questions[step].size()) return false;
    for (std::size_t k = 0; k < of_forwards.size(); ++k) {
      double time = of_forwards[k].time;
      // As of a clock that begins at zero.
      if (std::abs(time + time_of_start / h) < 2) time += time_of_start / h;
      const double half = std::round(2 * time) / 2;
      constexpr double few_digits = 1e-3;
      if (std::abs(time - half) < few_digits) time = half;
      is_other = is_other || !near(time, questions[step][k].due);
      questions[step][k].due = time;
    }
  }
  return is_other;
}

/// The questions in steps forwards and backwards of one size, after one start.
struct Observed {
  double h, start;
  Questions forwards, backwards;
};

/// A clock that shows a t + b at the time t, and the questions in steps of one size with the times t that are meant, as those at
/// which forces are due.
struct OtherClock {
  double a, b;
  Questions forwards, backwards;
  bool is_due;  ///< forces are meant to be those of the times at which they are due
};

/// Returns the clock that all questions have, after two starts and in steps of two sizes, if it is one such, and not the time.
std::optional<OtherClock> clock_of(const std::array<Observed, 4>& all) {
  // All times have some 15 digits; differences of starts are above ten, those of steps are a twentieth at least.
  constexpr double same = 1e-11;
  const Observed &first = all[0], &longer = all[1], &other_start = all[2];
  OtherClock clock{not_a_number, not_a_number, first.forwards, first.backwards, true};
  for (const bool back : {false, true}) {
    const auto of = [&](const Observed& asked) -> const Questions& { return back ? asked.backwards : asked.forwards; };
    Questions& meant = back ? clock.backwards : clock.forwards;
    for (std::size_t step = 0; step < meant.size(); ++step)
      for (std::size_t k = 0; k < meant[step].size(); ++k) {
        for (const Observed& asked : all)
          if (of(asked)[step].size() != meant[step].size()) return std::nullopt;
        const auto t = [&](const Observed& asked) { return of(asked)[step][k].t; };
        const double sign = back ? -1 : 1, of_step = step == 4 ? 0.5 : 1,
                     made = sign * std::max(0.0, static_cast<double>(step) - 1);
        const auto begin = [&](const Observed& asked) { return asked.start + made * asked.h; };
        const double a = (t(first) - t(other_start)) / (first.start - other_start.start);
        if (std::isnan(clock.a)) clock.a = a;
        const auto rest = [&](const Observed& asked) { return t(asked) - clock.a * begin(asked); };
        const double along = (rest(longer) - rest(first)) / (longer.h - first.h), b = rest(first) - along * first.h;
        if (std::isnan(clock.b)) clock.b = b;
        const double size = same * (1 + std::abs(clock.a) + std::abs(clock.b));
        for (const Observed& asked : all)
          if (!(std::abs(rest(asked) - clock.b - along * asked.h) < size)) return std::nullopt;
        const bool stands = std::abs(clock.a) < same;
        if (stands && !(std::abs(along) < same)) return std::nullopt;
        // How far into the step the time is that is meant.
        const double share = stands ? meant[step][k].due : along / (clock.a * sign * of_step);
        clock.is_due = clock.is_due && (step == 0 || near(share, meant[step][k].due));
        if (step > 0) meant[step][k].due = share;
        if (step > 2 && k < meant[2].size() && !near(share, meant[2][k].due)) return std::nullopt;
      }
  }
  // With no more digits than are known.
  const int decimals = 12 - static_cast<int>(std::ceil(std::log10(1 + std::abs(clock.a) + std::abs(clock.b))));
  for (double* x : {&clock.a, &clock.b}) *x = std::stod(format("%.*f", std::max(decimals, 0), *x));
  if (clock.a == 1 && clock.b == 0) return std::nullopt;
  return clock;
}

std::string text_of(const OtherClock& clock) {
  if (clock.a == 0) return format("the clock stands still: all forces are those of the time %.12g", clock.b);
  const std::string rate = clock.a == 1 ? "t" : clock.a == -1 ? "-t" : format("%.12g t", clock.a);
  return "forces are those of the time " + rate +
         (clock.b == 0 ? "" : format(" %c %.12g", clock.b < 0 ? '-' : '+', std::abs(clock.b)));
}

/// Returns what a method's order is if its forces are those of other times; empty if the order that it declares is not among
/// it.
std::string order_with(ForeignSubject& subject, std::uint64_t seed, const Questions& forwards,
                       const Questions& backwards, bool keeps_times) {
  Retimed repaired(subject.another(), forwards, backwards);
  const MeasuredClock right = measured_clock(repaired, seed);
  return !right.is_right ? ""
                         : format(keeps_times ? "; with steps that begin at their time the order is %.0f"
                                              : "; with every force at its time the order is %.0f",
                                  right.order);
}

}  // namespace

std::string mistake_of_clock(ForeignSubject& subject, std::uint64_t seed) {
  // A clock is told from its times in steps of both signs.
  if (subject.declares().forward) return "";
  // No number of steps is zero or a whole time. What is said of one step, or after one start, is said only if it is so of the
  // others.
  constexpr std::array<double, 2> sizes{0.3125, 0.40625};
  std::array<Observed, 4> all;
  for (std::size_t k = 0; k < all.size(); ++k) {
    Observed& asked = all.at(k);
    asked.h = sizes.at(k % 2);
    asked.start = times_of_start.at(k / 2);
    asked.forwards = questions_of(subject, asked.h, asked.start);
    asked.backwards = questions_of(subject, -asked.h, asked.start);
    if (asked.forwards.empty() || asked.backwards.empty()) return "";
  }
  std::optional<bool> is_wrong;
  const auto is_right_as_it_stands = [&] {
    if (!is_wrong) is_wrong = measured_clock(subject, seed).is_wrong;
    return !*is_wrong;
  };
  if (const std::optional<OtherClock> clock = clock_of(all); clock) {
    if (is_right_as_it_stands()) return "";
    const std::string order = order_with(subject, seed, clock->forwards, clock->backwards, !clock->is_due);
    if (!order.empty()) return text_of(*clock) + order;
  }
  // Times of a step's middle may be as good as those at which forces are due: then only what moves the step's beginning is wrong.
  for (const bool keeps_times : {true, false}) {
    std::array<std::string, 4> mistakes;
    Questions of_forwards, of_backwards;
    bool is_kept = true;
    for (const std::size_t k : std::array<std::size_t, 4>{3, 2, 1, 0}) {
      const auto& [h, start, forwards, backwards] = all.at(k);
      of_forwards = forwards;
      of_backwards = backwards;
      if (keeps_times)
        is_kept =
            is_kept && keep_times(of_forwards, forwards, h, start) && keep_times(of_backwards, forwards, h, start);
      mistakes.at(k) = mistake_in(of_forwards, h, start);
      if (mistakes.at(k).empty()) {
        mistakes.at(k) = mistake_in(of_backwards, -h, start);
        if (!mistakes.at(k).empty()) mistakes.at(k) = "in steps back " + mistakes.at(k);
      }
    }
    const std::string& mistake = mistakes.front();
    if (!is_kept || mistake.empty() || std::ranges::count(mistakes, mistake) != 4) continue;
    if (is_right_as_it_stands()) return "";
    const std::string order = order_with(subject, seed, of_forwards, of_backwards, keeps_times);
    if (!order.empty()) return mistake + order;
  }
  return "";
}

}  // namespace livi
