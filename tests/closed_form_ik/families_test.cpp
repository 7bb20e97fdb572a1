// Every family, on the shipped robots and on random geometries of each.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

double length(Random& random) { return random.either_sign(0.1, 0.5); }
double right(Random& random) { return random.chance(0.5) ? quarter : -quarter; }
double straight(Random& random) { return random.chance(0.5) ? 0 : 2 * quarter; }
double oblique(Random& random) { return random.either_sign(0.4, 2.6); }
double angle(Random& random) { return random.uniform(-3, 3); }

/// Rows 4 to 6 of a right-angled wrist behind the first three.
std::array<DhRow, 6> with_wrist(Random& random, const DhRow& one, const DhRow& two, const DhRow& three) {
  return {one,
          two,
          three,
          DhRow{angle(random), length(random), 0, right(random)},
          DhRow{angle(random), 0, 0, right(random)},
          DhRow{angle(random), length(random), length(random), oblique(random)}};
}

DhRow row_of(Random& random, double a, double alpha) { return {angle(random), length(random), a, alpha}; }

/// Many poses of many arms of one family.
template <class Make>
void check_family(std::string_view family, std::uint64_t seed, const Make& make, int arms = 100, int poses = 200) {
  Random random(seed);
  RoundTrip trip;
  for (int k = 0; k < draws(arms); ++k) {
    const Description robot = make(random);
    Witness w = witness(robot);
    // a twist drawn within the tolerance of a right angle is another robot than the tree
    if (!w.arm.snaps.empty()) continue;
    CHECK(w.arm.family->name == family);
    for (int i = 0; i < poses; ++i) trip.at(w, random_joints(random, w.arm));
  }
  trip.check();
}

void check_shipped(const std::string& name, std::string_view family, std::uint64_t seed) {
  Random random(seed);
  Witness w = witness(without_limits(name));
  CHECK(w.arm.family->name == family);
  RoundTrip trip;
  for (int i = 0; i < draws(20000); ++i) trip.at(w, random_joints(random, w.arm));
  trip.check();
}

}  // namespace

TEST_CASE("the rotary arm of Hollerbach and Sahar comes back from every pose") {
  check_shipped("rotary_hollerbach", "rotary", 1);
}

TEST_CASE("the PUMA comes back from every pose") { check_shipped("puma560", "elbow", 2); }

TEST_CASE("the Stanford arm comes back from every pose") { check_shipped("stanford", "polar", 3); }

TEST_CASE("rotary arms of any lengths come back") {
  check_family("rotary", 4, [](Random& random) {
    return robot_of(
        random, "RRRRRR",
        {DhRow{angle(random), length(random), 0, quarter}, DhRow{angle(random), 0, random.uniform(0.1, 0.5), 0},
         DhRow{angle(random), 0, 0, -quarter}, DhRow{angle(random), random.uniform(0.1, 0.5), 0, quarter},
         DhRow{angle(random), 0, 0, -quarter}, row_of(random, 0, oblique(random))});
  });
}

TEST_CASE("arms with offsets at shoulder and elbow come back, whatever the senses of their axes") {
  check_family("elbow", 5, [](Random& random) {
    const double alpha1 = right(random), alpha2 = straight(random),
                 alpha3 = random.chance(0.5) ? right(random) : oblique(random);
    return robot_of(random, "RRRRRR",
                    with_wrist(random, row_of(random, length(random), alpha1), row_of(random, length(random), alpha2),
                               row_of(random, length(random), alpha3)));
  });
}

TEST_CASE("polar arms with any offsets come back") {
  check_family("polar", 6, [](Random& random) {
    const double alpha1 = right(random), alpha2 = right(random);
    return robot_of(random, "RRPRRR",
                    with_wrist(random, row_of(random, length(random), alpha1), row_of(random, length(random), alpha2),
                               row_of(random, length(random), oblique(random))));
  });
}

TEST_CASE("cylindrical, Cartesian and SCARA arms come back, with slides in any order") {
  struct Row {
    const char *family, *kinds;
    bool straight1, straight2;  // twists of no or half a turn, else of a quarter
  };
  for (const Row& row : {Row{"cylindrical", "RPPRRR", true, false},
                         {"cartesian", "PPPRRR", false, false},
                         {"scara", "RRPRRR", true, true},
                         {"pieper", "PRRRRR", true, true},
                         {"pieper", "PRPRRR", true, false},
                         {"pieper", "RPRRRR", true, true}}) {
    CAPTURE(row.kinds);
    check_family(row.family, 7, [&](Random& random) {
      const double alpha1 = row.straight1 ? straight(random) : right(random);
      const double alpha2 = row.straight2 ? straight(random) : right(random);
      return robot_of(random, row.kinds,
                      with_wrist(random, row_of(random, length(random), alpha1), row_of(random, length(random), alpha2),
                                 row_of(random, length(random), oblique(random))));
    });
  }
}

TEST_CASE("any three turns and slides come back, with general and with special geometry") {
  for (const std::string kinds : {"RRRRRR", "RRPRRR", "RPRRRR", "RPPRRR", "PRRRRR", "PRPRRR", "PPRRRR", "PPPRRR"}) {
    CAPTURE(kinds);
    check_family(
        kinds == "PPPRRR" ? "cartesian" : "pieper", 8,
        [&](Random& random) {
          return robot_of(random, kinds,
                          with_wrist(random, row_of(random, length(random), oblique(random)),
                                     row_of(random, length(random), oblique(random)),
                                     row_of(random, length(random), oblique(random))));
        },
        50, 50);
  }
  // axis 1 meets axis 2; axis 1 is parallel to axis 2
  check_family("pieper", 9, [](Random& random) {
    const bool meets = random.chance(0.5);
    const double a1 = meets ? 0 : length(random), alpha1 = meets ? oblique(random) : straight(random);
    return robot_of(random, "RRRRRR",
                    with_wrist(random, row_of(random, a1, alpha1), row_of(random, length(random), oblique(random)),
                               row_of(random, length(random), oblique(random))));
  });
  // slides across axis 1, before and after it
  for (const char* kinds : {"RPRRRR", "RPPRRR", "PRRRRR", "PRPRRR"})
    check_family(
        "pieper", 10,
        [&](Random& random) {
          const double alpha1 = right(random);
          return robot_of(random, kinds,
                          with_wrist(random, row_of(random, length(random), alpha1),
                                     row_of(random, length(random), oblique(random)),
                                     row_of(random, length(random), oblique(random))));
        },
        50, 50);
}

TEST_CASE("oblique wrists come back from the orientations they reach") {
  check_family("elbow", 11, [](Random& random) {
    auto rows = with_wrist(random, row_of(random, length(random), quarter), row_of(random, length(random), 0),
                           row_of(random, length(random), quarter));
    rows[3].alpha = oblique(random);
    rows[4].alpha = oblique(random);
    return robot_of(random, "RRRRRR", rows);
  });
}

TEST_CASE("arms with the wrist at the base come back") {
  check_family("elbow", 12, [](Random& random) {
    std::array<DhRow, 6> rows;
    rows[0] = {angle(random), length(random), 0, quarter};
    rows[1] = {angle(random), 0, 0, -quarter};
    rows[2] = {angle(random), length(random), length(random), right(random)};
    rows[3] = {angle(random), length(random), length(random), straight(random)};
    rows[4] = {angle(random), length(random), length(random), right(random)};
    rows[5] = {angle(random), length(random), length(random), oblique(random)};
    return robot_of(random, "RRRRRR", rows);
  });
}
