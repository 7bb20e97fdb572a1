#include "torsor/text/npy_reader.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/mutate.hpp"
#include "torsor/files/motion_reader.hpp"
#include "torsor/text/npy_writer.hpp"

using namespace torsor;

namespace {

std::string npy_array(const std::vector<std::vector<double>>& rows) {
  std::ostringstream out;
  NpyWriter writer(out, "a.npy", static_cast<int>(rows.front().size()));
  for (const auto& row : rows) CHECK(writer.row(row));
  CHECK(writer.finish());
  return out.str();
}

// the rows of a stream, and its faults
struct NpyRows {
  std::vector<std::vector<double>> rows;
  Faults errors;
};
NpyRows npy_rows(const std::string& bytes) {
  std::istringstream in(bytes);
  NpyReader reader(in, "a.npy");
  NpyRows all;
  std::vector<double> row(reader.header().size());
  while (reader.next(row)) all.rows.push_back(row);
  CHECK_FALSE(reader.next(row));
  all.errors = reader.faults();
  return all;
}

const std::vector<std::string> shoulder_and_elbow{"shoulder", "elbow"};

// the motion of two joints in an array, and its faults
struct NpyMotion {
  std::vector<MotionRow> rows;
  Faults errors;
  bool has_time = false, derived = false;
};
NpyMotion npy_motion(const std::string& bytes, MotionOptions options = {}, const std::string& last = "qdd") {
  std::istringstream in(bytes);
  MotionReader reader(in, "m.npy", motion_names(shoulder_and_elbow, shoulder_and_elbow, last), options);
  NpyMotion motion;
  for (MotionRow row; reader.next(row);) motion.rows.push_back(row);
  motion.errors = reader.faults();
  motion.has_time = reader.has_time();
  motion.derived = bool(reader.derivation());
  return motion;
}

}  // namespace

TEST_CASE("what is written to an array is read back bit for bit, over many large reads") {
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 20'000; ++k) rows.push_back({std::sin(k), 1e-300 * k, -0.0, 1.0 / (k + 1), 1e300});
  const NpyRows all = npy_rows(npy_array(rows));
  CHECK(all.errors.empty());
  CHECK(all.rows == rows);
  CHECK(std::signbit(all.rows[7][2]));
}

TEST_CASE("floats are read as the doubles they are") {
  std::string bytes = npy_header(2, 2);
  bytes.replace(bytes.find("<f8"), 3, "<f4");
  for (const float x : {0.1F, -2.5F, 1e30F, 0.0F}) {
    char each[4];
    std::memcpy(each, &x, 4);
    bytes.append(each, 4);
  }
  const NpyRows all = npy_rows(bytes);
  CHECK(all.errors.empty());
  CHECK(all.rows == std::vector<std::vector<double>>{{double(0.1F), -2.5}, {double(1e30F), 0}});
}

TEST_CASE("columns are selected in any order") {
  std::istringstream in(npy_array({{1, 2, 3}, {4, 5, 6}}));
  NpyReader reader(in, "a.npy");
  CHECK(reader.rows() == 2);
  CHECK(reader.columns() == 3);
  CHECK(reader.header()[2] == "column 3");
  reader.select(std::array{2, 0});
  std::array<double, 2> row{};
  CHECK(reader.next(row));
  CHECK(reader.next(row));
  CHECK(row == std::array<double, 2>{6, 4});
}

TEST_CASE("a file that is cut short gives its whole rows and the fault") {
  const std::string bytes = npy_array({{1, 2}, {3, 4}, {5, 6}});
  const NpyRows all = npy_rows(bytes.substr(0, bytes.size() - 1));
  CHECK(all.rows.size() == 2);
  REQUIRE(all.errors.size() == 1);
  CHECK(
      to_string(all.errors[0]) ==
      "a.npy: data: end after 2 of 3 rows of 2 numbers [npy-truncated]; the file was cut short: save or copy it again");
  CHECK(npy_rows(npy_header(1'000'000'000'000, 18)).errors[0].rule == "npy-truncated");
}

TEST_CASE("bytes behind the array, and an array without rows, are faults") {
  const NpyRows more = npy_rows(npy_array({{1, 2}, {3, 4}}) + "x");
  CHECK(more.rows.size() == 2);
  REQUIRE(more.errors.size() == 1);
  CHECK(more.errors[0].rule == "npy-trailing");
  CHECK(more.errors[0].what.find("more bytes follow after the ") == 0);
  const NpyRows none = npy_rows(npy_header(0, 2));
  REQUIRE(none.errors.size() == 1);
  CHECK(none.errors[0].rule == "npy-no-data");
}

TEST_CASE("numbers that are not finite are told with row and column, and the other rows are read") {
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  const NpyRows all = npy_rows(npy_array({{1, 2}, {nan, 4}, {5, 6}, {-infinite, infinite}}));
  CHECK(all.rows == std::vector<std::vector<double>>{{1, 2}, {5, 6}});
  REQUIRE(all.errors.size() == 3);
  CHECK(to_string(all.errors[0]) ==
        "a.npy: row 2, column \"column 1\": \"nan\" is not a finite number [number]; give a finite number");
  CHECK(all.errors[2].offender == "row 4, column \"column 2\"");
}

TEST_CASE("the columns of a motion follow from their number") {
  const NpyMotion plain = npy_motion(npy_array({{1, 2, 3, 4, 5, 6}}));
  CHECK(plain.errors.empty());
  CHECK_FALSE(plain.has_time);
  REQUIRE(plain.rows.size() == 1);
  CHECK(plain.rows[0].q == std::vector<double>{1, 2});
  CHECK(plain.rows[0].qd == std::vector<double>{3, 4});
  CHECK(plain.rows[0].qdd == std::vector<double>{5, 6});

  const NpyMotion timed = npy_motion(npy_array({{0, 1, 2, 3, 4, 5, 6}, {0.5, 1, 2, 3, 4, 5, 7}}));
  CHECK(timed.errors.empty());
  CHECK(timed.has_time);
  REQUIRE(timed.rows.size() == 2);
  CHECK(timed.rows[1].t == 0.5);
  CHECK(timed.rows[1].qdd == std::vector<double>{5, 7});

  std::vector<std::vector<double>> positions;
  for (int k = 0; k < 100; ++k) positions.push_back({0.01 * k, 0.02 * k, 1});
  const NpyMotion derived = npy_motion(npy_array(positions));
  CHECK(derived.errors.empty());
  CHECK(derived.derived);
  REQUIRE(derived.rows.size() == 100);
  CHECK(derived.rows[50].qd[0] == doctest::Approx(2).epsilon(1e-9));

  CHECK(npy_motion(npy_array({{1, 2}}), {0, {}, true}).rows.size() == 1);
}

TEST_CASE("another number of columns is answered with those that will do") {
  const NpyMotion motion = npy_motion(npy_array({{1, 2, 3, 4}}));
  CHECK(motion.rows.empty());
  REQUIRE(motion.errors.size() == 1);
  CHECK(
      to_string(motion.errors[0]) ==
      "m.npy: shape: the array has 4 columns, and which is what follows from their number [motion-column]; give 6: q, "
      "qd, qdd side by side in the robot's order, or 7 with t before them, or 3: t and q alone");
  const NpyMotion torques = npy_motion(npy_array({{1, 2, 3}}), {2, {}, false}, "tau");
  REQUIRE(torques.errors.size() == 1);
  CHECK(torques.errors[0].remedy == "give 6: q, qd, tau side by side in the robot's order, or 7 with t before them");
}

TEST_CASE("times of an array that do not increase are told with their row") {
  const NpyMotion motion = npy_motion(npy_array({{0, 1, 2, 3, 4, 5, 6}, {1, 1, 2, 3, 4, 5, 6}, {1, 1, 2, 3, 4, 5, 6}}));
  REQUIRE(motion.errors.size() == 1);
  CHECK(motion.errors[0].rule == "motion-time");
  CHECK(motion.errors[0].offender == "row 3, column \"t\"");
}

TEST_CASE("an array on a pipe is known by its first byte") {
  std::istringstream in(npy_array({{1, 2, 3, 4, 5, 6}}));
  MotionReader reader(in, "standard input", motion_names(shoulder_and_elbow, shoulder_and_elbow));
  MotionRow row;
  CHECK(reader.next(row));
  CHECK(row.qdd == std::vector<double>{5, 6});
}

TEST_CASE("mutated arrays give rows of finite numbers or faults, never anything else") {
  static const std::string pieces[] = {"'",  "(",  ")",    ",",     "'shape': ", "{", "}",    "<f4",  "99999999999",
                                       "-1", "[]", "True", "\x93N", "'descr'",   "L", "\xff", "3, 4", " "};
  const std::string seeds[] = {npy_array({{0, 1, 2, 3, 4, 5, 6}, {1, 1, 2, 3, 4, 5, 6}}),
                               npy_array({{1, 2, 3, 4, 5, 6}}),
                               npy_array({{0, 1, 2}, {1, 1, 2}, {2, 1, 2}, {3, 1, 4}})};
  testing::Random random(20);
  int sound = 0, refused = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::string bytes =
        testing::mutated(seeds[random.below(3)], {pieces, std::span(pieces).subspan(0, 5)}, random);
    const NpyMotion motion = npy_motion(bytes);
    for (const MotionRow& row : motion.rows)
      for (const auto* part : {&row.q, &row.qd, &row.qdd})
        for (const double x : *part) REQUIRE(std::isfinite(x));
    for (const Fault& error : motion.errors) {
      REQUIRE_FALSE(error.rule.empty());
      REQUIRE_FALSE(error.remedy.empty());
    }
    REQUIRE((!motion.rows.empty() || !motion.errors.empty()));
    ++(motion.errors.empty() ? sound : refused);
  }
  CHECK(sound > 20);
  CHECK(refused > 1000);
}
