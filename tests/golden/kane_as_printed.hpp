// Kane's algorithm in the signs of its paper, for a robot of six joints.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/terms.hpp"
#include "torsor/formulations/inverse_kane.hpp"
#include "torsor/model/dh_arm.hpp"

namespace torsor::testing {

class KaneAsPrinted {
 public:
  explicit KaneAsPrinted(const Description& robot) : arm_(in_its_signs(robot)), work_(arm_), position_(6) {}

  Numbers torques(const Numbers& q, const Numbers& qd, const Numbers& qdd) {
    position_.set(arm_, q);
    Numbers tau(6);
    inverse_kane<double, KaneSigns::set_a>(arm_, position_, qd, qdd, work_, tau);
    return tau;
  }

 private:
  static DhArm<double> in_its_signs(const Description& robot) {
    const auto usual = dh_arm(robot, Convention::modified_dh);
    REQUIRE(usual);
    return KaneSetAWork<double>::against_z(*usual);
  }

  DhArm<double> arm_;
  KaneWork<double, KaneSigns::set_a> work_;
  DhPosition<double> position_;
};

}  // namespace torsor::testing
