#include "torsor/files/motion_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "torsor/text/fault_log.hpp"
#include "torsor/files/motion_toml_blocks.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/trajectory/time_law.hpp"

namespace torsor {
namespace detail {

std::string read_law(TomlTable& root, std::string_view fallback) {
  Words<std::string_view> words;
  for (const TimeLaw<double>& law : time_laws<double>) words.emplace_back(law.name, law.name);
  return std::string(root.word("law", words, "time-law").value_or(fallback));
}

std::optional<double> read_seconds(TomlTable& table, std::string_view key, Zero zero) {
  const auto seconds = table.number(key);
  if (!seconds || *seconds > 0 || (zero == Zero::allowed && *seconds == 0)) return seconds;
  table.fault(key, "motion-duration", fmt::format("it is {}", print_number(*seconds)),
              zero == Zero::allowed ? "give seconds, not negative" : "give seconds above zero");
  return std::nullopt;
}

void blame(TomlTable& table, std::string_view key, const Faults& errors) {
  for (const Fault& error : errors)
    table.fault(key, error.rule, fmt::format("{}: {}", error.offender, error.what), error.remedy);
}

}  // namespace detail

namespace {

enum class Mover { joints, tool };

/// `points 2 and 5`
std::string points_text(const std::vector<std::size_t>& points) {
  std::string text = points.size() == 1 ? "point " : "points ";
  for (std::size_t i = 0; i < points.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == points.size() ? " and " : ", ", points[i]);
  return text;
}

void read_motion(TomlTable& root, const std::string& file, const Model<double>* robot, PlannedMotion& planned) {
  if (const auto format = root.number("format"); format && *format != 1)
    root.fault("format", "format-version", fmt::format("it is {}", print_number(*format)),
               "this is the reader of format = 1");
  planned.name = single_line(root.text("name").value_or(std::filesystem::path(file).stem().string()));
  planned.source = single_line(root.text("source").value_or(""));
  // files of version 0.1 have another word for the tool
  const bool former = root.is_text("motion") && root.text("motion") == "hand";
  const auto mover =
      former ? Mover::tool
             : root.word<Mover>("motion", {{"joints", Mover::joints}, {"tool", Mover::tool}}, "motion-kind");
  // without knowing what moves and how, which keys belong here is anyone's guess
  bool known = false;
  if (mover == Mover::joints)
    known = detail::read_joint_motion(root, robot, planned);
  else if (mover == Mover::tool)
    known = detail::read_tool_rows(root, robot, planned);
  else if (!root.has("motion"))
    root.missing("motion", "write motion = \"joints\" or motion = \"tool\"");
  if (former) planned.notes.push_back("motion = \"hand\" of version 0.1 is read as motion = \"tool\"");
  if (known) root.finish();
}

}  // namespace

double PlannedMotion::duration() const {
  return std::visit([](const auto& m) { return m.duration(); }, motion);
}

Fault corner_fault(const PlannedMotion& planned, const std::string& file) {
  return {{file, 0},
          points_text(planned.corners),
          "motion-corner",
          "the velocity jumps at a corner that is not rounded: no torque is enough there",
          planned.tool() ? "give rounding; or limits, under which the tool stops at such corners"
                         : "give the point a blend above zero"};
}

Result<PlannedMotion> read_motion_toml(std::string_view text, const std::string& file, const Model<double>* robot) {
  const Result<TomlValue> document = parse_toml(text, file);
  if (!document) return document.faults();
  Faults errors;
  TomlTable root(*document, "", file, errors);
  PlannedMotion planned;
  read_motion(root, file, robot, planned);
  if (errors.empty() && !planned.corners.empty())
    planned.notes.push_back(
        fmt::format("at {} the velocity jumps, because the corner is not rounded: no torque is enough "
                    "there, and those that are given are of the way before and behind",
                    points_text(planned.corners)));
  if (errors.empty()) return planned;
  std::ranges::stable_sort(errors, {}, [](const Fault& error) { return error.where.line; });
  FaultLog log;
  for (Fault& error : errors) log.add(std::move(error));
  return log.faults();
}

}  // namespace torsor
