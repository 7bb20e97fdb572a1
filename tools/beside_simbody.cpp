// The built-in four-bar, let go where it stands, in Simbody: three pins, and a ball that closes the loop. One row per
// integrator at fixed steps of 1 ms for 1 s: name, seconds a step, largest gap of the loop (m), largest energy error (J),
// with tabs between.
#include <Simbody.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

using namespace SimTK;

namespace {

Body::Rigid bar(double m, const Vec3& com, const Inertia& about_centre) {
  return Body::Rigid(MassProperties(m, com, about_centre.shiftFromMassCenter(com, m)));
}

}  // namespace

int main() {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, Vec3(0, 0, -9.81));
  const Rotation plane = Rotation(0.3, ZAxis) * Rotation(1.1, XAxis);
  const Vec3 pivot(0.2, -0.1, 0.4);
  // products as entries of the tensor: xy, xz, yz
  MobilizedBody::Pin crank(matter.Ground(), Transform(plane, pivot),
                           bar(2, Vec3(0.12, 0.02, 0.03),
                               Inertia(0.013563139578740734, 0.028378641383840678, 0.01805821903741859,
                                       -0.0031748803612242594, 0.005561258545819967, -0.0004541470064643694)),
                           Transform());
  MobilizedBody::Pin coupler(crank, Transform(Vec3(0.3, 0, 0)),
                             bar(3.5, Vec3(0.5, 0.1, -0.04),
                                 Inertia(0.2941106716962277, 0.4256473540040304, 0.18024197429974184,
                                         0.02838269344034734, 0.04708115695631203, -0.05322293593896392)),
                             Transform());
  MobilizedBody::Pin rocker(matter.Ground(), Transform(plane, pivot + plane * Vec3(1, 0, 0)),
                            bar(3, Vec3(0.3, -0.05, 0.02),
                                Inertia(0.19243518758830702, 0.151824361524428, 0.25574045088726505,
                                        0.00552280112382856, -0.032221613496415336, 0.0231475773369388)),
                            Transform());
  Constraint::Ball ball(coupler, Vec3(0.9, 0, 0), rocker, Vec3(0.7, 0, 0));
  system.realizeTopology();
  State start = system.getDefaultState();
  // closed by the law of cosines
  const double theta = 0.4, ax = 0.3 * std::cos(theta), ay = 0.3 * std::sin(theta), d = std::hypot(1 - ax, ay);
  const double across = std::atan2(-ay, 1 - ax) + std::acos((0.81 + d * d - 0.49) / (1.8 * d));
  crank.setAngle(start, theta);
  coupler.setAngle(start, across - theta);
  rocker.setAngle(start, std::atan2(ay + 0.9 * std::sin(across), ax + 0.9 * std::cos(across) - 1));

  const auto run = [&](const std::string& name, std::unique_ptr<Integrator> integrator) {
    double fastest = Infinity, gap = 0, error = 0;
    integrator->setFixedStepSize(1e-3);
    integrator->setConstraintTolerance(1e-9);
    integrator->setProjectEveryStep(true);
    for (int again = 0; again < 3; ++again) {
      integrator->initialize(start);
      const double energy = system.calcEnergy(integrator->getState());
      const int before = integrator->getNumStepsTaken();
      double seconds = 0;
      for (int k = 1; k <= 100; ++k) {
        const auto at = std::chrono::steady_clock::now();
        integrator->stepTo(0.01 * k);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - at).count();
        const State& state = integrator->getState();
        system.realize(state, Stage::Velocity);
        error = std::max(error, std::abs(system.calcEnergy(state) - energy));
        gap = std::max(gap, (coupler.findStationLocationInGround(state, Vec3(0.9, 0, 0)) -
                             rocker.findStationLocationInGround(state, Vec3(0.7, 0, 0)))
                                .norm());
      }
      fastest = std::min(fastest, seconds / (integrator->getNumStepsTaken() - before));
    }
    std::printf("%s\t%.6g\t%.3g\t%.3g\n", name.c_str(), fastest, gap, error);
  };
  run("Simbody, Runge-Kutta-Merson (order 4), 1 ms", std::make_unique<RungeKuttaMersonIntegrator>(system));
  run("Simbody, Runge-Kutta 3, 1 ms", std::make_unique<RungeKutta3Integrator>(system));
}
