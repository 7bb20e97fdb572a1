#include "torsor/closed_form_ik/quoted_rates.hpp"

#include "torsor/closed_form_ik/record_rates.hpp"
#include "torsor/closed_form_ik/record_rotary.hpp"

namespace torsor {
namespace {

constexpr std::string_view rotary = "rotary_hollerbach", stanford = "stanford";

template <DenseMethod method, RateLevel level>
OperationCount dense(const RobotLookup& robot) {
  return count_dense(method, level, robot(level == RateLevel::velocity ? stanford : rotary));
}

/// The 6 x 6 system once its matrix is there.
template <DenseMethod method>
OperationCount system(const RobotLookup& robot) {
  return count_solution(record_dense(method, RateLevel::velocity, robot(stanford)));
}

template <bool from_axes>
OperationCount polar(const RobotLookup&) {
  constexpr double any_length = 0.1;
  return count_steps(record_polar(any_length, from_axes), "velocity");
}

constexpr char position[] = "position", velocity[] = "velocity", acceleration[] = "acceleration", any_order[] = "";

/// The steps whose names begin so, of the rotary arm.
template <const char* stages>
OperationCount steps(const RobotLookup& robot) {
  const RobotForms<double> forms = robot(rotary);
  const DhArm<double>& arm = *forms.standard;
  const RotaryArm<double> lengths{arm[1].d, arm[2].a, arm[4].d, forms.model.frames.back().X_body_frame.p};
  return count_steps(record_rotary(lengths), stages);
}

constexpr QuotedRates velocities[] = {
    {"6 x 6 matrix inversion", "287 / 193", dense<DenseMethod::inversion, RateLevel::velocity>,
     "Jacobian by the poses of all links, inverse in its own place, product; the print leaves 35 / 13 for a Jacobian"},
    {"Gaussian elimination", "141 / 98", dense<DenseMethod::elimination, RateLevel::velocity>,
     "the same Jacobian, elimination with one right side"},
    {"the system alone, by inversion", "", system<DenseMethod::inversion>, "with the 35 / 13 the printed figure"},
    {"the system alone, by elimination", "", system<DenseMethod::elimination>, "likewise"},
    {"Paul 1981", "94 / 55", nullptr, "its listing is not available"},
    {"Featherstone 1983", "36 / 20", polar<true>,
     "polar_velocity.hpp, from the rates of the tool's axes; how the printed count comes about is not stated"},
    {"the same, the tool's angular velocity given", "", polar<false>, ""},
};

constexpr QuotedRates accelerations[] = {
    {"6 x 6 matrix inversion", "394 / 260", dense<DenseMethod::inversion, RateLevel::acceleration>,
     "Jacobian, Jd qd, inverse and product; for the first two the print has 35 / 3 more than in the next row, the "
     "multiplications of a Jacobian twice"},
    {"Gaussian elimination", "213 / 162", dense<DenseMethod::elimination, RateLevel::acceleration>,
     "Jacobian, Jd qd, elimination"},
    {"wrist partitioning", "78 / 57", steps<acceleration>,
     "their steps add up to 79; two products more are used again here"},
};

constexpr QuotedRates totals[] = {
    {"joint angles", "64 / 38", steps<position>,
     "cos theta_2 has the denominator of sin theta_2, one addition less; besides, 10 transcendental functions"},
    {"joint velocities", "37 / 25", steps<velocity>, ""},
    {"joint accelerations", "78 / 57", steps<acceleration>, "as in the table before"},
    {"combined total", "179 / 120", steps<any_order>, ""},
};

constexpr QuotedRatesTable tables[] = {
    {"inverse kinematic velocities, Stanford arm", "Hollerbach & Sahar 1983, Table 1", velocities},
    {"inverse kinematic accelerations, rotary arm", "Hollerbach & Sahar 1983, Table 2", accelerations},
    {"inverse kinematics of the rotary arm", "Hollerbach & Sahar 1983, Table 4", totals},
};

}  // namespace

std::span<const QuotedRatesTable> quoted_rates() { return tables; }

}  // namespace torsor
