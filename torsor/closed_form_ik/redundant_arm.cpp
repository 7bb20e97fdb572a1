#include "torsor/closed_form_ik/redundant_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/measure_branch.hpp"

namespace torsor {
namespace {

constexpr double circle_half = std::numbers::pi;

/// How a value of the redundancy stands: whether it has solutions that count, and by how much it would have them or
/// not: of those that count the best, how far it is from meeting another or its limits; of none how far the best is
/// beyond its limits.
struct Standing {
  double at = 0;
  bool feasible = false;
  double margin = 0;
};

/// Six placed joints as a robot, with masses that say nothing.
Description robot_of(const std::array<Transform<double>, 7>& B, const std::array<bool, 6>& slides) {
  Description robot;
  robot.base = B[0];
  for (std::size_t k = 0; k < 6; ++k) {
    const std::string number = std::to_string(k + 1);
    robot.links.push_back({.name = "link" + number, .joint_name = "joint" + number,
                           .kind = slides[k] ? JointKind::prismatic : JointKind::revolute,
                           .geometry = JointPlacement{k == 0 ? Transform<double>{} : B[k], {0, 0, 1}}});
  }
  robot.tools.push_back({"tool", "link6", B[6], {}});
  return robot;
}

/// The closed form of the six that move with a joint between held at a value, if they have one exactly.
Result<ArmSolver> arm_at(const JointChain& chain, int held, double value) {
  return arm_solver(robot_of(six_of(chain, held, value), slides_of(chain, held)), {.snap = false});
}

}  // namespace

int redundant_joint(const JointChain& chain) {
  for (int k = 0; k < chain.joints(); ++k)
    if (chain.slides[static_cast<std::size_t>(k)]) return k;
  constexpr double nearly = 0.1;
  Vec3<double> point;
  return axes_meet(chain, 0, nearly, point) && axes_meet(chain, 4, nearly, point) ? 2 : 6;
}

Result<RedundantArm> RedundantArm::of(const JointChain& chain, std::optional<int> held) {
  const auto refuse = [](std::string what) {
    return Fault{{}, "robot", "no-closed-form", std::move(what), "a general numeric solver has no such limit"};
  };
  if (chain.joints() != 7)
    return refuse(fmt::format("{} joints move its tool, and a redundancy needs seven", chain.joints()));
  const int joint = held.value_or(redundant_joint(chain));
  // cuts that serve at a value that is not special
  const bool slides = chain.slides[static_cast<std::size_t>(joint)];
  RedundantArm arm(chain, joint,
                   SixTurns(six_of(chain, joint, slides ? 0.37 * chain.size : 0.7), slides_of(chain, joint)));
  if (!arm.six_.serves())
    return refuse(fmt::format("with joint {} held its joints do not move the tool every way", joint + 1));
  arm.swivel_ = SwivelArm::of(chain);
  if (joint == 0 || joint == 6) {
    std::array<Transform<double>, 7> B;
    std::copy_n(chain.B.begin() + (joint == 0), 7, B.begin());
    B[joint == 0 ? 0 : 6] = {};
    // a solution of a snapped arm is none of this one
    if (auto six = arm_solver(robot_of(B, slides_of(chain, joint)), {.snap = false}))
      arm.closed_form_ = *std::move(six);
    arm.regular_ = RegularChain::of_wrist(chain, joint);
  } else {
    arm.closed_at_values_ = static_cast<bool>(arm_at(chain, joint, slides ? 0.37 * chain.size : 0.7));
    RegularChain six;
    if (const auto seven = RegularChain::of_joints(chain); seven && six.hold(*seven, joint, 0.7)) arm.seven_ = seven;
  }
  return arm;
}

/// All solutions with the redundancy at a value, whichever way is quickest.
void RedundantArm::solve_six(const Transform<double>& X_world_tool, double value, TurningSolutions& out) const {
  if (closed_form_) {
    const auto held = static_cast<std::size_t>(held_);
    const Transform<double> end = chain_.B[held] * chain_.moved(held_, value) * chain_.B[held + 1];
    const Transform<double> X = held_ == 0 ? inverse(end) * X_world_tool : X_world_tool * inverse(end);
    if (solve_closed_form(*closed_form_, X, X_world_tool, value, out)) return;
  }
  const SixTurns six = this->six(value);
  if (six.solve_by_cuts(X_world_tool, out)) return;
  TurningSolutions closed;
  const auto is_among_closed = [&closed](const TurningSolution& s) {
    return std::ranges::any_of(closed.all(), [&s](const TurningSolution& other) { return apart(s.q, other.q) < 1e-6; });
  };
  if (closed_at_values_)
    if (const auto form = arm_at(chain_, held_, value);
        form && solve_closed_form(*form, X_world_tool, X_world_tool, value, closed) &&
        std::ranges::all_of(out.all(), is_among_closed)) {
      out = closed;
      return;
    }
  six.search_on(X_world_tool, out);
}

bool RedundantArm::solve_closed_form(const ArmSolver& form, const Transform<double>& X_world_six,
                                     const Transform<double>& X_world_tool, double value, TurningSolutions& out) const {
  constexpr double plain_sigma = 1e-4;  // below, two solutions may be about to meet
  IkAnswer answer;
  if (!form.plain_position(X_world_six, answer)) return false;
  const SixTurns six = this->six(value);
  const TurningLoop loop = six.loop(X_world_tool);
  out.count = 0;
  for (const IkBranch& b : answer.branches()) {
    TurningSolution& s = out.solution[static_cast<std::size_t>(out.count++)];
    s = {six.to_loop(b.q), {}, false};
    s.measure = measured(loop, s.q);
    if (s.measure.residual >= closed_residual(loop) && !close_loop(loop, s.q, s.measure)) return false;
    if (s.measure.sigma < plain_sigma) return false;
    turn_back(loop, s.q);
    s.q = six.from_loop(s.q);
  }
  return true;
}

double RedundantArm::inside_limits(double value) const {
  const auto k = static_cast<std::size_t>(held_);
  const Limits& own = chain_.limits[k];
  if (chain_.slides[k] || outside(value, own) == 0) return value;
  const double turned = representative(std::remainder(value, 2 * circle_half), own);
  return outside(turned, own) == 0 ? turned : value;
}

bool RedundantArm::solve_regular(const Transform<double>& X_world_tool, double value, SevenSolutions& out) const {
  RegularSolutions found;
  if (seven_) {
    RegularChain six;
    if (!six.hold(*seven_, held_, value) || !six.solve(X_world_tool, 0, found)) return false;
    for (int k = 0; k < found.count; ++k) {
      std::array<double, 7>& q = found.solution[static_cast<std::size_t>(k)].q;
      std::copy_backward(q.begin() + held_, q.begin() + 6, q.begin() + 7);
    }
  } else if (!regular_ || !regular_->solve(X_world_tool, value, found)) {
    return false;
  }
  const double held = inside_limits(value);
  const bool inside = outside(held, chain_.limits[static_cast<std::size_t>(held_)]) == 0;
  // as those of the other forms are sorted, by their angles without whole turns
  const auto angle = [this](const RegularSolution& s, std::size_t k) {
    return chain_.slides[k] || std::abs(s.q[k]) <= circle_half ? s.q[k] : std::remainder(s.q[k], 2 * circle_half);
  };
  for (int k = 0; k < found.count; ++k)
    found.solution[static_cast<std::size_t>(k)].q[static_cast<std::size_t>(held_)] = held;
  std::sort(found.solution.begin(), found.solution.begin() + found.count,
            [&](const RegularSolution& a, const RegularSolution& b) {
              for (std::size_t k = 0; k < 7; ++k)
                if (const double x = angle(a, k), y = angle(b, k); std::abs(x - y) > 1e-7) return x < y;
              return false;
            });
  out.count = 0;
  for (const RegularSolution& s : found.all())
    out.solution[static_cast<std::size_t>(out.count++)] = {s.q, s.sigma, false, s.inside_limits && inside};
  return true;
}

void RedundantArm::solve(const Transform<double>& X_world_tool, double value, SevenSolutions& out) const {
  out.count = 0;
  if (solve_regular(X_world_tool, value, out)) return;
  TurningSolutions found;
  solve_six(X_world_tool, value, found);
  found.sort();
  const double held = inside_limits(value);
  for (const TurningSolution& s : found.all()) {
    SevenSolution& one = out.solution[static_cast<std::size_t>(out.count++)];
    one.sigma = s.measure.sigma;
    one.family = s.family;
    one.inside_limits = true;
    std::size_t k = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      const Limits& limits = chain_.limits[i];
      one.q[i] = static_cast<int>(i) == held_ ? held : chain_.slides[i] ? s.q[k++] : representative(s.q[k++], limits);
      if (outside(one.q[i], limits) != 0) one.inside_limits = false;
    }
  }
}

void RedundantArm::solve_swivel(const Transform<double>& X_world_tool, double psi, SevenSolutions& out) const {
  out.count = 0;
  if (RegularSolutions regular; swivel_->regular() && swivel_->regular()->solve(X_world_tool, psi, regular)) {
    for (const RegularSolution& s : regular.all())
      out.solution[static_cast<std::size_t>(out.count++)] = {s.q, s.sigma, false, s.inside_limits};
    if (out.count > 0) return;
  }
  SwivelSolutions found;
  swivel_->solve_cases(X_world_tool, psi, found);
  for (const SevenAngles& q : found.all()) {
    SevenSolution& one = out.solution[static_cast<std::size_t>(out.count++)];
    one = {};
    SixAngles six{};
    std::size_t k = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      one.q[i] = representative(q[i], chain_.limits[i]);
      if (outside(one.q[i], chain_.limits[i]) != 0) one.inside_limits = false;
      if (static_cast<int>(i) != held_) six[k++] = q[i];
    }
    const SixTurns arm = this->six(q[static_cast<std::size_t>(held_)]);
    one.sigma = measured(arm.loop(X_world_tool), six).sigma;  // all of them turn
  }
}

std::pair<double, double> RedundantArm::range() const {
  if (!chain_.slides[static_cast<std::size_t>(held_)]) return {-circle_half, circle_half};
  const Limits& own = chain_.limits[static_cast<std::size_t>(held_)];
  return {std::isfinite(own.lower) ? own.lower : -2 * chain_.size,
          std::isfinite(own.upper) ? own.upper : 2 * chain_.size};
}

std::vector<FeasibleInterval> RedundantArm::ranges(const Transform<double>& X_world_tool) const {
  constexpr double margin = 1e-9;
  const auto [low, high] = range();
  const auto held = static_cast<std::size_t>(held_);
  if (!chain_.slides[held]) return {{low, high}};
  // from base to tool: what the slide adds is at most so far from all of it
  const Vec3<double> way = X_world_tool.p - chain_.B[0].p;
  double reach = 0;
  Mat3<double> before = chain_.B[0].R, after = X_world_tool.R;
  std::array<Vec3<double>, 7> along{};  // of slides whose direction in the world is known
  std::array<bool, 7> is_known{};
  for (std::size_t k = 0; k < 7 && chain_.slides[k]; ++k) {
    along[k] = before.z;
    is_known[k] = true;
    before = before * chain_.B[k + 1].R;
  }
  for (std::size_t k = 7; k-- > 0 && chain_.slides[k];) {
    after = after * ~chain_.B[k + 1].R;
    if (!is_known[k]) along[k] = after.z;
    is_known[k] = true;
  }
  // across other slides of known directions, which need no limits then
  std::array<Vec3<double>, 7> others{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < 7; ++k) {
    reach += norm(chain_.B[k + 1].p);
    if (!chain_.slides[k] || k == held) continue;
    if (!is_known[held] || !is_known[k]) {
      reach += std::max(std::abs(chain_.limits[k].lower), std::abs(chain_.limits[k].upper));
      continue;
    }
    Vec3<double> across = along[k];
    for (std::size_t i = 0; i < count; ++i) across -= others[i] * dot(across, others[i]);
    if (norm(across) > 1e-6) others[count++] = across * (1 / norm(across));
  }
  std::vector<FeasibleInterval> out;
  const auto add = [&](double from, double to) {
    const Limits& own = chain_.limits[held];
    from = std::max(from, own.lower);
    to = std::min(to, own.upper);
    if (from <= to) out.push_back({from, to});
  };
  const double far = norm(way);
  if (!(reach < std::numeric_limits<double>::infinity())) {
    add(std::min(low, -far), std::max(high, far));
    return out;
  }
  reach += margin * (reach + far);
  Vec3<double> seen = along[held];
  for (std::size_t i = 0; i < count; ++i) seen -= others[i] * dot(seen, others[i]);
  if (is_known[held] && norm(seen) > 1e-6) {
    const double by = norm(seen);  // of a metre of the slide
    seen = seen * (1 / by);
    const double middle = dot(way, seen), aside = count > 0 ? 0 : norm(way - seen * middle);
    const double half = std::sqrt(std::max(0.0, (reach - aside) * (reach + aside)));
    if (aside <= reach) add((middle - half) / by, (middle + half) / by);
  } else if (far > reach) {
    add(-far - reach, reach - far);
    add(far - reach, far + reach);
  } else {
    add(-far - reach, far + reach);
  }
  return out;
}

std::optional<double> RedundantArm::nearest_value(const Transform<double>& X_world_tool, double value,
                                                  SevenSolutions& out) const {
  constexpr int values = 120;
  const bool slides = chain_.slides[static_cast<std::size_t>(held_)];
  const std::vector<FeasibleInterval> ranges = this->ranges(X_world_tool);
  double width = 0;
  for (const FeasibleInterval& r : ranges) width += r.to - r.from;
  // value, then on either side of it in turn
  std::vector<double> tried;
  for (int k = 0; k <= values && !slides; ++k) {
    const int steps = (k + 1) / 2;
    const double at = value + (k % 2 == 1 ? 1 : -1) * static_cast<double>(steps) * 2 * circle_half / values;
    tried.push_back(std::remainder(at, 2 * circle_half));
  }
  for (const FeasibleInterval& r : ranges) {
    if (!slides) break;
    const int steps = width > 0 ? std::max(1, static_cast<int>((r.to - r.from) / width * values)) : 1;
    const double spacing = (r.to - r.from) / steps;
    const bool is_inside = r.from <= value && value <= r.to;
    const double first = is_inside ? std::fmod(value - r.from, spacing) : spacing / 2;
    for (int k = 0; k <= steps && r.from + first + k * spacing <= r.to; ++k) tried.push_back(r.from + first + k * spacing);
    if (is_inside) tried.push_back(value);
  }
  if (slides) std::ranges::sort(tried, {}, [value](double at) { return std::abs(at - value); });
  std::optional<double> outside;
  out.count = 0;
  for (const double at : tried) {
    solve(X_world_tool, at, out);
    if (std::ranges::any_of(out.all(), [](const SevenSolution& s) { return s.inside_limits; })) return at;
    if (out.count > 0 && !outside) outside = at;
  }
  if (outside) solve(X_world_tool, *outside, out);
  return outside;
}

std::optional<SevenSolution> RedundantArm::best(const Transform<double>& X_world_tool,
                                                const std::function<double(const SevenAngles&)>& cost) const {
  constexpr int values = 240;
  const std::vector<FeasibleInterval> ranges = this->ranges(X_world_tool);
  double low = 0, high = 0;
  double least = std::numeric_limits<double>::infinity(), at = 0, spacing = 0;
  std::optional<SevenSolution> best;
  const auto best_at = [&](double value) {
    SevenSolutions found;
    solve(X_world_tool, value, found);
    double lowest = std::numeric_limits<double>::infinity();
    for (const SevenSolution& s : found.all()) {
      if (!s.inside_limits) continue;
      const double c = cost(s.q);
      lowest = std::min(lowest, c);
      if (c < least) least = c, best = s, at = value;
    }
    return lowest;
  };
  const int each = values / std::max(1, static_cast<int>(ranges.size()));
  for (const FeasibleInterval& r : ranges)
    for (int k = 0; k <= each; ++k) {
      const double before = least;
      best_at(r.from + (r.to - r.from) * k / each);
      if (least < before) low = r.from, high = r.to, spacing = (high - low) / each;
    }
  if (!best) return best;
  double from = std::max(low, at - spacing), to = std::min(high, at + spacing);
  for (int step = 0; step < 60 && to - from > 1e-9; ++step) {
    const double a = from + 0.381966 * (to - from), b = from + 0.618034 * (to - from);
    if (best_at(a) < best_at(b))
      to = b;
    else
      from = a;
  }
  return best;
}

std::vector<FeasibleInterval> RedundantArm::feasible(const Transform<double>& X_world_tool, bool limits) const {
  std::vector<FeasibleInterval> out;
  for (const FeasibleInterval& r : ranges(X_world_tool)) add_feasible(X_world_tool, r, limits, out);
  return out;
}

/// Those of one of its ranges.
void RedundantArm::add_feasible(const Transform<double>& X_world_tool, const FeasibleInterval& range, bool limits,
                                std::vector<FeasibleInterval>& out) const {
  const auto [low, high] = range;
  const auto standing = [&](double value) {
    SevenSolutions found;
    solve(X_world_tool, value, found);
    Standing s{value, false, -1};
    for (const SevenSolution& one : found.all()) {
      // nearest limit, negative beyond it; and how near the next solution is
      double room = one.sigma, beyond = 0;
      if (limits)
        for (std::size_t i = 0; i < 7; ++i) {
          const double by = outside(one.q[i], chain_.limits[i]);
          beyond = std::max(beyond, std::abs(by));
          room = std::min({room, one.q[i] - chain_.limits[i].lower, chain_.limits[i].upper - one.q[i]});
        }
      s.feasible = s.feasible || beyond == 0;
      s.margin = std::max(s.margin, beyond > 0 ? -beyond : room);
    }
    return s;
  };
  // where it changes between two values: by halving
  const double resolution = 1e-10 * std::max(1.0, high - low);
  const auto edge = [&](Standing a, Standing b) {
    while (b.at - a.at > resolution) {
      const Standing middle = standing((a.at + b.at) / 2);
      (middle.feasible == a.feasible ? a : b) = middle;
      if (middle.at == a.at && middle.at == b.at) break;
    }
    return (a.at + b.at) / 2;
  };
  std::vector<Standing> at;
  constexpr int spacing = 120;
  for (int k = 0; k <= spacing; ++k)
    at.push_back(standing(low + (high - low) * (k + (k > 0 && k < spacing ? 0.137 : 0)) / spacing));
  // where the margin of three neighbours is least in size in the middle, it may change twice between them
  std::vector<Standing> dense{at.front()};
  for (std::size_t k = 1; k < at.size(); ++k) {
    const auto is_dip = [&](std::size_t m) {
      return m > 0 && m + 1 < at.size() && at[m - 1].feasible == at[m].feasible &&
             at[m].feasible == at[m + 1].feasible && std::abs(at[m].margin) <= std::abs(at[m - 1].margin) &&
             std::abs(at[m].margin) <= std::abs(at[m + 1].margin) && at[m].margin > -1;
    };
    if ((is_dip(k - 1) || is_dip(k)) && std::abs(at[k].margin) < 0.3) {
      double from = at[k - 1].at, to = at[k].at;
      for (int step = 0; step < 24; ++step) {
        const Standing a = standing(from + 0.382 * (to - from)), b = standing(from + 0.618 * (to - from));
        if (a.feasible != at[k].feasible || b.feasible != at[k].feasible) {
          dense.push_back(a.feasible != at[k].feasible ? a : b);
          break;
        }
        (std::abs(a.margin) < std::abs(b.margin) ? to : from) = std::abs(a.margin) < std::abs(b.margin) ? b.at : a.at;
      }
    }
    dense.push_back(at[k]);
  }
  double from = dense.front().at;
  bool inside = dense.front().feasible;
  for (std::size_t k = 1; k < dense.size(); ++k) {
    if (dense[k].feasible == inside) continue;
    const double where = edge(dense[k - 1], dense[k]);
    if (inside) out.push_back({from, where});
    from = where;
    inside = dense[k].feasible;
  }
  if (inside) out.push_back({from, dense.back().at});
}

}  // namespace torsor
