// Reproducible random numbers for the tests: the same draws on every machine and with every standard library.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "torsor/spatial/inertia.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor::testing {

/// How many draws a test makes: n, and twenty times as many when TORSOR_FULL=1 is in the environment: what two cores draw in a quarter of an hour.
inline int draws(int n) {
  const char* full = std::getenv("TORSOR_FULL");
  return full && full[0] == '1' ? 20 * n : n;
}

/// The same where twenty times would be too few or too many.
inline int draws(int n, int full) { return draws(1) == 1 ? n : full; }

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  /// A magnitude between low and high, of either sign.
  double either_sign(double low, double high) {
    const double size = uniform(low, high);
    return chance(0.5) ? size : -size;
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }

  /// Each component between -size and size.
  Vec3<double> vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  std::vector<double> numbers(int n, double size) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& value : x) value = uniform(-size, size);
    return x;
  }

  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> v = vector(1);
      if (const double length = norm(v); 0.1 < length && length < 1) return v * (1 / length);
    }
  }
  Quaternion<double> quaternion() {
    const Vec3<double> axis = direction();
    return quaternion_about(axis, uniform(-3.1, 3.1));
  }
  Mat3<double> rotation() { return torsor::rotation(quaternion()); }
  Transform<double> transform(double size) {
    const Mat3<double> R = rotation();
    return {R, vector(size)};
  }
  Motion<double> motion(double size) {
    const Vec3<double> w = vector(size);
    return {w, vector(size)};
  }
  Force<double> force(double size) {
    const Vec3<double> n = vector(size);
    return {n, vector(size)};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace torsor::testing
