#include "torsor/trajectory/jump_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/kinematics/row_jump.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

constexpr double least_position = 1e-3, least_speed = 1e-3;  // rad or m, and per second: less is no jump
constexpr double least_share = 0.02;                         // of the greatest speed so far
constexpr double coarsest[3] = {0.01, 0.1, 1};               // whole numbers need not be rounded ones

}  // namespace

JumpWatch::JumpWatch(const Model<double>& model) {
  for (const Body<double>& body : model.bodies)
    if (body.nv == 1 && std::ranges::find(channels_, body.v, &Channel::v) == channels_.end())
      channels_.push_back({body.q, body.v, body.kind == JointKind::revolute});
}

double JumpWatch::Channel::unit(int order) const {
  return digits[order] ? std::min(digit[order].unit(), coarsest[order]) : 0;
}

bool JumpWatch::add(const MotionRow& row) {
  bool jumps = false;
  double worst = 0;
  const double h = row.t - before_.t;
  for (Channel& channel : channels_) {
    const auto q = static_cast<std::size_t>(channel.q), v = static_cast<std::size_t>(channel.v);
    const double now[3] = {row.q[q], row.qd[v], row.qdd[v]};
    for (int k = 0; k < 3; ++k) {
      channel.digits[k] = channel.digits[k] || now[k] != 0;
      channel.digit[k].see(now[k]);
    }
    channel.fastest = std::max(channel.fastest, std::abs(now[1]));
    if (!begun_) continue;
    const double then[3] = {before_.q[q], before_.qd[v], before_.qdd[v]};
    const double least[2] = {least_position, std::max(least_speed, least_share * channel.fastest)};
    for (int k = 0; k < 2; ++k) {
      double change = now[k] - then[k];
      if (k == 0 && channel.turns) change = std::remainder(change, 2 * std::numbers::pi);
      const double unit = channel.unit(k + 1),
                   told = change_told(h, std::abs(then[k + 1]) + unit, std::abs(now[k + 1]) + unit,
                                      std::max(least[k], 2.01 * channel.unit(k)));
      if (!(std::abs(change) > told)) continue;
      jumps = true;
      // of the first step with jumps the one that is farthest beyond
      const double share = std::abs(change) / told;
      if (jumps_.count > 0 || share <= worst) continue;
      worst = share;
      jumps_.first = RowJump{channel.v, k, before_.t, row.t, then[k], now[k], told};
    }
  }
  jumps_.count += jumps;
  before_ = row;
  begun_ = true;
  return jumps;
}

std::string describe(const RowJump& jump, const Model<double>& model) {
  const auto v = static_cast<std::size_t>(jump.coordinate);
  // rounding beside the other end is none
  const auto end = [&jump](double x) { return std::abs(x) > 1e-12 * std::abs(jump.after - jump.before) ? x : 0; };
  return fmt::format(
      "\"{}\": the {} jumps from {:.6g} to {:.6g} {} between {:.6g} s and {:.6g} s, where the {} of both rows "
      "allow a change of {:.3g}",
      model.velocity_names[v], jump.order == 0 ? "position" : "velocity", end(jump.before), end(jump.after),
      coordinate_unit(velocity_kinds(model)[v], jump.order), jump.from, jump.to,
      jump.order == 0 ? "velocities" : "accelerations", jump.told);
}

std::string describe(const RowJumps& jumps, const Model<double>& model) {
  if (!jumps) return "";
  return fmt::format(
      "{}{}; torques of the rows do not include it", describe(*jumps.first, model),
      jumps.count > 1 ? fmt::format(" (and so in {} more {})", jumps.count - 1, jumps.count == 2 ? "step" : "steps")
                      : "");
}

}  // namespace torsor
