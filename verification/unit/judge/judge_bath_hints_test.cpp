// SPDX-License-Identifier: MIT
//
// What the judge says of a refuted method with friction and noise, free or under constraints: the mistake, and the smallest case.
// Judgements are made up here: they say which rows are refuted.
//
// One file, for the flaws of a bath that have a name are those for which a case is shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judged_baths.hpp"
#include "verification/judge/bath_method.hpp"
#include "verification/judge/declaring.hpp"
#include "verification/judge/judgement_rows.hpp"

namespace judge_bath_hints_test {

using namespace livi;
using namespace livi::test;

/// A judgement with these rows, except rows that the method does not have.
Judgement with_rows(const ForeignDeclaration& declares, const std::vector<std::string>& tests,
                    Verdict verdict = Verdict::refuted) {
  Judgement judgement{declares, {}, 1};
  for (const std::string& test : tests)
    if (row_named(test, declares)) judgement.rows.push_back(bare_row(declares, test, verdict));
  return judgement;
}
using Rows = std::vector<std::string>;
const Rows rows_of_free{"noise",       "fresh noise",   "friction",     "noise of a body", "noise without heat",
                        "noise later", "sampling of q", "sampling of p"},
    rows_of_constrained{"constraint in the bath", "hidden constraint in the bath", "without friction",
                        "noise without friction", "friction in the bath",          "linear noise in the bath",
                        "noise in the bath",      "fresh noise in the bath",       "repetition in the bath",
                        "sampling of q and p"};

std::string said_of(ForeignSubject& subject, const Rows& refuted) {
  std::string all;
  for (const std::string& sentence : diagnose_baths(subject, with_rows(subject.declares(), refuted)))
    all += (all.empty() ? "" : "; ") + sentence;
  return all;
}
/// The exact bath with another rate, whose noise is that of the right one, and with noise of another variance.
Change rate(const std::function<double(const Of&)>& of_bath) {
  return [=](BathRules& r) { r.decay = [=](const Of& of) { return std::exp(-of_bath(of) * of.h); }; };
}
Change noise(const std::function<double(const Of&)>& times) {
  return [=](BathRules& r) { r.variance = [=, right = r.variance](const Of& of) { return times(of) * right(of); }; };
}
struct Mistake {
  Rows refuted;
  Change change;
  std::string sentence;
};

TEST(BathDiagnosis, names_mistakes_of_friction) {
  const std::string begin = "momenta are damped at the rate ";
  const std::vector<Mistake> all{
      {{"friction"},
       rate([](const Of& of) { return of.gamma * of.bodies; }),
       begin + "gamma N, not gamma: once for every body"},
      {{"friction"},
       rate([](const Of& of) { return 2 * of.gamma; }),
       begin + "2 gamma, not gamma: as if it acted over h in each half of a step"},
      {{"friction"},
       rate([](const Of& of) { return of.gamma / 2; }),
       begin + "0.5 gamma, not gamma: as if it acted over h/2 alone"},
      {{"friction"},
       rate([](const Of& of) { return of.gamma / of.mass; }),
       begin + "gamma m^-1, not gamma: it is divided by the mass once too often"},
      {{"friction"},
       rate([](const Of& of) { return of.temperature; }),
       begin + "T, not gamma: the temperature is taken for the friction"},
      {{"friction"}, rate([](const Of& of) { return std::sqrt(of.gamma); }), begin + "gamma^(1/2), not gamma"},
      {{"friction"},
       rate([](const Of& of) { return -of.gamma; }),
       begin + "-1 gamma, not gamma: its sign is turned round"},
      {{"friction"}, rate([](const Of&) { return 0; }), "the friction is ignored"},
      {{"friction"}, rate([](const Of&) { return 1.25; }), begin + "1.25, not gamma"},
      {{"friction"},
       [](BathRules& r) {
         r.decay = [](const Of& of) { return std::exp(-of.temperature * of.h); };
         r.variance = [](const Of& of) { return -of.gamma * of.mass * std::expm1(-2 * of.temperature * of.h); };
       },
       begin + "T, not gamma: friction and temperature are exchanged"},
      {{"friction"},
       rate([](const Of& of) { return of.gamma / of.first_mass; }),
       begin + "gamma m^-1, m the mass of the first body for all, not gamma"},
      {{"friction"}, [](BathRules& r) { r.forces_times = 2; }, "in the bath forces are 2 times what they are to be"},
      {{"friction"},
       [](BathRules& r) { r.forces_times = 1.005; },
       "in the bath forces are 1.005 times what they are to be"},
      {{"friction"}, [](BathRules& r) { r.forces_times = 0; }, "in the bath forces are ignored"},
      {{"friction"},
       [](BathRules& r) { r.drifts_times = -1, r.forces_times = 0.5; },
       "in the bath forces are 0.5 times what they are to be and velocities have the other sign"},
      {{"friction"}, [](BathRules& r) { r.rounds_to = 1e-9; }, ""},
      {{"friction"}, [](BathRules& r) { r.forces_per_body = true; }, ""},
      {{"noise later"}, [](BathRules& r) { r.longest_size = true; }, ""},
      {{"noise later"},
       [](BathRules& r) { r.first_size = true; },
       "where steps change their size, friction and noise have that of the first step after a start"},
      {{"noise later"},
       [](BathRules& r) { r.size_before = true; },
       "where steps change their size, friction and noise have that of the step before"},
      // No product of powers, and what no row refutes.
      {{"friction"}, rate([](const Of& of) { return of.gamma + 0.125; }), ""},
      {{"friction"}, rate([](const Of& of) { return of.gamma * (1 + of.mass); }), ""},
      {{"noise"}, rate([](const Of& of) { return 2 * of.gamma; }), ""},
      {{"friction", "noise of a body"},
       [](BathRules& r) {
         r.decay = [](const Of& of) { return std::exp(-of.gamma * of.h * of.bodies); };
         r.variance = [](const Of& of) {
           return of.temperature * of.mass * -std::expm1(-2 * of.gamma * of.h * of.bodies);
         };
       },
       "friction and noise are both those of the rate gamma N, not gamma: once for every body"},
      {{"friction", "noise of a body"},
       [](BathRules& r) {
         r.decay = [](const Of& of) { return std::exp(-2 * of.gamma * of.h); };
         r.variance = [](const Of& of) { return of.gamma * of.gamma * of.h; };
       },
       "the noise of a step of h has the variance gamma^2 h, not 2 gamma T m h: its size is in proportion to gamma, "
       "not to its root; " +
           begin + "2 gamma, not gamma: as if it acted over h in each half of a step"}};
  for (const Mistake& mistake : all) {
    BathMethod subject(rules(mistake.change), false);
    EXPECT_EQ(said_of(subject, mistake.refuted), mistake.sentence);
  }
  const std::vector<Mistake> constrained{
      {{"friction in the bath"},
       rate([](const Of& of) { return of.gamma * of.constraints; }),
       begin + "gamma c, not gamma: once for every constraint"},
      {{"friction in the bath"},
       rate([](const Of& of) { return of.gamma * of.bodies; }),
       begin + "gamma N, not gamma: once for every body"},
      {{"friction in the bath"},
       rate([](const Of& of) { return 3 * of.gamma * of.bodies; }),
       begin + "3 gamma N, not gamma: once for every coordinate"},
      {{"friction in the bath"},
       rate([](const Of& of) { return of.gamma / of.mass; }),
       begin + "gamma m^-1, not gamma: it is divided by the mass once too often"},
      {{"friction in the bath"}, rate([](const Of&) { return 0; }), "the friction is ignored"},
      {{"fresh noise in the bath"},
       [](BathRules& r) { r.first_size = true; },
       "where steps change their size, friction and noise have that of the first step after a start"},
      {{"fresh noise in the bath"},
       [](BathRules& r) { r.size_before = true; },
       "where steps change their size, friction and noise have that of the step before"},
      {{"friction in the bath"}, rate([](const Of& of) { return of.gamma + 0.125; }), ""}};
  for (const Mistake& mistake : constrained) {
    BathMethod subject(rules(mistake.change), true);
    EXPECT_EQ(said_of(subject, mistake.refuted), mistake.sentence);
  }
}

TEST(BathDiagnosis, names_mistakes_of_noise) {
  const std::string begin = "the noise of a step of h has the variance ", end = ", not 2 gamma T m h";
  const auto with_number = [](const std::function<std::size_t(std::size_t)>& number) {
    return [=](BathRules& r) { r.number = number; };
  };
  const auto with_value = [](const std::function<double(double)>& value) {
    return [=](BathRules& r) { r.taken_for = value; };
  };
  struct OfBoth {
    Change change;
    std::string sentence;
    std::string of_free = "noise of a body", of_constrained = "noise in the bath";
  };
  const std::vector<OfBoth> all{
      {noise([](const Of& of) { return of.bodies; }), begin + "2 gamma T m N h" + end + ": once for every body"},
      {noise([](const Of&) { return 2; }), begin + "4 gamma T m h" + end + ": as at twice the temperature"},
      {noise([](const Of&) { return 0.5; }), begin + "gamma T m h" + end + ": as at half of the temperature"},
      {noise([](const Of& of) { return of.temperature; }),
       begin + "2 gamma T^2 m h" + end + ": its size is in proportion to T, not to its root"},
      {noise([](const Of& of) { return 1 / std::sqrt(of.temperature); }),
       begin + "2 gamma T^(1/2) m h" + end + ": the root of T stands in place of T"},
      {noise([](const Of& of) { return 1 / of.temperature; }),
       begin + "2 gamma m h" + end + ": it does not depend on the temperature"},
      {noise([](const Of& of) { return of.gamma / 2; }),
       begin + "gamma^2 T m h" + end + ": its size is in proportion to gamma, not to its root"},
      {noise([](const Of& of) { return of.h; }),
       begin + "2 gamma T m h^2" + end + ": its size is in proportion to h, not to its root"},
      {noise([](const Of& of) { return of.gamma * of.h / 2; }),
       begin + "gamma^2 T m h^2" + end + ": its size is in proportion to gamma h, not to its root"},
      {noise([](const Of& of) { return 1 / of.h; }), begin + "2 gamma T m" + end + ": its size does not depend on h"},
      {noise([](const Of& of) { return 1 / of.mass; }),
       begin + "2 gamma T h" + end + ": it does not depend on the mass"},
      {noise([](const Of& of) { return 1 / (of.mass * of.mass); }),
       begin + "2 gamma T m^-1 h" + end + ": it is divided by the root of the mass in place of multiplied"},
      {noise([](const Of& of) { return of.mass; }),
       begin + "2 gamma T m^2 h" + end + ": its size is in proportion to m, not to its root"},
      {noise([](const Of& of) { return of.first_mass / of.mass; }),
       begin + "2 gamma T m h, m the mass of the first body for all" + end + " with its own"},
      {noise([](const Of& of) { return 1 + of.mass; }), ""},
      {noise([](const Of& of) { return of.h < 0.0036 ? 4 : 1; }), ""},
      {noise([](const Of&) { return 0; }),
       "the noise is ignored: the normal numbers that are asked for have no effect"},
      {[](BathRules& r) { r.next_numbers = true; }, ""},
      {[](BathRules& r) { r.asks = false; },
       "there is no noise: no normal number is asked for, and bodies at rest stay there"},
      {[](BathRules& r) { r.asks_every = 10; }, ""},
      {[](BathRules& r) { r.has_own_numbers = true; },
       "it has random numbers of its own: bodies at rest move without a force, and under normal numbers that are all "
       "zero"},
      {[](BathRules& r) { r.has_own_numbers = r.begins_own_anew = true; },
       "it has random numbers of its own: bodies at rest move without a force, and under normal numbers that are all "
       "zero"},
      {with_number([](std::size_t) { return 0; }), "one normal number is taken for all momenta"},
      {with_number([](std::size_t i) { return i % 3; }),
       "the normal numbers of the first three momenta are taken for all others, too"},
      {with_number([](std::size_t i) { return i % 2; }),
       "the normal numbers of the first two momenta are taken for all others, too"},
      {with_number([](std::size_t i) { return i / 3; }),
       "three momenta, one after the other, have one normal number in common"},
      {with_number([](std::size_t i) { return i / 2; }),
       "two momenta, one after the other, have one normal number in common"},
      {with_value([](double x) { return x * x; }), "the square of a normal number stands in its place", "noise",
       "linear noise in the bath"},
      {with_value([](double x) { return std::abs(x); }), "the size of a normal number stands in its place", "noise",
       "linear noise in the bath"},
      {with_value([](double x) { return std::clamp(x, -2.5, 2.5); }),
       "normal numbers are clipped: those beyond 2.5 have the effect of that", "noise", "linear noise in the bath"},
      {with_value([](double x) { return std::sin(x); }), "", "noise", "linear noise in the bath"},
      {with_value([](double x) { return std::abs(x) < 0.967421566 ? 0 : std::copysign(std::sqrt(3.0), x); }),
       "for every normal number stands one of 3 values", "noise", "linear noise in the bath"},
      {with_value([](double x) { return (x > 0) - (x < 0); }), "nothing but the sign of a normal number counts",
       "noise", "linear noise in the bath"},
      {with_value([](double x) { return x < 0 ? -1 : 1; }), "nothing but the sign of a normal number counts", "noise",
       "linear noise in the bath"},
      {with_value([](double x) { return x + 0.1; }), "normal numbers have a mean: 0.1 is added to each", "noise",
       "linear noise in the bath"},
      {with_value([](double x) { return 2 * x - 0.25; }), "normal numbers have a mean: -0.125 is added to each",
       "noise", "linear noise in the bath"},
      // None of these clips, none makes numbers of its own, and what the number one does is no variance.
      {with_value([](double x) { return std::tanh(x); }), "", "noise", "linear noise in the bath"},
      {with_value([](double x) { return std::sqrt(3.0) * std::erf(x / std::sqrt(2.0)); }), "", "noise",
       "linear noise in the bath"},
      {with_value([](double x) { return x < 0 ? -1 : 1; }), "", "noise of a body", "noise in the bath"},
      {with_value([](double x) { return x + 0.1; }), "normal numbers have a mean: 0.1 is added to each",
       "noise of a body", "noise in the bath"},
      {with_value([](double x) { return std::round(8 * x) / 8; }), "", "noise", "linear noise in the bath"},
      {with_value([](double) { return 1; }), "", "noise", "linear noise in the bath"},
      {with_value([](double x) { return std::abs(x) > 2.5 ? 0 : x; }), "", "noise", "linear noise in the bath"},
      {with_value([](double x) { return std::min(x, 2.5); }), "", "noise", "linear noise in the bath"},
      {[](BathRules& r) { r.first_numbers = true; },
       "the normal numbers of the first step are taken in the next one, too", "fresh noise",
       "fresh noise in the bath"}};
  for (const OfBoth& mistake : all)
    for (const bool constrained : {false, true}) {
      BathMethod subject(rules(mistake.change), constrained);
      EXPECT_EQ(said_of(subject, {constrained ? mistake.of_constrained : mistake.of_free}), mistake.sentence)
          << constrained;
      // What is not refuted is not explained.
      EXPECT_EQ(said_of(subject, {"friction", "friction in the bath"}).find("variance"), std::string::npos);
    }
  BathMethod decay_for_square(rules([](BathRules& r) {
                                r.variance = [](const Of& of) {
                                  return -of.temperature * of.mass * std::expm1(-of.gamma * of.h);
                                };
                              }),
                              false);
  EXPECT_EQ(said_of(decay_for_square, {"noise of a body"}),
            begin + "gamma T m h" + end + ": it has 1 - e^(-gamma h) in place of 1 - e^(-2 gamma h)");
  BathMethod halves(rules([](BathRules& r) { r.in_halves = true; }), false);
  EXPECT_EQ(said_of(halves, {"noise of a body"}),
            begin + "4 gamma T m h" + end + ": both halves of a step have the same numbers");
  const auto across = [](bool at_all) {
    BathMethod subject(rules([&](BathRules& r) { (at_all ? r.projected_by_masses : r.projected) = false; }), true);
    return said_of(subject, {"hidden constraint in the bath"});
  };
  EXPECT_EQ(across(false), "the noise is not projected: it has the covariance of free bodies");
  EXPECT_EQ(across(true), "the noise of momenta is projected without the masses: Dg p = 0 in place of Dg M^-1 p = 0");
  const auto warm = built_in_subject(built_in_baoab(BuiltInFlaw::warm_without_heat));
  EXPECT_EQ(said_of(*warm, {"noise without heat"}), "the temperature is higher by 9.537e-07 than it is to be");
  // What does not go with the friction, or the mass, is no temperature.
  for (const bool with_step : {false, true}) {
    BathMethod shaken(rules([&](BathRules& r) {
                        r.variance = [=, right = r.variance](const Of& of) {
                          return right(of) + (with_step ? 1e-3 * of.h : 1e-10);
                        };
                      }),
                      false);
    EXPECT_EQ(said_of(shaken, {"noise without heat"}), "") << with_step;
  }
  // The number one says nothing of the variance of its cube.
  BathMethod cube(rules(with_value([](double x) { return x * x * x / std::sqrt(15.0); })), false);
  EXPECT_EQ(said_of(cube, {"noise", "noise of a body"}), "");
}

/// The exact motion of free bodies in a bath, whose normal numbers of position and momentum are `common`, or have a wrong covariance.
class ExactMotion final : public ForeignSubject {
 public:
  explicit ExactMotion(int of_both) : of_both_(of_both) {
    declaration_.kinds = {ProblemKind::mechanical, ProblemKind::langevin};
    declaration_.sampling = 2;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<ExactMotion>(of_both_);
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    class Run final : public ForeignRun<double> {
     public:
      Run(Forces<double>& forces, int of_both) : forces_(forces), of_both_(of_both) {}
      void start(const TimedPoint<double>& z) override { z_ = z; }
      void step(const double& h, long count) override {
        const JudgedProblem& problem = forces_.problem();
        const double g = problem.has_bath() ? problem.friction : 1e-9, x = std::exp(-g * h);
        for (long k = 0; k < count; ++k)
          for (std::size_t i = 0; i < z_.q.size(); ++i) {
            const double m = problem.masses[i], heat = problem.has_bath() ? problem.temperature : 0;
            z_.q[i] += -std::expm1(-g * h) / g * z_.p[i] / m;
            z_.p[i] *= x;
            if (heat == 0) continue;
            const std::vector<double> xi = forces_.noise(2);
            const double p = heat * m * -std::expm1(-2 * g * h),
                         q = heat / m * (2 * g * h - 3 + 4 * x - x * x) / (g * g),
                         both = of_both_ == 0   ? heat * (1 - x) * (1 - x) / g
                                : of_both_ == 1 ? std::sqrt(p * q)
                                                : 0;
            z_.p[i] += std::sqrt(p) * xi[0];
            z_.q[i] += both / std::sqrt(p) * xi[0] + std::sqrt(std::max(0.0, q - both * both / p)) * xi[1];
          }
      }
      TimedPoint<double> point() override { return z_; }
      std::optional<std::string> save() override { return {}; }
      void restore(const std::string&) override {}

     private:
      Forces<double>& forces_;
      int of_both_;
      TimedPoint<double> z_;
    };
    return std::make_unique<Run>(forces, of_both_);
  }

 private:
  int of_both_;
  ForeignDeclaration declaration_;
};

TEST(BathDiagnosis, compares_longer_steps_where_short_ones_are_right) {
  const auto of_motion = [](int of_both) {
    ExactMotion subject(of_both);
    return said_of(subject, {"sampling of q"});
  };
  EXPECT_EQ(of_motion(0), "");
  EXPECT_EQ(of_motion(1).find("position and momentum get the same normal number"), 0U);
  EXPECT_EQ(of_motion(2).find("position and momentum get independent normal numbers"), 0U);
  const BathRules euler = rules([](BathRules& r) {
    r.decay = [](const Of& of) { return 1 - of.gamma * of.h; };
    r.variance = [](const Of& of) { return 2 * of.gamma * of.temperature * of.mass * of.h; };
  });
  for (const bool constrained : {false, true})
    for (const int sampling : {1, 2}) {
      BathMethod subject(euler, constrained, sampling);
      EXPECT_EQ(said_of(subject, {"sampling of q", "sampling of q and p"}).find("the bath is Euler and Maruyama's"),
                sampling == 1 ? std::string::npos : 0U);
    }
}

TEST(BathDiagnosis, says_nothing_of_right_methods) {
  Rows every = rows_of_free;
  every.insert(every.end(), rows_of_constrained.begin(), rows_of_constrained.end());
  for (const BuiltInMethod& method : {built_in_baoab(), obabo(), aboba()})
    EXPECT_EQ(said_of(*built_in_subject(method), every), "") << method.name;
  for (const bool constrained : {false, true}) {
    BathMethod subject(BathRules(), constrained);
    EXPECT_EQ(said_of(subject, every), "");
  }
  // What moves bodies at rest is no noise where it goes with the step and comes again.
  BuiltInMethod pushing = built_in_baoab();
  pushing.flaw = BuiltInFlaw::pushes_hard;
  EXPECT_EQ(said_of(*built_in_subject(pushing), every), "");
  BathMethod wrong(rules(rate([](const Of&) { return 0; })), false);
  EXPECT_TRUE(diagnose_baths(wrong, with_rows(wrong.declares(), every, Verdict::confirmed)).empty());
  NumberlessSubject numberless;
  EXPECT_EQ(said_of(numberless, every), "");
}

std::string case_of(ForeignSubject& subject, const std::string& test) {
  const Reproducer found =
      reproduce(subject, with_rows(subject.declares(), {test}), row_named(test, subject.declares()));
  EXPECT_EQ(found.test, found.words.empty() ? "" : test);
  return found.words;
}

TEST(BathReproducer, is_as_small_as_can_be) {
  struct Small {
    bool constrained;
    std::string test;
    Change change;
    std::vector<std::string> parts;
  };
  const auto head = [](const char* masses, const char* bath, const char* start) {
    return std::string("V = 0, masses (") + masses + "), " + bath + "\nstart: " + start + "\n";
  };
  const std::string plain = "gamma = 1, T = 1", at_rest = "q = (0), p = (0), h = 0.0625",
                    circle = "V = 0, masses (1, 1), gamma = 1, T = 1, g = q1^2 + q2^2 - 1\n";
  const auto squared = [](BathRules& r) { r.taken_for = [](double x) { return x * x; }; };
  const std::vector<Small> all{
      // e^(-1/4) and e^(-1/2); the limit of the error over h is one.
      {false,
       "friction",
       rate([](const Of& of) { return 2 * of.gamma; }),
       {head("1", plain.c_str(), "q = (0), p = (1), h = 0.25"), "p = (0.778800783071404", "p = (0.606530659712633"}},
      {false,
       "friction",
       rate([](const Of& of) { return of.gamma * of.bodies; }),
       {"masses (1, 1), gamma = 1, T = 1\nstart: q = (0, 0), p = (1, 0.5)"}},
      {false, "friction", rate([](const Of& of) { return of.gamma / of.mass; }), {"masses (2), gamma = 1, T = 1"}},
      {false, "friction", rate([](const Of& of) { return of.temperature; }), {"masses (1), gamma = 2, T = 1"}},
      {false,
       "noise of a body",
       noise([](const Of&) { return 2; }),
       {head("1", plain.c_str(), at_rest.c_str()), "squares of changes of p1, over h, goes to 2 for h to 0",
        "it is 3.7601 here, 3.93815 for h = 0.015625, 3.98442"}},
      {false,
       "noise of a body",
       noise([](const Of& of) { return of.h; }),
       {head("1", plain.c_str(), at_rest.c_str()), "0.00778206 for h = 0.00390625"}},
      {false,
       "noise of a body",
       noise([](const Of& of) { return of.temperature; }),
       {"masses (1), gamma = 1, T = 2", "goes to 4"}},
      {false,
       "noise of a body",
       noise([](const Of& of) { return 1 / of.mass; }),
       {"masses (2), gamma = 1, T = 1", "goes to 4"}},
      {false,
       "noise of a body",
       [](BathRules& r) { r.number = [](std::size_t) { return 0; }; },
       {"masses (1, 1), gamma = 1, T = 1", "products of changes of p1 and p2, over h, goes to 0", "(0.34278724803499"}},
      {false,
       "noise of a body",
       [](BathRules& r) { r.number = [](std::size_t i) { return i % 3; }; },
       {"masses (1, 1, 1, 1)", "p1 and p4"}},
      {false,
       "noise",
       squared,
       {head("1", plain.c_str(), "q = (0), p = (0), h = 0.5"), "(2) leads to q = (0.7950600976206",
        "by 2 times what ones do"}},
      {false,
       "fresh noise",
       [](BathRules& r) { r.first_numbers = true; },
       {head("1", plain.c_str(), "q = (0), p = (0), h = 0.5"), "the second step asks for other numbers"}},
      {false,
       "noise",
       [](BathRules& r) { r.taken_for = [](double x) { return x + 0.5; }; },
       {head("1", plain.c_str(), "q = (0), p = (0), h = 0.5"), "bodies at rest stay there"}},
      {false,
       "friction",
       [](BathRules& r) { r.forces_times = 2; },
       {"V = 0.5*q1^2, masses (1), gamma = 1, T = 1\nstart: q = (1), p = (0), h = 0.25\n",
        "the error over the step is 0.99"}},
      {false,
       "noise later",
       [](BathRules& r) { r.first_size = true; },
       // e^(-1/2) and e^(-1) for e^(-3/4).
       {head("1", plain.c_str(), "q = (0), p = (1), h = 0.5"), "one of h/2 after it leads to q = (0.5234339",
        "p = (0.367879441171442", "one of h/2 that starts there leads to", "p = (0.472366552741014"}},
      {true,
       "fresh noise in the bath",
       [](BathRules& r) { r.size_before = true; },
       {circle, "one of h/2 after it leads to"}},
      {true,
       "friction in the bath",
       rate([](const Of& of) { return of.gamma * of.constraints; }),
       {"V = 0, masses (1, 1, 1, 1), gamma = 1, T = 1, g1 = q1^2 + q2^2 - 1, g2 = "}},
      {true,
       "friction in the bath",
       rate([](const Of&) { return 0; }),
       {circle + "start: q = (1, 0), p = (0, 1), h = 0.25\n", "error over the step is 0.9"}},
      {true,
       "noise in the bath",
       noise([](const Of&) { return 2; }),
       {circle, "squares of changes of p2, over h, goes to 2 for"}},
      {true,
       "noise in the bath",
       [](BathRules& r) { r.number = [](std::size_t i) { return i % 3; }; },
       {"masses (1, 1, 1, 1), gamma = 1, T = 1, g = ", "changes of p1"}},
      {true,
       "hidden constraint in the bath",
       [](BathRules& r) { r.projected = false; },
       {"g = q1^2 + q2^2 - 1, all normal numbers 1\nstart: q = (1, 0), p = (0, 0), h = 0.5\n",
        // 2 (1 - 1/e)^(1/2).
        "Dg M^-1 p = (1.590120195241"}},
      {true, "linear noise in the bath", squared, {circle, "by 2 times what ones do\nfor h to 0"}},
      {true, "fresh noise in the bath", [](BathRules& r) { r.first_numbers = true; }, {circle, "h = 0.5\n"}},
      {true,
       "noise without friction",
       [](BathRules& r) { r.when_cold = 0.5; },
       {"gamma = 0, T = 1", "(1) leads to q = (1, 0), p = (0.5, 0)"}},
      {true,
       "without friction",
       [](BathRules& r) { r.longer_when_cold = 0.125; },
       {"gamma = 0, T = 1", "one of the kind constrained leads to"}},
      {true,
       "repetition in the bath",
       [](BathRules& r) { r.has_own_numbers = true; },
       {circle, "the same step leads to"}}};
  for (const Small& small : all) {
    BathMethod subject(rules(small.change), small.constrained);
    const std::string words = case_of(subject, small.test);
    for (const std::string& part : small.parts)
      EXPECT_NE(words.find(part), std::string::npos) << small.test << ": '" << part << "' is not in: " << words;
  }
  // A spring of one under Euler's bath: 8/7 for h = 1/4, and half the error for half of h.
  ForeignDeclaration declares = sampling_with(2);
  Declaring euler(built_in_baoab(BuiltInFlaw::first_order_bath), declares);
  const std::string words = case_of(euler, "sampling of q");
  for (const char* part : {"V = 0.5*q1^2, masses (1), gamma = 1, T = 1",
                           "variance of q1 is to be 1, but for O(h^2)\nh = 0.25: 1.14285714\n",
                           "its error 2.03 times smaller; order 2 needs 4"})
    EXPECT_NE(words.find(part), std::string::npos) << words;
  Declaring ends(built_in_baoab(BuiltInFlaw::bath_ends), declares);
  EXPECT_NE(case_of(ends, "noise later").find("steps under zeros, in which nothing moves, it leads to q = ("),
            std::string::npos);
  Declaring warm(built_in_baoab(BuiltInFlaw::warm_without_heat), declares);
  EXPECT_NE(case_of(warm, "noise without heat").find("gamma = 1, T = 0\n"), std::string::npos);
}

TEST(BathReproducer, shows_nothing_of_right_methods) {
  for (const BuiltInMethod& method : {built_in_baoab(), obabo(), aboba()}) {
    Declaring subject(method, sampling_with(2));
    for (const std::string& test : rows_of_free) EXPECT_EQ(case_of(subject, test), "") << method.name << ", " << test;
  }
  Declaring of_order_one(built_in_baoab(BuiltInFlaw::first_order_bath), sampling_with(1));
  for (const std::string& test : rows_of_free) EXPECT_EQ(case_of(of_order_one, test), "") << test;
  for (const bool constrained : {false, true}) {
    BathMethod subject(BathRules(), constrained);
    for (const std::string& test : constrained ? rows_of_constrained : rows_of_free)
      EXPECT_EQ(case_of(subject, test), "") << test;
  }
  const auto single = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  const BathRules coarse = rules([&](BathRules& r) {
    r.decay = [=](const Of& of) { return single(std::exp(single(-of.gamma * of.h))); };
    r.variance = [=](const Of& of) {
      return single(of.temperature * of.mass * (1 - single(std::exp(-2 * of.gamma * of.h))));
    };
  });
  for (const bool constrained : {false, true}) {
    const Rows& all = constrained ? rows_of_constrained : rows_of_free;
    BathMethod subject(coarse, constrained, 2, true, true);
    for (const std::string& test : all) EXPECT_EQ(case_of(subject, test), "") << test;
    EXPECT_EQ(said_of(subject, all), "");
  }
  // What a saved text shows has no small case, and what is wrong in every step is not shown as that of a later one.
  BathMethod wrong(rules(rate([](const Of&) { return 0; })), false);
  for (const char* test : {"noise later", "restart in the bath"}) EXPECT_EQ(case_of(wrong, test), "") << test;
}

}  // namespace judge_bath_hints_test
