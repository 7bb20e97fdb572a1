// Functions of robots with many joints, as loops over the bodies: straight-line code of thirty joints is slower than a
// loop, and its compilation takes long. The recursions are those of the library; every step is recorded from its text on a
// model of one body (joint_class.hpp) and printed as the body of a loop, once per kind of joint.
#pragma once

#include <optional>

#include "torsor/codegen/c_statements.hpp"
#include "torsor/codegen/code_function.hpp"
#include "torsor/codegen/joint_class.hpp"
#include "torsor/scalar/trace_count.hpp"

namespace torsor {

class LoopWriter {
 public:
  /// A serial arm is written in the frames and with the parameters of its canonical chain.
  LoopWriter(const Model<double>&, const Frame<double>& tool, const CReal&, std::string name);

  /// The operations of a function as the loops do them, on tape, but for friction. Mass matrices are made in the axes of the
  /// base, far from which small inertias are differences of large ones.
  Tape unrolled(CodeFunction) const;
  LoopWriter(const LoopWriter&) = delete;
  LoopWriter& operator=(const LoopWriter&) = delete;

  /// The tables that these functions read.
  std::string tables(const std::string& functions) const;
  /// The statements of a function; it may call those of needs().
  std::string write(CodeFunction);
  /// Functions that this one calls.
  static std::vector<CodeFunction> needs(CodeFunction);

  /// What the last one called, and its operations, those of functions it calls apart.
  const CBlock& called() const { return called_; }
  const OperationCount& count() const { return count_; }

 private:
  enum class Rates { none, velocity, both };

  // the functions
  std::string inverse(Rates);
  std::string mass();
  std::string forward();
  std::string coriolis();
  std::string pose(bool with_jacobian);
  std::string derivatives();

  // parts that several have: sines and cosines, motions outward and forces inward; terms of bodies and their motions outward
  // and products of pairs inward, with slopes for derivatives
  std::string angles();
  std::string inverse_loops(Rates);
  std::string world_loop(bool with_rates);
  std::string outward_terms(bool slopes);
  std::string pairs_inward(bool slopes);
  std::string rotors_on_mass();

  /// The statements of a tape, counted `times` times.
  std::string block(const Tape&, int indent, int times, bool stores_last = false);
  /// The same at the level of the function, in a scope of its own.
  std::string scope(const Tape&, bool stores_last = false);
  /// A step for body `index`, one text per class, each recorded by record(class, tape, inputs); `times` per class.
  template <class Record>
  std::string step(const std::string& index, int indent, const std::vector<int>& times, const Record& record);
  /// Those of the declarations whose first word is used in the text, and the text.
  std::string with_pointers(const std::string& index, const std::string& text, int indent) const;
  std::string loop(const std::string& head, const std::string& body, int indent = 2) const;

  /// How often a step that runs once per body runs per class.
  std::vector<int> per_body() const;
  /// Whether every body has one coordinate of its own and is on the one before it.
  bool is_path() const;
  int kept_entries() const;
  int bodies() const { return model_.size(); }

  const Model<double>& given_;           // friction is its
  Frame<double> tool_;                   // on a body of model_
  std::optional<Model<double>> canonical_;
  const Model<double>& model_;
  const CReal& real_;
  std::string name_;
  JointClasses joints_;
  std::vector<KeptPose> kept_;  // per class
  CBlock called_;
  OperationCount count_;
};

template <class Record>
std::string LoopWriter::step(const std::string& index, int indent, const std::vector<int>& times,
                             const Record& record) {
  std::vector<std::string> texts;
  bool is_empty = true;
  const bool several = joints_.classes.size() > 1;
  for (std::size_t c = 0; c < joints_.classes.size(); ++c) {
    Tape tape;
    {
      const Recording recording(tape);
      NamedInputs input(tape);
      record(c, tape, input);
    }
    texts.push_back(block(tape, indent + (several ? 4 : 0), times[c], true));
    is_empty = is_empty && texts.back().empty();
  }
  if (is_empty) return "";
  if (!several) return texts[0];
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string text = margin + "switch (torsor_kind[" + index + "]) {\n";
  for (std::size_t c = 0; c < texts.size(); ++c)
    text.append(margin)
        .append(c + 1 < texts.size() ? "  case " + std::to_string(c) : "  default")
        .append(": {\n")
        .append(texts[c])
        .append(margin)
        .append("  } break;\n");
  return text + margin + "}\n";
}

}  // namespace torsor
