#include "torsor/mechanism/branch_leap.hpp"

#include <algorithm>

#include "torsor/mechanism/branch_watch.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

BranchLeaps::BranchLeaps(const Mechanism& m, const MechanismState& start, double time, double interval)
    : mechanism_(m), rules_{time, interval}, shortest_(1e-9 * std::min(time, interval)) {
  if (!BranchWatch(m, start).watches()) return;
  constexpr double about = 0.06;  // rad, or sizes of the mechanism: so far multipliers have their digits
  constexpr int least_instants = 200;
  struct Gone {
    double t, way;
  };
  std::vector<Gone> gone;
  MechanismState state = start, last = start;
  const double size = size_of(m);
  report_ = run_driven(m, state, {time, std::min(interval, time / least_instants)}, [&](const DrivenInstant& at) {
    gone.push_back({at.state.t, gone.empty() ? 0 : gone.back().way + apart(at.state, last, size)});
    last = at.state;
    return true;
  });
  if (gone.empty()) return;
  const auto add = [&](double branch, bool stays) {
    const auto after = std::ranges::find_if(gone, [&](const Gone& g) { return g.t >= branch; });
    const double way = (after == gone.end() ? gone.back() : *after).way;
    Stretch stretch{gone.front().t, branch, gone.back().t};
    for (const Gone& g : gone)
      if (g.t < branch && g.way <= way - about) stretch.from = g.t;
    const auto beyond = std::ranges::find_if(gone, [&](const Gone& g) { return g.t > branch && g.way >= way + about; });
    if (stays)
      stretch.to = infinity;
    else if (beyond != gone.end())
      stretch.to = beyond->t;
    if (!stretches_.empty() && stretches_.back().to >= stretch.from)
      stretches_.back().to = std::max(stretches_.back().to, stretch.to);
    else
      stretches_.push_back(stretch);
  };
  for (const double branch : report_.branch_times) add(branch, false);
  if (report_.rest_time >= 0)
    add(report_.rest_time, true);
  else if (report_.stop == RunStop::undetermined || report_.stop == RunStop::locked)
    add(report_.t, true);  // it goes no further, for the same reason, time and joint
}

bool BranchLeaps::forces_known(std::span<const Motion<double>> by_forces) const {
  const double size = size_of(mechanism_);
  std::vector<Motion<double>> left(A_);
  for (std::size_t b = 0; b < left.size(); ++b) left[b] = left[b] - by_forces[b];
  return reach_of(left, size) <= 1e-6 * std::max(reach_of(A_, size), reach_of(by_forces, size));
}

bool BranchLeaps::upon(double t) const { return !stretches_.empty() && t >= stretches_.front().from - shortest_; }

bool BranchLeaps::go(MechanismState& state, double t) {
  const Stretch& stretch = stretches_.front();
  const double to = std::min(t, stretch.to);
  if (!driven_) {
    there_ = state, report_ = {};
    driven_.emplace(mechanism_, there_, rules_);
    if (!driven_->start(report_)) return false;
  }
  if (!driven_->go_to(to, report_)) return false;
  A_.assign(driven_->A().begin(), driven_->A().end());
  state = there_;
  if (to < stretch.to - shortest_) return true;
  passed_.push_back(stretch.branch);
  driven_.reset();
  stretches_.pop_front();
  return true;
}

}  // namespace torsor
