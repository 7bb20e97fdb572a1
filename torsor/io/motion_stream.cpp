#include "torsor/io/motion_stream.hpp"

#include <utility>

#include "torsor/model/unit_quaternions.hpp"

namespace torsor {
namespace {

MotionNames column_names(const Model<double>& model, MotionContent content) {
  MotionNames names = motion_names(model.position_names, model.velocity_names);
  if (content == MotionContent::efforts)
    for (std::size_t k = 0; k < names.qdd.size(); ++k)
      names.qdd[k] = {"tau" + std::to_string(k + 1), "tau." + model.velocity_names[k]};
  return names;
}

// velocities are the rates of positions only for joints of one degree of freedom
MotionOptions restrict(MotionOptions options, const Model<double>& model, MotionContent content) {
  options.derive =
      options.derive && content == MotionContent::accelerations && model.position_names == model.velocity_names;
  return options;
}

}  // namespace

MotionStream::MotionStream(const Model<double>& model, std::istream& in, std::string file, MotionOptions options,
                           MotionContent content)
    : model_(model), reader_(in, std::move(file), column_names(model, content), restrict(options, model, content)) {}

bool MotionStream::next(MotionRow& row) {
  if (reader_.ok() && reader_.next(row) && reader_.ok() && sound(row)) return true;
  // at the end, or at a fault: what is left of the file is read for its faults only
  while (reader_.next(row)) sound(row);
  return false;
}

bool MotionStream::sound(MotionRow& row) {
  const auto fault = normalize_quaternions(model_, row.q);
  if (fault) reader_.fault("", "quaternion-unit", fault->what, fault->remedy);
  return !fault;
}

}  // namespace torsor
