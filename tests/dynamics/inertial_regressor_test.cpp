#include "torsor/dynamics/inertial_regressor.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/support/random_robot.hpp"
#include "torsor/scalar/modular.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Rank of a row-major matrix over the field, by elimination; every zero is exact.
int exact_rank(std::vector<Modular> A, int rows, int columns) {
  int rank = 0;
  for (int c = 0; c < columns && rank < rows; ++c) {
    int pivot = rank;
    while (pivot < rows && A[cell(pivot, columns, c)] == Modular(0)) ++pivot;
    if (pivot == rows) continue;
    for (int j = c; j < columns; ++j) std::swap(A[cell(pivot, columns, j)], A[cell(rank, columns, j)]);
    const Modular inverse = Modular(1) / A[cell(rank, columns, c)];
    for (int i = rank + 1; i < rows; ++i) {
      const Modular factor = A[cell(i, columns, c)] * inverse;
      for (int j = c; j < columns; ++j) A[cell(i, columns, j)] -= factor * A[cell(rank, columns, j)];
    }
    ++rank;
  }
  return rank;
}

/// A turn about x by quarter turns, or by any angle, then about z by any.
struct ExactLink {
  JointKind kind = JointKind::revolute;
  int quarters = -1;        // twist; -1: any
  bool a = true, d = true;  // lengths that are not zero
};

/// An arm over the field: every length and angle a random residue or point of the circle.
class ExactArm {
 public:
  ExactArm(const std::vector<ExactLink>& links, bool level, std::mt19937_64& random) : random_(random) {
    for (const ExactLink& link : links) {
      Body<Modular> b;
      b.parent = model.size() - 1;
      b.kind = link.kind;
      b.q = b.v = b.column = model.nv++;
      b.nv = 1;
      const CirclePoint twist = link.quarters < 0 ? random_circle_point(random) : quarter_turns(link.quarters);
      const Modular a = link.a ? random_modular(random) : Modular(0), d = link.d ? random_modular(random) : Modular(0);
      b.placement.R = rotation_x(twist.c, twist.s);
      b.placement.p = Vec3<Modular>{a, Modular(0), Modular(0)} + b.placement.R.z * d;
      model.S.push_back(joint_motion(b.kind, 0, b.pitch));
      model.bodies.push_back(b);
    }
    model.nq = model.nv;
    // along the first axis, or anywhere
    model.gravity = model.bodies[0].placement.R.z * random_modular(random);
    if (!level) model.gravity = {random_modular(random), random_modular(random), random_modular(random)};
  }

  /// The rank of the regressor at many random states, one below the other.
  int rank() {
    const int columns = inertial_count * model.size(), states = 12;
    std::vector<Modular> all, Y(cells(model.nv, columns));
    Configuration<Modular> configuration(model);
    InertialRegressorWork<Modular> work(model);
    std::vector<Modular> qd(static_cast<std::size_t>(model.nv)), qdd = qd;
    for (int state = 0; state < states; ++state) {
      for (int i = 0; i < model.size(); ++i) {
        const CirclePoint turn = random_circle_point(random_);
        configuration[i].c = turn.c, configuration[i].s = turn.s, configuration[i].d = random_modular(random_);
        qd[i] = random_modular(random_), qdd[i] = random_modular(random_);
      }
      inertial_regressor<Modular>(model, configuration, qd, qdd, {}, work, columns, Y);
      all.insert(all.end(), Y.begin(), Y.end());
    }
    return exact_rank(all, states * model.nv, columns);
  }

  Tree<Modular> model;

 private:
  static CirclePoint quarter_turns(int k) {
    const int c[] = {1, 0, -1, 0};
    return {Modular(c[k & 3]), Modular(c[(k + 3) & 3])};
  }
  std::mt19937_64& random_;
};

}  // namespace

TEST_CASE("over a finite field a general arm of revolute joints has 7n - 4 independent columns, 7n - 6 when level") {
  std::mt19937_64 random(151);
  const PrimeModulus prime = random_prime(random, 360);
  const ModulusScope scope(prime);
  for (int n = 1; n <= 6; ++n) {
    CAPTURE(n);
    const std::vector<ExactLink> links(static_cast<std::size_t>(n));
    CHECK(ExactArm(links, false, random).rank() == 7 * n - 4);
    CHECK(ExactArm(links, true, random).rank() == 7 * n - 6);
  }
}

TEST_CASE("over a finite field arms with slides have the number of independent columns of Khalil's rule") {
  std::mt19937_64 random(152);
  const PrimeModulus prime = random_prime(random, 360);
  const ModulusScope scope(prime);
  for (int draw = 0; draw < draws(10); ++draw) {
    std::vector<ExactLink> links(1 + random() % 6);
    int expected = 0, turns = 0;
    for (ExactLink& link : links) {
      const bool slide = random() % 2 == 0;
      if (slide) link.kind = JointKind::prismatic;
      expected += slide ? (turns == 0 ? 1 : turns == 1 ? 3 : 4) : (turns++ == 0 ? 3 : 7);
    }
    CHECK(ExactArm(links, false, random).rank() == expected);
  }
}

TEST_CASE("over a finite field an arm like a PUMA has exactly 36 independent columns") {
  // twists 0 -90 0 90 -90 90, lengths as its table has them
  std::mt19937_64 random(153);
  const PrimeModulus prime = random_prime(random, 360);
  const ModulusScope scope(prime);
  const std::vector<ExactLink> puma{{JointKind::revolute, 0, false, false}, {JointKind::revolute, 3, false, false},
                                    {JointKind::revolute, 0, true, true},   {JointKind::revolute, 1, true, true},
                                    {JointKind::revolute, 3, false, false}, {JointKind::revolute, 1, false, false}};
  CHECK(ExactArm(puma, true, random).rank() == 36);
}
