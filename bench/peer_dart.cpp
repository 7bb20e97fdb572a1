// DART (Debian: libdart-dev). It keeps the state inside and computes what has become stale, so setting the state is in
// every call. See bench/peer.hpp.
#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "peer.hpp"

namespace {

using namespace dart::dynamics;

Eigen::Vector3d vector(const peer::Vec& a) { return {a[0], a[1], a[2]}; }
Eigen::Matrix3d matrix(const peer::Mat& m) {
  Eigen::Matrix3d all;
  all << m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2];
  return all;
}

SkeletonPtr skeleton(const peer::Robot& robot) {
  const SkeletonPtr all = Skeleton::create("robot");
  all->setGravity(vector(robot.gravity));
  std::vector<BodyNode*> bodies;
  for (const peer::Link& link : robot.links) {
    BodyNode* parent = link.parent < 0 ? nullptr : bodies[link.parent];
    // with names of their own, or it speaks on standard output
    const BodyNode::AspectProperties named(link.name);
    Joint* joint = nullptr;
    BodyNode* body = nullptr;
    if (link.kind == peer::Kind::free) {
      FreeJoint::Properties properties;
      properties.mName = link.name;
      std::tie(joint, body) = all->createJointAndBodyNodePair<FreeJoint>(parent, properties, named);
    } else if (link.kind == peer::Kind::prismatic) {
      PrismaticJoint::Properties properties;
      properties.mName = link.name;
      properties.mAxis = vector(link.axis);
      std::tie(joint, body) = all->createJointAndBodyNodePair<PrismaticJoint>(parent, properties, named);
    } else {
      RevoluteJoint::Properties properties;
      properties.mName = link.name;
      properties.mAxis = vector(link.axis);
      std::tie(joint, body) = all->createJointAndBodyNodePair<RevoluteJoint>(parent, properties, named);
    }
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.linear() = matrix(link.R);
    place.translation() = vector(link.p);
    joint->setTransformFromParentBodyNode(place);
    body->setInertia(Inertia(link.body.mass, vector(link.body.centre), matrix(link.body.inertia)));
    bodies.push_back(body);
  }
  return all;
}

/// Rates and torques are ours, angular before linear; of positions a free joint has the logarithm of its turn.
Eigen::VectorXd positions(const peer::Robot& robot, const std::vector<double>& q) {
  Eigen::VectorXd x(robot.nv);
  for (const peer::Link& link : robot.links) {
    const double* at = q.data() + link.iq;
    if (link.kind != peer::Kind::free) {
      x[link.iv] = at[0];
      continue;
    }
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = Eigen::Quaterniond(at[0], at[1], at[2], at[3]).toRotationMatrix();
    pose.translation() = Eigen::Vector3d(at[4], at[5], at[6]);
    x.segment<6>(link.iv) = FreeJoint::convertToPositions(pose);
  }
  return x;
}

std::vector<Eigen::VectorXd> vectors(const std::vector<std::vector<double>>& rows) {
  std::vector<Eigen::VectorXd> all;
  for (const std::vector<double>& row : rows)
    all.push_back(Eigen::Map<const Eigen::VectorXd>(row.data(), static_cast<Eigen::Index>(row.size())));
  return all;
}

std::vector<double> list(const Eigen::MatrixXd& x) {
  std::vector<double> all;
  for (int i = 0; i < x.rows(); ++i)
    for (int j = 0; j < x.cols(); ++j) all.push_back(x(i, j));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const peer::Robot robot = peer::read_robot(argv[1]);
  const peer::States states = peer::read_states(argv[2], robot);
  const SkeletonPtr body = skeleton(robot);
  std::vector<Eigen::VectorXd> q;
  for (const std::vector<double>& row : states.q) q.push_back(positions(robot, row));
  const std::vector<Eigen::VectorXd> qd = vectors(states.qd), qdd = vectors(states.qdd), tau = vectors(states.tau);
  Eigen::VectorXd out;
  Eigen::MatrixXd M;
  dart::math::Jacobian J;
  // its Jacobian of a body has the columns of the joints above it alone
  const BodyNode* tip = body->getBodyNode(body->getNumBodyNodes() - 1);
  return peer::serve("DART " DART_VERSION, states,
                     {peer::call(
                          "id", "computeInverseDynamics", states,
                          [&](int k) {
                            body->setPositions(q[k]);
                            body->setVelocities(qd[k]);
                            body->setAccelerations(qdd[k]);
                            body->computeInverseDynamics();
                            out = body->getForces();
                          },
                          [&](int) { return list(out); }),
                      peer::call(
                          "mass", "getMassMatrix", states,
                          [&](int k) {
                            body->setPositions(q[k]);
                            M = body->getMassMatrix();
                          },
                          [&](int) { return list(M); }),
                      peer::call(
                          "fd", "computeForwardDynamics", states,
                          [&](int k) {
                            body->setPositions(q[k]);
                            body->setVelocities(qd[k]);
                            body->setForces(tau[k]);
                            body->computeForwardDynamics();
                            out = body->getAccelerations();
                          },
                          [&](int) { return list(out); }),
                      peer::call(
                          "jacobian", "getWorldJacobian", states,
                          [&](int k) {
                            body->setPositions(q[k]);
                            J = tip->getWorldJacobian();
                          },
                          [&](int) {
                            Eigen::MatrixXd all = Eigen::MatrixXd::Zero(6, robot.nv);
                            for (int c = 0; c < J.cols(); ++c)
                              all.col(static_cast<Eigen::Index>(tip->getDependentGenCoordIndices()[c])) = J.col(c);
                            return list(all);
                          })});
}
