// Pinocchio (PyPI: pin), its templates compiled here, so that they get the machine's instructions and the faster
// compiler. See bench/peer.hpp.
#include <memory>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/fwd.hpp>

#include "peer.hpp"

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

Eigen::Vector3d vector(const peer::Vec& a) { return {a[0], a[1], a[2]}; }
Eigen::Matrix3d matrix(const peer::Mat& m) {
  Eigen::Matrix3d all;
  all << m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2];
  return all;
}

pinocchio::JointModel joint(const peer::Link& link) {
  using namespace pinocchio;
  const peer::Vec x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  if (link.kind == peer::Kind::free) return JointModelFreeFlyer();
  if (link.kind == peer::Kind::revolute) {
    if (link.axis == x) return JointModelRX();
    if (link.axis == y) return JointModelRY();
    if (link.axis == z) return JointModelRZ();
    return JointModelRevoluteUnaligned(vector(link.axis));
  }
  if (link.axis == x) return JointModelPX();
  if (link.axis == y) return JointModelPY();
  if (link.axis == z) return JointModelPZ();
  return JointModelPrismaticUnaligned(vector(link.axis));
}

pinocchio::Model model(const peer::Robot& robot) {
  pinocchio::Model model;
  for (const peer::Link& link : robot.links) {
    const auto id = model.addJoint(static_cast<pinocchio::JointIndex>(link.parent + 1), joint(link),
                                   pinocchio::SE3(matrix(link.R), vector(link.p)), link.name);
    if (id != static_cast<pinocchio::JointIndex>(&link - robot.links.data()) + 1)
      peer::give_up("joints in another order");
    model.appendBodyToJoint(id,
                            pinocchio::Inertia(link.body.mass, vector(link.body.centre), matrix(link.body.inertia)));
  }
  model.gravity.linear() = vector(robot.gravity);
  return model;
}

/// Our coordinates in the order of theirs: of a free joint x y z w of the quaternion last, linear before angular.
struct Order {
  std::vector<int> q, v;
  explicit Order(const peer::Robot& robot) {
    for (const peer::Link& link : robot.links) {
      const bool free = link.kind == peer::Kind::free;
      for (const int k : free ? std::vector{4, 5, 6, 1, 2, 3, 0} : std::vector{0}) q.push_back(link.iq + k);
      for (const int k : free ? std::vector{3, 4, 5, 0, 1, 2} : std::vector{0}) v.push_back(link.iv + k);
    }
  }
};

std::vector<Vector> ordered(const std::vector<std::vector<double>>& rows, const std::vector<int>& order) {
  std::vector<Vector> all;
  for (const std::vector<double>& row : rows) {
    Vector& x = all.emplace_back(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) x[static_cast<int>(k)] = row[order[k]];
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const peer::Robot robot = peer::read_robot(argv[1]);
  const peer::States states = peer::read_states(argv[2], robot);
  const pinocchio::Model m = model(robot);
  pinocchio::Data d(m);
  const Order order(robot);
  const std::vector<Vector> q = ordered(states.q, order.q), v = ordered(states.qd, order.v),
                            a = ordered(states.qdd, order.v), tau = ordered(states.tau, order.v);
  const int n = m.nv;
  Matrix dq = Matrix::Zero(n, n), dv = Matrix::Zero(n, n), da = Matrix::Zero(n, n);
  Matrix fq = dq, fv = dq, fa = dq;

  const auto in_our_order = [&](const Vector& x) {
    std::vector<double> all(n);
    for (int k = 0; k < n; ++k) all[order.v[k]] = x[k];
    return all;
  };
  const auto square = [&](const Matrix& x) {
    std::vector<double> all(n * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) all[order.v[i] * n + order.v[j]] = x(i, j);
    return all;
  };
  const auto whole_mass = [&](int) {
    Matrix M = d.M;
    M.triangularView<Eigen::StrictlyLower>() = M.transpose().triangularView<Eigen::StrictlyLower>();
    return square(M);
  };
  const auto tip = [&](int) {
    pinocchio::Data::Matrix6x J = pinocchio::Data::Matrix6x::Zero(6, n);
    pinocchio::getJointJacobian(m, d, static_cast<pinocchio::JointIndex>(m.njoints - 1), pinocchio::LOCAL_WORLD_ALIGNED,
                                J);
    std::vector<double> all(6 * n);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < n; ++j) all[i * n + order.v[j]] = J((i + 3) % 6, j);
    return all;
  };
  const auto both = [&](const Matrix& first, const Matrix& second) {
    std::vector<double> all = square(first);
    for (const double x : square(second)) all.push_back(x);
    return all;
  };
  using pinocchio::Convention;
  const std::vector<peer::Call> calls{
      peer::call(
          "id", "rnea", states, [&](int k) { pinocchio::rnea(m, d, q[k], v[k], a[k]); },
          [&](int) { return in_our_order(d.tau); }),
      peer::call(
          "mass", "crba, local", states, [&](int k) { pinocchio::crba(m, d, q[k], Convention::LOCAL); }, whole_mass),
      peer::call(
          "mass", "crba, world", states, [&](int k) { pinocchio::crba(m, d, q[k], Convention::WORLD); }, whole_mass),
      peer::call(
          "fd", "aba, local", states, [&](int k) { pinocchio::aba(m, d, q[k], v[k], tau[k], Convention::LOCAL); },
          [&](int) { return in_our_order(d.ddq); }),
      peer::call(
          "fd", "aba, world", states, [&](int k) { pinocchio::aba(m, d, q[k], v[k], tau[k], Convention::WORLD); },
          [&](int) { return in_our_order(d.ddq); }),
      // the columns are about the origin of the world: moving them to the link is not in the time
      peer::call(
          "jacobian", "computeJointJacobians", states, [&](int k) { pinocchio::computeJointJacobians(m, d, q[k]); },
          tip),
      peer::call(
          "derivatives", "computeRNEADerivatives", states,
          [&](int k) { pinocchio::computeRNEADerivatives(m, d, q[k], v[k], a[k], dq, dv, da); },
          [&](int) { return both(dq, dv); }),
      peer::call(
          "fd-derivatives", "computeABADerivatives", states,
          [&](int k) { pinocchio::computeABADerivatives(m, d, q[k], v[k], tau[k], fq, fv, fa); },
          [&](int) { return both(fq, fv); }),
  };
#ifdef __clang__
  const std::string name = "Pinocchio " PINOCCHIO_VERSION ", clang " + std::to_string(__clang_major__);
#else
  const std::string name = "Pinocchio " PINOCCHIO_VERSION ", g++ " + std::to_string(__GNUC__);
#endif
  return peer::serve(name.c_str(), states, calls);
}
