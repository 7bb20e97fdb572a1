// The design guide of a robot in words and tables.
#pragma once

#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/report/guide_result.hpp"

namespace torsor {

struct GuideView {
  std::string motion;  // its name
  bool all = false;    // every proposal and coefficient
  bool pairs = false;  // changes were tried two at a time, too
};

Report guide_report(const DesignGuide& guide, const GuideView& view, const PrintStyle& print);

}  // namespace torsor
