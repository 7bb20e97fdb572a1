#include "torsor/files/motion_reader.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/files/two_joints.hpp"
#include "tests/support/mutate.hpp"
#include "torsor/text/number.hpp"
#include "torsor/numeric/smoothing_spline.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct MotionTable {
  std::vector<MotionRow> rows;
  Faults errors;
  bool derived = false;
  double cutoff = 0, period = 0;
  bool has_time = false;
};

MotionTable read_motion(const std::string& text, MotionOptions options = {}) {
  std::istringstream in(text);
  MotionReader reader(in, "m.csv", two_joints, options);
  const Derivation& how = reader.derivation();
  MotionTable all{{}, {}, bool(how), how.cutoff, how.period, reader.has_time()};
  for (MotionRow row; reader.next(row);) all.rows.push_back(row);
  all.errors = reader.faults();
  return all;
}

std::string positions_only(std::size_t n, double dt) {
  std::string text = "t,q1,q2\n";
  for (std::size_t i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) * dt;
    text += print_number(t) + ',' + print_number(std::sin(t)) + ',' + print_number(std::cos(2 * t)) + '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("a full motion is read as it stands") {
  const MotionTable all = read_motion("qd1,qd2,t,q1,q2,qdd1,qdd2\n3,4,0,1,2,5,6\n3,4,0.5,1,2,5,7\n");
  CHECK(all.errors.empty());
  CHECK_FALSE(all.derived);
  REQUIRE(all.rows.size() == 2);
  CHECK(all.rows[1].t == 0.5);
  CHECK(all.rows[1].q == std::vector{1.0, 2.0});
  CHECK(all.rows[1].qd == std::vector{3.0, 4.0});
  CHECK(all.rows[1].qdd == std::vector{5.0, 7.0});
}

TEST_CASE("states without time are read, too") {
  const MotionTable all = read_motion("q1,q2,qd1,qd2,qdd1,qdd2\n1,2,3,4,5,6\n1,2,3,4,5,6\n");
  CHECK(all.errors.empty());
  CHECK(all.rows.size() == 2);
}

TEST_CASE("time and positions give velocities and accelerations by the smoothing spline of the whole file") {
  const std::size_t n = 5000;
  const MotionTable all = read_motion(positions_only(n, 0.01));
  CHECK(all.errors.empty());
  CHECK(all.derived);
  CHECK(all.period == doctest::Approx(0.01));
  CHECK(all.cutoff == doctest::Approx(10));
  REQUIRE(all.rows.size() == n);
  std::vector<double> t, q;
  for (std::size_t i = 0; i < n; ++i) {
    t.push_back(static_cast<double>(i) * 0.01);
    q.insert(q.end(), {std::sin(t[i]), std::cos(2 * t[i])});
  }
  const SmoothingSpline whole = smoothing_spline(t, q, all.cutoff, 2);
  for (std::size_t i = 0; i < n; ++i) {
    REQUIRE(all.rows[i].t == t[i]);
    REQUIRE(all.rows[i].q[1] == doctest::Approx(whole.s[2 * i + 1]).epsilon(1e-9));
    REQUIRE(all.rows[i].qd[0] == doctest::Approx(whole.sd[2 * i]).epsilon(1e-8));
    REQUIRE(std::abs(all.rows[i].qdd[1] - whole.sdd[2 * i + 1]) < 1e-7);
  }
  CHECK(all.rows[2000].qdd[1] == doctest::Approx(-4 * std::cos(2 * t[2000])).epsilon(1e-6));
}

TEST_CASE("the cutoff is the caller's if he gives one, and must suit the sample rate") {
  const std::string text = positions_only(400, 0.01);
  CHECK(read_motion(text, {2, 3.0}).cutoff == 3);
  const MotionTable interpolated = read_motion(text, {2, std::numeric_limits<double>::infinity()});
  CHECK(interpolated.rows[200].q[0] == doctest::Approx(std::sin(2.0)).epsilon(1e-14));
  CHECK(read_motion(text, {2, 50.0}).errors.empty());
  for (const double cutoff : {0.0, -1.0, 1e-3, 50.1, std::nan("")}) {
    const MotionTable refused = read_motion(text, {2, cutoff});
    CHECK(refused.rows.empty());
    REQUIRE(refused.errors.size() == 1);
    CHECK(refused.errors[0].rule == "motion-cutoff");
  }
}

TEST_CASE("velocities without accelerations give these by their own spline, and stay as they are") {
  const std::size_t n = 3000;
  std::string text = "t,q1,q2,qd1,qd2\n";
  std::vector<double> t, qd;
  for (std::size_t i = 0; i < n; ++i) {
    t.push_back(static_cast<double>(i) * 0.01);
    qd.insert(qd.end(), {std::cos(t[i]), 3 * std::sin(2 * t[i])});
    // positions of another motion: nothing is taken from them
    text += print_number(t[i]) + ",7," + print_number(t[i] * t[i]) + ',' + print_number(qd[2 * i]) + ',' +
            print_number(qd[2 * i + 1]) + '\n';
  }
  const MotionTable all = read_motion(text);
  CHECK(all.errors.empty());
  CHECK(all.derived);
  REQUIRE(all.rows.size() == n);
  const SmoothingSpline whole = smoothing_spline(t, qd, all.cutoff, 2);
  for (std::size_t i = 0; i < n; ++i) {
    REQUIRE(all.rows[i].t == t[i]);
    REQUIRE(all.rows[i].q == std::vector{7.0, t[i] * t[i]});
    REQUIRE(all.rows[i].qd == std::vector{qd[2 * i], qd[2 * i + 1]});
    REQUIRE(std::abs(all.rows[i].qdd[1] - whole.sd[2 * i + 1]) < 1e-8);
  }
  CHECK(all.rows[1500].qdd[1] == doctest::Approx(6 * std::cos(2 * t[1500])).epsilon(1e-6));
  // one row moves evenly; and where nothing may be derived they are missing
  const MotionTable one = read_motion("t,q1,q2,qd1,qd2\n7,1,2,3,4\n");
  REQUIRE(one.rows.size() == 1);
  CHECK(one.rows[0].qd == std::vector{3.0, 4.0});
  CHECK(one.rows[0].qdd == std::vector{0.0, 0.0});
  CHECK(read_motion(text, {.derive = false}).errors.size() == 2);
}

TEST_CASE("one row of positions is a robot at rest") {
  const MotionTable all = read_motion("t,q1,q2\n7,1,2\n");
  CHECK(all.errors.empty());
  REQUIRE(all.rows.size() == 1);
  CHECK(all.rows[0].t == 7);
  CHECK(all.rows[0].q[1] == doctest::Approx(2));
  CHECK(all.rows[0].qd == std::vector{0.0, 0.0});
}

TEST_CASE("time that stands still or goes back is a fault of its row") {
  const std::string rest = ",0,0,0,0,0,0\n";
  const MotionTable all =
      read_motion("t,q1,q2,qd1,qd2,qdd1,qdd2\n0" + rest + "1" + rest + "1" + rest + "0.5" + rest + "2" + rest);
  CHECK(all.rows.size() == 3);
  REQUIRE(all.errors.size() == 2);
  CHECK(to_string(all.errors[0]) ==
        "m.csv:4: column \"t\": 1 does not come after 1 [motion-time]; times must increase from row to row");
  CHECK(all.errors[1].where.line == 5);

  // one stray time does not make faults of all that follow, nor trouble for the spline
  const MotionTable derived = read_motion("t,q1,q2\n0,0,0\n1,0,0\n1e9,0,0\n2,0,0\n3,0,0\n4,0,0\n");
  CHECK(derived.errors.size() == 1);
}

TEST_CASE("faults of the header and of the rows are found in one reading") {
  const MotionTable all = read_motion("t,q1,note\n0,1,begin\n1,x,end\n");
  REQUIRE(all.errors.size() == 2);
  CHECK(all.errors[0].where.line == 1);
  CHECK(all.errors[0].offender == "column \"q2\"");
  CHECK(all.errors[1].where.line == 3);
  CHECK(all.errors[1].offender == "column \"q1\"");
  CHECK(all.rows.empty());
}

TEST_CASE("a bad row beyond the first window is found while deriving") {
  std::string text = positions_only(1000, 0.01);
  text += "11,1,oops\n";
  const MotionTable all = read_motion(text);
  REQUIRE(all.errors.size() == 1);
  CHECK(all.errors[0].where.line == 1002);
  CHECK(all.rows.size() == 1000);
}

TEST_CASE("rows that catch up after a step back in time are left out without a second fault") {
  const MotionTable all =
      read_motion("t,q1,q2,qd1,qd2,qdd1,qdd2\n1,0,0,0,0,0,0\n2,0,0,0,0,0,0\n1,0,0,0,0,0,0\n"
                  "2,0,0,0,0,0,0\n3,0,0,0,0,0,0\n");
  REQUIRE(all.errors.size() == 1);
  CHECK(all.errors[0].rule == "motion-time");
  CHECK(all.errors[0].where.line == 4);
  REQUIRE(all.rows.size() == 3);
  CHECK(all.rows[2].t == 3);
}

TEST_CASE("velocities that overflow are one fault, and no row holds them") {
  const MotionTable all = read_motion("t,q1,q2\n0,0,0\n0.1,1e308,0\n0.2,-1e308,0\n0.3,0,0\n0.4,0,0\n");
  REQUIRE(all.errors.size() == 1);
  CHECK(all.errors[0].rule == "motion-range");
  CHECK(all.rows.empty());
}

TEST_CASE("mutated motions give increasing times and finite positions, or faults") {
  static const std::string pieces[] = {"nan", "1e308", "-1",   "1e-300",    "",   "\n", ",",
                                       "t",   "q1,",   "qd1,", "qdd.elbow", "\"", "#"};
  const std::string seeds[] = {positions_only(20, 0.01), "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n"};
  testing::Random random(13);
  int sound = 0, faulty = 0;
  for (int run = 0; run < testing::draws(2000); ++run) {
    const std::string text =
        testing::mutated(seeds[random.below(2)], {pieces, std::span(pieces).subspan(0, 5)}, random);
    const MotionTable all = read_motion(text);
    ++(all.errors.empty() ? sound : faulty);
    if (all.rows.empty() && all.errors.empty()) FAIL_CHECK("neither rows nor faults:\n" << text);
    for (std::size_t k = 0; k < all.rows.size(); ++k) {
      const MotionRow& row = all.rows[k];
      if (row.q.size() != 2 || row.qd.size() != 2 || row.qdd.size() != 2) FAIL_CHECK("numbers are missing:\n" << text);
      if (all.has_time && k > 0 && !(row.t > all.rows[k - 1].t)) FAIL_CHECK("times fall back:\n" << text);
      for (const auto* numbers : {&row.q, &row.qd, &row.qdd})
        for (const double x : *numbers)
          if (!std::isfinite(x)) FAIL_CHECK("not a finite number:\n" << text);
    }
  }
  CHECK(sound > 100);
  CHECK(faulty > 100);
}
