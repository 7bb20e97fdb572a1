#include "torsor/reduction/reduction_error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "torsor/numeric/symmetric_eigen.hpp"
#include "torsor/scalar/interval.hpp"

namespace torsor {
namespace {

using Goal = std::function<double(std::span<const double>)>;

/// Climbs along one coordinate after the other; `grid` points are tried in each before a parabola refines the best.
double climb(const Goal& goal, std::span<const StateRange> ranges, std::span<const int> grid, std::span<double> x) {
  double best = goal(x);
  for (int sweep = 0; sweep < 30; ++sweep) {
    const double before = best;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double low = ranges[k].low, high = ranges[k].high;
      if (!(high > low)) continue;
      const auto attempt = [&](double value) {
        const double old = std::exchange(x[k], std::clamp(value, low, high));
        const double reached = goal(x);
        if (reached > best)
          best = reached;
        else
          x[k] = old;
        return reached;
      };
      double step = (high - low) / (grid[k] - 1);
      for (int p = 0; p < grid[k]; ++p) attempt(low + p * step);
      // the top of the parabola through three points; exact for a square, repeated for the rest
      for (int round = 0; round < (grid[k] > 3 ? 3 : grid[k] - 2); ++round, step /= 8) {
        const double middle = x[k];
        const double l = attempt(middle - step);
        const double at_middle = best;
        x[k] = std::clamp(x[k], low, high);
        const double r = attempt(middle + step);
        const double bend = l - 2 * at_middle + r;
        if (bend < 0) attempt(middle + step * (l - r) / (2 * bend));
      }
    }
    if (best - before <= 1e-9 * std::abs(best)) break;
  }
  return best;
}

/// Everywhere inside, or for the rates as often at an end of them.
std::vector<double> drawn(std::span<const StateRange> ranges, std::size_t positions, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> unit(0, 1);
  const bool at_ends = unit(engine) < 0.5;
  std::vector<double> x;
  for (const StateRange& range : ranges) {
    const double share = unit(engine);
    x.push_back(range.low + (range.high - range.low) * (at_ends && x.size() >= positions ? std::round(share) : share));
  }
  return x;
}

/// Positions, velocities and accelerations in one list, and out of it.
std::vector<StateRange> together(const StateRanges& ranges) {
  std::vector<StateRange> box = ranges.q;
  box.insert(box.end(), ranges.qd.begin(), ranges.qd.end());
  box.insert(box.end(), ranges.qdd.begin(), ranges.qdd.end());
  return box;
}
JointState apart(std::span<const double> x) {
  const std::size_t n = x.size() / 3;
  const auto part = [&](std::size_t k) {
    const std::span<const double> third = x.subspan(k * n, n);
    return std::vector<double>(third.begin(), third.end());
  };
  return {part(0), part(1), part(2)};
}

using Box = std::vector<Interval>;

/// Both halves along the side that is widest in comparison with the whole.
std::pair<Box, Box> halves(const Box& box, std::span<const double> whole) {
  std::size_t widest = 0;
  double most = -1;
  for (std::size_t k = 0; k < box.size(); ++k)
    if (whole[k] > 0 && box[k].width() / whole[k] > most) {
      most = box[k].width() / whole[k];
      widest = k;
    }
  std::pair<Box, Box> out{box, box};
  out.first[widest].high = out.second[widest].low = box[widest].middle();
  return out;
}

std::vector<Interval> intervals(std::span<const StateRange> ranges) {
  std::vector<Interval> out;
  for (const StateRange& range : ranges) out.emplace_back(range.low, range.high);
  return out;
}

/// All leading minors of a symmetric matrix of up to three rows are positive.
bool is_definite(std::span<const Interval> M, int n) {
  if (!(M[0].low > 0)) return false;
  if (n == 1) return true;
  const auto columns = static_cast<std::size_t>(n);
  const auto m = [&](std::size_t i, std::size_t j) -> const Interval& { return M[i * columns + j]; };
  const Interval second = m(0, 0) * m(1, 1) - m(0, 1) * m(0, 1);
  if (!(second.low > 0)) return false;
  if (n == 2) return true;
  const Interval third = m(2, 2) * second - m(0, 2) * (m(0, 2) * m(1, 1) - m(0, 1) * m(1, 2)) -
                         m(1, 2) * (m(0, 0) * m(1, 2) - m(0, 1) * m(0, 2));
  return third.low > 0;
}

}  // namespace

JointState state_at(const Course& course, double t, int n) {
  const std::vector<double> zero(static_cast<std::size_t>(n), 0.0);
  JointState state{zero, zero, zero};
  course.sample(t, state.q, state.qd, state.qdd);
  return state;
}

std::vector<JointState> states_on(const Course& course, int n) {
  std::vector<JointState> states;
  for (const double t : course.times) states.push_back(state_at(course, t, n));
  return states;
}

std::vector<JointState> telling_states(const Course& course, int n) {
  std::vector<JointState> states = states_on(finer(course), n);
  const auto numbers = 3 * static_cast<std::size_t>(n);
  const auto both_ways = [&](double t, std::span<double> values) {
    const JointState s = state_at(course, t, n);
    std::size_t k = 0;
    for (const std::vector<double>* part : {&s.q, &s.qd, &s.qdd})
      for (const double x : *part) {
        values[k] = x;
        values[numbers + k++] = -x;
      }
  };
  for (const double t : peak_times(finer(course), 2 * numbers, both_ways)) states.push_back(state_at(course, t, n));
  return states;
}

StateRanges ranges_of(std::span<const JointState> states) {
  TORSOR_EXPECT(!states.empty());
  const auto range = [&](std::vector<double> JointState::*part) {
    std::vector<StateRange> out;
    for (const double x : states.front().*part) out.push_back({x, x});
    for (const JointState& s : states)
      for (std::size_t k = 0; k < out.size(); ++k) {
        out[k].low = std::min(out[k].low, (s.*part)[k]);
        out[k].high = std::max(out[k].high, (s.*part)[k]);
      }
    return out;
  };
  return {range(&JointState::q), range(&JointState::qd), range(&JointState::qdd)};
}

std::vector<JointState> random_states(const StateRanges& ranges, const SearchOptions& options) {
  const std::size_t n = ranges.q.size();
  const std::vector<StateRange> box = together(ranges);
  std::mt19937_64 engine(options.seed);
  std::vector<JointState> states;
  for (int k = 0; k < options.draws; ++k) states.push_back(apart(drawn(box, n, engine)));
  return states;
}

std::vector<WorstState> worst_errors(const ReducedModel& dropped, const StateRanges& ranges,
                                     std::span<const double> scale, const SearchOptions& options) {
  const auto n = static_cast<std::size_t>(dropped.size());
  ReducedDynamics<double> error(dropped);
  std::vector<double> tau(n);
  const auto torques = [&](std::span<const double> x) {
    error.inverse(x.subspan(0, n), x.subspan(n, n), x.subspan(2 * n, n), tau);
  };
  const std::vector<StateRange> box = together(ranges);
  std::vector<int> grid(n, 9);
  grid.insert(grid.end(), n, 3);
  grid.insert(grid.end(), n, 2);

  // random states, those of each joint and sign with the largest error
  std::mt19937_64 engine(options.seed);
  struct Start {
    double value = 0;
    std::vector<double> x;
  };
  std::vector<std::vector<Start>> starts(2 * n);
  for (int k = 0; k < options.draws; ++k) {
    const std::vector<double> x = drawn(box, n, engine);
    torques(x);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      std::vector<Start>& best = starts[i];
      const double value = i % 2 == 0 ? tau[i / 2] : -tau[i / 2];
      if (best.size() < static_cast<std::size_t>(options.starts))
        best.push_back({value, x});
      else if (const auto least = std::ranges::min_element(best, {}, &Start::value); least->value < value)
        *least = {value, x};
    }
  }

  std::vector<WorstState> out(n);
  for (std::size_t i = 0; i < 2 * n; ++i)
    for (Start& start : starts[i]) {
      const double sign = (i % 2 == 0 ? 1 : -1) / scale[i / 2];
      const auto goal = [&](std::span<const double> x) {
        torques(x);
        return sign * tau[i / 2];
      };
      const double reached = climb(goal, box, grid, start.x);
      if (reached <= out[i / 2].error) continue;
      out[i / 2] = {reached, apart(start.x)};
    }
  return out;
}

std::vector<WorstState> worst_errors_at(const ReducedModel& dropped, std::span<const JointState> states,
                                        std::span<const double> scale) {
  ReducedDynamics<double> error(dropped);
  std::vector<WorstState> out(scale.size());
  std::vector<double> tau(scale.size());
  for (const JointState& s : states) {
    error.inverse(s.q, s.qd, s.qdd, tau);
    for (std::size_t i = 0; i < tau.size(); ++i)
      if (const double part = std::abs(tau[i]) / scale[i]; part > out[i].error) out[i] = {part, s};
  }
  return out;
}

std::vector<WorstState> worst_errors_on(const ReducedModel& dropped, const Course& course,
                                        std::span<const double> scale) {
  ReducedDynamics<double> error(dropped);
  const auto sizes = [&](double t, std::span<double> values) {
    const JointState s = state_at(course, t, dropped.size());
    error.inverse(s.q, s.qd, s.qdd, values);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::abs(values[i]) / scale[i];
  };
  std::vector<JointState> states;
  for (const double t : peak_times(finer(course), scale.size(), sizes))
    states.push_back(state_at(course, t, dropped.size()));
  return worst_errors_at(dropped, states, scale);
}

double least_eigenvalue(const ReducedModel& model, std::span<const StateRange> q, const SearchOptions& options) {
  const auto n = static_cast<std::size_t>(model.size());
  ReducedDynamics<double> dynamics(model);
  std::vector<double> M(n * n), V(n * n);
  const auto least = [&](std::span<const double> x) {
    dynamics.mass(x, M);
    std::vector<double> size;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(M[i * n + i] > 0)) return -1.0;
      size.push_back(std::sqrt(M[i * n + i]));
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) M[i * n + j] /= size[i] * size[j];
    symmetric_eigen<double>(M, model.size(), V);
    return M[0];
  };
  std::mt19937_64 engine(options.seed);
  std::vector<std::pair<double, std::vector<double>>> draws;
  for (int k = 0; k < options.draws; ++k) {
    std::vector<double> x = drawn(q, n, engine);
    const double value = least(x);
    draws.emplace_back(value, std::move(x));
  }
  std::ranges::sort(draws, {}, &std::pair<double, std::vector<double>>::first);
  double lowest = draws.front().first;
  const std::vector<int> grid(n, 9);
  for (std::size_t k = 0; k < draws.size() && k < static_cast<std::size_t>(options.starts); ++k)
    lowest = std::min(lowest, -climb([&](std::span<const double> x) { return -least(x); }, q, grid, draws[k].second));
  return lowest;
}

bool is_proven_definite(const ReducedModel& model, std::span<const StateRange> q, int boxes) {
  const int n = model.size();
  TORSOR_EXPECT(n <= 3);
  ReducedDynamics<Interval> dynamics(model);
  std::vector<Interval> M(model.joints.size() * model.joints.size());
  std::vector<Box> open{intervals(q)};
  std::vector<double> widths;
  for (const Interval& each : open.front()) widths.push_back(each.width());
  for (int k = 0; k < boxes && !open.empty(); ++k) {
    const Box box = std::move(open.back());
    open.pop_back();
    dynamics.mass(box, M);
    if (is_definite(M, n)) continue;
    const auto [one, other] = halves(box, widths);
    open.push_back(one);
    open.push_back(other);
  }
  return open.empty();
}

}  // namespace torsor
