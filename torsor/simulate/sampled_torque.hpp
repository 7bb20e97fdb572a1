// Torques between samples in time, by a named rule:
//
//   hold     the last sample until the next one
//   linear   straight lines
//   cubic    one spline with continuous second derivatives; at the second and the last but one sample the third one is
//            continuous, too (not-a-knot: de Boor, A Practical Guide to Splines, 1978, chapter IV)
//
// Two samples at one time are a jump: what comes before and after are pieces of their own. Beyond the ends the first and
// the last sample hold.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "torsor/result.hpp"
#include "torsor/simulate/input.hpp"

namespace torsor {

enum class Interpolation { hold, linear, cubic };

inline constexpr std::array<std::string_view, 3> interpolation_names{"hold", "linear", "cubic"};

constexpr std::string_view name(Interpolation i) { return interpolation_names[static_cast<std::size_t>(i)]; }
constexpr std::optional<Interpolation> interpolation(std::string_view text) {
  for (std::size_t k = 0; k < interpolation_names.size(); ++k)
    if (interpolation_names[k] == text) return static_cast<Interpolation>(k);
  return std::nullopt;
}

class SampledTorque final : public TorqueInput {
 public:
  /// tau: times.size() x coordinates numbers, sample by sample; times [s] do not decrease, at most two are equal. Or every
  /// fault.
  static Result<SampledTorque> make(std::span<const double> times, std::span<const double> tau, Interpolation);

  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override;
  std::span<const double> breaks() const override { return breaks_; }

  double start() const { return t_.front(); }
  double end() const { return t_.back(); }

 private:
  std::size_t coordinates_ = 0, last_ = 0;
  std::vector<double> t_, breaks_;
  std::vector<double> tau_, slope_;  // at the samples
  Interpolation rule_ = Interpolation::hold;
};

}  // namespace torsor
