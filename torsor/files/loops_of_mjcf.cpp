#include "torsor/files/loops_of_mjcf.hpp"

#include <algorithm>
#include <unordered_map>

#include "torsor/files/mjcf_model.hpp"
#include "torsor/files/mjcf_reader.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"
#include "torsor/model/configuration.hpp"

namespace torsor {
namespace {

/// Where the file puts the joints of the tree.
std::vector<double> start_of(const detail::MjcfLoops& loops, const Model<double>& model) {
  std::vector<double> q = neutral_position(model);
  for (int b = 0; b < model.size(); ++b) {
    const Body<double>& body = model[b];
    const auto known = loops.start.find(model.joint_names[b]);
    // a joint that follows another has no position of its own
    if (known == loops.start.end() || body.ratio != 1 || body.offset != 0) continue;
    std::ranges::copy(known->second, q.begin() + body.q);
  }
  return q;
}

using BodyNumbers = std::unordered_map<std::string, int>;

MechanismJoint closing_joint(const detail::MjcfClosing& closing, const BodyNumbers& numbers) {
  const auto side = [&](const std::string& name, const Transform<double>& X) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? JointSide{ground, -1, X} : JointSide{found->second, -1, X};
  };
  MechanismJoint joint;
  joint.name = closing.name;
  joint.kind = closing.rigid ? MechanismJointKind::fixed : MechanismJointKind::spherical;
  joint.i = side(closing.one, closing.X_one);
  joint.j = side(closing.two, closing.X_two);
  joint.where = closing.where;
  return joint;
}

}  // namespace

Result<MechanismDescription> read_mjcf_mechanism(std::string_view text, const std::string& file, const ReadFile& read,
                                                 std::span<const double> q, std::span<const double> qd) {
  detail::MjcfLoops loops;
  const Result<Description> tree = detail::read_mjcf_tree(text, file, read, {}, &loops);
  if (!tree) return tree.faults();
  const Result<Model<double>> model = build(*tree);
  if (!model) return model.faults();
  const std::vector<double> start = start_of(loops, *model);
  Result<MechanismDescription> made = mechanism_of_robot(*model, q.empty() ? start : q, qd);
  if (!made) return made.faults();
  MechanismDescription& mechanism = *made;
  mechanism.name = tree->name;
  mechanism.notes.insert(mechanism.notes.begin(), tree->notes.begin(), tree->notes.end());
  BodyNumbers numbers;
  for (const std::string& link : model->link_names) numbers.emplace(link, static_cast<int>(numbers.size()));
  for (const detail::MjcfClosing& closing : loops.closings)
    mechanism.joints.push_back(closing_joint(closing, numbers));
  return made;
}

Result<MechanismDescription> read_mjcf_mechanism(std::string_view text, const std::string& file) {
  return read_mjcf_mechanism(text, file, detail::read_plain_file);
}

}  // namespace torsor
