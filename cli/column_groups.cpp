#include "cli/column_groups.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

namespace torsor {
namespace {

// what the columns of motions and results mean
struct ColumnQuantity {
  std::string_view stem, title;
};
constexpr ColumnQuantity quantities[] = {
    {"q", "Positions"},
    {"qd", "Velocities"},
    {"qdd", "Accelerations"},
    {"tau", "Torques"},
    {"motor", "Motor torques"},
    {"w", "Angular velocity"},
    {"wd", "Angular acceleration"},
    {"v", "Velocity"},
    {"a", "Acceleration"},
    {"e", "Quaternion"},
    {"x y z", "Position"},
    {"roll pitch yaw", "Orientation"},
};

// the quantity that a name is a part of; the name itself if it tells none
std::string_view stem_of(std::string_view name) {
  for (const std::string_view component : {"x", "y", "z"})
    if (name == component) return "x y z";
  for (const std::string_view angle : {"roll", "pitch", "yaw"})
    if (name == angle) return "roll pitch yaw";
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos && dot > 0) return name.substr(0, dot);
  std::string_view stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
  if (stem.size() == name.size() && (name.ends_with('x') || name.ends_with('y') || name.ends_with('z')))
    stem.remove_suffix(1);
  while (stem.ends_with('_') || stem.ends_with(' ')) stem.remove_suffix(1);
  return stem.empty() ? name : stem;
}

std::string title_of(std::string_view stem) {
  for (const ColumnQuantity& quantity : quantities)
    if (quantity.stem == stem) return fmt::format("{} ({})", quantity.title, stem);
  return std::string(stem);
}

// units are read in one plain spelling, and written as everywhere else: N m, m/s²
std::string as_printed(std::string unit) {
  if (unit == "Nm" || unit == "mNm" || unit == "kNm") unit.insert(unit.size() - 1, " ");
  if (unit.ends_with("/s2")) unit.replace(unit.size() - 1, 1, "\u00b2");
  return unit;
}

}  // namespace

ColumnHeading plot_heading(std::string_view heading) {
  for (ColumnHeading& reading : heading_readings(heading))
    // a letter behind an underscore is more often an index than a unit, but for a time
    if (reading.bracket || (!reading.unit.empty() && (reading.unit.size() > 1 || is_time(reading)))) {
      reading.unit = as_printed(std::move(reading.unit));
      return std::move(reading);
    }
  return {std::string(heading), "", false};
}

std::vector<ColumnGroup> group_columns(std::span<const std::string> header) {
  std::vector<ColumnGroup> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> place;  // by quantity and unit
  for (std::size_t k = 0; k < header.size(); ++k) {
    const ColumnHeading heading = plot_heading(header[k]);
    const std::string stem(stem_of(heading.name));
    const auto [group, is_new] = place.try_emplace({stem, heading.unit}, groups.size());
    if (is_new) groups.push_back({stem, stem, heading.unit, title_of(stem), {}});
    groups[group->second].columns.push_back(static_cast<int>(k));
  }
  // what turns out to have no companion goes by its own name
  for (ColumnGroup& group : groups)
    if (group.columns.size() == 1)
      group.quantity = group.title = plot_heading(header[static_cast<std::size_t>(group.columns.front())]).name;
  return groups;
}

}  // namespace torsor
