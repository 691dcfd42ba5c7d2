// SPDX-License-Identifier: MIT
//
// The protocol of docs/protocol.md, without processes: numbers, declarations, and a million lines that are nearly right.
// One file, for all of them read or answer lines through the same stand-ins for a method.
#include <gtest/gtest.h>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>
#include <livi/judge/problems/number_text.hpp>

#include <cmath>
#include <fstream>
#include <limits>

namespace judge_protocol_test {

using namespace livi;

TEST(Numbers, are_read_in_every_form) {
  EXPECT_EQ(parse_double("0x1.8p-3"), 0.1875);
  EXPECT_EQ(parse_double("-0X1P+2"), -4);
  EXPECT_EQ(parse_double("1.5D+01"), 15);
  EXPECT_EQ(parse_double(".5"), 0.5);
  EXPECT_EQ(parse_double("+5."), 5);
  EXPECT_EQ(parse_double("-3/4"), -0.75);
  EXPECT_EQ(parse_double("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_double("-1e-400"), 0);
  EXPECT_TRUE(std::isnan(*parse_double("NaN")));
  EXPECT_EQ(parse_double("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_complex("0.5,-1e-30"), std::complex<double>(0.5, -1e-30));
  EXPECT_EQ(parse_complex("2"), std::complex<double>(2, 0));
  EXPECT_EQ(parse_rational("-010/4"), Rational(Integer(-5), Integer(2)));
  EXPECT_EQ(parse_rational("0.125"), Rational(Integer(1), Integer(8)));
  EXPECT_EQ(parse_rational("0x1.8p1"), Rational(3));
  EXPECT_EQ(parse_digits("0.1"), Float50("0.1"));
  EXPECT_EQ(parse_digits("1/3"), Float50(1) / Float50(3));
}

TEST(Numbers, that_are_none_have_no_sign) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(number_text(-nan, NumberForm::hex), "nan");
  EXPECT_EQ(number_text(std::copysign(nan, -1.0), NumberForm::decimal), "nan");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity(), NumberForm::hex), "-inf");
}

TEST(Numbers, are_not_read_from_other_texts) {
  for (const char* text :
       {"",     "-",    ".",  "e5",       "1e",    "1e+",     "1 2",      "0x",       "0xp1", "1e12345",
        "1/0",  "1/",   "/2", "1/-2",     "1.5/2", "--1",     "1.2.3",    "six",      "nanx", "1,2",
        "0x1g", "1e5x", "5f", "0x1.8e3p", "١",     "1e00001", "1e-00001", "0x1p00001"}) {
    EXPECT_FALSE(parse_double(text)) << text;
    EXPECT_FALSE(parse_rational(text)) << text;
    EXPECT_FALSE(parse_digits(text)) << text;
  }
  for (const char* text : {"", ",", "1,", ",1", "1,2,3", "1, 2"}) EXPECT_FALSE(parse_complex(text)) << text;
  EXPECT_FALSE(parse_rational("nan"));
  EXPECT_FALSE(parse_double(std::string(30000, '1')));
}

TEST(Numbers, read_back_as_they_were_written) {
  DrawnNumbers random(1);
  for (int k = 0; k < 20000; ++k) {
    const std::uint64_t bits = random.next();
    double x = 0;
    static_assert(sizeof x == sizeof bits);
    std::memcpy(&x, &bits, sizeof x);
    if (!std::isfinite(x)) continue;
    EXPECT_EQ(parse_double(number_text(x, NumberForm::hex)), x);
    EXPECT_EQ(parse_double(number_text(x, NumberForm::decimal)), x);
    if (std::abs(std::log2(std::abs(x))) < 200) {
      EXPECT_EQ(parse_rational(number_text(Rational(x))), Rational(x));
      EXPECT_EQ(parse_digits(number_text(Float50(x), 52)), Float50(x));
    }
  }
}

TEST(Declaration, is_read_with_every_key) {
  const Hello hello = parse_hello(
      "livi 1 name=\"my Verlet\" source=X order=4 symplectic=yes symmetric=no momentum=linear gradients=3 "
      "stability=inf "
      "memory=yes numbers=double,digits:34,rational,complex form=hex kinds=timed,mechanical");
  const ForeignDeclaration& declared = hello.declaration;
  EXPECT_EQ(declared.name, "my Verlet");
  EXPECT_EQ(declared.order, 4);
  EXPECT_EQ(declared.symplectic, true);
  EXPECT_EQ(declared.symmetric, false);
  EXPECT_EQ(declared.linear_momentum, true);
  EXPECT_FALSE(declared.angular_momentum.has_value());
  EXPECT_EQ(declared.gradients, 3);
  EXPECT_TRUE(std::isinf(*declared.stability_limit));
  EXPECT_TRUE(declared.memory);
  EXPECT_EQ(declared.digits, 34);
  EXPECT_TRUE(declared.computes_in(NumberType::rational) && declared.takes(ProblemKind::timed));
  EXPECT_EQ(hello.form, NumberForm::hex);
  EXPECT_FALSE(parse_hello("livi 1").declaration.order);
  const ForeignDeclaration bath = parse_hello("livi 1 kinds=langevin,mechanical sampling=2").declaration;
  EXPECT_EQ(bath.sampling, 2);
  const ForeignDeclaration coarse = parse_hello("livi 1 tolerance=1e-10 precision=single").declaration;
  EXPECT_EQ(coarse.tolerance, 1e-10);
  EXPECT_TRUE(coarse.single_precision);
  EXPECT_FALSE(parse_hello("livi 1 precision=double").declaration.single_precision);
  EXPECT_TRUE(bath.takes(ProblemKind::langevin));
  const ForeignDeclaration rods = parse_hello("livi 1 kinds=constrained hidden=no tolerance=1e-8").declaration;
  EXPECT_TRUE(rods.takes(ProblemKind::constrained) && !rods.takes(ProblemKind::mechanical));
  EXPECT_EQ(rods.hidden, false);
  EXPECT_EQ(rods.tolerance, 1e-8);
  const ForeignDeclaration body = parse_hello("livi 1 kinds=body momentum=no casimir=yes").declaration;
  EXPECT_TRUE(body.takes(ProblemKind::body) && !body.takes(ProblemKind::mechanical));
  EXPECT_EQ(body.casimir, true);
  EXPECT_EQ(body.angular_momentum, false);
  EXPECT_FALSE(body.linear_momentum.has_value());  // which it has not got
  EXPECT_EQ(parse_hello("livi 1 kinds=body,mechanical momentum=no").declaration.linear_momentum, false);
}

TEST(Declaration, is_refused_in_one_sentence) {
  for (const char* line : {"",
                           "livi",
                           "livi 2",
                           "hello",
                           "livi 1 order",
                           "livi 1 order=0",
                           "livi 1 order=2 order=2",
                           "livi 1 colour=red",
                           "livi 1 symplectic=maybe",
                           "livi 1 numbers=float",
                           "livi 1 numbers=digits:5",
                           "livi 1 numbers=double,double",
                           "livi 1 name=\"open",
                           "livi 1 name=\x1b[31mred",
                           "livi 1 =2",
                           "livi 1 kinds=",
                           "livi 1 momentum=all",
                           "livi 1 stability=-1",
                           "livi 1 tolerance=1e-16",
                           "livi 1 tolerance=1e-5",
                           "livi 1 tolerance=nan",
                           "livi 1 tolerance=",
                           "livi 1 precision=half",
                           "livi 1 steps=back",
                           "livi 1 kinds=mechanical sampling=2",
                           "livi 1 kinds=mechanical,langevin sampling=0",
                           "livi 1 kinds=mechanical,langevin numbers=rational",
                           "livi 1 kinds=constrained numbers=digits:34",
                           "livi 1 kinds=mechanical hidden=yes",
                           "livi 1 kinds=mechanical casimir=yes",
                           "livi 1 kinds=body casimir=perhaps",
                           "livi 1 kinds=body momentum=linear",
                           "livi 1 kinds=body numbers=complex",
                           "livi 1 kinds=body,body",
                           "livi 1 kinds=body,adaptive",
                           "livi 1 kinds=adaptive tolerance=1e-8",
                           "livi 1 kinds=adaptive precision=single",
                           "livi 1 kinds=constrained hidden=2",
                           "livi 1 kinds=constrained tolerance=0",
                           "livi 1 kinds=constrained tolerance=nan",
                           "livi 1 kinds=constrained tolerance=1e-5"})
    EXPECT_THROW(parse_hello(line), ForeignFailure) << line;
}

/// Answers every line with what it is told to.
class Puppet final : public LineChannel {
 public:
  std::string answer = "livi 1";
  std::string second = "state 0 0 0 0";
  bool ended = false;
  void send(const std::string&) override {}
  std::string receive() override { return std::exchange(answer, second); }
  void finish() override {}
  void end() noexcept override { ended = true; }
  [[nodiscard]] std::unique_ptr<LineChannel> another() const override { return std::make_unique<Puppet>(); }
};

/// Changes a line in a few places: bytes exchanged, doubled, dropped and inserted, words repeated, numbers blown up.
void mutate(std::string& line, DrawnNumbers& random) {
  static const std::vector<std::string> pieces = {" ",  "\t",  "-",   "e",    "0x",   "/",     "/0",
                                                  ",",  "nan", "inf", "1e99", "p-9",  "state", "ok ",
                                                  "\"", "=",   ".",   "9e9",  "\x80", "1e9999"};
  for (unsigned count = 1 + random.below(3); count > 0; --count) {
    const std::size_t at = line.empty() ? 0 : random.below(static_cast<unsigned>(line.size()));
    switch (random.below(6)) {
      case 0:
        if (!line.empty()) line[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        line.insert(at, pieces[random.below(static_cast<unsigned>(pieces.size()))]);
        break;
      case 2:
        line.erase(at, 1 + random.below(4));
        break;
      case 3:
        line.insert(at, line.substr(at, 1 + random.below(12)));
        break;
      case 4:
        line.resize(at);
        break;
      default:
        line.insert(at, std::string(random.below(20), static_cast<char>('0' + random.below(10))));
    }
  }
}

/// Says one line after the other.
class Script final : public LineChannel {
 public:
  explicit Script(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  void send(const std::string&) override {}
  std::string receive() override { return lines_.at(at_++); }
  void finish() override {}
  void end() noexcept override {}
  [[nodiscard]] std::unique_ptr<LineChannel> another() const override { return std::make_unique<Script>(lines_); }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

/// Asks for one force after the other, in long fractions.
class AsksInFractions final : public LineChannel {
 public:
  void send(const std::string& line) override { request_ = line.substr(0, line.find(' ')); }
  std::string receive() override {
    if (request_ == "livi") return "livi 1 numbers=rational";
    if (request_ != "step" && request_ != "gradient") return "ok";
    return ++asked_ > most ? "state 0 0 0 0 0 0" : "gradient " + fraction(2999) + fraction(2998) + fraction(2997);
  }
  void finish() override {}
  void end() noexcept override {}
  [[nodiscard]] std::unique_ptr<LineChannel> another() const override { return nullptr; }

 private:
  static constexpr int most = 40;
  static std::string fraction(std::size_t digits) {
    return std::string(digits, '1') + "/" + std::string(3000, '7') + " ";
  }
  std::string request_;
  int asked_ = 0;
};

TEST(Protocol, ends_where_fractions_take_too_long) {
  JudgedProblem problem{.name = "x", .masses = {1, 2, 1}, .potential = {}};
  problem.potential.add(1, {0, 0, 1, 1}).add(1, {1, 1, 2, 2}).add(1, {0, 1, 2, 2});
  Forces<Rational> forces(problem);
  PipeSubject subject(std::make_unique<AsksInFractions>(), {.seconds = 0.25});
  const auto run = subject.in_rational(forces);
  run->start({Rational(0), std::vector<Rational>(3), std::vector<Rational>(3)});
  try {
    run->step(Rational(1), 1);
    FAIL() << "40 forces were computed";
  } catch (const ForeignFailure& failure) {
    EXPECT_EQ(std::string(failure.what())
                  .find("the judge needs more than 0.25 s for the fractions of one step, of up "
                        "to 6000 characters"),
              0U)
        << failure.what();
  }
}

TEST(Protocol, refuses_counts_below_zero) {
  JudgedProblem problem{.name = "x", .masses = {1}, .potential = {}};
  problem.potential.add(1, {0, 0});
  Forces<double> forces(problem);
  const std::string counts = "counted 1 0 0 -1 0 0 0";
  PipeSubject subject(std::make_unique<Script>(std::vector<std::string>{"livi 1", "ok", "ok", counts}),
                      {.own_host = true});
  const auto run = subject.in_double(forces);
  try {
    run->start({0, {1}, {0}});
    run->step(0.5, 1);
    FAIL() << "a count below zero was taken";
  } catch (const ForeignFailure& failure) {
    EXPECT_EQ(std::string(failure.what()).find("the method wrote '" + counts + "' where counts are expected"), 0U)
        << failure.what();
  }
}

TEST(Protocol, tells_constraints_and_their_derivatives_row_by_row) {
  JudgedProblem problem{.name = "x", .kind = ProblemKind::constrained, .masses = {1, 2, 0.5}, .potential = {}};
  problem.constraints = {DyadicPolynomial{}.add(1, {0, 1}).add(-2, {}), DyadicPolynomial{}.add(0.5, {2, 2})};
  Forces<double> forces(problem);
  PipeSubject subject(std::make_unique<Script>(std::vector<std::string>{"livi 1 kinds=constrained", "ok", "ok",
                                                                        "constraint 3 2 4", "constraint_jacobian 3 2 4",
                                                                        "state 1 2 3 4 5 6", "ok", "constraint 3 2"}));
  std::string session;
  subject.record(&session);
  const auto run = subject.in_double(forces);
  run->start({0, {1, 2, 0}, {0, 0, 0}});
  run->step(0.5, 1);
  EXPECT_NE(session.find("> problem double constrained 3 1 2 0.5 2\n"), std::string::npos) << session;
  EXPECT_NE(session.find("> constraint 4 8\n"), std::string::npos) << session;
  EXPECT_NE(session.find("> constraint_jacobian 2 3 0 0 0 4\n"), std::string::npos) << session;
  EXPECT_EQ(forces.constraints, 1);
  EXPECT_EQ(forces.jacobians, 1);
  run->start({0, {1, 2, 0}, {0, 0, 0}});
  EXPECT_THROW(run->step(0.5, 1), ForeignFailure);  // two numbers for three coordinates
}

TEST(Protocol, tells_a_method_of_the_heat_bath_alone_a_problem_without_it_as_one_at_friction_0) {
  const JudgedProblem problem{.name = "x", .masses = {2}, .potential = {}};
  Forces<double> forces(problem);
  PipeSubject subject(std::make_unique<Script>(
      std::vector<std::string>{"livi 1 kinds=langevin steps=forward", "ok", "ok", "noise 1", "state 1 2"}));
  std::string session;
  subject.record(&session);
  const auto run = subject.in_double(forces);
  run->start({0, {1}, {0}});
  run->step(0.5, 1);
  EXPECT_NE(session.find("> problem double langevin 1 2 0 0\n"), std::string::npos) << session;
  EXPECT_NE(session.find("> noise 0\n"), std::string::npos) << session;
  EXPECT_THROW(run->step(-0.5, 1), ProblemRefused);
  EXPECT_EQ(session.find("step -"), std::string::npos) << session;
}

// ---- the sessions of the document ------------------------------------------------------------------------------------

/// Returns the sessions of the document, in its order: lines that begin with "    > " or "    < ", without the blanks.
std::vector<std::vector<std::string>> sessions_of_the_document() {
  std::ifstream document(LIVI_SOURCE_FOLDER "/docs/protocol.md");
  std::vector<std::vector<std::string>> sessions(1);
  for (std::string line; std::getline(document, line);) {
    if (line.rfind("    > ", 0) == 0 || line.rfind("    < ", 0) == 0) {
      sessions.back().push_back(line.substr(4));
    } else if (!sessions.back().empty()) {
      sessions.emplace_back();
    }
  }
  if (sessions.back().empty()) sessions.pop_back();
  return sessions;
}

/// What a session of the document is of, which its lines do not say.
struct OfSession {
  JudgedProblem problem;        ///< its potential and its constraints; for the rest see `play`
  TimedPoint<double> start;     ///< where it begins, if that is in the session before
  std::vector<double> normals;  ///< the numbers of the bath
  std::vector<double> state;    ///< where the last step leads: the time of its own clock, q, p
};

/// Returns the problem of a line of the judge, with the potential and the constraints of another.
JudgedProblem problem_of(const std::vector<std::string>& words, JudgedProblem problem) {
  problem.kind = kind_named(words.at(3)).value();
  for (std::size_t k = 5; k < words.size(); ++k) problem.masses.push_back(parse_double(words[k]).value());
  if (problem.has_constraints()) problem.masses.pop_back();
  if (problem.has_bath()) {
    problem.temperature = problem.masses.back();
    problem.friction = problem.masses.end()[-2];
    problem.masses.resize(problem.masses.size() - 2);
  }
  return problem;
}

/// Plays the part of the child, asks what the session says that the judge asks, and returns its lines as they are then.
std::vector<std::string> play(const std::vector<std::string>& session, const OfSession& of,
                              std::vector<double>& state) {
  std::vector<std::string> answers;
  for (const std::string& line : session)
    if (line.front() == '<') answers.push_back(line.substr(2));
  // Some sessions leave out the greeting, and one what went before.
  const bool greets = session.front() == "> livi 1", begins = greets || session.front().rfind("> problem", 0) == 0;
  const std::string problem_line = begins ? session.at(greets ? 2 : 0) : "> problem double mechanical 1 1";
  const JudgedProblem problem = problem_of(words_of(problem_line), of.problem);
  if (!begins) answers.insert(answers.begin(), {"ok", "ok"});
  if (!greets)
    answers.insert(answers.begin(),
                   std::string("livi 1 kinds=") + (problem.has_bath() ? "mechanical," : "") + kind_name(problem.kind));
  PipeSubject subject(std::make_unique<Script>(answers));
  Forces<double> forces(problem);
  forces.normals = of.normals;
  std::string written = greets ? session[0] + "\n" + session[1] + "\n" : "";
  if (begins) subject.record(&written);
  const auto run = subject.in_double(forces);
  if (!begins) {
    run->start(of.start);
    subject.record(&written);
  }
  for (const std::string& line : session) {
    if (line.front() == '<') continue;
    const std::vector<std::string> words = words_of(line);
    std::vector<double> numbers;
    for (std::size_t k = 2; k < words.size(); ++k) numbers.push_back(parse_double(words[k]).value_or(0));
    if (words[1] == "start") {
      const auto middle = numbers.begin() + 1 + problem.size();
      run->start({numbers[0], {numbers.begin() + 1, middle}, {middle, numbers.end()}});
    } else if (words[1] == "step") {
      run->step(numbers.at(0), std::lround(numbers.at(1)));
      state = problem.has_clock() ? std::vector{run->point().t} : std::vector<double>{};
      for (const auto& x : {run->point().q, run->point().p}) state.insert(state.end(), x.begin(), x.end());
    } else if (words[1] == "save") {
      try {
        static_cast<void>(run->save());
      } catch (const ForeignRefusal&) {
        // That nothing is saved is an answer, too.
      }
    } else if (words[1] == "restore") {
      run->restore(line.substr(std::string("> restore ").size()));
    } else if (words[1] == "bye") {
      subject.finish();
    }
  }
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < written.size(); at = written.find('\n', at) + 1)
    lines.push_back(written.substr(at, written.find('\n', at) - at));
  return lines;
}

TEST(Document, has_sessions_as_the_judge_has_them) {
  const JudgedProblem spring{.name = "a spring", .masses = {}, .potential = DyadicPolynomial{}.add(0.5, {0, 0})};
  JudgedProblem driven = spring, circle{.name = "the circle", .masses = {}, .potential = {}};
  driven.potential.add(-1, {0, 1});
  circle.constraints = {DyadicPolynomial{}.add(1, {0, 0}).add(1, {1, 1}).add(-1, {})};
  // What each method does, by hand. Verlet of h = 1/2 on a spring:
  const auto verlet = [](std::vector<double> z) {
    z[1] -= z[0] / 4, z[0] += z[1] / 2, z[1] -= z[0] / 4;
    return z;
  };
  const std::vector<double> once = verlet({0.5, 0.25}), twice = verlet(once);
  // BAOAB of h = 1/2: with p after half a kick, half a drift, the bath.
  const double half = 0.5 + 0.125 / 4, p = 0.125 * std::exp(-0.5) + 0.5 * std::sqrt(0.5 * -std::expm1(-1.0));
  const double q = half + p / 4;
  // On the circle RATTLE goes to q2 = h p2, and along the tangent there.
  const double x = std::sqrt(1 - 0.0625);
  // The ball turns by the Cayley map of h/2: (1 + i/4)^2 / (1 + 1/16).
  const double c = (1 - 0.0625) / (1 + 0.0625), s = 0.5 / (1 + 0.0625);
  const std::vector<OfSession> known{
      {spring, {}, {}, once},
      {spring, {0.5, {0.5625}, {-0.015625}}, {}, twice},
      {spring, {}, {}, twice},
      {driven, {}, {}, {0.5 + 0.375 / 2, 0.375 + 0.8125 / 4}},
      {spring, {}, {0.5}, {q, p - q / 4}},
      {spring, {}, {}, {0.5, 0.5, 0.875}},  // Verlet of h = 1/2 from (0, 1), for sigma = 1 there
      {circle, {}, {}, {x, 0.25, -0.25, x}},
      {{.name = "a ball", .masses = {}, .potential = {}}, {}, {}, {c, -s, 0, s, c, 0, 0, 0, 1, 0, 0, 1}},
  };
  const auto sessions = sessions_of_the_document();
  ASSERT_EQ(sessions.size(), known.size());
  std::string saved;
  for (std::size_t k = 0; k < known.size(); ++k) {
    for (const std::string& line : sessions[k]) {
      if (line.rfind("< saved ", 0) == 0) saved = line.substr(8);
      EXPECT_TRUE(line.rfind("> restore ", 0) != 0 || line.substr(10) == saved) << line;
    }
    std::vector<double> state;
    EXPECT_EQ(play(sessions[k], known[k], state), sessions[k]) << "session " << k + 1;
    ASSERT_EQ(state.size(), known[k].state.size()) << "session " << k + 1;
    for (std::size_t i = 0; i < state.size(); ++i)
      EXPECT_NEAR(state[i], known[k].state[i], 2e-16) << "session " << k + 1;
  }
  // A line that the judge does not write, and one that it answers otherwise.
  std::vector<std::string> wrong = sessions[0];
  std::vector<double> state;
  wrong[4] = "> start 0 0.50 0.25";
  EXPECT_NE(play(wrong, known[0], state), wrong);
  wrong = sessions[0];
  wrong[8] = "> gradient 0.25";
  EXPECT_NE(play(wrong, known[0], state), wrong);
}

/// Returns the number of lines that were taken for an answer.
template <class S>
long fuzz(std::uint64_t seed, long lines, const std::vector<std::string>& right, bool constrained = false) {
  JudgedProblem problem{.name = "two oscillators", .masses = {1, 2}, .potential = {}};
  problem.potential.add(0.5, {0, 0}).add(0.5, {1, 1});
  if (constrained) {
    problem.kind = ProblemKind::constrained;
    problem.constraints.push_back(DyadicPolynomial{}.add(1, {0, 0}).add(1, {1, 1}));
  }
  problem.start = {0, {1, 2}, {3, 4}};
  auto channel = std::make_unique<Puppet>();
  Puppet& puppet = *channel;
  PipeSubject subject(std::move(channel), {.questions_per_step = 2});
  Forces<S> forces(problem);
  puppet.answer = "ok";
  const auto run = subject.in<S>(forces);
  DrawnNumbers random(seed);
  long taken = 0;
  for (long k = 0; k < lines; ++k) {
    std::string line = right[random.below(static_cast<unsigned>(right.size()))];
    mutate(line, random);
    puppet.answer = line;
    puppet.ended = false;
    bool refused = true;
    try {
      run->step(S(0.25), 1);
      refused = false;
      ++taken;
    } catch (const ForeignRefusal&) {
    } catch (const ForeignFailure& failure) {
      EXPECT_TRUE(puppet.ended) << line;
      EXPECT_EQ(std::string(failure.what()).find('\n'), std::string::npos);
    }
    EXPECT_TRUE(refused || run->point().q.size() == 2U);
  }
  return taken;
}

TEST(Protocol, takes_or_refuses_a_million_lines_that_are_nearly_right) {
  const std::vector<std::string> right = {"state 0x1p+0 -0x1.8p-3 0.5 1e-3",
                                          "state 1/3 2/7 -1 0.25",
                                          "gradient 0.5 0.25",
                                          "gradient 0.5 0.25 1",
                                          "third 1 2 3 4 5 6",
                                          "hessian 1 2",
                                          "velocity 1 2",
                                          "value 0.5 0.5 3",
                                          "failed no convergence",
                                          "constraint 1 2",
                                          "constraint_jacobian 0.5 0.25",
                                          "state 0.1,0.2 1 2 3,1e-30",
                                          "unsupported",
                                          "ok"};
  long taken = 0;
  taken += fuzz<double>(1, 500000, right);
  taken += fuzz<double>(6, 50000, right, true);
  taken += fuzz<std::complex<double>>(2, 150000, right);
  taken += fuzz<Float50>(3, 100000, right);
  taken += fuzz<Rational>(4, 50000, right);
  // Both outcomes are seen often: in one of twenty lines at least.
  EXPECT_GT(taken, 42500);
  EXPECT_LT(taken, 807500);
  DrawnNumbers random(5);
  long understood = 0;
  for (long k = 0; k < 150000; ++k) {
    std::string line =
        "livi 1 name=\"my Verlet\" order=4 symplectic=yes momentum=linear numbers=double,digits:34 kinds=timed";
    mutate(line, random);
    try {
      parse_hello(line);
      ++understood;
    } catch (const ForeignFailure&) {
    }
  }
  EXPECT_GT(understood, 1500);
  EXPECT_LT(understood, 135000);
}

}  // namespace judge_protocol_test
