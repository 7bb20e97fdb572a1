// Dry friction takes the sign of the speed at its word. The speed that a spline derives from a joint at rest whose record
// flickers has the sign of the noise: it turns over again within the time that the spline looks around a sample, which no
// motion does that the spline can follow. Such reversals are counted, of joints with dry friction.
#pragma once

#include <span>
#include <vector>

#include "torsor/model/model.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

/// A joint whose torque goes up and down with the noise of its record.
struct Chatter {
  int coordinate = -1;      // velocity coordinate
  long long reversals = 0;  // of the speed, each within the reach of the one before
  double friction = 0;      // by how much dry friction changes in each [N m or N]
};

class ChatterWatch {
 public:
  /// reach [s]: of the spline (spline_reach).
  ChatterWatch(const Model<double>& model, double reach);

  /// The next row, later than the last, with the speeds that were derived.
  void add(double t, std::span<const double> qd);

  /// Joints with more such reversals than a stop has.
  std::vector<Chatter> found() const;

 private:
  struct Channel {
    Chatter chatter;
    double last = 0, turned = -infinity;  // speed of the row before; time of the latest reversal
  };
  double reach_;
  std::vector<Channel> channels_;
};

}  // namespace torsor
