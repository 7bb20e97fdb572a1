#include "torsor/files/motion_stream.hpp"

#include <fmt/format.h>

#include <utility>

#include "torsor/model/unit_quaternions.hpp"
#include "torsor/text/utf8.hpp"

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
      degrees_(model) {
  degrees_.keep(reader_.unnamed());
}

std::string MotionStream::degree_suspicion() const {
  const std::vector<int>& unnamed = reader_.unnamed();
  if (!reader_.in_degrees() || unnamed.empty()) return degrees_.suspicion();
  const std::string first = fmt::format("column \"{}\"", excerpt(reader_.heading(unnamed.front())));
  return unnamed.size() == 1
             ? first + " names no unit and is read in radians, beside columns in degrees"
             : fmt::format("{} and {} more name no unit and are read in radians, beside columns in degrees", first,
                           unnamed.size() - 1);
}

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
