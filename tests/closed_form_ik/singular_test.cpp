// On the singular sets of every family and from 1e-3 to 1e-15 beside them: an answer with a status, the pose held, no
// NaN.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/beside_singular.hpp"
#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Whether a branch of an arm with its wrist at the tool has the joints q, to the digits that the pose has of them. An error e of the wrist point (per arm
/// length) moves joints 1 to 3 by e over their factors of det J; that turns the forearm as far, and the wrist makes up
/// for it with joints 4 and 6, by once more the inverse of its own factor. A branch that stands for two roots is besides
/// `merged` (rad, m) from either.
bool is_at(const WristArm& arm, const IkBranch& b, const Joints& q, double e, double merged) {
  double first = 0, last = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double by = std::abs(arm.joint[i].prismatic ? b.q[i] - q[i] : std::remainder(b.q[i] - q[i], 2 * pi));
    (i < 3 ? first : last) = std::max(i < 3 ? first : last, by);
  }
  const bool at_edge = b.singular[0] || b.singular[1];
  const double known = e / (b.factor[0] * b.factor[1]) + (at_edge ? merged : 0);
  return first <= known && last * b.factor[2] <= known;
}

/// Every pose on and beside a singular set is held, by branches that say so.
template <class Place>
void check_poses_beside(std::uint64_t seed, Witness& w, const Place& place) {
  Random random(seed);
  visit_beside(random, w.arm, 20, place, [&](const Joints& q) {
    const Transform<double> X = w.tool(q);
    const IkAnswer answer = solve_position(w.arm, X);
    REQUIRE(answer.status == PoseStatus::solved);
    REQUIRE(answer.count > 0);
    bool told = false, found = false;
    for (int j = 0; j < answer.count; ++j) {
      const IkBranch& b = answer.branch[static_cast<std::size_t>(j)];
      REQUIRE(all_finite(b));
      CHECK(apart(w.tool(b.q), X) < 1e-10);
      const bool stands = b.status == IkStatus::singular || b.status == IkStatus::near_singular;
      told = told || stands;
      // the pose is rounded some ten times; where joints have no value their family will do
      found = found || b.status == IkStatus::singular || is_at(w.arm, b, q, 1e-14, 0);
      for (int l = 0; l < j; ++l)
        CHECK(apart_modulo_turns(w.arm, b.q, answer.branch[static_cast<std::size_t>(l)].q) > 1e-9);
    }
    CHECK(told);
    CHECK(found);
  });
}

}  // namespace

TEST_CASE("at and beside the singularities of the rotary arm every answer has its status") {
  Witness w = witness(without_limits("rotary_hollerbach"));
  check_poses_beside(1, w, [](Joints& q, double by) { q[4] = by; });
  check_poses_beside(2, w, [](Joints& q, double by) { q[4] = pi + by; });
  check_poses_beside(3, w, [](Joints& q, double by) { q[2] = quarter + by; });
  check_poses_beside(4, w, [](Joints& q, double by) { q[2] = -quarter + by; });
  // the wrist over the waist: a2 c2 = s4 s23
  check_poses_beside(5, w, [](Joints& q, double by) {
    q[2] = std::remainder(q[2], 1.2);
    q[1] = std::atan2(0.43 - 0.47 * std::sin(q[2]), 0.47 * std::cos(q[2])) + by;
  });
  // all of them at once
  check_poses_beside(6, w, [](Joints& q, double by) {
    q[1] = quarter + by;
    q[2] = -quarter - by;
    q[4] = by;
  });
}

TEST_CASE("at and beside the singularities of the PUMA every answer has its status") {
  Witness w = witness(without_limits("puma560"));
  const double stretched = std::atan2(0.0203, 0.4318);
  check_poses_beside(7, w, [](Joints& q, double by) { q[4] = by; });
  check_poses_beside(8, w, [&](Joints& q, double by) { q[2] = -quarter + stretched + by; });
  check_poses_beside(9, w, [&](Joints& q, double by) { q[2] = quarter + stretched + by; });
  // the wrist point nearest to the waist: a2 c2 + a3 c23 = d4 s23
  check_poses_beside(10, w, [](Joints& q, double by) {
    q[2] = std::remainder(q[2], 1.2);
    const double c = 0.4318 + 0.0203 * std::cos(q[2]) - 0.4318 * std::sin(q[2]);
    const double s = 0.0203 * std::sin(q[2]) + 0.4318 * std::cos(q[2]);
    q[1] = std::atan2(c, s) + by;
  });
}

TEST_CASE("at and beside the singularities of the Stanford arm every answer has its status") {
  Witness w = witness(without_limits("stanford"));
  check_poses_beside(11, w, [](Joints& q, double by) { q[4] = by; });
  check_poses_beside(12, w, [](Joints& q, double by) { q[4] = pi + by; });
  // the wrist point on axis 2
  check_poses_beside(13, w, [](Joints& q, double by) { q[2] = -0.6 + by; });
  // the boom upright
  check_poses_beside(14, w, [](Joints& q, double by) { q[1] = by; });
}

TEST_CASE("at and beside the singularities of a general arm every answer has its status") {
  Random random(15);
  Witness w = witness(robot_of(random, "RRRRRR", general_rows));
  CHECK(w.arm.family->name == "pieper");
  check_poses_beside(16, w, [](Joints& q, double by) { q[4] = by; });
}

TEST_CASE("a general arm with its wrist point on or beside axis 1 says so") {
  Random random(21);
  Witness w = witness(robot_of(random, "RRPRRR", general_rows));
  CHECK(w.arm.family->name == "pieper");
  const auto point = [&](const Joints& q) { return ~w.arm.X_world_0 * (w.tool(q) * (inverse(w.arm.X_flange_tool).p)); };
  int there = 0;
  for (int i = 0; i < draws(20); ++i) {
    // Newton's steps of joints 2 and 3 onto the axis; not every start leads there
    Joints q = random_joints(random, w.arm);
    for (int step = 0; step < 50; ++step) {
      Joints by2 = q, by3 = q;
      by2[1] += 1e-6;
      by3[2] += 1e-6;
      const Vec3<double> p = point(q), a = (point(by2) - p) * 1e6, b = (point(by3) - p) * 1e6;
      const double det = a.x * b.y - a.y * b.x;
      q[1] -= std::clamp((p.x * b.y - p.y * b.x) / det, -0.5, 0.5);
      q[2] -= std::clamp((a.x * p.y - a.y * p.x) / det, -0.5, 0.5);
    }
    if (!(std::hypot(point(q).x, point(q).y) < 1e-14)) continue;
    ++there;
    for (int k = 0; k < 16; ++k) {
      Joints beside = q;
      beside[1] += k == 0 ? 0 : 0.4 * std::pow(10, -k);
      const Transform<double> X = w.tool(beside);
      const IkAnswer answer = solve_position(w.arm, X);
      REQUIRE(answer.status == PoseStatus::solved);
      for (const IkBranch& b : answer.branches()) {
        CHECK(b.status != IkStatus::ok);
        CHECK(apart(w.tool(b.q), X) < 1e-10);
      }
    }
  }
  CHECK(there > 0);
}

TEST_CASE("at the edge of its reach and beside the shoulder's at once an arm still reaches what it stood at") {
  // stretched (or the slide at its turning point), and joint 2 so that the wrist point is g from the shoulder's edge
  const DhRow three{-0.4, 0.05, 0.1, -quarter}, four{0, 0.4, 0, quarter}, five{0, 0, 0, -quarter}, six{0, 0.1, 0, 0};
  Random random(20);
  const DhRow across{0.3, 0.4, 0.1, quarter};
  Witness elbow = witness(robot_of(random, "RRRRRR", {across, {0.2, 0.1, 0.4, pi}, three, four, five, six}));
  Witness polar = witness(robot_of(random, "RRPRRR", {across, {0.2, 0.1, 0.4, -quarter}, three, four, five, six}));
  Witness puma = witness(without_limits("puma560"));
  CHECK(elbow.arm.family->name == "elbow");
  CHECK(polar.arm.family->name == "polar");
  const auto check = [&](Witness& w, double q3, double reach) {
    CAPTURE(w.arm.family->name);
    CAPTURE(q3);
    for (int k = 0; k < 40; ++k)
      for (int i = 0; i < draws(20); ++i) {
        Joints q = random_joints(random, w.arm);
        const double g = std::pow(10, -1 - 0.25 * k);
        CAPTURE(g);
        q[1] = std::acos(std::clamp((g - w.arm[1].a) / reach, -1.0, 1.0)) * (i % 2 ? 1 : -1) - w.arm[2].theta;
        q[2] = q3;
        const Transform<double> X = w.tool(q);
        const IkAnswer answer = solve_position(w.arm, X);
        REQUIRE(answer.status == PoseStatus::solved);
        for (const IkBranch& b : answer.branches()) {
          CHECK(apart(w.tool(b.q), X) < 1e-11);
          for (const IkBranch& other : answer.branches())
            CHECK((&b <= &other || apart_modulo_turns(w.arm, b.q, other.q) > 1e-9));
        }
      }
  };
  for (Witness* w : {&elbow, &puma}) {
    const WristArm& arm = w->arm;
    const double l = std::hypot(arm.w.x, arm.w.y), phi = std::atan2(arm[2].ca * arm.w.y, arm.w.x);
    check(*w, -arm[2].ca * phi - arm[3].theta, arm[2].a + l);
    check(*w, arm[2].ca * (pi - phi) - arm[3].theta, arm[2].a - l);
  }
  const WristArm& arm = polar.arm;
  check(polar, -arm.w.z - arm[3].d, arm[2].a + arm[3].ct * arm.w.x - arm[3].st * arm.w.y);
}

TEST_CASE("where two roots of any family fall together every answer has its status") {
  const DhRow wrist[3] = {{0, 0.4, 0, quarter}, {0, 0, 0, -quarter}, {0, 0.1, 0, 0}};
  const DhRow one{0.3, 0.4, 0.1, 1.1}, two{0.2, 0.1, 0.4, 0.7}, three{-0.4, 0.05, 0.1, -quarter};
  const auto twisted = [](DhRow row, double alpha) {
    row.alpha = alpha;
    return row;
  };
  struct Row {
    std::string family, kinds;
    DhRow one, two;
  };
  const DhRow across1 = twisted(one, quarter), along1 = twisted(one, 0), across2 = twisted(two, -quarter),
              along2 = twisted(two, pi);
  const DhRow meeting{0.3, 0.4, 0, 1.1};
  for (const Row& row : {Row{"pieper", "RRRRRR", one, two},
                         {"pieper", "RRPRRR", one, two},
                         {"pieper", "RPRRRR", one, two},
                         {"pieper", "PRRRRR", one, two},
                         {"pieper", "RPPRRR", one, two},
                         {"pieper", "PRPRRR", one, two},
                         {"pieper", "PPRRRR", one, two},
                         {"pieper", "RRRRRR", meeting, two},
                         {"pieper", "RRRRRR", along1, two},
                         {"pieper", "RPRRRR", across1, two},
                         {"pieper", "PRRRRR", across1, two},
                         {"elbow", "RRRRRR", across1, along2},
                         {"polar", "RRPRRR", across1, across2},
                         {"cylindrical", "RPPRRR", along1, across2},
                         {"scara", "RRPRRR", along1, along2}}) {
    CAPTURE(row.family);
    CAPTURE(row.kinds);
    Random random(19);
    Witness w = witness(robot_of(random, row.kinds, {row.one, row.two, three, wrist[0], wrist[1], wrist[2]}));
    CHECK(w.arm.family->name == row.family);
    int sets = 0;
    // how the first three joints move the wrist point: a point of the tool that joints 4 to 6 leave alone
    const auto point = [&](const Joints& q) { return w.tool(q) * (inverse(w.arm.X_flange_tool).p); };
    const auto determinant = [&](const Joints& q) {
      std::array<Vec3<double>, 3> J;
      for (std::size_t i = 0; i < 3; ++i) {
        Joints a = q, b = q;
        a[i] -= 1e-4;
        b[i] += 1e-4;
        J[i] = (point(b) - point(a)) * (1 / 2e-4);
      }
      return dot(J[0], cross(J[1], J[2]));
    };
    for (int i = 0; i < draws(20); ++i) {
      // to the singular set along joint 3, or 2 where joint 3 does not lead there
      Joints q = random_joints(random, w.arm);
      std::size_t along = 2;
      double low = 0, high = 0;
      for (const std::size_t j : {2, 1}) {
        along = j;
        const double reach = w.arm.joint[j].prismatic ? 2 : 3, start = q[j];
        for (double x = -reach; x < reach && high == 0; x += 0.2) {
          Joints a = q, b = q;
          a[j] = start + x;
          b[j] = start + x + 0.2;
          if ((determinant(a) > 0) != (determinant(b) > 0)) {
            low = a[j];
            high = b[j];
          }
        }
        if (high != 0) break;
      }
      if (high == 0) continue;
      ++sets;
      q[along] = low;
      const bool sign = determinant(q) > 0;
      for (int step = 0; step < 60; ++step) {
        q[along] = (low + high) / 2;
        ((determinant(q) > 0) == sign ? low : high) = q[along];
      }
      for (int k = 0; k < 14; ++k) {
        CAPTURE(k);
        Joints beside = q;
        beside[along] += k == 0 ? 0 : std::pow(10, -2 - k);
        const Transform<double> X = w.tool(beside);
        const IkAnswer answer = solve_position(w.arm, X);
        REQUIRE(answer.status == PoseStatus::solved);
        bool found = false, told = false;
        for (const IkBranch& b : answer.branches()) {
          REQUIRE(all_finite(b));
          CHECK(apart(w.tool(b.q), X) < 1e-10);
          for (const IkBranch& other : answer.branches())
            CHECK((&b <= &other || apart_modulo_turns(w.arm, b.q, other.q) > 1e-6));
          told = told || b.status != IkStatus::ok;
          // near is not at: the roots are one only where nothing tells them apart
          CHECK((!b.singular[1] || b.factor[1] < 1e-5));
          // roots are kept to a tenth of the singular distance; they fall together with its square root, 1e-6, and by
          // the more the less the boundary bends
          found = found || is_at(w.arm, b, beside, singular_distance / 10, 1e-4);
        }
        CHECK(told);
        CHECK(found);
      }
    }
    CHECK(sets > 0);
  }
}

TEST_CASE("random points, near and far, give answers without NaN") {
  Random random(17);
  std::vector<Witness> arms;
  for (const char* name : {"rotary_hollerbach", "puma560", "stanford"}) arms.push_back(witness(without_limits(name)));
  for (const char* kinds : {"RRR", "RRP", "RPR", "RPP", "PRR", "PRP", "PPR", "PPP"})
    arms.push_back(witness(robot_of(random, std::string(kinds) + "RRR", general_rows)));
  for (Witness& w : arms) {
    CAPTURE(&w - arms.data());
    for (int i = 0; i < draws(500); ++i) {
      Transform<double> X = random.transform(1);
      X.p = X.p * std::pow(10, random.uniform(-20, 5));
      CAPTURE(norm(X.p));
      const IkAnswer answer = solve_position(w.arm, X);
      for (const IkBranch& b : answer.branches()) {
        REQUIRE(all_finite(b));
        CHECK(std::max(b.position_residual, b.angle_residual) < 1e-10 * (1 + norm(X.p)));
      }
      if (answer.status != PoseStatus::unreachable) continue;
      REQUIRE(all_finite(answer.nearest));
      CHECK(answer.short_by > 0);
      CHECK(norm(w.tool(answer.nearest.q).p - X.p) == doctest::Approx(answer.short_by).epsilon(1e-6));
    }
  }
}

TEST_CASE("points beyond a million arm lengths are out of reach by their distance, and the arm points to them") {
  for (const char* name : {"stanford", "puma560"}) {  // the first has a slide, which is not asked to be that long
    CAPTURE(name);
    Witness w = witness(without_limits(name));
    Transform<double> X = w.tool({0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
    for (const double far : {1e7, 1e8, 1e100, 1e308}) {
      CAPTURE(far);
      X.p = Vec3<double>{0.6, -0.64, 0.48} * far;
      const IkAnswer answer = solve_position(w.arm, X);
      REQUIRE(answer.status == PoseStatus::unreachable);
      CHECK(answer.count == 0);
      REQUIRE(all_finite(answer.nearest));
      CHECK(answer.short_by <= far);
      const Vec3<double> there = w.tool(answer.nearest.q).p;
      CHECK(std::hypot(there.x / far - 0.6, there.y / far + 0.64, there.z / far - 0.48) ==
            doctest::Approx(answer.short_by / far).epsilon(1e-12));
      // as at the edge of what is solved as it is
      Transform<double> edge = X;
      edge.p = Vec3<double>{0.6, -0.64, 0.48} * (0.9 * farthest_pose * w.arm.size);
      const IkAnswer near = solve_position(w.arm, edge);
      const bool slides = name == std::string("stanford");
      REQUIRE(near.status == (slides ? PoseStatus::solved : PoseStatus::unreachable));
      CHECK((slides || norm(w.tool(near.nearest.q).p - there) < 1e-5 * w.arm.size));
    }
  }
}

TEST_CASE("no random neighbour of an unreachable point is reached from nearer than the stated distance") {
  Random random(18);
  Witness w = witness(without_limits("rotary_hollerbach"));
  for (int i = 0; i < draws(200); ++i) {
    const Transform<double> X{random.rotation(), random.vector(2)};
    const IkAnswer answer = solve_position(w.arm, X);
    if (answer.status != PoseStatus::unreachable) continue;
    for (int k = 0; k < 20; ++k) {
      const Transform<double> near{X.R, X.p + random.direction() * (0.99 * answer.short_by)};
      CHECK(solve_position(w.arm, near).status == PoseStatus::unreachable);
    }
  }
}
