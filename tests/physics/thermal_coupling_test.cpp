// Thermal cases in which heat and the memory answer each other, and the policy between them.

#include <set>

#include "ctrl/compat/statistics.h"
#include "physics/heat/leakage.h"
#include "physics/heat/thermal_policy.h"
#include "physics/thermal_cases.h"

namespace diffram::physics::heat {
namespace {

spec::TemperatureLimits limits_of(const json& bands) {
  spec::TemperatureLimits limits;
  for (const json& band : bands) limits.bands.push_back({band.at(0), band.at(1), 0});
  return limits;
}

TEST(ThermalCase, refresh_feedback_two_fixed_points) {
  const auto& each = thermal_case("refresh_feedback_two_fixed_points");
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  Network network;
  network.bound(network.add_node(0), 1 / number(in, "theta_JA_K_per_W"), number(in, "T_ambient_C"));
  const Solver solver = solver_of(std::move(network));
  const auto celsius = [&](double rate) {
    return solver.steady(std::vector{number(in, "power_without_refresh_W") +
                                     rate * number(in, "refresh_power_at_1x_W")})[0];
  };
  const auto thresholds = numbers(in, "thresholds_C");
  spec::TemperatureLimits limits;
  limits.bands = {{thresholds[0], 1, 0}, {thresholds[1], 2, 0}};
  for (const auto& [rate, key] :
       {std::pair{1, "T_at_1x_C"}, std::pair{2, "T_at_2x_C"}, std::pair{4, "T_at_4x_C"}})
    expect_near_relative(celsius(rate), number(expected, key), 1e-12);

  const auto settled_from = [&](double first) {
    ThermalPolicy policy(limits, {});
    policy.next(first);
    for (int epoch = 0; epoch < 20; ++epoch) policy.next(celsius(policy.point().refresh_rate));
    return policy.point().refresh_rate;
  };
  EXPECT_EQ(settled_from(number(in, "T_ambient_C")), number(expected, "answer_from_cold"));
  EXPECT_EQ(settled_from(94), number(expected, "answer_from_hot"));
}

TEST(ThermalCase, leakage_fixed_point) {
  const auto& each = thermal_case("leakage_fixed_point");
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  const auto& tolerance = each.at("tolerance");
  const double resistance = number(in, "theta_JA_K_per_W"), ambient = number(in, "T_ambient_C");
  const Leakage leakage{number(in, "leakage_at_85C_W"), number(in, "doubling_K")};
  const auto point =
      with_leakage(ambient + resistance * number(in, "power_dynamic_W"), resistance, leakage);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->stable, number(expected, "T_stable_C"), number(tolerance, "abs_K"));
  EXPECT_NEAR(point->unstable, number(expected, "T_unstable_C"), number(tolerance, "abs_K"));
  expect_near_relative(point->loop_gain, number(expected, "loop_gain"), number(tolerance, "rel"));
  const double most = number(expected, "power_dynamic_max_W");
  expect_near_relative((hottest_without_leakage(resistance, leakage) - ambient) / resistance, most,
                       number(tolerance, "rel"));
  EXPECT_FALSE(with_leakage(ambient + resistance * (most + 1e-6), resistance, leakage))
      << "runs away";
}

TEST(ThermalCase, refresh_multiplier_table) {
  const auto& each = thermal_case("refresh_multiplier_table");
  const auto& in = each.at("inputs");
  const auto celsius = numbers(in, "T_C");
  for (const auto& [standard, bands] : in.at("standards").items()) {
    const auto& expected = each.at("expected").at(standard);
    for (std::size_t i = 0; i < celsius.size(); ++i) {
      ThermalPolicy policy(limits_of(bands), {});
      const double rate = policy.next(celsius[i]).refresh_rate;
      if (expected.at(i).is_string()) {
        EXPECT_TRUE(policy.out_of_range()) << standard << " at " << celsius[i];
        EXPECT_EQ(rate, bands.back().at(1).get<double>()) << "the last band's rate is kept";
      } else {
        EXPECT_FALSE(policy.out_of_range()) << standard << " at " << celsius[i];
        EXPECT_EQ(rate, expected.at(i).get<double>()) << standard << " at " << celsius[i];
      }
    }
  }
}

TEST(ThermalCase, units_vmacycle) {
  const auto& each = thermal_case("units_vmacycle");
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  const double energy = number(in, "energy_V_mA_cycle"), cycles = number(in, "cycles");
  const double period = number(in, "tCK_ns"), limit = number(each.at("tolerance"), "rel");
  const double picojoules = ctrl::compat::picojoules(energy, period);
  expect_near_relative(picojoules, number(expected, "energy_pJ"), limit);
  expect_near_relative(energy / cycles, number(expected, "power_mW"), limit);
  expect_near_relative(picojoules / (cycles * period), number(expected, "power_from_pJ_mW"), limit);
}

TEST(ThermalCase, each_case_of_the_file_is_a_test) {
  std::set<std::string> tests;
  const auto* unit = testing::UnitTest::GetInstance();
  for (int i = 0; i < unit->total_test_suite_count(); ++i) {
    const auto* suite = unit->GetTestSuite(i);
    for (int j = 0; j < suite->total_test_count(); ++j) tests.insert(suite->GetTestInfo(j)->name());
  }
  EXPECT_EQ(thermal_cases().size(), 25u);
  for (const json& each : thermal_cases())
    EXPECT_TRUE(tests.contains(each.at("id").get<std::string>())) << each.at("id");
}

TEST(ThermalPolicy, a_cooler_band_waits_for_the_hysteresis) {
  ThermalPolicy policy(limits_of(json::parse("[[85, 1], [95, 2]]")), {});
  EXPECT_EQ(policy.next(85.5).refresh_rate, 2);
  EXPECT_EQ(policy.next(83.5).refresh_rate, 2);
  EXPECT_EQ(policy.next(83).refresh_rate, 1);
}

TEST(ThermalPolicy, a_fall_through_two_bands_takes_both) {
  ThermalPolicy policy(limits_of(json::parse("[[85, 1], [95, 2], [105, 4]]")), {});
  EXPECT_EQ(policy.next(104).refresh_rate, 4);
  EXPECT_EQ(policy.next(40).refresh_rate, 1);
}

TEST(ThermalPolicy, a_throttled_memory_keeps_a_slot_and_gets_all_back) {
  ThermalPolicy policy({}, {80, 2});
  EXPECT_EQ(policy.next(80).column_share, 1);
  EXPECT_EQ(policy.next(80.1).column_share, 15.0 / 16);
  EXPECT_EQ(policy.next(79).column_share, 15.0 / 16) << "between the two nothing changes";
  for (int i = 0; i < 40; ++i) policy.next(90);
  EXPECT_EQ(policy.point().column_share, 1.0 / 16);
  for (int i = 0; i < 40; ++i) policy.next(70);
  EXPECT_EQ(policy.point().column_share, 1);
}

TEST(ThermalPolicy, the_shutdown_limit_stops) {
  spec::TemperatureLimits limits;
  limits.shutdown = 120;
  ThermalPolicy policy(limits, {});
  EXPECT_FALSE(policy.next(120).must_stop);
  EXPECT_TRUE(policy.next(120.5).must_stop);
}

}  // namespace
}  // namespace diffram::physics::heat
