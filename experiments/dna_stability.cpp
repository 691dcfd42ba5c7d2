// SPDX-License-Identifier: MIT
//
// Experiment: how near their stability limits velocity Verlet with h = 0.2 and Z&S with h = 2 are on the DNA model of
// TO14 4.4; what becomes of Z&S after the time of Figure 8
//
// Linear theory. The eigenvalues of Hess V are at most 4 + m, m the largest epsilon U'' (0.2722, at 0.4448 rad): Verlet
// is stable about every configuration for h < 2/sqrt(4 + m) = 0.968. Z&S has beta > 1/4 and no limit where Hess V is
// positive; elsewhere the matrix 1 + c Hess V, c = beta h^2, is positive definite as long as c |m'| < 1, m' = -0.5852
// the least epsilon U'' (at 0): h < 2.386.
//
// The modified potential of Z&S is bounded below up to the same h. With V = x.K x/2 + sum epsilon U(x_k), D the diagonal
// matrix of epsilon U'' and F = -K x in place of the whole force (the rest is bounded),
//   U_h = V - (c/2) F.(1 + c K + c D)^-1 F = x.(K^-1 + c (1 + c D)^-1)^-1 x/2 + sum epsilon U
// (Woodbury, K^-1 on the range of K): not negative while 1 + c D is positive. So for h < 2.386 Z&S is velocity Verlet
// on a potential without escape, and what is lost at h = 2 is not lost over a barrier, nor to an indefinite matrix. Its
// energy grows, slowly and at first exponentially: the on-site force has features 0.2 rad wide, which a base crosses in
// less than a step, so the step resonates with combinations of modes, and no modified energy is kept for ever. Growth
// feeds itself: the third derivative term is of second order in a. It ends when the stiffness of U_h, which grows with
// a^2 through U'''', passes the limit of Verlet, h^2 lambda/4 = 1, somewhere on the chain.
//
// Watched is H = v^2/2 + U_h(x) - h^2 f^2/8, f = -grad U_h, which Z&S keeps exactly if V is quadratic.
//
// Not printed in TO14, chosen here: periodic ends, T; lost means a kinetic energy ten times the energy of the start.
#include <algorithm>

#include "dna_runs.hpp"
#include "experiment.hpp"
#include "parallel.hpp"

namespace {

using namespace livi;
using namespace livi::dna;

const Place section{"TO14", "Sec. 4.4"};
constexpr double long_time = 10000, infinity = std::numeric_limits<double>::infinity();

/// How a run goes.
struct Life {
  double lost_at = infinity;     ///< infinity: not lost
  double growth = not_a_number;  ///< d ln H/dt from a fifth of T on, of a run that is not lost
  double last_energy = 1;        ///< the last H that was read, in units of the first
  long indefinite = 0;           ///< matrices that were not positive definite
  std::vector<double> energy;    ///< H at multiples of T/readings, in units of the first
};
constexpr int readings = 200;

template <class System>
Life life_of(Method which, const System& system, const Start& start, double h, double T,
             double beta = printed_beta) {
  Life life;
  const double unit = energy_of(system, start.x, start.v);
  const auto steps = static_cast<long>(T / h + 1e-9), every = std::max(1L, steps / readings);
  V gradient = start.x, q = start.x;
  double first = 0, n = 0, t_sum = 0, y_sum = 0, tt = 0, ty = 0;
  const RunOutcome outcome = dna::run(which, system, start, h, steps, beta, [&](long step, const auto& z, auto& method) {
    const double t = static_cast<double>(step) * h;
    life.indefinite = method.work().indefinite_matrices;
    if (!(z.v.squaredNorm() / 2 < lost_factor * unit)) {
      life.lost_at = t;
      return false;
    }
    if (step == 0 || step % every != 0) return true;
    double energy = energy_of(system, z.q, z.v) - h * h / 8 * z.f.squaredNorm();
    WorkCounters of_reading;
    if constexpr (requires { method.force().physical_position(system, z.q, h, q, of_reading); }) {
      // U_h - V = -(c/2) F.a with c a = q - x, F = -grad V.
      if (!method.force().physical_position(system, z.q, h, q, of_reading).ok()) return true;
      system.potential().gradient(z.q, gradient);
      energy += gradient.dot(q - z.q) / 2;
    }
    if (first == 0) first = energy;
    life.last_energy = energy / first;
    life.energy.push_back(life.last_energy);
    if (t >= T / 5) {
      const double y = std::log(life.last_energy);
      n += 1;
      t_sum += t;
      y_sum += y;
      tt += t * t;
      ty += t * y;
    }
    return true;
  });
  if (!outcome.ok()) life.lost_at = outcome.time;
  if (life.lost_at == infinity) life.growth = (n * ty - t_sum * y_sum) / (n * tt - t_sum * t_sum);
  return life;
}

/// The lives of several seeds.
struct Lives {
  std::vector<Life> each;
  [[nodiscard]] double share_lost(double T) const {
    double count = 0;
    for (const Life& life : each) count += life.lost_at < T ? 1 : 0;
    return count / static_cast<double>(each.size());
  }
  /// Half of the seeds are lost by then; infinity if fewer are lost at all.
  [[nodiscard]] double median_lost_at() const {
    std::vector<double> times;
    for (const Life& life : each) times.push_back(life.lost_at);
    std::sort(times.begin(), times.end());
    return times[(times.size() - 1) / 2];
  }
  [[nodiscard]] double first_lost_at() const {
    double first = infinity;
    for (const Life& life : each) first = std::min(first, life.lost_at);
    return first;
  }
  [[nodiscard]] Estimate growth() const {
    std::vector<double> rates;
    for (const Life& life : each) rates.push_back(life.growth);
    return estimate(rates);
  }
  [[nodiscard]] long indefinite() const {
    long sum = 0;
    for (const Life& life : each) sum += life.indefinite;
    return sum;
  }
};

/// The start with noise of another size than the printed 0.1.
Start noisy_start(std::uint64_t seed, double size) {
  Start start = printed_start(seed);
  start.x = (0.8 + size * normal_numbers(seed, base_pairs).array()).matrix();
  return start;
}

/// The largest eigenvalue of -Df at x, f the force of a method, by 30 steps of the power method on central differences,
/// beginning with and leaving its vector in `direction`.
template <class MethodT>
double largest_stiffness(MethodT& method, const V& x, double h, V& direction) {
  constexpr double difference = 1e-5, shift = 0.5;  // the shift keeps the least eigenvalues from mattering
  V ahead = x, behind = x, image = x;
  WorkCounters work;
  double eigenvalue = 0;
  for (int i = 0; i < 30; ++i) {
    direction.normalize();
    static_cast<void>(method.force()(method.system(), V(x + difference * direction), h, ahead, work));
    static_cast<void>(method.force()(method.system(), V(x - difference * direction), h, behind, work));
    image = shift * direction - (ahead - behind) / (2 * difference);
    eigenvalue = image.dot(direction) - shift;
    direction = image;
  }
  return eigenvalue;
}

/// h^2 lambda/4, lambda the largest stiffness of U_h along a run: beyond 1 Verlet on U_h is unstable there.
struct Stiffness {
  double early = 0;           ///< largest for t <= 1000
  double first_over = infinity;  ///< first time it is beyond 1
  double lost_at = infinity;
};
Stiffness stiffness_along(std::uint64_t seed, double h, double T) {
  const Chain chain = dna_chain<double>(base_pairs);
  const Start start = printed_start(seed);
  const double unit = energy_of(chain, start.x, start.v);
  Stiffness result;
  V direction = normal_numbers(seed, base_pairs, 1);
  double energy = unit;
  dna::run(Method::zhang_skeel, chain, start, h, static_cast<long>(T / h), printed_beta,
           [&](long step, const auto& z, auto& method) {
             const double t = static_cast<double>(step) * h;
             energy = z.v.squaredNorm() / 2;
             if (!(energy < lost_factor * unit)) {
               result.lost_at = t;
               return false;
             }
             // Every step once the kinetic energy is beyond what it is in the first half of a run.
             if (step % 25 != 0 && energy < unit) return true;
             if constexpr (requires { method.force()(chain, z.q, h, direction, std::declval<WorkCounters&>()); }) {
               const double ratio = h * h / 4 * largest_stiffness(method, z.q, h, direction);
               if (t <= 1000) result.early = std::max(result.early, ratio);
               if (ratio > 1) result.first_over = std::min(result.first_over, t);
             }
             return true;
           });
  return result;
}

class Scan {
 public:
  Scan(unsigned threads, double T) : chain_(dna_chain<double>(base_pairs)), threads_(threads), T_(T) {}
  [[nodiscard]] Lives operator()(Method which, double h, std::size_t seeds, double beta = printed_beta,
                                 double noise = 0.1) const {
    return {for_each_case(seeds, threads_, [&](std::size_t i) {
      return life_of(which, chain_, noisy_start(i + 1, noise), h, T_, beta);
    })};
  }
  [[nodiscard]] double end() const { return T_; }

 private:
  Chain chain_;
  unsigned threads_;
  double T_;
};

struct AtStep {
  double h;
  Lives lives;
};

/// The largest h of a scan below the first at which half of the seeds are lost by T.
double limit_of(const std::vector<AtStep>& scan, double T) {
  double limit = 0;
  for (const AtStep& at : scan) {
    if (at.lives.share_lost(T) >= 0.5) break;
    limit = at.h;
  }
  return limit;
}

std::vector<std::vector<double>> rows_of(const std::vector<AtStep>& scan) {
  std::vector<std::vector<double>> rows;
  for (const AtStep& at : scan) {
    const Estimate growth = at.lives.growth();
    const double cap = 2 * long_time;  // stands for "not lost"
    rows.push_back({at.h, at.lives.share_lost(end_time), at.lives.share_lost(long_time),
                    std::min(cap, at.lives.first_lost_at()), std::min(cap, at.lives.median_lost_at()),
                    growth.count > 1 ? growth.mean : 0, growth.count > 1 ? growth.error : 0,
                    static_cast<double>(at.lives.indefinite())});
  }
  return rows;
}
const std::vector<Column> columns{{"h", "time"},
                                  {"share_lost_by_3500", ""},
                                  {"share_lost_by_10000", ""},
                                  {"first_lost_at", "time"},
                                  {"median_lost_at", "time"},
                                  {"growth", "1/time"},
                                  {"growth_error", "1/time"},
                                  {"indefinite", "matrices"}};

}  // namespace
