#include "torsor/closed_form_ik/record_rates.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/named_tape.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/closed_form_ik/quoted_rates.hpp"
#include "torsor/closed_form_ik/record_rotary.hpp"
#include "torsor/kinematics/frame_motion.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

RobotForms<double> shipped_forms(std::string_view name) { return *robot_forms(shipped_robot(std::string(name))); }

/// A state of a robot, and what its tool does there.
struct Moment {
  Numbers q, qd, qdd;
  Named values;
  FrameMotion tool;

  Moment(const RobotForms<double>& forms, Random& random)
      : q(random.numbers(6, 1)), qd(random.numbers(6, 1)), qdd(random.numbers(6, 1)) {
    FrameMotions motions(forms.model);
    motions.set(forms.model, q, qd, qdd);
    tool = motions.of(forms.model.frames.back());
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string k = std::to_string(i + 1);
      values["c" + k] = std::cos(q[i]);
      values["s" + k] = std::sin(q[i]);
      values["d" + k] = q[i];
      values["qd" + k] = qd[i];
    }
    put(values, "W6x", tool.X.R.x), put(values, "W6y", tool.X.R.y), put(values, "W6z", tool.X.R.z);
    put(values, "p7", tool.X.p), put(values, "w6", tool.w), put(values, "pd7", tool.v);
    put(values, "wd6", tool.wd), put(values, "pdd7", tool.a);
  }
};

/// The Stanford arm in the frames of polar_velocity.hpp.
Description polar_arm(double d_2) {
  return dh_robot("RRPRRR", std::array{DhRow{0, 0.4, 0, -quarter}, DhRow{0, d_2, 0, quarter}, DhRow{0, 0, 0, 0},
                                       DhRow{0, 0, 0, -quarter}, DhRow{0, 0, 0, quarter}, DhRow{0, 0, 0, 0}});
}

}  // namespace

TEST_CASE("what is counted of the 6 x 6 systems computes the rates") {
  Random random(11);
  for (const char* name : {"stanford", "rotary_hollerbach"}) {
    const RobotForms<double> forms = shipped_forms(name);
    const Moment state(forms, random);
    for (const DenseMethod method : {DenseMethod::inversion, DenseMethod::elimination}) {
      CHECK(difference(evaluated(record_dense(method, RateLevel::velocity, forms), state.values), state.qd) < 1e-10);
      CHECK(difference(evaluated(record_dense(method, RateLevel::acceleration, forms), state.values), state.qdd) <
            1e-10);
    }
  }
}

TEST_CASE("an inverse and a product take 252 multiplications and 180 additions, elimination 106 and 85") {
  const RobotForms<double> forms = shipped_forms("stanford");
  const auto solution = [&](DenseMethod method) {
    for (const StageCount& row : count_stages(record_dense(method, RateLevel::velocity, forms)))
      if (row.stage == "solution") return Figures{row.count.multiplications + row.count.divisions, row.count.additions};
    return Figures{};
  };
  CHECK(solution(DenseMethod::inversion) == Figures{252, 180});
  CHECK(solution(DenseMethod::elimination) == Figures{106, 85});
}

TEST_CASE("the Stanford arm's rates by its wrist take 30 multiplications and 18 additions, 39 and 23 from its axes") {
  Random random(12);
  const double d_2 = 0.15;
  const auto forms = robot_forms(polar_arm(d_2));
  REQUIRE(forms);
  Moment state(*forms, random);
  const Numbers& q = state.q;
  const double c1 = std::cos(q[0]), s1 = std::sin(q[0]), c2 = std::cos(q[1]), s2 = std::sin(q[1]);
  put(state.values, "A1A2x", {c1 * c2, s1 * c2, -s2});
  put(state.values, "A1A2y", {-s1, c1, 0});
  put(state.values, "A1A2z", {c1 * s2, s1 * s2, c2});
  put(state.values, "pd4", state.tool.v);
  const Mat3<double>& W6 = state.tool.X.R;
  put(state.values, "Wd6x", cross(state.tool.w, W6.x));
  put(state.values, "Wd6y", cross(state.tool.w, W6.y));
  put(state.values, "Wd6z", cross(state.tool.w, W6.z));
  const Tape by_velocity = record_polar(d_2, false), by_axes = record_polar(d_2, true);
  CHECK(difference(evaluated(by_velocity, state.values), state.qd) < 1e-12);
  CHECK(difference(evaluated(by_axes, state.values), state.qd) < 1e-12);
  CHECK(figures(count_steps(by_velocity, "velocity 2")) == Figures{14, 7});
  CHECK(figures(count_steps(by_velocity, "")) == Figures{30, 18});
  CHECK(figures(count_steps(by_axes, "")) == Figures{39, 23});
}

TEST_CASE("the tables of inverse kinematics have an executed column") {
  const auto executed = [](std::string_view source, std::string_view label) {
    for (const QuotedRatesTable& table : quoted_rates())
      if (table.source.ends_with(source))
        for (const QuotedRates& row : table.rows)
          if (row.label == label) return row.executed ? figures(row.executed(shipped_forms)) : Figures{};
    FAIL("no such row");
    return Figures{};
  };
  const Figures inversion{252, 180}, elimination{106, 85}, of_stanford{90, 54}, of_rotary{234, 154};
  const auto sum = [](const Figures& a, const Figures& b) { return Figures{a.first + b.first, a.second + b.second}; };
  CHECK(executed("Table 1", "6 x 6 matrix inversion") == sum(of_stanford, inversion));
  CHECK(executed("Table 1", "Gaussian elimination") == sum(of_stanford, elimination));
  CHECK(executed("Table 1", "the system alone, by inversion") == inversion);
  CHECK(executed("Table 1", "the system alone, by elimination") == elimination);
  CHECK(executed("Table 1", "Paul 1981") == Figures{});
  CHECK(executed("Table 1", "Featherstone 1983") == Figures{39, 23});
  CHECK(executed("Table 2", "6 x 6 matrix inversion") == sum(of_rotary, inversion));
  CHECK(executed("Table 2", "Gaussian elimination") == sum(of_rotary, elimination));
  CHECK(executed("Table 2", "wrist partitioning") == Figures{76, 57});
  CHECK(executed("Table 4", "joint angles") == Figures{64, 37});
  CHECK(executed("Table 4", "joint velocities") == Figures{37, 25});
  CHECK(executed("Table 4", "joint accelerations") == Figures{76, 57});
  CHECK(executed("Table 4", "combined total") == Figures{177, 119});
}
