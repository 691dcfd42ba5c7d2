// SPDX-License-Identifier: MIT
//
// What a refuted method for rigid bodies probably does wrong. First its equations: the rates of attitude and momentum in the
// limit of short steps, beside those of typical mistakes, which shows the mistake whatever the method is. Where they are
// right, what its steps are made of.
#include <livi/judge/hints/diagnosis.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/rigid_bodies.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/rigid_body_motion.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using Vector3d = Three<double>;
using Matrix3d = Nine<double>;
using Point = TimedPoint<double>;

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = worse(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// The rates of attitude and momentum at a point of a body.
struct RatesOfBody {
  Matrix3d attitude;
  Vector3d momentum;
  [[nodiscard]] std::vector<double> all() const {
    std::vector<double> numbers = listed(attitude);
    numbers.insert(numbers.end(), momentum.begin(), momentum.end());
    return numbers;
  }
};
/// Returns R hat(W) and mu x W + tau, for any velocity and torque.
RatesOfBody rates_of(const Matrix3d& r, const Vector3d& mu, const Vector3d& w, const Vector3d& torque) {
  return {product(r, hat(w)), sum(cross(mu, w), 1.0, torque)};
}

struct MistakenRates {
  std::string sentence;
  std::function<RatesOfBody(const JudgedProblem&, const Matrix3d& r, const Vector3d& mu)> rates;
};

/// Mistakes in the torque.
std::vector<MistakenRates> mistaken_torques() {
  const auto with = [](const std::function<Vector3d(const Matrix3d&, const Vector3d&)>& mistaken) {
    return [mistaken](const JudgedProblem& problem, const Matrix3d& r, const Vector3d& mu) {
      const RigidBody<double> body(problem);
      return rates_of(r, mu, body.velocity(mu), mistaken(r, body.torque(r)));
    };
  };
  return {{"torques, which are in the axes of the body, are taken for ones in the axes of space",
           with([](const Matrix3d& r, const Vector3d& tau) { return times(transposed(r), tau); })},
          {"torques are turned into the axes of space, and added to a momentum that is in those of the body",
           with([](const Matrix3d& r, const Vector3d& tau) { return times(r, tau); })}};
}

/// Mistakes in what turns the body and its momentum.
std::vector<MistakenRates> mistaken_turns() {
  using Problem = JudgedProblem;
  const auto velocity = [](const Problem& problem, const Vector3d& mu) {
    return RigidBody<double>(problem).velocity(mu);
  };
  const auto torque = [](const Problem& problem, const Matrix3d& r) { return RigidBody<double>(problem).torque(r); };
  const auto with_velocity = [&](const std::function<Vector3d(const Matrix3d& inertia, const Vector3d&)>& mistaken) {
    return [=](const Problem& problem, const Matrix3d& r, const Vector3d& mu) {
      return rates_of(r, mu, mistaken(taken<Matrix3d>(problem.masses), mu), torque(problem, r));
    };
  };
  const auto with_attitude = [&](const std::function<Matrix3d(const Matrix3d&, const Vector3d& w)>& mistaken) {
    return [=](const Problem& problem, const Matrix3d& r, const Vector3d& mu) {
      const Vector3d w = velocity(problem, mu);
      return RatesOfBody{mistaken(r, w), rates_of(r, mu, w, torque(problem, r)).momentum};
    };
  };
  const auto with_gyroscopic = [&](double s) {
    return [=](const Problem& problem, const Matrix3d& r, const Vector3d& mu) {
      const Vector3d w = velocity(problem, mu);
      return RatesOfBody{product(r, hat(w)), sum(torque(problem, r), s, cross(mu, w))};
    };
  };
  return {
      {"the momentum is not turned into the new axes of the body: mu x W is missing in mu'", with_gyroscopic(0)},
      {"the momentum is turned the wrong way: mu' has W x mu for mu x W", with_gyroscopic(-1)},
      {"the angular velocity is taken for one in the axes of space: R' = hat(W) R for R hat(W)",
       with_attitude([](const Matrix3d& r, const Vector3d& w) { return product(hat(w), r); })},
      {"the attitude turns the wrong way: R' = -R hat(W)",
       with_attitude([](const Matrix3d& r, const Vector3d& w) { return product(r, hat(sum(Vector3d{}, -1.0, w))); })},
      {"attitudes are read and written by columns, not by rows",
       with_attitude([](const Matrix3d& r, const Vector3d& w) { return product(hat(sum(Vector3d{}, -1.0, w)), r); })},
      {"the momentum is taken for one in the axes of space: W = I^-1 R' mu, and mu changes by R tau",
       [=](const Problem& problem, const Matrix3d& r, const Vector3d& mu) {
         return RatesOfBody{product(r, hat(velocity(problem, times(transposed(r), mu)))), times(r, torque(problem, r))};
       }},
      {"the momentum is taken for the angular velocity",
       with_velocity([](const Matrix3d&, const Vector3d& mu) { return mu; })},
      {"the inertia multiplies the momentum where it should divide it: W = I mu",
       with_velocity([](const Matrix3d& inertia, const Vector3d& mu) { return times(inertia, mu); })},
      {"only the diagonal of the inertia counts", with_velocity([](const Matrix3d& inertia, const Vector3d& mu) {
         return Vector3d{mu[0] / inertia[0], mu[1] / inertia[4], mu[2] / inertia[8]};
       })},
      {"the second moment of inertia is taken for the first", with_velocity([](Matrix3d inertia, const Vector3d& mu) {
         inertia[4] = inertia[0];
         return solved(inertia, mu);
       })}};
}

/// Writes down at which attitudes torques are asked for.
class WrittenTorques final : public Forces<double> {
 public:
  using Forces<double>::Forces;
  std::vector<double> torque(const std::vector<double>& q) override {
    asked.push_back(q);
    return Forces<double>::torque(q);
  }
  std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
    asked.push_back(q);
    return Forces<double>::gradient(t, q);
  }
  std::vector<std::vector<double>> asked;
};

class BodyDoctor {
 public:
  BodyDoctor(ForeignSubject& subject, const Judgement& judgement) : subject_(subject), judgement_(judgement) {
    // From the problem that tells most apart to the simplest one.
    const std::vector<JudgedProblem> fixed = judged_bodies(1, 0).generic;
    problems_.assign(fixed.rbegin(), fixed.rend());
  }
  std::vector<std::string> sentences() {
    // Each finds its own mistake, or does not know the method.
    using Examine = std::string (BodyDoctor::*)(const JudgedProblem&);
    std::vector<std::string> said;
    for (const Examine examine : {&BodyDoctor::sign, &BodyDoctor::equations, &BodyDoctor::rotations,
                                  &BodyDoctor::torques, &BodyDoctor::steps}) {
      for (const JudgedProblem& problem : problems_) try {
          if (const std::string sentence = (this->*examine)(problem); !sentence.empty()) said.push_back(sentence);
          break;
        } catch (const ForeignRefusal&) {
          continue;  // a step that fails, or a body that is not taken, says nothing
        }
      // The steps of other equations are not like any of the right ones.
      if (!said.empty()) break;
    }
    return said;
  }

 private:
  /// The polynomial leaves 1e-9 of rates of order one; mistakes are of that order.
  static constexpr double same = 1e-7, another = 1e-3;
  /// A point, and the rates that were measured there: nine of the attitude, three of the momentum.
  struct AtPoint {
    Matrix3d r;
    Vector3d mu;
    std::vector<double> measured;
  };

  std::string sign(const JudgedProblem& problem) {
    if (subject_.declares().forward) return "";
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    const auto end = [&](double h) { return joined(after(*run, problem.start, h, 1)); };
    const std::vector<double> forth = end(problem.h);
    // A step that does nothing, or leads to no number, says nothing of its sign.
    const bool is_lost = difference(forth, end(2 * problem.h)) > 0 && difference(forth, end(-problem.h)) == 0;
    return is_lost ? "a step of -h is one of h: the sign of the step is lost, as by abs(h)" : "";
  }

  std::string equations(const JudgedProblem& problem) {
    std::vector<AtPoint> points;
    for (const Point& z : {problem.start, problem.other_start}) {
      const AtPoint at{taken<Matrix3d>(z.q), taken<Vector3d>(z.p), measured_rates(subject_, problem, z)};
      points.push_back(at);
    }
    if (const std::string said = factors(RigidBody<double>(problem), points); !said.empty()) return said;
    std::vector<MistakenRates> mistakes = mistaken_torques();
    for (MistakenRates& mistake : mistaken_turns()) mistakes.push_back(std::move(mistake));
    for (const MistakenRates& mistake : mistakes) {
      double apart = 0, from_right = 0;
      for (const AtPoint& at : points) {
        const std::vector<double> mistaken = mistake.rates(problem, at.r, at.mu).all();
        const Point z{0, listed(at.r), listed(at.mu)};
        apart = worse(apart, difference(mistaken, at.measured));
        from_right = worse(from_right, difference(mistaken, RigidBody<double>(problem).motion(joined(z))));
      }
      if (apart < same && from_right > another) return mistake.sentence;
    }
    return "";
  }
  /// Finds a number by which the torque, the angular velocity or both are wrong, the best one by least squares.
  static std::string factors(const RigidBody<double>& body, const std::vector<AtPoint>& points) {
    double torques = 0, square_of_torques = 0, turns = 0, square_of_turns = 0;
    for (const AtPoint& at : points) {
      const Vector3d w = body.velocity(at.mu), tau = body.torque(at.r);
      const Vector3d gets{at.measured[9], at.measured[10], at.measured[11]};
      torques += dot(sum(gets, -1.0, cross(at.mu, w)), tau);
      square_of_torques += dot(tau, tau);
      turns += dot(twice_the_vector_of(product(transposed(at.r), taken<Matrix3d>(at.measured))), w) / 2;
      square_of_turns += dot(w, w);
    }
    const double of_torque = torques / square_of_torques, of_turn = turns / square_of_turns;
    const auto fits = [&](double turn, double torque) {
      double apart = 0;
      for (const AtPoint& at : points) {
        const Vector3d w = sum(Vector3d{}, turn, body.velocity(at.mu)),
                       tau = sum(Vector3d{}, torque, body.torque(at.r));
        apart = worse(apart, difference(rates_of(at.r, at.mu, w, tau).all(), at.measured));
      }
      return apart < same;
    };
    if (std::abs(of_torque - 1) > another && fits(1, of_torque))
      return std::abs(of_torque) < same       ? "the momentum gets no torque"
             : std::abs(of_torque + 1) < same ? "the sign of the torque is turned round"
                                              : format("the momentum gets %.9g times the torque", of_torque);
    if (std::abs(of_turn - 1) > another && fits(of_turn, of_turn))
      return format("a step of h goes as far as the motion does in %.9g h", of_turn);
    if (std::abs(of_turn - 1) > another && fits(of_turn, 1))
      return std::abs(of_turn + 1) < same
                 ? "attitude and momentum turn the wrong way: the sign of W is turned round"
                 : format("attitude and momentum turn %.9g times as fast as they must", of_turn);
    return "";
  }

  /// Turns of a free ball about its third axis are numbers of the complex plane, exp(i h) the right one.
  std::string rotations(const JudgedProblem& given) {
    JudgedProblem problem = given;
    problem.potential = {};
    problem.masses = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double h = 0.5;
    Forces<double> forces(problem);
    const Point end = after(*subject_.in_double(forces), Point{0, problem.masses, {0, 0, 1}}, h, 1);
    const std::complex<double> turn(end.q[0], end.q[3]);
    for (const int parts : {1, 2})
      for (int terms = 1; terms <= 4; ++terms) {
        const std::complex<double> x(0, h / parts);
        std::complex<double> series = 1, power = 1;
        for (int k = 1; k <= terms; ++k) series += power *= x / static_cast<double>(k);
        if (std::abs(turn - std::pow(series, parts)) < 1e-12)
          return "attitudes turn by the terms of exp(hat(x)) up to order " + std::to_string(terms) +
                 ", which leaves SO(3): exp(hat(x)) or the Cayley map does not";
      }
    return "";
  }

  std::string torques(const JudgedProblem& problem) {
    if (!(judgement_.declares.order.value_or(0) >= 2 && is_refuted(judgement_, TestId::order_q))) return "";
    WrittenTorques forces(problem);
    const auto run = subject_.in_double(forces);
    const Point middle = after(*run, problem.start, problem.h, 1);
    forces.asked.clear();  // a first step may ask once more
    run->step(problem.h, 1);
    const bool all_old = !forces.asked.empty() && std::ranges::all_of(forces.asked, [&](const auto& q) {
      return difference(q, middle.q) < 1e-14;
    });
    return all_old ? "torques are taken at the attitude with which a step begins, and nowhere else: the second half of "
                     "the torque needs the new attitude"
                   : "";
  }

  /// What breaks the form of T*SO(3) and nothing else.
  std::string steps(const JudgedProblem& problem) {
    if (!is_refuted(judgement_, TestId::symplectic)) return "";
    const auto step_of = [&](ForeignSubject& method) {
      Forces<double> forces(problem);
      return joined(after(*method.in_double(forces), problem.other_start, problem.h, 1));
    };
    const auto step = [&](BodyFlaw with) {
      return step_of(*built_in_subject({.name = "mistake", .body = BodySteps{{1}, BodyRule::lie_verlet, with}}));
    };
    const std::vector<double> wrong = step(BodyFlaw::without_quadratic);
    if (difference(step_of(subject_), wrong) < 1e-10 && difference(step(BodyFlaw::none), wrong) > 1e-6)
      return "its step is that of " + name_of_body_splitting(BodyFlaw::without_quadratic);
    return "";
  }

  ForeignSubject& subject_;
  const Judgement& judgement_;
  std::vector<JudgedProblem> problems_;
};

}  // namespace

std::vector<std::string> diagnose_bodies(ForeignSubject& subject, const Judgement& judgement) {
  return BodyDoctor(subject, judgement).sentences();
}

}  // namespace livi
