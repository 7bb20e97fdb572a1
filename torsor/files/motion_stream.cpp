#include "torsor/files/motion_stream.hpp"

#include <utility>

#include "torsor/model/unit_quaternions.hpp"

namespace torsor {
namespace {

MotionNames column_names(const Model<double>& model, MotionContent content) {
  const char* const last = content == MotionContent::torques ? "tau" : "qdd";
  MotionNames names = motion_names(model, last);
  for (int i = 0; i < model.size(); ++i)
    if (row(model[i].kind).nv > 1) names.not_derived.push_back(model.joint_names[i]);
  return names;
}

// torques are never derived
MotionOptions restrict(MotionOptions options, MotionContent content) {
  options.derive = options.derive && content == MotionContent::accelerations;
  return options;
}

}  // namespace

MotionStream::MotionStream(const Model<double>& model, std::istream& in, std::string file, MotionOptions options,
                           MotionContent content)
    : model_(model), reader_(in, std::move(file), column_names(model, content), restrict(options, content)),
      degrees_(model) {}

bool MotionStream::next(MotionRow& row) {
  if (reader_.ok() && reader_.next(row) && reader_.ok() && sound(row)) return true;
  // at the end, or at a fault: what is left of the file is read for its faults only
  while (reader_.next(row)) sound(row);
  return false;
}

bool MotionStream::sound(MotionRow& row) {
  degrees_.add(row.q);
  const auto fault = normalize_quaternions(model_, row.q);
  if (fault) reader_.fault("", "quaternion-unit", fault->what, fault->remedy);
  return !fault;
}

}  // namespace torsor
