// When a mode ends: the first instant in a step at which one of several quantities, >= 0 while the mode lasts, passes zero. A step
// of order 8 is long enough to hold the end of a mode and its return, so that both its ends look innocent; what is asked is therefore
// whether a switch passes zero anywhere in the step (first_dip.hpp), and where is found to rounding.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "torsor/numeric/first_dip.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

/// A step as the search sees it.
struct SwitchedStep {
  double from = 0, to = 0;
  int degree = 3;          // of the polynomial that stands for a switch in it
  bool ends_only = false;  // it is too short to be looked into: what has passed zero did so at its end
  int one_sided = 0;       // switches from this one on count in both directions
};

class SwitchSearch {
 public:
  struct Passed {
    int which = 0;
    double t = 0;
  };

  void resize(std::size_t count) {
    g0_.resize(count), g1_.resize(count), g_.resize(count);
    looks_.resize(count * most_looks);
  }
  bool empty() const { return g0_.empty(); }

  /// The switches where the next step begins; to be set when a mode begins.
  std::span<double> at_start() { return g0_; }

  /// The first switch that passes zero in the step; none, and its end is the start of the next. look(t, g) sets the switches at an
  /// instant of it; follows(which): whether that switch is a polynomial in it.
  template <class Look, class Follows>
  std::optional<Passed> first(const SwitchedStep& step, const Look& look, const Follows& follows) {
    if (empty()) return std::nullopt;
    const int count = static_cast<int>(g0_.size());
    // as many looks as the polynomial of the step has freedom, kept for each switch in a row, >= 0 while nothing happens
    const int n = step.ends_only ? 1 : std::clamp(step.degree, least_degree, highest_dip_degree);
    for (int at = 0; at <= n; ++at) {
      if (at > 0) look(at == n ? step.to : step.from + (step.to - step.from) * at / n, std::span<double>(g1_));
      const auto& g = at == 0 ? g0_ : g1_;
      for (int i = 0; i < count; ++i)
        looks_[cell(i, most_looks, at)] = sign_of(i, step) * g[static_cast<std::size_t>(i)];
    }
    std::optional<Passed> found;
    for (int i = 0; i < count; ++i) {
      const auto values =
          std::span<const double>(looks_).subspan(cell(i, most_looks, 0), static_cast<std::size_t>(n) + 1);
      const auto value = [&](double t) {
        look(t, std::span<double>(g_));
        return sign_of(i, step) * g_[static_cast<std::size_t>(i)];
      };
      const auto t = step.ends_only ? (values.back() < 0 ? std::optional(step.to) : std::nullopt)
                                    : passing(value, follows(i), step.from, step.to, values, most_halvings);
      if (t && (!found || *t < found->t)) found = {i, *t};
    }
    if (!found) std::swap(g0_, g1_);
    return found;
  }

 private:
  static constexpr int least_degree = 3;
  static constexpr int most_looks = highest_dip_degree + 1;  // places in a step at which events are looked for
  static constexpr int most_halvings = 4;  // of a step in which a switch that is no polynomial comes near zero
  std::vector<double> g0_, g1_, g_, looks_;

  double sign_of(int which, const SwitchedStep& step) const {
    return which >= step.one_sided && g0_[static_cast<std::size_t>(which)] < 0 ? -1 : 1;
  }

  /// When a switch first passes zero in (a, b], with its values there at equal distances, >= 0 while nothing happens. A
  /// switch that is no polynomial may pass zero where the polynomial through its values does not quite: it is looked at more
  /// closely if that comes near.
  template <class Value>
  static std::optional<double> passing(const Value& value, bool follows, double a, double b,
                                       std::span<const double> values, int halvings) {
    const int n = static_cast<int>(values.size()) - 1;
    const BernsteinCoefficients form = bernstein(values);
    const double least = *std::min_element(form.begin(), form.begin() + n + 1);
    double margin = 0;
    if (!follows) {
      // the difference of order n
      double choose = 1;
      for (int k = 0; k <= n; choose = choose * (n - k) / (k + 1), ++k)
        margin += ((n - k) % 2 == 0 ? choose : -choose) * values[static_cast<std::size_t>(k)];
      margin = std::abs(margin);
    }
    if (least >= margin) return std::nullopt;

    const auto place = [&](double u) { return u == 1 ? b : a + (b - a) * u; };
    if (const auto dip = first_dip(values)) {
      const double from = place(dip->from), to = place(dip->to), below = value(to);
      if (below < 0) return crossing(value, from, std::max(value(from), 0.0), to, below);
    } else if (margin == 0 && values.back() >= 0) {
      return std::nullopt;
    }
    if (halvings == 0) {
      if (!(values.back() < 0)) return std::nullopt;
      return crossing(value, a, std::max(values.front(), 0.0), b, values.back());
    }
    // the two halves, each with as many looks
    std::array<double, most_looks> finer{};
    for (const double from : {a, (a + b) / 2}) {
      const double to = from == a ? (a + b) / 2 : b;
      for (int k = 0; k <= n; ++k) finer[static_cast<std::size_t>(k)] = value(k == n ? to : from + (to - from) * k / n);
      finer[0] = std::max(finer[0], 0.0);
      const std::span<const double> looked(finer.data(), static_cast<std::size_t>(n) + 1);
      if (const auto t = passing(value, follows, from, to, looked, halvings - 1)) return t;
    }
    return std::nullopt;
  }

  /// The end of the shortest bracket of a change from value >= 0 to value < 0 in (a, b]: false position, kept inside, with
  /// halving.
  template <class Value>
  static double crossing(const Value& value, double a, double ga, double b, double gb) {
    const double scale = std::max(std::abs(b), b - a);
    for (int k = 0; k < 200 && b - a > 2 * std::numeric_limits<double>::epsilon() * scale; ++k) {
      const double part = k % 3 == 2 || ga == gb ? 0.5 : std::clamp(ga / (ga - gb), 1e-3, 1 - 1e-3);
      const double c = a + (b - a) * part;
      if (!(c > a && c < b)) break;
      const double g = value(c);
      (g >= 0 ? a : b) = c;
      (g >= 0 ? ga : gb) = g;
    }
    return b;
  }
};

}  // namespace torsor
