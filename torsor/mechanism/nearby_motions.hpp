// How a mechanism moves next to a motion of it: states beside it are described by z along motions N that positions allow (the
// first of them those that velocities allow, too: all of them, where nothing rolls) and y along those that velocities allow,
// seen from frames that turn (steady_motion.hpp). With N^T M N = 1 at the state,
//
//   z = N^T M d,   y = N_v^T M (V - V_0),      z' = P z + (y, 0),   y' = -K_0 z - D_0 y
//
// where d takes the bodies from the motion to the state beside it: d_w' = V_w - V_0w + (w_0 - Omega) x d_w and
// d_v' = V_v - V_0v - Omega x d_v, V' as seen from there being A - Omega x V. P, K_0 and D_0 are found from states on the
// equations by differences of the fourth order, so that whatever acts is in them. Eliminating y,
//
//   z_v'' + D z_v' + K z = 0,   z_r' = P_r z,      D = D_0 - P_vv,   K = K_0 - D_0 P_v - P_vr P_r
#pragma once

#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/steady_motion.hpp"

namespace torsor {

using FreeBasis = std::vector<std::vector<Motion<double>>>;

/// The motions N, and how many of them velocities allow.
struct FreeMotion {
  FreeBasis N;
  int velocities = 0;
  bool redundant = false;  // equations depend on one another
  std::string why;         // there are none to be had

  int positions() const { return static_cast<int>(N.size()); }
};

/// Of an assembled state.
FreeMotion free_motion(const Mechanism&, const MechanismState&);

/// The equations above, row-major; and what the entries may be wrong by: the product of one number per row and one per column,
/// times rounding.
struct NearbyEquations {
  std::vector<double> K, D, P_r;  // velocities x positions, velocities x velocities, the rest x positions
  std::vector<double> noise_of_acceleration, noise_of_rest;   // rows
  std::vector<double> noise_by_position, noise_by_velocity;  // columns
  double left_over = 0;  // largest acceleration along a freedom, less that of the steady motion
};

class NearbyMotions {
 public:
  NearbyMotions(const Mechanism&, const MechanismState&, const FreeMotion&, const TurningFrames&);

  NearbyEquations equations();

  /// N_v^T M N_v: 1 but for what was borrowed.
  std::vector<double> masses() const;

 private:
  /// y' and z' at a state, after one another.
  struct Rates {
    std::vector<double> sum, terms;  // terms: the sums of absolute values
  };

  const Mechanism& mechanism_;
  const MechanismState& state_;
  const FreeMotion& free_;
  const TurningFrames& frames_;
  MechanismForward forward_;
  Assembly assembly_;
  MechanismEquations metric_at_;  // to read coordinates off motions
  ConstrainedMotion metric_;
  std::vector<Motion<double>> A_;
  double size_, speed_ = 0;
  std::vector<int> part_;  // of each motion: others know nothing of it, and between them there is rounding alone

  Rates rates(const MechanismState&);
  MechanismState moved(const std::vector<Motion<double>>& x, double position, double velocity);
  std::vector<double> slope(int k, bool position, double h, std::vector<double>& terms);
};

}  // namespace torsor
