#include "torsor/dynamics/chatter_watch.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {

ChatterWatch::ChatterWatch(const Model<double>& model, double reach) : reach_(reach) {
  constexpr double slow = 1e-12;
  for (const auto& [body, law] : model.friction) {
    const Body<double>& joint = model[body];
    const double jump = std::abs(joint.ratio) * (friction_torque(law, 0.0, slow) - friction_torque(law, 0.0, -slow));
    if (joint.nv != 1 || jump <= 0) continue;
    // several joints may be one coordinate, as those that mimic another
    const auto same = std::ranges::find(channels_, joint.v, [](const Channel& c) { return c.chatter.coordinate; });
    if (same != channels_.end())
      same->chatter.friction += jump;
    else
      channels_.push_back({{joint.v, 0, jump}});
  }
}

void ChatterWatch::add(double t, std::span<const double> qd) {
  for (Channel& channel : channels_) {
    const double speed = qd[static_cast<std::size_t>(channel.chatter.coordinate)];
    if (speed * channel.last < 0) {
      channel.chatter.reversals += t - channel.turned < reach_;
      channel.turned = t;
    }
    channel.last = speed;
  }
}

std::vector<Chatter> ChatterWatch::found() const {
  constexpr long long of_a_stop = 4;  // what a spline rings where a motion ends all at once
  std::vector<Chatter> all;
  for (const Channel& channel : channels_)
    if (channel.chatter.reversals > of_a_stop) all.push_back(channel.chatter);
  return all;
}

}  // namespace torsor
