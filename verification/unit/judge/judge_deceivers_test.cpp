// SPDX-License-Identifier: MIT
//
// The exhibits of verification/deceivers that are methods in double, before the judge of methods from outside: it sees
// them through a point and a step alone. What only other number types or full masses show is beyond it. All are judged
// through the functions of a library as well, a sample of them through a pipe: this program serves an exhibit, too. All of
// them through the pipe take some 90 s of a processor, nine tenths for 12000 steps each and their questions:
//   LIVI_ALL_THROUGH_A_PIPE=yes judge_deceivers_test --gtest_filter='*ThroughAPipe*'
#include <gtest/gtest.h>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/judge/doors/child_process.hpp>
#include <livi/judge/doors/library_host.hpp>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "verification/deceivers/bodies.hpp"
#include "verification/deceivers/branches.hpp"
#include "verification/deceivers/changing_steps.hpp"
#include "verification/deceivers/constrained.hpp"
#include "verification/deceivers/declarations.hpp"
#include "verification/deceivers/exhibit.hpp"
#include "verification/deceivers/failures.hpp"
#include "verification/deceivers/hidden_state.hpp"
#include "verification/deceivers/honest.hpp"
#include "verification/deceivers/other_equations.hpp"
#include "verification/deceivers/precision.hpp"
#include "verification/deceivers/seldom_visited.hpp"
#include "verification/deceivers/separable.hpp"
#include "verification/judge/exhibit_doors.hpp"
#include "verification/judge/judgement_rows.hpp"
#include "verification/judge/template_subject.hpp"

namespace livi::deceivers {
LIVI_MOTIONS_IN(, double)
}

namespace {

using namespace livi;
using namespace livi::deceivers;

/// A method of the gallery for the one number type of these tests.
template <class Setting, class State>
struct Maker {
  using System = typename Setting::System;
  using Erased = AnyMethod<System, State>;
  std::string name;
  std::unique_ptr<typename Erased::Interface> (*make)(const System&);
  Erased operator()(const System& system) const { return Erased(name, make(system)); }
};

struct Shown {
  std::string name;
  bool honest;
  std::shared_ptr<ForeignSubject> subject;
  friend std::ostream& operator<<(std::ostream& out, const Shown& shown) { return out << shown.name; }
};

template <class Setting, class State, template <class> class Method>
Shown shown_in(const char* name, bool honest) {
  using Made = Maker<Setting, State>;
  const Made maker{name, [](const typename Made::System& system) -> std::unique_ptr<typename Made::Erased::Interface> {
                     return std::make_unique<typename Made::Erased::template Model<Method>>(system);
                   }};
  return {name, honest, std::make_shared<TemplateSubject<Setting, Made>>(maker)};
}
template <template <class> class Method, template <class> class State = PlainState>
Shown shown(const char* name, bool honest) {
  return shown_in<MechanicalSetting, State<double>, Method>(name, honest);
}
template <template <class> class Method>
Shown constrained_shown(const char* name, bool honest) {
  return shown_in<ConstrainedSetting, Rattle<ConstrainedSetting::System>::state_type, Method>(name, honest);
}
template <template <class> class Method>
Shown body_shown(const char* name, bool honest) {
  return shown_in<BodySetting, BodyState<double>, Method>(name, honest);
}
template <template <class> class Method>
Shown separable_shown(const char* name, bool honest) {
  const auto factory = [](const ForcesSeparable& system) { return Method<ForcesSeparable>{{system}}; };
  return {name, honest, std::make_shared<TemplateSubject<SeparableSetting, decltype(factory)>>(factory)};
}

std::vector<Shown> all() {
  return {
      shown<AlternatesInTheObject>("alternates_in_the_object", false),
      shown<AlternatesWithARoot>("alternates_with_a_root", false),
      shown<AlternatesInAStatic>("alternates_in_a_static", false),
      shown<AlternatesInTheState, ForgetfulState>("alternates_in_the_state", false),
      shown<AlternatesInAField, SavedState>("alternates_in_a_field", false),
      shown<EveryThousandthStep>("every_thousandth_step", false),
      shown<EveryThousandthStepOfAll>("every_thousandth_step_of_all", false),
      shown<EveryTwoThousandthStep>("every_two_thousandth_step", false),
      shown<EveryTwoThousandthStepOfAState, SavedState>("every_two_thousandth_step_of_a_state", false),
      shown<RightForThreeHundredSteps, SavedState>("right_for_three_hundred_steps", false),
      shown<ForceInAStatic>("force_in_a_static", false),
      shown<LastStepSize, SavedState>("last_step_size", false),
      shown<ShowsAnotherVelocity, SavedState>("shows_another_velocity", false),
      shown<SteersByAnOutput, SavedState>("steers_by_an_output", false),
      shown<HiddenTime>("hidden_time", false),
      shown<WearsOut>("wears_out", false),
      shown<LooksAtTheClock>("looks_at_the_clock", false),
      shown<DrawsRandomNumbers>("draws_random_numbers", false),
      shown<HalvesVelocitiesFarOut>("halves_velocities_far_out", false),
      shown<BranchesByMagnitude>("branches_by_magnitude", false),
      shown<BranchesByRoundedValue>("branches_by_rounded_value", false),
      shown<SpeedLimit>("speed_limit", false),
      shown<SubstepsWhenFast>("substeps_when_fast", false),
      shown<CrudeForTinySteps>("crude_for_tiny_steps", false),
      shown<CrudeInFullLanes>("crude_in_full_lanes", false),
      shown<CrudeInLongSteps>("crude_in_long_steps", false),
      shown<RightForDyadicSteps>("right_for_dyadic_steps", false),
      shown<KnowsTheJudgesPoints, SavedState>("knows_the_judges_points", false),
      shown<DilatesBackwards>("dilates_backwards", false),
      shown<TakesTheSizeOfTheStep>("takes_the_size_of_the_step", false),
      shown<TakesTheRootOfTheSquare>("takes_the_root_of_the_square", false),
      shown<StandsStillBackwards>("stands_still_backwards", false),
      shown<CrudeInHighDimensions>("crude_in_high_dimensions", false),
      shown<ForgetsTheTail>("forgets_the_tail", false),
      shown<CrudeInOneDimension>("crude_in_one_dimension", false),
      shown<DiagonalMassOnly>("diagonal_mass_only", false),
      shown<LightensHeavyMasses>("lightens_heavy_masses", false),
      shown<NotSymplecticForLargeFullMasses>("not_symplectic_for_large_full_masses", false),
      shown<CrudeForLongSteps>("crude_for_long_steps", false),
      shown<ForceTooLargeBy1e8>("force_too_large_by_1e8", false),
      shown<ForceTooLargeBy1e12>("force_too_large_by_1e12", false),
      shown<ThirdInFloat>("third_in_float", false),
      shown<TermOfTheMass>("term_of_the_mass", false),
      shown<MemoryHidesAForce, SavedState>("memory_hides_a_force", false),
      shown<SlightFriction>("slight_friction", false),
      shown<VanishingFriction>("vanishing_friction", false),
      shown<ForceDependsOnTime, SavedState>("force_depends_on_time", false),
      shown<VanishingField>("vanishing_field", false),
      shown<UnequalAxes>("unequal_axes", false),
      shown<OneAndOneHalfExchanged>("one_and_one_half_exchanged", false),
      shown<VelocityOfOrderOne>("velocity_of_order_one", false),
      shown<SuzukiYoshidaOfOrderTwo>("suzuki_yoshida_of_order_two", false),
      shown<YoshidaWithTenDigits>("yoshida_with_ten_digits", false),
      shown<EighthOrderThatDoesNotAdvance>("eighth_order_that_does_not_advance", false),
      shown<KickAndDriftExchanged>("kick_and_drift_exchanged", false),
      shown<DeclaresOrderFour>("declares_order_four", false),
      shown<WrongTableInDouble>("wrong_table_in_double", false),
      shown<AnotherMethodInDouble>("another_method_in_double", false),
      shown<AnotherMethodBackwardsInDouble>("another_method_backwards_in_double", false),
      shown<AnotherMethodForDecimalSteps>("another_method_for_decimal_steps", false),
      shown<AnotherMethodForLongSteps>("another_method_for_long_steps", false),
      shown<RoundsToFloat>("rounds_to_float", false),
      shown<GrowsInDouble>("grows_in_double", false),
      shown<AnotherMethodUnderDuals>("another_method_under_duals", false),
      shown<AnotherMethodInResidues>("another_method_in_residues", false),
      shown<ForkedFarOut>("forked_far_out", false),
      shown<ForkedStability>("forked_stability", false),
      shown<ForkedOnTheOscillator>("forked_on_the_oscillator", false),
      shown<ForkedInSeries>("forked_in_series", false),
      shown<ForkedComposition>("forked_composition", false),
      shown<ThreeIterations>("three_iterations", false),
      shown<TwelveIterations>("twelve_iterations", false),
      shown<StopsEarly>("stops_early", false),
      shown<FivePointForce>("five_point_force", false),
      shown<StandsStillFromRest>("stands_still_from_rest", false),
      shown<ForkedAtRest>("forked_at_rest", false),
      shown<MemoryThenEuler, SavedState>("memory_then_euler", false),
      shown<MemoryNotSymplectic, SavedState>("memory_not_symplectic", false),
      shown<EulerForLongStepsInDouble>("euler_for_long_steps_in_double", false),
      shown<StillForTinyStepsInDouble>("still_for_tiny_steps_in_double", false),
      shown<FrictionFarOutInDouble>("friction_far_out_in_double", false),
      shown<FrictionFarOut>("friction_far_out", false),
      shown<LowerLimitOfSeveral>("lower_limit_of_several", false),
      shown<UnconditionalAlone>("unconditional_alone", false),
      shown<TenGradientsOfMany>("ten_gradients_of_many", false),
      shown<OtherDimensions>("other_dimensions", false),
      shown<RefusesLongSteps>("refuses_long_steps", false),
      shown<FailsOnOneProblem>("fails_on_one_problem", false),
      shown<FailsAtOneStepSize>("fails_at_one_step_size", false),
      shown<FailsEveryThousandthStep>("fails_every_thousandth_step", false),
      shown<FailsInSomeStates>("fails_in_some_states", false),
      shown<NotANumberBackwards>("not_a_number_backwards", false),
      shown<FailsBackwards>("fails_backwards", false),
      shown<InfiniteInHighDimensions>("infinite_in_high_dimensions", false),
      shown<NotANumberUnderDuals>("not_a_number_under_duals", false),
      shown<AlwaysFails>("always_fails", false),
      shown<StandsStill>("stands_still", false),
      shown<HidesSymplecticity>("hides_symplecticity", false),
      shown<HidesAngularMomentum>("hides_angular_momentum", false),
      shown<DeclaresAMemoryItHasNot>("declares_a_memory_it_has_not", false),
      shown<StableUpToTooMuch>("stable_up_to_too_much", false),
      shown<StableUpToALittleTooMuch>("stable_up_to_a_little_too_much", false),
      shown<HeunWithALimit>("heun_with_a_limit", false),
      shown<NarrowResonances>("narrow_resonances", false),
      shown<NarrowWindow>("narrow_window", false),
      shown<UnconditionalUpToABound>("unconditional_up_to_a_bound", false),
      shown<OneGradientMore>("one_gradient_more", false),
      shown<OneGradientMoreNowAndThen>("one_gradient_more_now_and_then", false),
      shown<SolveNotMade>("solve_not_made", false),
      shown<MapToZero>("map_to_zero", false),
      shown<MapTooSmall>("map_too_small", false),
      shown<MapThatDependsOnTheStep>("map_that_depends_on_the_step", false),
      shown<MapWithoutDerivative>("map_without_derivative", false),
      shown<MapThatDependsOnTheMass>("map_that_depends_on_the_mass", false),
      shown<KeptBySquare>("kept_by_square", false),
      shown<NoticesShorterSteps>("notices_shorter_steps", false),
      shown<LastStepSizeOfMasses>("last_step_size_of_masses", false),
      shown<ForceInTheObject>("force_in_the_object", false),
      shown<OldWithSeveral>("old_with_several", false),
      shown<UnsavedWithSeveral, ForgetfulState>("unsaved_with_several", false),
      shown<LastDigitsWithSeveral>("last_digits_with_several", false),
      shown<GuardedBySquare>("guarded_by_square", false),
      shown<GuardedByStiffness>("guarded_by_stiffness", false),
      shown<GuardedByLittle>("guarded_by_little", false),
      shown<EulerForLongSteps>("euler_for_long_steps", false),
      shown<WeakForceForLongSteps>("weak_force_for_long_steps", false),
      shown<HalvesInAShell>("halves_in_a_shell", false),
      shown<GaussByFixedPoints>("gauss_by_fixed_points", true),
      shown<TripleJumpOfOrderSix>("triple_jump_of_order_six", true),
      separable_shown<ForgetsLateTimes>("forgets_late_times", false),
      separable_shown<EulerBeforeZero>("euler_before_zero", false),
      separable_shown<EulerInThePast>("euler_in_the_past", false),
      separable_shown<LopsidedInManyDimensions>("lopsided_in_many_dimensions", false),
      separable_shown<FrictionOfLargeMomenta>("friction_of_large_momenta", false),
      separable_shown<AnotherDriveInDouble>("another_drive_in_double", false),
      separable_shown<SeparableKeptBySquare>("separable_kept_by_square", false),
      separable_shown<SeparableOld>("separable_old", false),
      separable_shown<SeparableClock>("separable_clock", false),
      separable_shown<SeparableTripleJump>("separable_triple_jump", true),
      separable_shown<HonestVerlet>("honest_verlet", true),
      separable_shown<NineVerlets>("nine_verlets", true),
      constrained_shown<RattleOffTheTangents>("rattle_off_the_tangents", false),
      constrained_shown<RattleWithNewNormals>("rattle_with_new_normals", false),
      constrained_shown<RattleStopsEarly>("rattle_stops_early", false),
      constrained_shown<RattleWithAnotherForce>("rattle_with_another_force", false),
      constrained_shown<RattleEveryThousandthStep>("rattle_every_thousandth_step", false),
      constrained_shown<RattleThatRunsForward>("rattle_that_runs_forward", false),
      constrained_shown<RattleInManyDimensions>("rattle_in_many_dimensions", false),
      constrained_shown<RattleWithHeavyMasses>("rattle_with_heavy_masses", false),
      constrained_shown<RattleFarFromTheOrigin>("rattle_far_from_the_origin", false),
      constrained_shown<HonestRattle>("honest_rattle", true),
      body_shown<AlternatingBody>("alternating_body", false),
      body_shown<TorqueTooLarge>("torque_too_large", false),
      body_shown<BodyWithFriction>("body_with_friction", false),
      body_shown<LeavesTheGroup>("leaves_the_group", false),
      body_shown<LeavesTheGroupSlowly>("leaves_the_group_slowly", false),
      body_shown<BodyThatRunsForward>("body_that_runs_forward", false),
      body_shown<AnotherBodyInDouble>("another_body_in_double", false),
      body_shown<BodyEveryThousandthStep>("body_every_thousandth_step", false),
      body_shown<BodyByFewIterations>("body_by_few_iterations", false),
      body_shown<MapToZeroMomentum>("map_to_zero_momentum", false),
      body_shown<BodyThatTurnsFast>("body_that_turns_fast", false),
      body_shown<BodyWithASpeedLimit>("body_with_a_speed_limit", false),
      body_shown<HeavyBody>("heavy_body", false),
      body_shown<BodyInLongSteps>("body_in_long_steps", false),
      body_shown<HonestLieVerlet>("honest_lie_verlet", true),
      shown<FewWords>("few_words", true),
      shown<NeverStable>("never_stable", true),
      shown<Kutta4>("kutta_4", true),
      shown<ConstantsInAStatic>("constants_in_a_static", true),
      shown<VerletSevenTimes>("verlet_seven_times", true),
      shown<YoshidaInDouble>("yoshida_in_double", true),
      shown<YoshidaWith24Digits>("yoshida_with_24_digits", true),
      shown<McLachlanAtelaInDouble>("mclachlan_atela_in_double", true),
      shown<SuzukiInDouble>("suzuki_in_double", true),
      shown<RoundsToDouble>("rounds_to_double", true),
      shown<CoefficientWithARoot>("coefficient_with_a_root", true),
      shown<CarriesTheForce, SavedState>("carries_the_force", true),
      shown<DeclaresItsMemory, SavedState>("declares_its_memory", true),
      shown<PlainSymplecticEuler>("plain_symplectic_euler", true),
      shown<Unconditional>("unconditional", true),
      shown<Staggered, SavedState>("staggered", true),
      shown<YoshidaOrderEight>("yoshida_order_eight", true),
      shown<YoshidaOrderSix>("yoshida_order_six", true),
      shown<MidpointByNewton>("midpoint_by_newton", true),
  };
}

/// Exhibits that pass this judge, each with its reason.
const std::map<std::string, const char*> beyond_it{
    {"force_in_a_static", "methods in other processes share no statics"},
    {"force_in_the_object", "every start makes a new object, which is given no other state"},
    {"separable_clock", "every start makes a new object, whose clock begins with its first step"},
    {"diagonal_mass_only", "the protocol has diagonal masses"},
    {"not_symplectic_for_large_full_masses", "the protocol has diagonal masses"},
    {"term_of_the_mass", "the protocol has diagonal masses"},
    {"yoshida_with_ten_digits", "an error of 1e-10 h^2 is below h^4 or below the rounding of double"},
    {"another_method_in_double", "position Verlet is what it declares, too"},
    {"forked_in_series", "it differs in power series alone"},
    {"fails_at_one_step_size", "it fails under dual numbers alone"},
    {"stable_up_to_a_little_too_much", "a limit that is wrong by 1e-9 is below what bisection in double tells"},
    {"narrow_window", "a window of 0.001 is narrower than the scan"},
    {"solve_not_made", "linear solves are not seen from outside"},
    {"rattle_far_from_the_origin",
     "positions under constraints are at most 4: farther out an iteration to 1e-12 would not end"},
};

/// Iterations that end at an absolute tolerance, which is not declared: where positions or momenta are small their steps are others. The
/// judge tells them to declare it.
const std::set<std::string> right_in_ordinary_units{"honest_lie_verlet", "midpoint_by_newton", "leaves_the_group",
                                                    "leaves_the_group_slowly", "map_to_zero_momentum"};

template <template <class> class Method>
Judgement judged_template() {
  const auto factory = [](const AnySystem<double>& system) { return Method<AnySystem<double>>(system); };
  auto subject = template_subject<MechanicalSetting>(factory);
  return judge(subject, {.drawn = 1, .quick = true});
}

/// The simplified method with the declaration of the one that it simplifies.
template <class System>
class ClaimsToBeSymplectic : public SimplifiedZhangSkeel<System> {
 public:
  using SimplifiedZhangSkeel<System>::SimplifiedZhangSkeel;
  [[nodiscard]] Properties declares() const {
    Properties declared = SimplifiedZhangSkeel<System>::declares();
    declared.symplectic = true;
    return declared;
  }
};

TEST(Library, is_what_the_battery_says_it_is) {
  const Judgement full = judged_template<ZhangSkeel>(), simplified = judged_template<SimplifiedZhangSkeel>();
  EXPECT_TRUE(livi::test::is_cleared(full)) << judgement_table(full);
  EXPECT_TRUE(livi::test::is_cleared(simplified)) << judgement_table(simplified);
  for (const JudgementRow& row : judged_template<ClaimsToBeSymplectic>().rows)
    EXPECT_EQ(row.claim.verdict == Verdict::refuted, row.test == "symplectic" || row.test == "symplectic, reach")
        << row.test;
}

/// What is declared of these and not so, no line of the protocol can say, each with its reason. Through a door they declare less.
const std::map<std::string, const char*> not_to_be_said{
    {"hides_angular_momentum", "momentum=linear leaves open whether the angular momentum is conserved"},
};

/// These are wrong after some hundred steps, of which the judgement of a slow method makes too few.
const std::set<std::string> wrong_late{"every_thousandth_step",
                                       "every_two_thousandth_step",
                                       "every_two_thousandth_step_of_a_state",
                                       "right_for_three_hundred_steps",
                                       "fails_every_thousandth_step",
                                       "old_with_several",
                                       "unsaved_with_several",
                                       "separable_old"};

/// Methods for constraints and for bodies, whose orders are taken from fewer steps: the number of steps is seen in long runs.
const std::set<std::string> wrong_in_long_runs{"rattle_every_thousandth_step", "body_every_thousandth_step"};

JudgementOptions options_for(const std::string& name) {
  if (wrong_in_long_runs.contains(name)) return {.drawn = 0};
  return wrong_late.contains(name) ? JudgementOptions{.drawn = 2, .quick = true}
                                   : JudgementOptions{.drawn = 1, .slow = true};
}

/// Returns the judgement in this process of an exhibit with the declaration that the protocol can say: made once.
const Judgement& judged_here(const Shown& exhibit) {
  static std::map<std::string, Judgement> all;
  if (const auto known = all.find(exhibit.name); known != all.end()) return known->second;
  Redeclared here(exhibit.subject);
  return all[exhibit.name] = judge(here, options_for(exhibit.name));
}

constexpr const char *through_a_pipe = "--through-a-pipe", *through_a_library = "--through-a-library";

std::unique_ptr<ForeignSubject> through_door(const std::string& door, const std::string& name) {
  return std::make_unique<PipeSubject>(
      std::make_unique<ChildProcess>(
          std::vector<std::string>{std::filesystem::read_symlink("/proc/self/exe").string(), door, name},
          ChildLimits{}),
      ProtocolLimits{.own_host = door == through_a_library});
}

/// What a process has counted, its clock and its random numbers are not the same in another: the verdict is.
const std::set<std::string> of_the_process{"every_thousandth_step_of_all", "looks_at_the_clock", "draws_random_numbers",
                                           "last_digits_with_several"};

/// Judges an exhibit in this process, and one through a door. Returns what is not the same, rows, numbers or verdicts;
/// nothing where both are one exhibit, for the operations are the same ones.
std::string difference(const Shown& exhibit, const std::string& door, const std::string& behind_it) {
  const Judgement &inside = judged_here(exhibit),
                  outside = judge(*through_door(door, behind_it), options_for(exhibit.name));
  if (inside.exit_status() != outside.exit_status() || inside.rows.size() != outside.rows.size())
    return judgement_table(inside) + judgement_table(outside);
  if (of_the_process.contains(exhibit.name)) return "";
  for (std::size_t k = 0; k < inside.rows.size(); ++k) {
    const JudgementRow &one = inside.rows[k], &other = outside.rows[k];
    const bool same_number = one.claim.measured == other.claim.measured ||
                             (std::isnan(one.claim.measured) && std::isnan(other.claim.measured));
    if (one.test != other.test || one.evidence != other.evidence || one.claim.verdict != other.claim.verdict ||
        !same_number)
      return one.test + ": " + std::to_string(one.claim.measured) + ", and " + other.test + ": " +
             std::to_string(other.claim.measured);
  }
  return "";
}

TEST(Doors, to_another_exhibit_are_told_from_those_to_the_same) {
  const std::vector<Shown> exhibits = all();
  const auto plain = std::ranges::find(exhibits, "plain_symplectic_euler", &Shown::name);
  for (const char* door : {through_a_pipe, through_a_library}) {
    EXPECT_NE(difference(*plain, door, "slight_friction"), "");
    EXPECT_THROW(static_cast<void>(through_door(door, "no_exhibit")), ForeignFailure);
  }
}

class Gallery : public testing::TestWithParam<Shown> {};

TEST_P(Gallery, is_named_or_cleared_here_and_in_a_library) {
  const Shown& exhibit = GetParam();
  const Judgement judgement =
      not_to_be_said.contains(exhibit.name) ? judge(*exhibit.subject, options_for(exhibit.name)) : judged_here(exhibit);
  const bool is_right = right_in_ordinary_units.contains(exhibit.name),
             passes = !is_right && (exhibit.honest || beyond_it.contains(exhibit.name));
  if (is_right) {
    for (const JudgementRow& row : judgement.rows) {
      EXPECT_NE(row.claim.verdict, Verdict::refuted) << row.test;
      EXPECT_EQ(row.claim.verdict == Verdict::undecided, row.id.test == TestId::drawn_steps) << row.test;
      if (row.id.test == TestId::drawn_steps) {
        EXPECT_NE(row.claim.note.find("declares it"), std::string::npos) << row.claim.note;
      }
    }
  }
  EXPECT_EQ(livi::test::is_cleared(judgement), passes) << judgement_table(judgement);
  EXPECT_EQ(difference(exhibit, through_a_library, exhibit.name), "");
}

INSTANTIATE_TEST_SUITE_P(All, Gallery, testing::ValuesIn(all()),
                         [](const auto& exhibit) { return exhibit.param.name; });

/// Every twentieth exhibit, deceivers of all rooms and honest methods; all of them where LIVI_ALL_THROUGH_A_PIPE is set.
std::vector<Shown> for_the_pipe() {
  const std::vector<Shown> exhibits = all();
  if (std::getenv("LIVI_ALL_THROUGH_A_PIPE")) return exhibits;
  std::vector<Shown> sample;
  for (std::size_t k = 3; k < exhibits.size(); k += 20) sample.push_back(exhibits[k]);
  return sample;
}

class ThroughAPipe : public testing::TestWithParam<Shown> {};
TEST_P(ThroughAPipe, is_judged_as_in_this_process) {
  EXPECT_EQ(difference(GetParam(), through_a_pipe, GetParam().name), "");
}
INSTANTIATE_TEST_SUITE_P(Sample, ThroughAPipe, testing::ValuesIn(for_the_pipe()),
                         [](const auto& exhibit) { return exhibit.param.name; });

std::shared_ptr<ForeignSubject> exhibit_of(const std::string& name) {
  const std::vector<Shown> exhibits = all();
  const auto found = std::ranges::find(exhibits, name, &Shown::name);
  return found == exhibits.end() ? nullptr : found->subject;
}
std::optional<SubjectFunctions> lent;

}  // namespace

extern "C" {
const char* exhibit_declares() { return lent->declares(); }
void exhibit_start(const livi_judge_problem* problem, double t, const double* q, const double* p) {
  lent->start(problem, t, q, p);
}
int exhibit_step(double h, long count, double* q, double* p) { return lent->step(h, count, q, p); }
int exhibit_save(char* text, long size) { return lent->save(text, size); }
int exhibit_restore(const livi_judge_problem* problem, const char* text) { return lent->restore(problem, text); }
}

int main(int argc, char** argv) {
  const std::string door = argc == 3 ? argv[1] : "";
  if (door == through_a_pipe || door == through_a_library) {
    const std::shared_ptr<ForeignSubject> exhibit = exhibit_of(argv[2]);
    if (!exhibit) return 2;
    if (door == through_a_pipe) return serve_lines(*exhibit);
    lent.emplace(exhibit);
    return serve_library(LIVI_EXHIBIT_LIBRARY);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
