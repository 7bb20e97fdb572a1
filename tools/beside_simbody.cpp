// Built-in mechanisms, let go where they stand, in Simbody: the four-bar as three pins and a ball that closes the loop, the
// six-legged platform as six legs of two parts and a free platform on six balls. One row per integrator at fixed steps of
// 1 ms for 1 s: name, seconds a step, largest gap of a loop (m), largest energy error (J), with tabs between.
//   simbody four_bar | simbody stewart_platform FILE      (FILE: robots/mechanisms/stewart_platform.toml)
#include <Simbody.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace SimTK;

namespace {

Body::Rigid bar(double m, const Vec3& com, const Inertia& about_centre) {
  return Body::Rigid(MassProperties(m, com, about_centre.shiftFromMassCenter(com, m)));
}

using Gap = std::function<double(const State&)>;

void run(const MultibodySystem& system, const State& start, const Gap& gap_at, const std::string& name,
         std::unique_ptr<Integrator> integrator) {
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
      gap = std::max(gap, gap_at(state));
    }
    fastest = std::min(fastest, seconds / (integrator->getNumStepsTaken() - before));
  }
  std::printf("%s\t%.6g\t%.3g\t%.3g\n", name.c_str(), fastest, gap, error);
}

void run_all(const MultibodySystem& system, const State& start, const Gap& gap) {
  run(system, start, gap, "Simbody, Runge-Kutta-Merson (order 4), 1 ms",
      std::make_unique<RungeKuttaMersonIntegrator>(system));
  run(system, start, gap, "Simbody, Runge-Kutta 3, 1 ms", std::make_unique<RungeKutta3Integrator>(system));
}

void four_bar() {
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

  run_all(system, start, [&](const State& state) {
    return (coupler.findStationLocationInGround(state, Vec3(0.9, 0, 0)) -
            rocker.findStationLocationInGround(state, Vec3(0.7, 0, 0)))
        .norm();
  });
}

/// The blocks of a TOML file that has all numbers of a key in its line: key to numbers, in their order.
using Block = std::map<std::string, std::vector<double>>;

std::map<std::string, std::vector<Block>> blocks_of(const std::string& file) {
  std::map<std::string, std::vector<Block>> blocks;
  std::ifstream in(file);
  Block* block = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("[[", 0) == 0) {
      block = &blocks[line.substr(2, line.find(']') - 2)].emplace_back();
    } else if (const std::size_t sign = line.find(" = "); block && sign != std::string::npos) {
      std::vector<double>& numbers = (*block)[line.substr(0, sign)];
      for (const char* at = line.c_str() + sign; *at != 0;) {
        char* end = nullptr;
        const double x = std::strtod(at, &end);
        if (end == at) {
          ++at;
          continue;
        }
        numbers.push_back(x);
        at = end;
      }
    }
  }
  return blocks;
}

Vec3 vec(const std::vector<double>& x) { return Vec3(x.at(0), x.at(1), x.at(2)); }

void stewart_platform(const std::string& file) {
  const auto blocks = blocks_of(file);
  const std::vector<Block>&bodies = blocks.at("body"), &joints = blocks.at("joint");
  const auto rigid = [](const Block& b) {
    const std::vector<double>& I = b.at("inertia");
    return bar(b.at("mass").at(0), vec(b.at("com")), Inertia(I.at(0), I.at(1), I.at(2), I.at(3), I.at(4), I.at(5)));
  };
  const auto pose = [](const Block& b) {
    const std::vector<double>& e = b.at("quaternion");
    return Transform(Rotation(Quaternion(e.at(0), e.at(1), e.at(2), e.at(3))), vec(b.at("position")));
  };
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, Vec3(0, 0, -9.81));
  MobilizedBody::Free platform(matter.Ground(), Transform(), rigid(bodies.at(0)), Transform());
  const Rotation x_along_z(-Pi / 2, YAxis);
  struct Leg {
    MobilizedBody lower, upper;
    Vec3 on_platform;
  };
  std::vector<Leg> legs;
  for (std::size_t k = 0; k < 6; ++k) {
    const Block &cross = joints.at(3 * k), &ball = joints.at(3 * k + 2);
    // the first axis on the ground, the second along y of the leg
    const Rotation at_base(UnitVec3(vec(cross.at("axis_i"))), XAxis, UnitVec3(ZAxis), ZAxis);
    MobilizedBody::Universal lower(matter.Ground(), Transform(at_base, vec(cross.at("point_i"))),
                                   rigid(bodies.at(1 + 2 * k)), Transform());
    MobilizedBody::Slider upper(lower, Transform(x_along_z), rigid(bodies.at(2 + 2 * k)), Transform(x_along_z));
    Constraint::Ball closed(upper, Vec3(0), platform, vec(ball.at("point_j")));
    legs.push_back({lower, upper, vec(ball.at("point_j"))});
  }
  system.realizeTopology();
  State start = system.getDefaultState();
  platform.setQToFitTransform(start, pose(bodies.at(0)));
  for (std::size_t k = 0; k < 6; ++k) {
    const Transform lower = pose(bodies.at(1 + 2 * k));
    const Rotation at_base(UnitVec3(vec(joints.at(3 * k).at("axis_i"))), XAxis, UnitVec3(ZAxis), ZAxis);
    legs[k].lower.setQToFitTransform(start, ~Transform(at_base, lower.p()) * lower);
    legs[k].upper.setQToFitTransform(start, Transform(Vec3((~lower * pose(bodies.at(2 + 2 * k))).p()[2], 0, 0)));
  }
  run_all(system, start, [&](const State& state) {
    double gap = 0;
    for (const Leg& leg : legs)
      gap = std::max(gap, (leg.upper.findStationLocationInGround(state, Vec3(0)) -
                           platform.findStationLocationInGround(state, leg.on_platform))
                              .norm());
    return gap;
  });
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 2 && std::string(arguments[1]) == "stewart_platform")
    stewart_platform(arguments[2]);
  else
    four_bar();
}
