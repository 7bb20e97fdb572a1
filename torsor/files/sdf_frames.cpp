#include "torsor/files/sdf_frames.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/files/mjcf_document.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

constexpr const char* kind_words[] = {"world", "model", "link", "joint", "frame"};

/// Names in a model that has this name itself.
std::string inside_of(const std::string& scope, std::string_view name) {
  return scope.empty() ? std::string(name) : fmt::format("{}::{}", scope, name);
}

template <class Part>
const std::string& called(const Part& part) {
  return part.shown.empty() ? part.name : part.shown;
}

template <class T>
const T& as(const void* source) {
  return *static_cast<const T*>(source);
}

}  // namespace

SdfFrames::SdfFrames(const SdfDocument& document, Faults& errors, Faults& notes) : errors_(errors), notes_(notes) {
  nodes_.push_back({Kind::world, "world", -1, &document.world, document.world.where, false});
  full_.emplace_back();
  const bool alone = document.world.models.size() == 1;
  for (const SdfModel& model : document.world.models) add_model(model, 0, false, alone ? "" : model.name);
  for (const SdfFrame& frame : document.world.frames)
    add(Kind::frame, frame.name, 0, &frame, frame.where, called(frame));
  for (const SdfJoint& joint : document.world.joints) add(Kind::joint, joint.name, 0, &joint, joint.where, joint.shown);
  link_up();
  if (errors_.empty()) place();
  if (errors_.empty()) attach();
}

std::string SdfFrames::title(const Node& node) {
  return fmt::format("{} \"{}\"", kind_words[static_cast<int>(node.kind)],
                     node.kind == Kind::model ? as<SdfModel>(node.source).name : node.name);
}

void SdfFrames::fault(const Node& node, std::string rule, std::string what, std::string remedy) {
  errors_.push_back({node.where, title(node), std::move(rule), std::move(what), std::move(remedy)});
}

int SdfFrames::add(Kind kind, const std::string& name, int around, const void* source, const Where& where,
                   const std::string& shown) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back({kind, shown, around, source, where, false});
  full_.push_back(inside_of(full_[static_cast<std::size_t>(around)], name));
  // a name that the reader refused already
  if (name.empty()) return node;
  auto& names = index_[static_cast<std::size_t>(kind)];
  if (const auto [known, fresh] = names.emplace(full_.back(), node); !fresh) {
    const std::string rule = kind == Kind::joint ? "joint-name" : kind == Kind::link ? "link-name" : "frame-name";
    fault(nodes_.back(), rule,
          fmt::format("the {} of line {} has this name already", kind_words[static_cast<int>(kind)],
                      nodes_[static_cast<std::size_t>(known->second)].where.line),
          fmt::format("give each {} a name of its own", kind_words[static_cast<int>(kind)]));
  } else {
    for (const auto& others : index_)
      if (&others != &names && others.contains(full_.back())) {
        const Fault note{where, title(nodes_.back()), "name-shared",
                         "a link, joint, frame or model shares its name with another kind of thing: later versions of "
                         "SDF refuse that",
                         ""};
        if (std::ranges::none_of(notes_, [](const Fault& each) { return each.rule == "name-shared"; }))
          notes_.push_back(note);
      }
  }
  return node;
}

void SdfFrames::add_model(const SdfModel& model, int around, bool is_static, const std::string& shown) {
  const int own = add(Kind::model, model.name, around, &model, model.where, shown);
  is_static = is_static || model.is_static;
  const auto part = [&](Kind kind, const std::string& name, const void* source, const Where& where,
                        const std::string& shown_name) {
    const int node = add(kind, name, own, source, where, inside_of(shown, shown_name));
    nodes_[static_cast<std::size_t>(node)].is_static = is_static;
  };
  nodes_[static_cast<std::size_t>(own)].is_static = is_static;
  for (const SdfLink& each : model.links) part(Kind::link, each.name, &each, each.where, called(each));
  for (const SdfJoint& each : model.joints) part(Kind::joint, each.name, &each, each.where, each.shown);
  for (const SdfFrame& each : model.frames) part(Kind::frame, each.name, &each, each.where, called(each));
  for (const SdfModel& each : model.models) add_model(each, own, is_static, inside_of(shown, each.name));
}

int SdfFrames::find(int scope, std::string_view name, Kind kind) const {
  const auto& names = index_[static_cast<std::size_t>(kind)];
  const auto found = names.find(inside_of(full_[static_cast<std::size_t>(scope)], name));
  return found == names.end() ? -1 : found->second;
}

int SdfFrames::find(int scope, std::string_view name) const {
  if (name == "__model__" && scope != 0) return scope;
  if (name == "__root__" || (name == "world" && scope == 0)) return 0;
  for (const Kind kind : {Kind::link, Kind::frame, Kind::model, Kind::joint})
    if (const int node = find(scope, name, kind); node >= 0) return node;
  // flattened files have frames of such names
  return name.ends_with("::__model__") ? find(scope, name.substr(0, name.size() - 11), Kind::model) : -1;
}

int SdfFrames::end(int scope, std::string_view name) const {
  // a link may have the name of the world, in files of old; a joint of that name is no end of a joint
  if (name == "world") return std::max(find(scope, name, Kind::link), 0);
  return name == "__root__" ? -1 : find(scope, name);
}

int SdfFrames::required(int scope, const std::string& name, const Node& from, std::string_view attribute) {
  // only joints reach the world from inside a model
  const bool of_joint = from.kind == Kind::joint && (attribute == "parent" || attribute == "child");
  const int found = of_joint ? end(scope, name) : name == "__root__" && scope != 0 ? -1 : find(scope, name);
  if (found >= 0) return found;
  std::vector<std::string> known;
  if (nodes_.size() < 1000)
    for (const Node& node : nodes_)
      if (node.around == scope)
        known.push_back(full_[static_cast<std::size_t>(&node - nodes_.data())].substr(
            full_[static_cast<std::size_t>(scope)].empty() ? 0 : full_[static_cast<std::size_t>(scope)].size() + 2));
  const std::vector<std::string_view> names(known.begin(), known.end());
  fault(from, of_joint ? fmt::format("{}-unknown", attribute) : "frame-unknown",
        fmt::format("{} is \"{}\", and there is no such link, joint, frame or model here", attribute, excerpt(name)),
        hint_or(did_you_mean(name, names), "name one of the same model, with :: before the parts of models in it"));
  return -1;
}

void SdfFrames::link_up() {
  up_.assign(nodes_.size(), -1);
  edge_.resize(nodes_.size());
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const auto up = [&](const SdfPose& pose, int otherwise) {
      edge_[i] = pose.X;
      up_[i] = pose.relative_to.empty() ? otherwise : required(node.around, pose.relative_to, node, "relative_to");
    };
    switch (node.kind) {
      case Kind::link: up(as<SdfLink>(node.source).pose, node.around); break;
      case Kind::model: up(as<SdfModel>(node.source).pose, node.around); break;
      case Kind::joint: {
        const SdfJoint& joint = as<SdfJoint>(node.source);
        if (joint.parent.empty() || joint.child.empty()) break;
        required(node.around, joint.parent, node, "parent");
        up(joint.pose, required(node.around, joint.child, node, "child"));
        break;
      }
      case Kind::frame: {
        const SdfFrame& frame = as<SdfFrame>(node.source);
        up(frame.pose,
           frame.attached_to.empty() ? node.around : required(node.around, frame.attached_to, node, "attached_to"));
        break;
      }
      case Kind::world: break;
    }
  }
}

/// Poses in the world. A placement frame lies inside its model, so its way up passes the model.
void SdfFrames::place() {
  const std::size_t most = nodes_.size();
  const auto placement_of = [&](std::size_t i) -> std::string {
    if (nodes_[i].kind == Kind::model) return as<SdfModel>(nodes_[i].source).placement_frame;
    if (nodes_[i].kind == Kind::frame) return as<SdfFrame>(nodes_[i].source).placement_frame;
    return "";
  };
  // inner models come behind outer ones: from the last one on, all edges inside are final
  for (std::size_t i = nodes_.size(); i-- > 1;) {
    const std::string name = placement_of(i);
    if (name.empty()) continue;
    const int scope = nodes_[i].kind == Kind::model ? static_cast<int>(i) : nodes_[i].around;
    const int frame = required(scope, name, nodes_[i], "placement_frame");
    if (frame < 0) return;
    Transform<double> X;
    int at = frame;
    for (std::size_t k = 0; at > 0 && at != static_cast<int>(i) && k <= most; ++k) {
      X = edge_[static_cast<std::size_t>(at)] * X;
      at = up_[static_cast<std::size_t>(at)];
    }
    if (at != static_cast<int>(i))
      return fault(nodes_[i], "placement-frame",
                   fmt::format("placement_frame \"{}\" is not given in its model", excerpt(name)),
                   "name a frame of the model");
    edge_[i] = edge_[i] * inverse(X);
  }
  X_world_.resize(nodes_.size());
  std::vector<char> state(nodes_.size(), 0);  // 1: on the way, 2: placed
  state[0] = 2;
  for (std::size_t start = 1; start < nodes_.size(); ++start) {
    std::vector<std::size_t> path;
    std::size_t at = start;
    for (; state[at] == 0; at = static_cast<std::size_t>(up_[at])) {
      state[at] = 1;
      path.push_back(at);
      if (up_[at] < 0) return;
    }
    if (state[at] == 1)
      return fault(nodes_[at], "frame-cycle", "its pose is given in itself, by way of others",
                   "give one of these poses in another frame");
    for (; !path.empty(); path.pop_back()) {
      X_world_[path.back()] = X_world_[static_cast<std::size_t>(up_[path.back()])] * edge_[path.back()];
      state[path.back()] = 2;
    }
  }
}

void SdfFrames::attach() {
  body_.assign(nodes_.size(), -1);
  body_[0] = 0;
  // the first link of each model, or of the first model in it that has one
  std::vector<int> first(nodes_.size(), -1);
  for (std::size_t i = nodes_.size(); i-- > 1;) {
    const Node& node = nodes_[i];
    if (node.kind == Kind::link) first[static_cast<std::size_t>(node.around)] = static_cast<int>(i);
    // links stand before the models of their model, and so overwrite what these give
    if (node.kind == Kind::model && first[i] >= 0) first[static_cast<std::size_t>(node.around)] = first[i];
  }
  const auto next = [&](std::size_t i) -> int {
    const Node& node = nodes_[i];
    if (node.kind == Kind::joint) return required(node.around, as<SdfJoint>(node.source).child, node, "child");
    if (node.kind == Kind::frame) {
      const std::string& to = as<SdfFrame>(node.source).attached_to;
      return to.empty() ? node.around : required(node.around, to, node, "attached_to");
    }
    const std::string& canonical = as<SdfModel>(node.source).canonical_link;
    if (!canonical.empty()) return required(static_cast<int>(i), canonical, node, "canonical_link");
    return first[i];
  };
  std::vector<char> state(nodes_.size(), 0);
  for (std::size_t start = 1; start < nodes_.size(); ++start) {
    std::vector<std::size_t> path;
    std::size_t at = start;
    int link = -1;
    for (;;) {
      if (at == 0 || nodes_[at].kind == Kind::link) {
        link = static_cast<int>(at);
        break;
      }
      if (body_[at] >= 0) {
        link = body_[at];
        break;
      }
      if (state[at] == 1)
        return fault(nodes_[at], "frame-cycle", "it is attached to itself, by way of others",
                     "attach one of these frames to a link");
      if (state[at] == 2) break;  // a model without links
      state[at] = 1;
      path.push_back(at);
      const int up = next(at);
      if (up < 0) break;
      at = static_cast<std::size_t>(up);
    }
    if (nodes_[start].kind == Kind::link) body_[start] = static_cast<int>(start);
    for (const std::size_t each : path) body_[each] = link, state[each] = 2;
  }
}

Transform<double> SdfFrames::relative(int a, int b) const {
  // by the numbers of the file where one is given in the other
  constexpr int steps = 8;
  const auto climb = [&](int from, int to, Transform<double>& X) {
    for (int k = 0; k < steps && from > 0; ++k) {
      X = edge_[static_cast<std::size_t>(from)] * X;
      from = up_[static_cast<std::size_t>(from)];
      if (from == to) return true;
    }
    return false;
  };
  if (a == b) return {};
  if (Transform<double> X; climb(b, a, X)) return X;
  if (Transform<double> X; climb(a, b, X)) return inverse(X);
  const Transform<double>& A = X_world_[static_cast<std::size_t>(a)];
  return ~A * X_world_[static_cast<std::size_t>(b)];
}

}  // namespace torsor::detail
