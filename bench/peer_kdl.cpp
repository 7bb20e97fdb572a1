// Orocos KDL (Debian: liborocos-kdl-dev): serial arms by its chain solvers, trees by its tree solvers. See
// bench/peer.hpp.
#include <kdl/config.h>

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>

#include "peer.hpp"

namespace {

KDL::Vector vector(const peer::Vec& a) { return {a[0], a[1], a[2]}; }

KDL::Segment segment(const peer::Link& link) {
  const peer::Mat& R = link.R;
  const KDL::Frame place(KDL::Rotation(R[0][0], R[0][1], R[0][2], R[1][0], R[1][1], R[1][2], R[2][0], R[2][1], R[2][2]),
                         vector(link.p));
  const KDL::Joint joint(link.name, place.p, place.M * vector(link.axis),
                         link.kind == peer::Kind::prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
  const peer::Mat& I = link.body.inertia;
  return KDL::Segment(
      link.name, joint, place,
      KDL::RigidBodyInertia(link.body.mass, vector(link.body.centre),
                            KDL::RotationalInertia(I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2])));
}

std::vector<KDL::JntArray> arrays(const std::vector<std::vector<double>>& rows) {
  std::vector<KDL::JntArray> all;
  for (const std::vector<double>& row : rows) {
    KDL::JntArray& x = all.emplace_back(static_cast<unsigned>(row.size()));
    for (unsigned k = 0; k < row.size(); ++k) x(k) = row[k];
  }
  return all;
}

std::vector<double> list(const KDL::JntArray& x) { return {x.data.data(), x.data.data() + x.data.size()}; }

std::vector<double> list(const Eigen::MatrixXd& x) {
  std::vector<double> all;
  for (int i = 0; i < x.rows(); ++i)
    for (int j = 0; j < x.cols(); ++j) all.push_back(x(i, j));
  return all;
}

std::vector<double> list(const KDL::Jacobian& J) {
  Eigen::MatrixXd angular_first(6, J.columns());
  angular_first << J.data.bottomRows(3), J.data.topRows(3);
  return list(angular_first);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const peer::Robot robot = peer::read_robot(argv[1]);
  const peer::States states = peer::read_states(argv[2], robot);
  bool serial = true;
  for (std::size_t k = 0; k < robot.links.size(); ++k) {
    if (robot.links[k].kind == peer::Kind::free) peer::give_up("KDL has no free joint");
    serial = serial && robot.links[k].parent + 1 == static_cast<int>(k);
  }
  const KDL::Vector down = vector(robot.gravity);
  const unsigned n = static_cast<unsigned>(robot.nv);
  const std::vector<KDL::JntArray> q = arrays(states.q), qd = arrays(states.qd), qdd = arrays(states.qdd),
                                   tau = arrays(states.tau);
  KDL::JntArray out(n);
  KDL::Jacobian J(n);
  const std::string name = "Orocos KDL " KDL_VERSION_STRING;
  const auto array_result = [&](int) { return list(out); };

  if (!serial) {
    KDL::Tree tree("base");
    for (const peer::Link& link : robot.links)
      tree.addSegment(segment(link), link.parent < 0 ? "base" : robot.links[link.parent].name);
    KDL::TreeIdSolver_RNE inverse(tree, down);
    KDL::TreeFkSolverPos_recursive poses(tree);
    KDL::TreeJntToJacSolver jacobian(tree);
    const KDL::WrenchMap none;
    const std::string tip = robot.links.back().name;
    KDL::Frame pose;
    return peer::serve(name.c_str(), states,
                       {peer::call(
                            "id", "TreeIdSolver_RNE", states,
                            [&](int k) { inverse.CartToJnt(q[k], qd[k], qdd[k], none, out); }, array_result),
                        // of one link: it has no call for the poses of all
                        peer::call(
                            "jacobian", "TreeJntToJacSolver", states,
                            [&](int k) {
                              poses.JntToCart(q[k], pose, tip);
                              jacobian.JntToJac(q[k], J, tip);
                            },
                            [&](int) {
                              KDL::Jacobian at_tip = J;
                              return list(at_tip);
                            })});
  }

  KDL::Chain chain;
  for (const peer::Link& link : robot.links) chain.addSegment(segment(link));
  KDL::ChainIdSolver_RNE inverse(chain, down);
  KDL::ChainFdSolver_RNE forward(chain, down);
  KDL::ChainDynParam parameters(chain, down);
  KDL::ChainFkSolverPos_recursive poses(chain);
  KDL::ChainJntToJacSolver jacobian(chain);
  const KDL::Wrenches none(chain.getNrOfSegments(), KDL::Wrench::Zero());
  KDL::JntSpaceInertiaMatrix M(n);
  std::vector<KDL::Frame> frames(chain.getNrOfSegments());
  return peer::serve(name.c_str(), states,
                     {peer::call(
                          "id", "ChainIdSolver_RNE", states,
                          [&](int k) { inverse.CartToJnt(q[k], qd[k], qdd[k], none, out); }, array_result),
                      peer::call(
                          "mass", "ChainDynParam", states, [&](int k) { parameters.JntToMass(q[k], M); },
                          [&](int) { return list(M.data); }),
                      peer::call(
                          "fd", "ChainFdSolver_RNE", states,
                          [&](int k) { forward.CartToJnt(q[k], qd[k], tau[k], none, out); }, array_result),
                      peer::call(
                          "jacobian", "ChainJntToJacSolver", states,
                          [&](int k) {
                            poses.JntToCart(q[k], frames);
                            jacobian.JntToJac(q[k], J);
                          },
                          [&](int) { return list(J); })});
}
