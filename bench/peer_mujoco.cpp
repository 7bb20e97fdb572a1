// MuJoCo (PyPI: mujoco), the functions of its pipeline that a question needs and no more. See bench/peer.hpp.
#include <mujoco/mujoco.h>

#include <algorithm>

#include "peer.hpp"

namespace {

using peer::transposed, peer::operator*, peer::operator+;

/// Moments about three axes at right angles, and the quaternion of those axes: Jacobi's rotations.
void principal(const peer::Mat& inertia, double moments[3], double quaternion[4]) {
  peer::Mat A = inertia, V = peer::Link{}.R;
  for (int sweep = 0; sweep < 50; ++sweep)
    for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      if (A[p][q] == 0) continue;
      const double theta = 0.5 * std::atan2(2 * A[p][q], A[q][q] - A[p][p]);
      peer::Mat turn = peer::Link{}.R;
      turn[p][p] = turn[q][q] = std::cos(theta);
      turn[p][q] = std::sin(theta);
      turn[q][p] = -turn[p][q];
      A = transposed(turn) * A * turn;
      A[p][q] = A[q][p] = 0;
      V = V * turn;
    }
  double rows[9];
  for (int i = 0; i < 3; ++i) {
    moments[i] = A[i][i];
    for (int j = 0; j < 3; ++j) rows[3 * i + j] = V[i][j];
  }
  mju_mat2Quat(quaternion, rows);
}

mjModel* model(const peer::Robot& robot) {
  mjSpec* spec = mj_makeSpec();
  spec->option.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
  std::copy(robot.gravity.begin(), robot.gravity.end(), spec->option.gravity);
  std::vector<mjsBody*> bodies;
  for (const peer::Link& link : robot.links) {
    mjsBody* body = mjs_addBody(link.parent < 0 ? mjs_findBody(spec, "world") : bodies[link.parent], nullptr);
    mjs_setName(body->element, link.name.c_str());
    double R[9];
    for (int k = 0; k < 9; ++k) R[k] = link.R[k / 3][k % 3];
    std::copy(link.p.begin(), link.p.end(), body->pos);
    mju_mat2Quat(body->quat, R);
    // any sound body for now: measured ones that no body can have are refused
    body->mass = 1;
    std::copy(link.body.centre.begin(), link.body.centre.end(), body->ipos);
    std::fill(body->inertia, body->inertia + 3, 1.);
    body->explicitinertial = 1;
    mjsJoint* joint = link.kind == peer::Kind::free ? mjs_addFreeJoint(body) : mjs_addJoint(body, nullptr);
    if (link.kind != peer::Kind::free) {
      joint->type = link.kind == peer::Kind::prismatic ? mjJNT_SLIDE : mjJNT_HINGE;
      std::copy(link.axis.begin(), link.axis.end(), joint->axis);
    }
    bodies.push_back(body);
  }
  mjModel* m = mj_compile(spec, nullptr);
  if (!m) peer::give_up(mjs_getError(spec));
  if (m->nq != robot.nq || m->nv != robot.nv || m->nbody != static_cast<int>(robot.links.size()) + 1)
    peer::give_up("bodies were fused");
  for (std::size_t k = 0; k < robot.links.size(); ++k) {
    if (std::string(mj_id2name(m, mjOBJ_BODY, static_cast<int>(k) + 1)) != robot.links[k].name)
      peer::give_up("bodies in another order");
    m->body_mass[k + 1] = robot.links[k].body.mass;
    principal(robot.links[k].body.inertia, m->body_inertia + 3 * (k + 1), m->body_iquat + 4 * (k + 1));
    m->body_sameframe[k + 1] = mjSAMEFRAME_NONE;
    m->body_simple[k + 1] = 0;
  }
  std::fill(m->dof_simplenum, m->dof_simplenum + m->nv, 0);
  for (int b = m->nbody - 1; b >= 0; --b) m->body_subtreemass[b] = m->body_mass[b];
  for (int b = m->nbody - 1; b > 0; --b) m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
  mj_deleteSpec(spec);
  return m;
}

/// Of a free joint MuJoCo has the linear part first and in the world, R of the body and w of it given.
struct Free {
  int iv = -1;
  peer::Mat R{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const peer::Robot robot = peer::read_robot(argv[1]);
  const peer::States states = peer::read_states(argv[2], robot);
  mjModel* m = model(robot);
  mjData* d = mj_makeData(m);
  const int n = robot.nv;

  using Rows = std::vector<std::vector<double>>;
  Rows q = states.q, qd = states.qd, qdd = states.qdd, tau = states.tau;
  std::vector<std::vector<Free>> turned(states.count);
  for (int k = 0; k < states.count; ++k)
    for (const peer::Link& link : robot.links) {
      if (link.kind != peer::Kind::free) continue;
      if (link.parent >= 0) peer::give_up("MuJoCo has free joints in the world alone");
      const double* at = states.q[k].data() + link.iq;
      for (int i = 0; i < 7; ++i) q[k][link.iq + i] = at[(i + 4) % 7];
      double flat[9];
      mju_quat2Mat(flat, at);
      Free free{link.iv, {}};
      for (int i = 0; i < 9; ++i) free.R[i / 3][i % 3] = flat[i];
      turned[k].push_back(free);
      const auto part = [&](const Rows& rows, int first) {
        return peer::Vec{rows[k][link.iv + first], rows[k][link.iv + first + 1], rows[k][link.iv + first + 2]};
      };
      const auto set = [&](Rows& rows, const peer::Vec& linear, const peer::Vec& angular) {
        for (int i = 0; i < 3; ++i) rows[k][link.iv + i] = linear[i], rows[k][link.iv + 3 + i] = angular[i];
      };
      const peer::Vec w = part(states.qd, 0), v = part(states.qd, 3);
      const peer::Vec w_v{w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2], w[0] * v[1] - w[1] * v[0]};
      set(qd, free.R * v, w);
      set(qdd, free.R * (part(states.qdd, 3) + w_v), part(states.qdd, 0));
      set(tau, free.R * part(states.tau, 3), part(states.tau, 0));
    }
  // what belongs to rates (rows of nv, `stride` apart) back in our order and axes
  const auto ours = [&](std::vector<double>& x, int first, int stride, int state) {
    for (const Free& free : turned[state]) {
      const auto at = [&](int i) -> double& { return x[first + (free.iv + i) * stride]; };
      const peer::Vec linear = transposed(free.R) * peer::Vec{at(0), at(1), at(2)}, angular{at(3), at(4), at(5)};
      for (int i = 0; i < 3; ++i) at(i) = angular[i], at(3 + i) = linear[i];
    }
  };
  const auto rows_and_columns = [&](std::vector<double> x, int rows, bool both, int state) {
    for (int i = 0; i < rows; ++i) ours(x, i * n, 1, state);
    for (int j = 0; both && j < n; ++j) ours(x, j, n, state);
    return x;
  };
  const auto put = [](const std::vector<double>& from, mjtNum* to) { std::copy(from.begin(), from.end(), to); };

  std::vector<double> out(n), bias(n), M(n * n), J(6 * n);
  const auto vector_result = [&](int k) {
    std::vector<double> x = out;
    ours(x, 0, 1, k);
    return x;
  };
  const auto place = [&](int k) {
    put(q[k], d->qpos);
    mj_kinematics(m, d);
    mj_comPos(m, d);
  };
  return peer::serve(("MuJoCo " + std::string(mj_versionString())).c_str(), states,
                     {peer::call(
                          "id", "mj_rne", states,
                          [&](int k) {
                            place(k);
                            put(qd[k], d->qvel);
                            put(qdd[k], d->qacc);
                            mj_comVel(m, d);
                            mj_rne(m, d, 1, out.data());
                          },
                          vector_result),
                      peer::call(
                          "mass", "mj_makeM", states,
                          [&](int k) {
                            place(k);
                            mj_makeM(m, d);
                          },
                          [&](int k) {
                            mj_fullM(m, d, M.data());
                            return rows_and_columns(M, n, true, k);
                          }),
                      peer::call(
                          "fd", "mj_makeM, mj_factorM, mj_rne, mj_solveM", states,
                          [&](int k) {
                            place(k);
                            mj_makeM(m, d);
                            mj_factorM(m, d);
                            put(qd[k], d->qvel);
                            mj_comVel(m, d);
                            mj_rne(m, d, 0, bias.data());
                            for (int i = 0; i < n; ++i) bias[i] = tau[k][i] - bias[i];
                            mj_solveM(m, d, out.data(), bias.data(), 1);
                          },
                          [&](int k) {
                            std::vector<double> x = vector_result(k);
                            // ours is the derivative of components in the body
                            for (const Free& free : turned[k]) {
                              const double *w = states.qd[k].data() + free.iv, *v = w + 3;
                              for (int i = 0; i < 3; ++i)
                                x[free.iv + 3 + i] -= w[(i + 1) % 3] * v[(i + 2) % 3] - w[(i + 2) % 3] * v[(i + 1) % 3];
                            }
                            return x;
                          }),
                      peer::call(
                          "jacobian", "mj_jacBody", states,
                          [&](int k) {
                            place(k);
                            mj_jacBody(m, d, J.data() + 3 * n, J.data(), m->nbody - 1);
                          },
                          [&](int k) { return rows_and_columns(J, 6, false, k); })});
}
