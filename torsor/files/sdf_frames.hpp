// The frames of an SDF: every link, joint, frame and model has one, named in the model it stands in, with names of
// inner models behind `::`. Each is given by its pose in another one, and moves with the link it is attached to.
//
//   of          pose is given in, unless it says     moves with
//   link        its model                            itself
//   joint       its child                            its child
//   frame       what it is attached to               what it is attached to, unless it says: its model
//   model       the model around it                  its canonical link: one that it names, or else its first one
//
// A model with a placement frame P has its pose X given as that of P: X_around_model = X ~X_model_P.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "torsor/files/sdf_model.hpp"

namespace torsor::detail {

class SdfFrames {
 public:
  enum class Kind { world, model, link, joint, frame };

  struct Node {
    Kind kind = Kind::world;
    std::string name;              // in full, without the only model of a document
    int around = -1;               // the model or world it stands in
    const void* source = nullptr;  // the SdfModel, SdfLink, SdfJoint or SdfFrame
    Where where;
    bool is_static = false;
  };

  /// All frames of the document; faults for names that are given twice or that nobody has, and for frames in circles.
  SdfFrames(const SdfDocument& document, Faults& errors, Faults& notes);

  const std::vector<Node>& nodes() const { return nodes_; }
  /// The node of a name as seen in a model or world, -1 where there is none.
  int find(int scope, std::string_view name) const;
  /// The same for the end of a joint, which may be the world.
  int end(int scope, std::string_view name) const;
  /// The pose of b in a, as the file puts them: of links that move, before they do.
  Transform<double> relative(int a, int b) const;
  /// The link that a frame moves with, or the world; -1 after a fault.
  int body(int node) const { return body_[static_cast<std::size_t>(node)]; }
  /// The names of joints as coordinates call them need the kind: a link and a joint may have one name.
  int find(int scope, std::string_view name, Kind kind) const;

 private:
  std::vector<Node> nodes_;
  std::vector<int> up_, body_;  // the frame that the pose is given in; the link that carries the frame
  std::vector<Transform<double>> edge_, X_world_;
  std::unordered_map<std::string, int> index_[5];  // by kind: names in full with all models, world first
  std::vector<std::string> full_;                  // per node
  Faults& errors_;
  Faults& notes_;

  void add_model(const SdfModel& model, int around, bool is_static, const std::string& shown);
  int add(Kind kind, const std::string& name, int around, const void* source, const Where& where,
          const std::string& shown);
  int required(int scope, const std::string& name, const Node& from, std::string_view attribute);
  void link_up();
  void place();
  void attach();
  void fault(const Node& node, std::string rule, std::string what, std::string remedy);
  static std::string title(const Node& node);
};

}  // namespace torsor::detail
