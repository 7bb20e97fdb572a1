// A simulation that goes on while somebody watches: pushed, let go of, held by any law of the catalogue, with gains that may
// change between two pieces of it.
#pragma once

#include <memory>

#include "cli/studio_robot.hpp"
#include "torsor/control.hpp"
#include "torsor/simulation.hpp"

namespace torsor {

class StudioRun {
 public:
  /// From q and qd on; friction times a factor.
  StudioRun(const Robot& robot, const std::optional<Frame<double>>& tool, std::span<const double> q,
            std::span<const double> qd, double friction);
  ~StudioRun();

  /// Who drives it: "none"; "hold", the torques that held the start; or a law of the catalogue, which keeps the target.
  void drive(const std::string& name, const ControlGains& gains, std::span<const double> target);
  /// A force in the world, at the origin of the tool.
  void push(const Vec3<double>& force);
  /// So many seconds more; how that went.
  RunEnd go_on(double seconds);

  const Simulation& simulation() const { return *simulation_; }
  const Model<double>& model() const { return model_; }

 private:
  struct Push;
  struct Law;
  Model<double> model_;
  std::optional<Frame<double>> tool_;
  std::vector<double> start_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Push> push_;
  std::unique_ptr<Law> law_;
};

}  // namespace torsor
