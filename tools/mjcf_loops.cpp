// Accelerations of an MJCF with loops as a mechanism, beside given ones of its tree; see tools/mjcf-loops. On standard
// input: the file, the number of states, and of each state q, qd and qdd, a line each, in the coordinates of the tree.
#include <fstream>
#include <iostream>
#include <sstream>

#include "torsor/files/loops_of_mjcf.hpp"
#include "torsor/files/mjcf_model.hpp"
#include "torsor/files/mjcf_reader.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/mechanism.hpp"

using namespace torsor;

namespace {

std::vector<double> read_row() {
  std::string line;
  std::getline(std::cin, line);
  std::istringstream words(line);
  std::vector<double> row;
  for (double x; words >> x;) row.push_back(x);
  return row;
}

int refuse(const Faults& faults) {
  for (const Fault& each : faults) std::cerr << to_string(each) << '\n';
  return 2;
}

/// Accelerations of the mass centres in the world; of a body without mass, of its joint.
std::vector<Motion<double>> tree_accelerations(const Model<double>& model, const std::vector<double>& q,
                                               const std::vector<double>& qd, const std::vector<double>& qdd) {
  Configuration<double> configuration(model);
  configuration.set(model, q);
  BodyMotions<double> motions(model);
  body_motions<double>(model, configuration, qd, qdd, {}, {}, motions);
  std::vector<Transform<double>> X(model.bodies.size());
  std::vector<Motion<double>> A(model.bodies.size());
  for (int b = 0; b < model.size(); ++b) {
    const Body<double>& body = model[b];
    X[b] = (body.parent < 0 ? model.base : X[body.parent]) * motions.X[b];
    const Vec3<double> c = body.inertia.m > 0 ? mass_centre(body.inertia) : Vec3<double>{};
    const Motion<double>&v = motions.v[b], &a = motions.a[b];
    A[b] = {X[b].R * a.w, X[b].R * (a.v + cross(a.w, c) + cross(v.w, v.v + cross(v.w, c)))};
  }
  return A;
}

}  // namespace

int main() {
  std::string file;
  std::getline(std::cin, file);
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  detail::MjcfLoops loops;
  const auto tree = detail::read_mjcf_tree(text, file, detail::read_plain_file, &loops);
  if (!tree) return refuse(tree.faults());
  const auto model = build(*tree);
  if (!model) return refuse(model.faults());
  double worst = 0;
  for (int states = static_cast<int>(read_row().at(0)); states > 0; --states) {
    const std::vector<double> q = read_row(), qd = read_row(), qdd = read_row();
    auto description = read_mjcf_mechanism(text, file, detail::read_plain_file, q, qd);
    if (!description) return refuse(description.faults());
    description->springs.clear();  // the reference has none, and no dampers
    const auto mechanism = build(*description);
    if (!mechanism) return refuse(mechanism.faults());
    MechanismForward forward(*mechanism);
    std::vector<Motion<double>> A(description->bodies.size());
    forward.expect_redundancy(true);
    if (!forward.accelerations(described_state(*mechanism), A))
      return refuse({{{}, file, "loops", "no accelerations", ""}});
    double off = 0, size = norm(description->gravity);
    const std::vector<Motion<double>> reference = tree_accelerations(*model, q, qd, qdd);
    for (std::size_t b = 0; b < reference.size(); ++b) {
      off = std::max({off, norm(A[b].w - reference[b].w), norm(A[b].v - reference[b].v)});
      size = std::max({size, norm(reference[b].w), norm(reference[b].v)});
    }
    worst = std::max(worst, off / size);
  }
  std::cout << loops.closings.size() << ' ' << model->nv << ' ' << worst << '\n';
}
