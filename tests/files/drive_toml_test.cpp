#include "torsor/files/drive_toml.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/files/file_text.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/rule_table.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Faults drive_faults(const std::string& text) {
  const auto sheet = read_drive_toml(text, "drives.toml");
  REQUIRE_FALSE(sheet);
  return sheet.faults();
}

Fault drive_fault(const std::string& piece, const std::string& by) {
  return fault_after(text_of("tests/drives/two_motors.toml"), piece, by, read_drive_toml);
}

}  // namespace

TEST_CASE("a drive file is read into SI units") {
  const auto sheet = read_drive_toml(text_of("tests/drives/two_motors.toml"), "drives.toml");
  REQUIRE(sheet);
  REQUIRE(sheet->motors.size() == 2);
  const Motor& small = sheet->motors[0];
  CHECK(small.source == "data sheet");
  CHECK(small.continuous.speed[1] == doctest::Approx(100 * std::numbers::pi));
  CHECK(small.continuous.torque == std::vector<double>{0.5, 0.5});
  CHECK(*small.peak.at(-500) == 1.5);
  CHECK_FALSE(small.peak.at(530));
  CHECK(*small.rotor_inertia == doctest::Approx(2e-5));
  const Motor& large = sheet->motors[1];
  CHECK_FALSE(large.rotor_inertia);
  CHECK(*large.peak.at(3250 * std::numbers::pi / 30) == doctest::Approx(4));
  REQUIRE(sheet->drives.size() == 2);
  CHECK(sheet->drives[0].motor == 1);
  CHECK(sheet->drives[0].gear == -62);
  CHECK(sheet->drives[0].efficiency == 0.85);
  CHECK(sheet->drives[0].where.line == 19);
  CHECK_FALSE(sheet->drives[1].gear);
}

TEST_CASE("rated values alone hold for the peak, too, as far as they are given") {
  const auto sheet = read_drive_toml("[[motor]]\nname = \"m\"\nrated_torque = 1\nmax_speed = 100\n", "m.toml");
  REQUIRE(sheet);
  CHECK(sheet->motors[0].continuous.top_speed() == 100);
  CHECK(sheet->motors[0].peak.empty());
}

TEST_CASE("each fault of a drive file has its line, its rule and a remedy") {
  CHECK(drive_fault("peak_torque = 1.5", "peak_torque = 0").rule == "drive-number");
  CHECK(drive_fault("peak_torque = 1.5", "peak_torque = 0").where.line == 8);
  CHECK(drive_fault("peak_torque = 1.5", "peak_torque = \"much\"").where.line == 8);
  CHECK(drive_fault("peak_torque = 1.5", "peak_torque = nan").where.line == 8);
  CHECK(drive_fault("peak_torque = 1.5", "peak_tork = 1.5").remedy == "did you mean \"peak_torque\"?");
  CHECK(drive_fault("peak_torque = 1.5", "peak_torque = 0.4").rule == "motor-curve");
  CHECK(drive_fault("max_speed_rpm = 5000", "max_speed_rpm = 2000").rule == "motor-curve");
  CHECK(drive_fault("max_speed_rpm = 5000", "max_speed_mm = 2000").rule == "unit");
  CHECK(drive_fault("rotor_inertia_gcm2 = 200", "rotor_inertia_gcm2 = -200").rule == "drive-number");
  CHECK(drive_fault("resistance = 0.3\n", "").rule == "key-missing");
  CHECK(drive_fault("[[drive]]", "[[motor]]\nname = \"small\"\nrated_torque = 1\nrated_speed = 9\n[[drive]]").rule ==
        "motor-name");
  CHECK(drive_fault("[0, 2500, 4000]", "[0, 4000, 2500]").rule == "motor-curve");
  CHECK(drive_fault("[0, 2500, 4000]", "[1, 2500, 4000]").where.line == 17);
  CHECK(drive_fault("[0, 2500, 4000]", "[0, 4000]").rule == "motor-curve");
  CHECK(drive_fault("[6, 6, 2]", "[6, 6, -2]").rule == "motor-curve");
  CHECK(drive_fault("motor = \"large\"", "motor = \"larger\"").remedy == "did you mean \"large\"?");
  CHECK(drive_fault("gear = -62", "gear = 0").where.line == 22);
  CHECK(drive_fault("efficiency = 0.85", "efficiency = 85").rule == "drive-number");
  CHECK(drive_fault("joint = \"wrist\"", "joint = \"waist\"").rule == "drive-joint");
  CHECK(drive_fault("format = 1", "format = 2").rule == "format-version");
  CHECK(drive_faults("").front().rule == "key-missing");
  CHECK(drive_faults("[[motor]]\nname = \"m\"\n").front().rule == "motor-curve");
  CHECK(drive_faults("[[motor]]\nname = \"m\"\nrated_torque = 2\n").size() == 1);
  CHECK(drive_faults("[[motor]\n").front().rule == "toml-syntax");
  // all at once
  CHECK(drive_faults("[[motor]]\nrated_torque = -1\n[[drive]]\nmotor = \"x\"\ngear = 0\n").size() >= 5);
}

TEST_CASE("whatever happens to a drive file, the answer is a sheet with sound curves or faults") {
  const std::vector<std::string> pieces{"0", "-1",          "1e308",       "1e-308",     "nan", "[", "]",
                                        "{", "[[motor]]\n", "[[drive]]\n", "peak = 3\n", "\"",  "= "};
  testing::Random random(7);
  const std::string sound = text_of("tests/drives/two_motors.toml");
  const int rounds = testing::draws(2000);
  int refused = 0;
  for (int k = 0; k < rounds; ++k) {
    const std::string text = testing::mutated(sound, {pieces, std::span(pieces).subspan(0, 5)}, random);
    const auto sheet = read_drive_toml(text, "mutated.toml");
    if (!sheet) {
      ++refused;
      continue;
    }
    for (const Motor& motor : sheet->motors)
      for (const TorqueCurve* curve : {&motor.peak, &motor.continuous})
        if (!curve->empty()) CHECK(*curve->at(curve->top_speed() / 2) >= 0);
  }
  CHECK(refused > rounds / 10);
  CHECK(refused < rounds);
}

TEST_CASE("the example of the page is read, and its table of rules has every id that a drive file can break") {
  const auto sheet = read_drive_toml(toml_blocks(text_of("docs/sizing.md")).at(0), "page.toml");
  REQUIRE(sheet);
  CHECK(sheet->motors.size() == 2);
  CHECK(sheet->drives.size() == 2);

  std::set<std::string> words = testing::quoted_words(testing::text_of("torsor/files/drive_toml.cpp"));
  words.merge(testing::quoted_words(testing::text_of("torsor/drives/assign_drives.cpp")));
  for (const std::string& rule : testing::rule_table("docs/check.md")) words.erase(rule);
  CHECK(testing::hyphenated(words) == testing::rule_table("docs/sizing.md"));
}
