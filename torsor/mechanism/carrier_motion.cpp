#include "torsor/mechanism/carrier_motion.hpp"

#include "torsor/spatial/rotation.hpp"

namespace torsor {

CarrierMotion carrier_motion(const MechanismCarrier& carrier, double t) {
  std::array<TimeValue, 3> x;
  for (std::size_t k = 0; k < 3; ++k)
    if (carrier.position[k]) x[k] = carrier.position[k](t);
  CarrierMotion m{{x[0].f, x[1].f, x[2].f},
                  Mat3<double>::identity(),
                  {{}, {x[0].fd, x[1].fd, x[2].fd}},
                  {{}, {x[0].fdd, x[1].fdd, x[2].fdd}}};
  for (const MechanismCarrier::Turn& turn : carrier.turns) {
    const TimeValue theta = turn.angle(t);
    const Vec3<double> U = m.R * turn.axis;
    m.A.w += U * theta.fdd + cross(m.V.w, U) * theta.fd;
    m.V.w += U * theta.fd;
    m.R = m.R * rotation(quaternion_about(turn.axis, theta.f));
  }
  return m;
}

}  // namespace torsor
