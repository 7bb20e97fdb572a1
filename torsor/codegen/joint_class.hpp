// What lets one text of a recursion's step serve many bodies: bodies of one kind of joint, the numbers in which they
// differ as rows of a table, what they have in common (zeros, ones) as structure. A step is recorded on a model of one
// body whose base moves as the body's parent does.
#pragma once

#include <map>

#include "torsor/model/configuration.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// The numbers of a body: ratio, offset, pitch; placement (columns of R, p); mass, first moment, tensor.
inline constexpr std::size_t body_numbers = 25;
using BodyNumbers = std::array<double, body_numbers>;

struct JointClass {
  JointKind kind{};
  std::vector<int> bodies;
  BodyNumbers common{};             // of those that are structural
  std::array<int, body_numbers> column{};  // in the table; -1: structural
};

/// All of them, and the table: one row per body.
struct JointClasses {
  explicit JointClasses(const Model<double>&);

  std::vector<JointClass> classes;
  std::vector<int> class_of;              // per body
  std::vector<int> turn;                  // per body: which of the angles is its own; -1: none
  int angles = 0, columns = 0;
  std::vector<std::vector<double>> table;
};

/// Inputs of a tape by their names, each made once.
class NamedInputs {
 public:
  explicit NamedInputs(Tape& tape) : tape_(tape) {}
  Trace operator()(const std::string& name);
  Trace operator()(const char* array, int index);

 private:
  Tape& tape_;
  std::map<std::string, Trace> known_;
};

/// One body on a base, on tape: rows of the table are `k[..]`, its coordinates `x[..]`, cosine and sine of its angle
/// `cosine[j]` and `sine[j]`.
struct SingleBody {
  SingleBody(const JointClass&, NamedInputs&);

  Model<Trace> model;
  Configuration<Trace> configuration;
};

/// The pose of a body in its parent, computed once and kept: entries that vary are `X[..]`.
class KeptPose {
 public:
  explicit KeptPose(const JointClass&);

  /// How many entries are kept.
  int size() const { return size_; }
  /// Names of the outputs that keep them, for a tape that has the pose.
  void keep(Tape&, const Transform<Trace>&) const;
  /// The pose from what is kept.
  Transform<Trace> operator()(NamedInputs&) const;

 private:
  struct Entry {
    int kept = -1;          // place in X
    double value = 0;       // structural
    std::string name;       // in the table
  };
  std::array<Entry, 12> entries_;
  int size_ = 0;
};

}  // namespace torsor
