// Which parts of a plot's frame the curves cover, so that names can be put where none is.
#pragma once

#include <vector>

#include "torsor/report/plot_layout.hpp"

namespace torsor::detail {

class CurveCover {
 public:
  CurveCover(const SvgPlot& plot, const PlotFrame& frame);

  /// Whether a curve comes into the rectangle; heights are below the top of the frame.
  bool meets(double left, double top, double right, double bottom) const;

 private:
  // in squares of a few pixels
  int column(double x) const;
  int row(double y) const;
  void cover(double x0, double y0, double x1, double y1);

  double left_;
  int columns_, rows_;
  std::vector<bool> covered_;
};

}  // namespace torsor::detail
