#include "torsor/files/load_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numbers>
#include <sstream>

#include "torsor/files/tool_csv.hpp"
#include "torsor/text/input_file.hpp"
#include "torsor/files/motion_stream.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/trajectory/jump_watch.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/published_path.hpp"
#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {
namespace {

std::string variants_of(std::string_view name) {
  std::string text;
  for (const PublishedPath& path : published_paths())
    if (path.robot == name) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", path.variant);
  return text;
}

Fault variant_fault(std::string offender, const char* rule, std::string what, std::string remedy) {
  return {{}, std::move(offender), rule, std::move(what), std::move(remedy)};
}

Result<PlannedMotion> published(const std::string& name, const std::optional<std::string>& variant) {
  if (const PublishedPath* path = published_path(name, variant.value_or(""))) {
    PlannedMotion planned{fmt::format("{} ({})", path->robot, path->variant), std::string(path->source), path->make()};
    planned.start = path->start_deg;
    for (double& angle : *planned.start) angle *= std::numbers::pi / 180;
    return planned;
  }
  if (const std::string known = variants_of(name); variant && !known.empty())
    return variant_fault(fmt::format("variant \"{}\"", *variant), "option-value", name + " has no such reading",
                         "it may be " + known);
  if (const PublishedMotion* motion = published_motion(name)) {
    if (variant) return variant_fault("variant", "option-mode", name + " leaves nothing open", "leave it out");
    return PlannedMotion{name, std::string(motion->source), Trajectory(motion->make())};
  }
  std::vector<std::string_view> names;
  const auto add = [&names](std::string_view each) {
    if (std::find(names.begin(), names.end(), each) == names.end()) names.push_back(each);
  };
  for (const PublishedPath& path : published_paths()) add(path.robot);
  for (const PublishedMotion& motion : published_motions()) add(motion.robot);
  const std::string hint = did_you_mean(name, names);
  return Fault{{},
               fmt::format("\"{}\"", name),
               "motion-unknown",
               "there is no such file and no published motion",
               fmt::format("{}{}published motions: {}", hint, hint.empty() ? "" : " ", fmt::join(names, ", "))};
}

Result<ToolPath> path_of_csv(std::istream& in, const std::string& file, bool degrees) {
  constexpr std::size_t most_rows = 1'000'000;
  ToolReader reader(in, file, degrees);
  std::vector<ToolRow> rows;
  for (ToolRow row; reader.next(row);) {
    rows.push_back(row);
    if (rows.size() > most_rows)
      return Fault{{file, 0}, "", "file-size", fmt::format("has more than {} rows", most_rows), "follow it in pieces"};
  }
  if (!reader.ok()) return reader.faults();
  const int derivatives = reader.has_accelerations() ? 2 : reader.has_velocities() ? 1 : 0;
  std::vector<std::string> notes;
  if (!reader.ignored().empty())
    notes.push_back(fmt::format("columns not used: {}", fmt::join(reader.ignored(), ", ")));
  if (const double most = reader.largest_unnamed_angle(); most > 2 * std::numbers::pi)
    notes.push_back(fmt::format("{}: roll, pitch, yaw up to {} are taken for radians; degrees are named in the "
                                "heading: roll_deg", file, print_number(most)));
  if (!reader.has_time()) notes.emplace_back("the file has no times: t counts its rows, from 0");
  if (reader.has_time() && derivatives > 0)
    if (const auto what = contradiction(rows)) notes.push_back(fmt::format("{}: {}", file, *what));
  ToolPath path = tool_path(std::move(rows), derivatives, reader.has_time());
  path.name = file;
  path.notes = std::move(notes);
  return path;
}

/// A motion file begins with a key or a table, a CSV file with a line of names.
bool looks_like_toml(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    return line[first] == '[' || line.find('=') != std::string::npos;
  }
  return false;
}

}  // namespace

bool names_file(const std::string& name) {
  std::error_code ignored;
  return name == "-" || name.find('/') != std::string::npos || name.ends_with(".toml") || name.ends_with(".csv") ||
         std::filesystem::exists(name, ignored);
}

Result<PlannedMotion> load_motion(const std::string& name, const std::optional<std::string>& variant,
                                  const Model<double>* robot) {
  if (!names_file(name)) return published(name, variant);
  if (variant) return variant_fault("variant", "option-mode", "has no meaning with a file", "leave it out");
  const auto text = read_text_file(name);
  if (!text) return text.faults();
  return read_motion_toml(*text, name == "-" ? "standard input" : name, robot);
}

Result<MotionTable> load_motion_table(const Model<double>& model, const std::string& path, std::size_t most,
                                      bool degrees) {
  InputFile input(path);
  if (!input.faults().empty()) return input.faults();
  MotionStream stream(model, input.stream(), input.name(), {.degrees = degrees});
  MotionTable table{input.name(), {}};
  JumpWatch watch(model);
  for (MotionRow row; stream.next(row);) {
    if (table.rows.size() == most)
      return Fault{
          {input.name(), 0}, "", "motion-length", fmt::format("has more than {} rows", most), "give fewer rows"};
    if (stream.reader().has_time() && !stream.reader().derivation()) watch.add(row);
    table.rows.push_back(row);
  }
  if (!stream.reader().ok()) return stream.reader().faults();
  table.has_time = stream.reader().has_time();
  table.derived = stream.reader().derivation().what;
  table.jumps = watch.jumps();
  table.degree_suspicion = stream.degree_suspicion();
  return table;
}

Result<Trajectory> trajectory_of(const MotionTable& table) {
  if (table.rows.size() < 2 || !table.has_time)
    return Fault{{table.name, 0}, "", "motion-time", "has not two rows with times", "give a column t and more rows"};
  auto spline = sampled_motion(table.rows);
  if (!spline) return spline.faults();
  const auto motion = std::make_shared<const SplineMotion>(*std::move(spline));
  return Trajectory(motion->size(), motion->duration(), [motion](double t, auto q, auto qd, auto qdd) {
    motion->sample(std::clamp(t, 0.0, motion->duration()), q, qd, qdd);
  });
}

Result<ToolPath> tool_path_of(const PlannedMotion& planned, const std::string& name) {
  if (!planned.tool())
    return Fault{{},
                 fmt::format("\"{}\"", name),
                 "motion-kind",
                 "is a motion of the joints",
                 "give a motion of the tool"};
  ToolPath path = tool_path(*planned.tool());
  path.name = planned.name;
  path.source = planned.source;
  path.scaling = planned.tool_scaling;
  path.limited = planned.tool_limited;
  path.start = planned.start;
  path.notes = planned.notes;
  return path;
}

Result<ToolPath> load_tool_path(const std::string& name, const std::optional<std::string>& variant,
                                const Model<double>& robot, bool degrees) {
  const bool csv = name != "-" && names_file(name) && !name.ends_with(".toml");
  if (variant && (csv || name == "-"))
    return variant_fault("variant", "option-mode",
                         csv ? "has no meaning with a CSV file" : "has no meaning with a file", "leave it out");
  if (csv) {
    InputFile file(name);
    if (!file.faults().empty()) return file.faults();
    return path_of_csv(file.stream(), file.name(), degrees);
  }
  if (name == "-") {
    const auto text = read_text_file(name);
    if (!text) return text.faults();
    std::istringstream in(*text);
    if (!looks_like_toml(*text)) return path_of_csv(in, "standard input", degrees);
    const auto planned = read_motion_toml(*text, "standard input", &robot);
    return planned ? tool_path_of(*planned, "standard input") : Result<ToolPath>(planned.faults());
  }
  const auto planned = load_motion(name, variant, &robot);
  if (!planned) return planned.faults();
  return tool_path_of(*planned, name);
}

}  // namespace torsor
