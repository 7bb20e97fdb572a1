#include "torsor/codegen/joint_class.hpp"

#include <algorithm>

#include "torsor/scalar/trace_passes.hpp"
#include "torsor/scalar/trace_rebuild.hpp"

namespace torsor {
namespace {

template <class T>
std::array<T*, 12> pose_entries(Transform<T>& X) {
  auto& [R, p] = X;
  return {&R.x.x, &R.x.y, &R.x.z, &R.y.x, &R.y.y, &R.y.z, &R.z.x, &R.z.y, &R.z.z, &p.x, &p.y, &p.z};
}

/// The numbers of a body, in the order of BodyNumbers.
template <class T>
std::array<T*, body_numbers> numbers_of(Body<T>& b) {
  std::array<T*, body_numbers> out{&b.ratio, &b.offset, &b.pitch};
  std::ranges::copy(pose_entries(b.placement), out.begin() + 3);
  auto& [m, h, I] = b.inertia;
  std::ranges::copy(std::array{&m, &h.x, &h.y, &h.z, &I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}, out.begin() + 15);
  return out;
}

bool turns(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::helical || kind == JointKind::planar;
}

}  // namespace

JointClasses::JointClasses(const Model<double>& model) {
  std::vector<BodyNumbers> numbers;
  for (int i = 0; i < model.size(); ++i) {
    Body<double> body = model[i];
    BodyNumbers& own = numbers.emplace_back();
    std::ranges::transform(numbers_of(body), own.begin(), [](const double* x) { return *x; });
    const auto same = std::ranges::find_if(classes, [&](const JointClass& c) { return c.kind == body.kind; });
    class_of.push_back(static_cast<int>(same - classes.begin()));
    if (same == classes.end()) classes.push_back({.kind = body.kind, .bodies = {}, .common = {}, .column = {}});
    classes[static_cast<std::size_t>(class_of.back())].bodies.push_back(i);
    turn.push_back(turns(body.kind) ? angles++ : -1);
  }

  // a number is structural in a class where all have the same 0, 1 or -1; all others have a column, if any class needs it
  std::array<bool, body_numbers> in_table{};
  for (JointClass& c : classes) {
    c.common = numbers[static_cast<std::size_t>(c.bodies.front())];
    for (std::size_t k = 0; k < body_numbers; ++k) {
      const double first = c.common[k];
      const bool is_same =
          std::ranges::all_of(c.bodies, [&](int i) { return numbers[static_cast<std::size_t>(i)][k] == first; });
      c.column[k] = is_same && (first == 0 || first == 1 || first == -1) ? -1 : 0;
      in_table[k] = in_table[k] || c.column[k] == 0;
    }
  }
  std::array<int, body_numbers> column{};
  for (std::size_t k = 0; k < body_numbers; ++k) column[k] = in_table[k] ? columns++ : -1;
  for (JointClass& c : classes)
    for (std::size_t k = 0; k < body_numbers; ++k)
      if (c.column[k] == 0) c.column[k] = column[k];
  for (const BodyNumbers& own : numbers) {
    table.emplace_back();
    for (std::size_t k = 0; k < body_numbers; ++k)
      if (in_table[k]) table.back().push_back(own[k]);
  }
}

Trace NamedInputs::operator()(const std::string& name) {
  const auto known = known_.find(name);
  return known != known_.end() ? known->second : known_.emplace(name, tape_.input(name)).first->second;
}

Trace NamedInputs::operator()(const char* array, int index) {
  return (*this)(array + ("[" + std::to_string(index) + "]"));
}

SingleBody::SingleBody(const JointClass& c, NamedInputs& input)
    : model([&] {
        Model<Trace> m;
        Body<Trace>& b = m.bodies.emplace_back();
        b.kind = c.kind;
        m.nq = row(c.kind).nq;
        m.nv = b.nv = row(c.kind).nv;
        std::array<Trace*, body_numbers> numbers = numbers_of(b);
        for (std::size_t k = 0; k < body_numbers; ++k)
          *numbers[k] = c.column[k] < 0 ? Trace(c.common[k]) : input("k", c.column[k]);
        for (int k = 0; k < b.nv; ++k) {
          const Motion<Trace> s = joint_motion<Trace>(c.kind, k, b.pitch);
          m.S.push_back(b.nv == 1 ? s * b.ratio : s);
          m.rotor.emplace_back(0);
        }
        return m;
      }()),
      configuration(model) {
  const Body<Trace>& b = model[0];
  std::vector<Trace> x(static_cast<std::size_t>(model.nq));
  for (int k = 0; k < model.nq; ++k) x[static_cast<std::size_t>(k)] = input("x", k);
  if (b.nv == 1) x[0] = b.ratio * x[0] + b.offset;
  JointPosition<Trace>& j = configuration[0];
  set_joint_position(c.kind, x.data(), b.pitch, j);
  if (!turns(c.kind)) return;
  // sines and cosines of all joints are taken beforehand
  j.c = input("cosine[j]");
  j.s = input("sine[j]");
}

KeptPose::KeptPose(const JointClass& c) {
  Tape tape;
  {
    const Recording recording(tape);
    NamedInputs input(tape);
    const SingleBody body(c, input);
    Transform<Trace> X = pose_in_parent(body.model, body.configuration, 0);
    for (const Trace* entry : pose_entries(X)) tape.output(*entry, "");
  }
  const Tape folded = live(fold(tape));
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Node& node = detail::node_at(folded, folded.outputs()[k].node);
    if (node.operation == Operation::structural)
      entries_[k].value = node.value;
    else if (node.operation == Operation::input && node.name[0] == 'k')
      entries_[k].name = node.name;
    else
      entries_[k].kept = size_++;
  }
}

void KeptPose::keep(Tape& tape, const Transform<Trace>& pose) const {
  Transform<Trace> X = pose;
  const auto entries = pose_entries(X);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (entries_[k].kept >= 0) tape.output(*entries[k], "X[" + std::to_string(entries_[k].kept) + "]");
}

Transform<Trace> KeptPose::operator()(NamedInputs& input) const {
  Transform<Trace> X;
  const auto entries = pose_entries(X);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    *entries[k] = entries_[k].kept >= 0     ? input("X", entries_[k].kept)
                  : entries_[k].name.empty() ? Trace(entries_[k].value)
                                             : input(entries_[k].name);
  return X;
}

}  // namespace torsor
