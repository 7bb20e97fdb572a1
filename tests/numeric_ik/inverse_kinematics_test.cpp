// The face of inverse kinematics: what it answers puts the tool where it was asked for, with or without a closed form,
// for the default tool and for others.
#include "torsor/inverse_kinematics.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/round_trip.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/tool_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A robot, and the pose of a tool of it by forward kinematics.
struct SolvedArm {
  Description description;
  Model<double> model;
  FrameMotions motions;

  explicit SolvedArm(const char* name)
      : description(*load_robot(name)), model(*build(description)), motions(model) {}

  FrameMotion moved(const Frame<double>& tool, View q, View qd, View qdd) {
    motions.set(model, q, qd, qdd);
    return motions.of(tool);
  }
  Transform<double> pose(const Frame<double>& tool, View q) {
    const std::vector<double> rest(static_cast<std::size_t>(model.nv));
    return moved(tool, q, rest, rest).X;
  }
};

double off(const Transform<double>& a, const Transform<double>& b) {
  return norm(a.p - b.p) + norm(a.R.x - b.R.x) + norm(a.R.y - b.R.y);
}

bool inside(const Model<double>& model, View q) {
  for (std::size_t j = 0; j < q.size(); ++j)
    if (q[j] < model.limits[j].lower || q[j] > model.limits[j].upper) return false;
  return true;
}

/// The default tool moved and turned on its link.
Frame<double> other_tool(const Model<double>& model) {
  Frame<double> tool = model.frames.back();
  tool.name = "other";
  tool.X_body_frame = tool.X_body_frame * Transform<double>{rotation_y(0.4), {0.02, -0.03, 0.1}};
  return tool;
}

}  // namespace

TEST_CASE(
    "every solution puts the tool at the pose, its label names it, and the nearest is the one that made the pose") {
  for (const char* name : {"puma560", "ur5", "stanford", "sixr_angeles"}) {
    CAPTURE(name);
    SolvedArm arm(name);
    for (const Frame<double>& tool : {arm.model.frames.back(), other_tool(arm.model)}) {
      const InverseKinematics ik(arm.model, arm.description, tool);
      REQUIRE(ik.closed());
      int found_again = 0;
      Random random(7);
      for (int k = 0; k < 20; ++k) {
        const std::vector<double> q = random.numbers(6, 1);
        const Transform<double> X = arm.pose(tool, q);
        const IkSolutions solutions = ik.solve(X);
        REQUIRE(solutions.status == PoseStatus::solved);
        REQUIRE(!solutions.empty());
        for (const IkSolution& s : solutions) {
          CHECK(off(arm.pose(tool, s.q), X) < 1e-9);
          REQUIRE(parse_label(s.label.starts_with("root ") ? s.label.substr(5) : s.label));
          IkChoice one;
          one.branch = s.branch.label;
          const IkSolutions chosen = ik.solve(X, one);
          REQUIRE(!chosen.empty());
          CHECK(chosen[0].label == s.label);
        }
        IkChoice near;
        near.near = q;
        const IkSolutions nearest = ik.solve(X, near);
        REQUIRE(nearest.size() == 1);
        // joints that are beyond limits themselves may have to go elsewhere
        if (!inside(arm.model, q)) continue;
        ++found_again;
        for (std::size_t j = 0; j < 6; ++j) CHECK(nearest[0].q[j] == doctest::Approx(q[j]).epsilon(1e-6));
      }
      CHECK(found_again > 0);
    }
  }
}

TEST_CASE("an arm without a closed form is solved by descents, and its rates are those of forward kinematics") {
  SolvedArm arm("panda");
  const Frame<double>& tool = arm.model.frames.back();
  const InverseKinematics ik(arm.model, arm.description, tool);
  CHECK(!ik.closed());
  CHECK(ik.refusal().front().what.find("joints") != std::string::npos);
  const std::vector<double> q{0.1, 0.2, 0.3, -1.5, 0.1, 1.5, 0.2}, qd{0.1, -0.2, 0.3, 0.1, 0.2, -0.1, 0.3};
  const FrameMotion f = arm.moved(tool, q, qd, std::vector<double>(7));
  IkChoice near;
  near.near = q;
  const IkSolutions solutions = ik.solve(f.X, near);
  REQUIRE(solutions.size() == 1);
  CHECK(solutions[0].label.empty());
  CHECK(off(arm.pose(tool, solutions[0].q), f.X) < 1e-9);
  const ToolRates rates = ik.rates(solutions[0], {f.X, {f.w, f.v}, {f.wd, f.a}});
  CHECK(rates.status == RateStatus::ok);
  const FrameMotion again = arm.moved(tool, solutions[0].q, rates.qd, rates.qdd);
  CHECK(norm(again.v - f.v) + norm(again.w - f.w) < 1e-9);
  CHECK(norm(again.a - f.a) + norm(again.wd - f.wd) < 1e-8);
}

TEST_CASE("what is out of reach has no solution, and says by how much and what is nearest") {
  for (const char* name : {"puma560", "panda"}) {
    CAPTURE(name);
    SolvedArm arm(name);
    const InverseKinematics ik(arm.model, arm.description, arm.model.frames.back());
    const IkSolutions none = ik.solve({Mat3<double>::identity(), {9, 0, 0}});
    CHECK(none.empty());
    CHECK(none.status == PoseStatus::unreachable);
    CHECK(none.short_by > 7);
    CHECK(none.short_by < 9);
    REQUIRE(none.nearest);
  }
}

TEST_CASE("a path is followed from the branch that is asked for, or not begun") {
  SolvedArm arm("puma560");
  const InverseKinematics ik(arm.model, arm.description, arm.model.frames.back());
  const Transform<double> first{rotation_y(1.2), {0.5, 0.1, 0.6}};
  const std::vector<Transform<double>> poses{first, {first.R, first.p + Vec3<double>{0, 0.1, 0}}};
  const auto motion = pose_motion(poses, 0, *pace("quintic", 1));
  REQUIRE(motion);
  const ToolPath path = tool_path(*motion, 0.1);
  const BranchLabel label = *parse_label("+ - +");
  const PathStart start = ik.start(path, {.branch = label});
  REQUIRE(start.status == PathStart::Status::chosen);
  const FollowedPath followed = ik.follow(path, start.q);
  CHECK(followed.finished());
  CHECK(followed.samples.size() == 11);
  for (const PathSample& s : followed.samples) CHECK(fits(label, s.label));
  CHECK(ik.follow_others(path, followed).size() == 8);
  // stretched by a factor the same joints come later, and slower
  ToolPath slow = path;
  slow.period *= 2;  // of u: as many samples
  slow.stretch(2);
  const FollowedPath later = ik.follow(slow, start.q);
  REQUIRE(later.samples.size() == followed.samples.size());
  for (std::size_t k = 0; k < later.samples.size(); ++k) {
    CHECK(later.samples[k].t == doctest::Approx(2 * followed.samples[k].t));
    CHECK(later.samples[k].qd[0] == doctest::Approx(followed.samples[k].qd[0] / 2).scale(1).epsilon(1e-9));
  }
  CHECK(InverseKinematics(arm.model, arm.description, arm.model.frames.back(), {.weights = TaskWeights::position()})
            .start(path, {.branch = label})
            .status == PathStart::Status::no_labels);
}

namespace {

/// Whether A - shift is positive definite, by Cholesky's factors.
bool is_definite(std::array<std::array<double, 6>, 6> A, double shift) {
  for (std::size_t i = 0; i < 6; ++i) A[i][i] -= shift;
  for (std::size_t j = 0; j < 6; ++j) {
    if (!(A[j][j] > 0)) return false;
    for (std::size_t i = j + 1; i < 6; ++i)
      for (std::size_t k = i; k < 6; ++k) A[i][k] -= A[j][i] * A[j][k] / A[j][j];
  }
  return true;
}

}  // namespace

TEST_CASE("the least singular value of a solution is that of the Jacobian, to all digits") {
  for (const char* const name : {"iiwa14", "panda", "gen3", "xarm7"}) {
    CAPTURE(name);
    SolvedArm arm(name);
    const Frame<double> tool = arm.model.frames.back();
    const InverseKinematics solver(arm.model, arm.description, tool);
    const JointChain chain = *joint_chain(arm.model, tool);
    std::mt19937_64 engine(7);
    int looked = 0;
    for (int draw = 0; draw < 8; ++draw) {
      const std::vector<double> q = random_position(arm.model, engine);
      for (const int held : {2, 6}) {
        const IkSolutions answer = solver.solve(
            arm.pose(tool, q), {.redundancy = q[static_cast<std::size_t>(held)], .redundant_joint = held});
        REQUIRE(answer.size() > 0);
        for (const IkSolution& s : answer) {
          arm.pose(tool, s.q);
          const std::span<const Transform<double>> X = arm.motions.poses();
          std::vector<double> J(42);
          jacobian<double>(arm.model, X, tool.body, chain.B[0].p, J);
          std::array<std::array<double, 6>, 6> A{};
          for (std::size_t r = 0; r < 6; ++r)
            for (std::size_t c = 0; c < 6; ++c)
              for (std::size_t k = 0; k < 7; ++k)
                if (static_cast<int>(k) != held)
                  A[r][c] += J[7 * r + k] * J[7 * c + k] / ((r < 3 ? 1 : chain.size) * (c < 3 ? 1 : chain.size));
          const double sigma = s.smallest_singular_value, square = sigma * sigma;
          if (sigma < 1e-3) continue;
          CHECK(is_definite(A, square * (1 - 1e-8)));
          CHECK_FALSE(is_definite(A, square * (1 + 1e-8)));
          ++looked;
        }
      }
    }
    CHECK(looked > 20);
  }
}
