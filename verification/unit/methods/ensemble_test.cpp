// SPDX-License-Identifier: MIT
//
// Ensembles of paths, under noise and in a heat bath: their paths are those of the library, their means those of the paths, and
// neither depends on how many steps are made at once, or on where a run was saved.
#include <gtest/gtest.h>

#include <livi/catalogue/ensemble_of.hpp>
#include <livi/catalogue/families/stochastic.hpp>
#include <livi/systems/stochastic_problems.hpp>

#include <cmath>
#include <memory>
#include <vector>

namespace livi {

namespace ensemble_test {

using Noise = LinearNoise<double, 3, 2>;
using System = SpherePendulum<double, Noise>;
using Method = StochasticRattle<System>;
using Numbers = Vector<double, Dynamic>;

const auto problem = sphere_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0, 2}));

std::unique_ptr<Ensemble> ensemble(const EnsembleOptions& options, const Numbers& q = Numbers(problem.q),
                                   const Numbers& v = Numbers(problem.v)) {
  auto system = std::make_shared<const System>(problem.system);
  Method method(*system);
  return std::make_unique<EnsembleOf<Method>>(std::move(system), std::move(method), q, v, options);
}
Stretch all_parts(Ensemble& of, long first, long last, long every, bool with_first, const std::vector<long>& points) {
  Stretch all = of.advance(0, first, last, every, with_first, points);
  for (long part = 1; part < of.parts(); ++part) all.add(of.advance(part, first, last, every, with_first, points));
  return all;
}

TEST(RunningMoments, are_mean_and_standard_error_in_one_piece_and_in_several) {
  const std::vector<double> x{1, 4, 2, 8, 5, 7};
  RunningMoments all, a, b, c;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all.add(x[i]);
    (i < 2 ? a : b).add(x[i]);
  }
  // The mean is 27/6; squared deviations add up to 37.5, so that the error is (37.5/5/6)^(1/2).
  EXPECT_DOUBLE_EQ(all.mean(), 4.5);
  EXPECT_DOUBLE_EQ(all.standard_error(), std::sqrt(1.25));
  c.add(a);
  c.add(RunningMoments());
  c.add(b);
  EXPECT_EQ(c.count(), 6);
  EXPECT_DOUBLE_EQ(c.mean(), 4.5);
  EXPECT_DOUBLE_EQ(c.standard_error(), std::sqrt(1.25));
  RunningMoments one;
  EXPECT_TRUE(std::isnan(one.mean())) << "no mean of nothing";
  one.add(3);
  EXPECT_EQ(one.mean(), 3);
  EXPECT_TRUE(std::isnan(one.standard_error())) << "nothing is known about the error";
}

TEST(Ensemble, has_the_paths_of_the_library_bit_for_bit) {
  const EnsembleOptions options{.seed = 5, .paths = 3, .span = 1.6, .level = 5};
  const auto all = ensemble(options);
  const Stretch stretch = all_parts(*all, 0, 32, 1, true, {0, 1, 2});
  ASSERT_EQ(stretch.points.size(), 3U * 33U);
  for (std::uint64_t path = 0; path < 3; ++path) {
    Method method(problem.system);
    auto z = method.start(problem.q, problem.v);
    const BrownianPath noise(5, path, 2, 1.6, 5);
    std::size_t k = path * 33;
    const auto expect_same = [&](const auto& state) {
      const PathPoint& point = stretch.points[k++];
      EXPECT_EQ(point.path, static_cast<long>(path));
      EXPECT_TRUE(point.q == state.q && point.v == state.v) << "path " << path << ", row " << point.row;
      EXPECT_EQ(point.energy, problem.system.energy(state.q, state.v));
    };
    expect_same(z);
    EXPECT_FALSE(run_along(method, z, noise, 5, path, [&](std::uint64_t, const auto& state) { expect_same(state); }));
  }
}

// --- in a heat bath

template <class Langevin>
Langevin in_a_bath(const System& system, NormalNumbers normals = NormalNumbers()) {
  return Langevin(system, {0.8, 2.5, Friction::momentum}, normals);
}
template <class Langevin>
std::unique_ptr<Ensemble> ensemble_in_a_bath(const EnsembleOptions& options) {
  auto system = std::make_shared<const System>(problem.system);
  auto method = in_a_bath<Langevin>(*system);
  return std::make_unique<EnsembleOf<Langevin>>(std::move(system), std::move(method), Numbers(problem.q),
                                                Numbers(problem.v), options);
}
template <class Langevin>
class EnsembleInABath : public testing::Test {};
using BothMethods = testing::Types<ConstrainedObabo<System>, GeodesicBaoab<System>>;
TYPED_TEST_SUITE(EnsembleInABath, BothMethods);

TYPED_TEST(EnsembleInABath, has_the_paths_of_the_library_bit_for_bit) {
  const auto all = ensemble_in_a_bath<TypeParam>({.seed = 5, .paths = 3, .span = 0.05, .level = 0});
  const Stretch stretch = all_parts(*all, 0, 20, 1, true, {0, 1, 2});
  ASSERT_EQ(stretch.points.size(), 3U * 21U);
  std::size_t k = 0;
  for (std::uint64_t path = 0; path < 3; ++path) {
    auto method = in_a_bath<TypeParam>(problem.system, NormalNumbers(5, path));
    auto z = method.start(problem.q, problem.v);
    for (long row = 0; row <= 20; ++row, ++k) {
      EXPECT_TRUE(stretch.points[k].q == z.q && stretch.points[k].v == z.v) << "path " << path << ", row " << row;
      ASSERT_TRUE(method.step(z, 0.05).ok());
    }
  }
}

TYPED_TEST(EnsembleInABath, does_not_depend_on_how_many_steps_are_made_at_once_or_where_it_was_saved) {
  const EnsembleOptions options{.seed = 1, .paths = 70, .span = 0.1, .level = 0};
  const auto at_once = ensemble_in_a_bath<TypeParam>(options), in_pieces = ensemble_in_a_bath<TypeParam>(options),
             loaded = ensemble_in_a_bath<TypeParam>(options);
  const std::string start = at_once->save();
  all_parts(*at_once, 0, 23, 1, true, {});
  all_parts(*in_pieces, 0, 3, 1, true, {});
  all_parts(*in_pieces, 3, 9, 1, false, {});
  loaded->load(in_pieces->save());
  all_parts(*loaded, 9, 23, 1, false, {});
  EXPECT_EQ(loaded->save(), at_once->save());
  EXPECT_NE(loaded->save(), start) << "the control: it moves";
}

TYPED_TEST(EnsembleInABath, a_path_whose_step_does_not_exist_ends_and_has_no_increments) {
  const EnsembleOptions options{.seed = 1, .paths = 40, .span = 1.2, .level = 0};
  const auto all = ensemble_in_a_bath<TypeParam>(options), loaded = ensemble_in_a_bath<TypeParam>(options);
  const Stretch stretch = all_parts(*all, 0, 6, 1, true, {});
  ASSERT_GE(stretch.ended.size(), 5U) << "speeds are of the size of one";
  EXPECT_EQ(stretch.rows.back().paths(), 40 - static_cast<long>(stretch.ended.size()));
  for (const FailedStep& of : stretch.ended) {
    EXPECT_EQ(of.outcome.failure, Failure::no_real_root);
    EXPECT_TRUE(std::isnan(of.largest_increment)) << "not zero: a step takes no increments";
    EXPECT_EQ(of.describe().find("increment"), std::string::npos);
    // The state is that before the step.
    auto method = in_a_bath<TypeParam>(problem.system, NormalNumbers(1, of.path));
    auto z = method.start(problem.q, problem.v);
    for (std::uint64_t k = 0; k < of.step; ++k) EXPECT_TRUE(method.step(z, 1.2).ok());
    EXPECT_EQ(of.h_times_momentum, 1.2 * std::sqrt(z.v.dot(z.v)));
    EXPECT_FALSE(method.step(z, 1.2).ok());
  }
  loaded->load(all->save());
  EXPECT_EQ(loaded->save(), all->save());
  EXPECT_TRUE(std::isnan(loaded->ended().front().largest_increment));
}

TEST(MethodsInABath, get_their_options) {
  const StochasticOptions options{.friction = 0.8, .temperature = 0.4, .geodesic_steps = 2};
  const Bath<double> bath{0.8, 1 / 0.4, Friction::momentum};
  const auto end = [&](auto method) {
    auto z = method.start(problem.q, problem.v);
    EXPECT_TRUE(method.step(z, 0.1).ok());
    return z.v;
  };
  EXPECT_EQ(end(MakeConstrainedObabo{}(problem.system, options)), end(ConstrainedObabo<System>(problem.system, bath)));
  EXPECT_EQ(end(MakeGeodesicBaoab{}(problem.system, options)),
            end(GeodesicBaoab<System>(problem.system, bath, NormalNumbers(), 2)));
  EXPECT_NE(end(GeodesicBaoab<System>(problem.system, bath)),
            end(GeodesicBaoab<System>(problem.system, bath, NormalNumbers(), 2)));
}

TEST(Ensemble, rows_are_moments_of_its_paths) {
  const auto all = ensemble({.seed = 1, .paths = 70, .span = 1, .level = 3});
  std::vector<long> every_path;
  for (long path = 0; path < 70; ++path) every_path.push_back(path);
  const Stretch stretch = all_parts(*all, 0, 12, 4, false, every_path);
  ASSERT_EQ(stretch.rows.size(), 3U);
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = 0, squares = 0, energy = 0, temperature = 0;
    for (const PathPoint& point : stretch.points)
      if (point.row == static_cast<long>(row)) {
        sum += point.v(1);
        squares += point.v(1) * point.v(1);
        energy += point.energy - all->energy_of_start();
        temperature += point.v.squaredNorm() / 2;
      }
    const EnsembleRow& of = stretch.rows[row];
    EXPECT_EQ(of.paths(), 70);
    EXPECT_EQ(of.of_state.size(), 6U);
    // Sums of 70 numbers of the size of one: 70 roundings.
    EXPECT_NEAR(of.of_state[4].mean(), sum / 70, 70 * 2.2e-16);
    EXPECT_NEAR(of.of_state[4].standard_error(), std::sqrt((squares / 70 - sum * sum / 4900) / 69), 1e-13);
    EXPECT_NEAR(of.energy_growth.mean(), energy / 70, 70 * 2.2e-16);
    EXPECT_NEAR(of.kinetic_temperature.mean(), temperature / 70, 2 * 70 * 2.2e-16);
    EXPECT_LT(of.constraint_defect, 4 * 2.3e-16);
    EXPECT_LT(of.velocity_defect, 16 * 2.3e-16);
  }
}

TEST(Ensemble, does_not_depend_on_how_many_steps_are_made_at_once_or_where_it_was_saved) {
  const EnsembleOptions options{.seed = 1, .paths = 70, .span = 1, .level = 2};  // four steps in a span
  const auto at_once = ensemble(options), in_pieces = ensemble(options);
  all_parts(*at_once, 0, 23, 1, true, {});
  const std::string start = in_pieces->save();
  all_parts(*in_pieces, 0, 3, 1, true, {});
  all_parts(*in_pieces, 3, 9, 1, false, {});
  const auto loaded = ensemble(options);
  loaded->load(in_pieces->save());
  EXPECT_EQ(loaded->save(), in_pieces->save());
  all_parts(*loaded, 9, 23, 1, false, {});
  EXPECT_EQ(loaded->save(), at_once->save());
  EXPECT_NE(loaded->save(), start) << "the control: it moves";
}

TEST(Ensemble, a_path_whose_step_does_not_exist_ends_and_the_others_go_on) {
  const EnsembleOptions options{.seed = 1, .paths = 40, .span = 0.7, .level = 0};
  const auto all = ensemble(options), saved = ensemble(options);
  const Stretch stretch = all_parts(*all, 0, 6, 1, true, {});
  ASSERT_GE(stretch.ended.size(), 5U) << "h |v| = 0.78 at the start";
  long running = 40;
  for (std::size_t row = 0; row < stretch.rows.size(); ++row) {
    if (row > 0)
      running -= std::ranges::count_if(stretch.ended, [&](const FailedStep& of) { return of.step + 1 == row; });
    EXPECT_EQ(stretch.rows[row].paths(), running) << row;
  }
  EXPECT_GT(running, 0);
  for (const FailedStep& of : stretch.ended) {
    EXPECT_EQ(of.outcome.failure, Failure::no_real_root);
    EXPECT_EQ(of.h, 0.7);
    // The state is that before the step, on both constraints.
    Method method(problem.system);
    auto z = method.start(problem.q, problem.v);
    BrownianSteps noise(1, of.path, 2, 0.7, 0);
    for (std::uint64_t k = 0; k < of.step; ++k) EXPECT_TRUE(method.step(z, 0.7, noise.next()).ok());
    EXPECT_EQ(of.h_times_momentum, 0.7 * std::sqrt(z.v.dot(z.v)));
    const StepNoise<double> next = noise.next();
    EXPECT_EQ(of.largest_increment, std::max(std::abs(next[0].increment), std::abs(next[1].increment)));
    EXPECT_FALSE(method.step(z, 0.7, next).ok());
  }
  // Saved and loaded, those that have ended stay ended.
  all_parts(*saved, 0, 2, 1, true, {});
  const auto loaded = ensemble(options);
  loaded->load(saved->save());
  EXPECT_EQ(loaded->ended().size(), saved->ended().size());
  EXPECT_GT(loaded->ended().size(), 0U);
  all_parts(*loaded, 2, 6, 1, false, {});
  EXPECT_EQ(loaded->save(), all->save());
  EXPECT_EQ(loaded->ended().back().describe(), all->ended().back().describe());
}

TEST(Ensemble, refuses_what_it_did_not_save_and_starts_off_the_constraint) {
  const EnsembleOptions options{.seed = 1, .paths = 2, .span = 1, .level = 2};
  const auto all = ensemble(options);
  const std::string text = all->save();
  for (const std::string& wrong :
       {text.substr(0, text.size() / 2), text + "running\n", "walking" + text.substr(7), "ended 1\n" + text,
        "ended 1 0 0 0x1p+0 0x1p+0" + text.substr(7), "ended 1 99 0 0x1p+0 0x1p+0" + text.substr(7)})
    EXPECT_THROW(all->load(wrong), InvalidParameter) << wrong;
  all->load(text);
  EXPECT_EQ(all->save(), text);
  EXPECT_THROW(ensemble(options, Numbers(problem.q * 2)), InvalidParameter);
  EXPECT_THROW(ensemble(options, Numbers(problem.q), Numbers(problem.q)), InvalidParameter);
}

}  // namespace ensemble_test
}  // namespace livi
