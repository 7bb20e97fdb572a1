// Units of a file, by the suffix of the key: `mass_g`, `alpha_deg`, `com_mm`. Only files know them: past the reader
// there are SI units and radians.
#pragma once

#include <numbers>
#include <span>
#include <string_view>

namespace torsor {

/// A suffix and what it means: SI value = number / by * times. In this order 90 degrees are exactly a quarter turn.
struct UnitSuffix {
  std::string_view text;
  double times = 1, by = 1;
};

constexpr double to_si(double number, const UnitSuffix& suffix) { return number / suffix.by * suffix.times; }

/// The suffixes that one quantity may carry; the empty one, SI, comes first.
using Unit = std::span<const UnitSuffix>;

namespace units {

inline constexpr UnitSuffix plain[] = {{""}};
inline constexpr UnitSuffix length[] = {{""}, {"_mm", 1, 1e3}, {"_cm", 1, 1e2}};
inline constexpr UnitSuffix angle[] = {{""}, {"_deg", std::numbers::pi, 180}};
inline constexpr UnitSuffix mass[] = {{""}, {"_g", 1, 1e3}};
inline constexpr UnitSuffix inertia[] = {
    {""}, {"_kgmm2", 1, 1e6}, {"_gmm2", 1, 1e9}, {"_gcm2", 1, 1e7}, {"_kgcm2", 1, 1e4}};
inline constexpr UnitSuffix turning_speed[] = {
    {""}, {"_rpm", std::numbers::pi, 30}, {"_deg", std::numbers::pi, 180}};
inline constexpr UnitSuffix pitch[] = {{""}, {"_mm_per_turn", 1, 2e3 * std::numbers::pi}};

// of a joint whose kind is not known: an angle or a length
inline constexpr UnitSuffix angle_or_length[] = {
    {""}, {"_deg", std::numbers::pi, 180}, {"_mm", 1, 1e3}, {"_cm", 1, 1e2}};

// every suffix there is, to recognise one in the wrong place
inline constexpr std::string_view suffixes[] = {"_mm",   "_cm",   "_deg",   "_g",          "_kgmm2",
                                                "_gmm2", "_gcm2", "_kgcm2", "_mm_per_turn", "_rpm"};

}  // namespace units
}  // namespace torsor
