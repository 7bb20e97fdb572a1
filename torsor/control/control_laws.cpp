// The table of laws, and what they share.
#include <algorithm>
#include <cmath>

#include "torsor/control/computed_torque.hpp"
#include "torsor/control/feed_forward.hpp"
#include "torsor/control/impedance.hpp"
#include "torsor/control/nonlinear_decoupling.hpp"
#include "torsor/control/passivity.hpp"
#include "torsor/control/pd_gravity.hpp"
#include "torsor/control/resolved_acceleration.hpp"
#include "torsor/control/resolved_rate_interpolated.hpp"

namespace torsor {
namespace {

template <class Law>
std::unique_ptr<ControlLaw> make(const ControlSetup& setup) {
  return std::make_unique<Law>(setup);
}

constexpr std::string_view no_tool = "nothing: the tool is not resolved";
constexpr std::string_view damped = "damped least squares; what is lost is reported, and left to the joints' own plan";

constexpr ControlLawRow rows[] = {
    {"pd", "independent joints", "-", false, false, ModelNeed::none, no_tool, make<PdLaw>},
    {"pd-gravity", "independent joints, weight compensated", "Takegaki & Arimoto 1981", false, false,
     ModelNeed::gravity, no_tool, make<PdGravityLaw>},
    {"feed-forward", "torques of the plan, and feedback about it", "Liegeois, Fournier & Aldon 1980", false, false,
     ModelNeed::all, no_tool, make<FeedForwardLaw>},
    {"computed-torque", "computed torque", "Paul 1972; Markiewicz 1973", false, false, ModelNeed::all, no_tool,
     make<ComputedTorqueLaw>},
    {"passivity", "passivity-based, by a sliding velocity", "Slotine & Li 1987", false, false, ModelNeed::all, no_tool,
     make<PassivityLaw>},
    {"resolved-rate", "resolved motion rate", "Whitney 1969", true, false, ModelNeed::gravity, damped,
     make<ResolvedRateLaw>},
    {"resolved-rate-interpolated", "resolved motion rate, inverse Jacobians interpolated", "Whitney 1972", true, false,
     ModelNeed::gravity, "damped least squares at the knots; what is lost between them is not known",
     make<InterpolatedRateLaw>},
    {"resolved-acceleration", "resolved acceleration", "Luh, Walker & Paul 1980", true, false, ModelNeed::all, damped,
     make<ResolvedAccelerationLaw>},
    {"nonlinear-decoupling", "nonlinear decoupling", "Freund 1982", true, false, ModelNeed::all, damped,
     make<NonlinearDecouplingLaw>},
    {"operational-space", "operational space, posture in the null space", "Khatib 1987", true, false, ModelNeed::all,
     damped, make<OperationalSpaceLaw>},
    {"impedance", "impedance with the arm's own inertia", "Hogan & Cotter 1982; Hogan 1985", true, false,
     ModelNeed::all, "as the others for the planned acceleration; spring and damper are forces and stay as they are",
     make<ImpedanceLaw>},
    {"impedance-force", "impedance with a chosen mass, by measured force", "Hogan & Cotter 1982", true, true,
     ModelNeed::all, damped, make<ForceImpedanceLaw>},
};

std::string joint_refusal(const Model<double>& model) {
  if (model.nv == 0) return "has no joint that moves";
  for (int i = 0; i < model.size(); ++i)
    if (model[i].nv > 1) return "joint \"" + model.joint_names[i] + "\" has more than one degree of freedom";
  return {};
}

}  // namespace

ControlLaw::ControlLaw(const ControlSetup& setup)
    : model_(setup.model), dynamics_(setup.dynamics), gains_(setup.gains), n_(setup.model.nv) {
  TORSOR_EXPECT(joint_refusal(model_).empty() && setup.start.size() == static_cast<std::size_t>(n_));
}

void ControlLaw::effort(const ControlState& state, const ControlReference& reference, std::span<double> tau) {
  TORSOR_EXPECT(tau.size() == static_cast<std::size_t>(n_) && state.q.size() == tau.size() &&
                state.qd.size() == tau.size());
  report_ = {};
  compute(state, reference, tau);
  for (int i = 0; i < n_; ++i) {
    const double limit = model_.limits[i].effort;
    if (!(std::abs(tau[i]) > limit)) continue;
    tau[i] = std::copysign(limit, tau[i]);
    ++report_.saturated;
  }
}

std::span<const ControlLawRow> control_laws() { return rows; }

const ControlLawRow* find_control_law(std::string_view name) {
  const auto* row =
      std::find_if(std::begin(rows), std::end(rows), [&](const ControlLawRow& r) { return r.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

std::string control_refusal(const Model<double>& model) {
  if (std::string why = joint_refusal(model); !why.empty()) return why;
  if (model.frames.empty()) return "has no tool";
  return {};
}

std::string control_refusal(const Robot& robot, const ControlLawRow& law) {
  if (!robot.loops()) return control_refusal(robot.model());
  if (law.tool) return "has loops, and law \"" + std::string(law.name) + "\" closes the loop around the tool";
  return joint_refusal(robot.coordinates());
}

std::vector<double> free_inertias(ControllerModel& dynamics, std::span<const double> q) {
  const int n = dynamics.n();
  std::vector<double> M(cells(n, n)), inertia(static_cast<std::size_t>(n)), column(inertia.size());
  dynamics.mass(q, M);
  ldlt_factor<double>(M, n);
  for (int i = 0; i < n; ++i) {
    std::fill(column.begin(), column.end(), 0.0);
    column[i] = 1;
    ldlt_solve<double>(M, n, column);
    inertia[i] = 1 / column[i];
  }
  return inertia;
}

Impedance natural_impedance(const Model<double>& model, const Frame<double>& tool, ControllerModel& dynamics,
                            std::span<const double> q, const ControlGains& gains) {
  const int n = dynamics.n();
  ControlledTool here(model, tool);
  here.set(q, std::vector<double>(q.size()));
  std::vector<double> M(cells(n, n)), column(q.size());
  dynamics.mass(q, M);
  ldlt_factor<double>(M, n);
  Impedance impedance;
  const std::array<Vec3<double>, 3> axes{here.X.R.x, here.X.R.y, here.X.R.z};
  for (std::size_t i = 0; i < 6; ++i) {
    // acceleration about or along an axis of the tool, per moment or force there
    const Vec3<double>& axis = axes[i % 3];
    const int first = i < 3 ? 0 : 3;
    const auto row = [&](int k) {
      const auto J = [&](int r) { return here.J()[cell(first + r, n, k)]; };
      return axis.x * J(0) + axis.y * J(1) + axis.z * J(2);
    };
    for (int k = 0; k < n; ++k) column[k] = row(k);
    ldlt_solve<double>(M, n, column);
    double mobility = 0;
    for (int k = 0; k < n; ++k) mobility += row(k) * column[k];
    const double mass = mobility > 1e-12 ? 1 / mobility : 1;  // a tool that cannot move there has no mass of its own
    impedance.mass[i] = mass;
    impedance.damping[i] = mass * gains.kv;
    impedance.stiffness[i] = mass * gains.kp;
  }
  return impedance;
}

}  // namespace torsor
