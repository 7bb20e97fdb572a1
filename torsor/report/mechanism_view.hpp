// A mechanism that moves on a page (moving_view.hpp), drawn whole: bodies between their joints, massless rods and links, springs,
// dampers and cylinders, what rolls, carriers, the ground. Its small motions likewise, one clip per mode.
#pragma once

#include <span>
#include <string>

#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/report/moving_view.hpp"
#include "torsor/report/thinned_frames.hpp"

namespace torsor {

/// States of a mechanism as they go by; some hundred of them are kept.
class MechanismMotion {
 public:
  /// The mechanism must outlive this.
  explicit MechanismMotion(const Mechanism& m, std::string name = {})
      : mechanism_(&m), name_(std::move(name)), frames_(max_view_frames) {}

  /// efforts: of the actuators, N m or N, or none.
  void add(const MechanismState& state, std::span<const double> efforts = {});
  /// The same, from poses of the bodies' own frames.
  void add(double t, std::span<const Transform<double>> bodies, std::span<const double> efforts = {});

  struct Instant {
    double t = 0;
    std::vector<Transform<double>> poses;  // of bodies, then of carriers
    std::vector<double> shares;            // of the actuators' limits
  };
  const Mechanism& mechanism() const { return *mechanism_; }
  const std::string& name() const { return name_; }
  bool empty() const { return frames_.empty(); }
  std::vector<Instant> instants() const { return frames_.all(); }

 private:
  const Mechanism* mechanism_;
  std::string name_;
  ThinnedFrames<Instant> frames_;
};

/// The mechanism along a motion.
MovingView mechanism_view(const MechanismMotion& motion, std::string title);

/// One cycle of each mode about the state, enlarged so that it can be seen; at most `most` modes.
MovingView mode_view(const Mechanism& m, const MechanismState& about, std::span<const Mode> modes, std::string title,
                     std::size_t most = 12);

}  // namespace torsor
