#include "torsor/text/column_heading.hpp"

#include <algorithm>
#include <array>


namespace torsor {
namespace {

struct NamedUnit {
  ColumnKind measure;
  int rate;
  UnitSuffix unit;
};

constexpr UnitSuffix si{};

// those of angles and lengths are derived by time below
constexpr NamedUnit base_units[] = {
    {ColumnKind::angle, 0, {"rad"}},
    {ColumnKind::angle, 0, degree_unit},
    {ColumnKind::angle, 0, {"mrad", 1, 1e3}},
    {ColumnKind::length, 0, {"m"}},
    {ColumnKind::length, 0, {"cm", 1, 1e2}},
    {ColumnKind::length, 0, {"mm", 1, 1e3}},
};
constexpr NamedUnit other_units[] = {
    {ColumnKind::time, 0, {"s"}},
    {ColumnKind::time, 0, {"ms", 1, 1e3}},
    {ColumnKind::time, 0, {"us", 1, 1e6}},
    {ColumnKind::time, 0, {"ns", 1, 1e9}},
    {ColumnKind::angle, 1, {"rpm", std::numbers::pi, 30}},
    {ColumnKind::torque, 0, {"Nm"}},
    {ColumnKind::torque, 0, {"mNm", 1, 1e3}},
    {ColumnKind::force, 0, {"N"}},
    {ColumnKind::force, 0, {"kN", 1e3, 1}},
};
constexpr std::array<std::string_view, 3> per_time = {"", "/s", "/s2"};

bool is_of(ColumnKind unit, ColumnKind column) {
  if (column == ColumnKind::angle_or_length) return unit == ColumnKind::angle || unit == ColumnKind::length;
  if (column == ColumnKind::torque_or_force) return unit == ColumnKind::torque || unit == ColumnKind::force;
  return unit == column;
}

// every unit of a measure, with its text; visit says true to stop
template <class Visit>
void each_unit(ColumnMeasure column, Visit&& visit) {
  for (const NamedUnit& each : base_units)
    if (is_of(each.measure, column.measure))
      if (visit(std::string(each.unit.text).append(per_time[static_cast<std::size_t>(column.rate)]), each.unit)) return;
  for (const NamedUnit& each : other_units)
    if (is_of(each.measure, column.measure) && each.rate == column.rate)
      if (visit(std::string(each.unit.text), each.unit)) return;
}

void replace_each(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// words may be written large; letters may not, since m and M are a thousandth and a million
bool is_word(std::string_view lower) {
  constexpr std::string_view words[] = {"deg", "rad", "rpm", "mrad", "sec"};
  return std::ranges::any_of(words, [lower](std::string_view word) { return lower.starts_with(word); });
}

// one spelling for each unit: `N m`, `N·m`, `N*m` are Nm; `deg/s^2`, `°/s²`, `deg/s/s`, `Deg/s²` are deg/s2
std::string plain_unit(std::string_view given) {
  std::string unit;
  for (const char c : given)
    if (c != ' ' && c != '^' && c != '*') unit += c;
  if (std::string lower = lower_case(unit); is_word(lower)) unit = std::move(lower);
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"\u00b7", ""},
                                 {"\u00b2", "2"},
                                 {"\u00b0", "deg"},
                                 {"\u00b5s", "us"},
                                 {"\u03bcs", "us"},
                                 {"degrees", "deg"},
                                 {"degree", "deg"},
                                 {"radians", "rad"},
                                 {"seconds", "s"},
                                 {"sec", "s"},
                                 {"/s/s", "/s2"}})
    replace_each(unit, from, to);
  return unit;
}

// behind an underscore: `deg_s`, `deg_per_s` and `deg/s` are alike
std::string suffix_unit(std::string_view tail) {
  std::string unit(tail);
  replace_each(unit, "_per_", "/");
  replace_each(unit, "_s", "/s");
  return plain_unit(unit);
}

bool known_anywhere(const std::string& unit) {
  for (const ColumnKind measure : {ColumnKind::time, ColumnKind::angle_or_length, ColumnKind::torque_or_force})
    for (int rate = 0; rate < (measure == ColumnKind::angle_or_length ? 3 : 1); ++rate) {
      bool found = false;
      each_unit({measure, rate}, [&](const std::string& text, const UnitSuffix&) { return found = text == unit; });
      if (found) return true;
    }
  return false;
}

std::string_view without_end_blanks(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool is_time(const ColumnHeading& heading) {
  const std::string name = lower_case(heading.name);
  // as spreadsheets of other countries have it: Zeit (s)
  constexpr std::string_view words[] = {"t",       "time",         "zeit",    "temps",    "tiempo",          "tempo",  "tijd", "tid", "czas",
                                        "elapsed", "elapsed time", "elapsed_time", "sim_time", "time_from_start", "__time", "seconds"};
  return std::ranges::find(words, std::string_view(name)) != std::end(words) ||
         (name == "timestamp" && !heading.unit.empty());
}

std::string printed_unit(std::string_view unit) {
  std::string printed(unit);
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"s2", "s\u00b2"},
                                 {"s3", "s\u00b3"},
                                 {"m2", "m\u00b2"},
                                 {"Nm", "N m"},
                                 {"kgm", "kg m"}})
    replace_each(printed, from, to);
  return printed;
}

std::vector<ColumnHeading> heading_readings(std::string_view heading) {
  std::vector<ColumnHeading> readings{{std::string(heading), "", false}};
  if (heading.ends_with(')') || heading.ends_with(']')) {
    const std::size_t open = heading.rfind(heading.back() == ')' ? '(' : '[');
    if (open == std::string_view::npos) return readings;
    const std::string_view name = without_end_blanks(heading.substr(0, open));
    if (!name.empty())
      readings.push_back({std::string(name), plain_unit(heading.substr(open + 1, heading.size() - open - 2)), true});
    return readings;
  }
  for (std::size_t at = heading.find('_', 1); at != std::string_view::npos; at = heading.find('_', at + 1))
    if (std::string unit = suffix_unit(heading.substr(at + 1)); known_anywhere(unit))
      readings.push_back({std::string(heading.substr(0, at)), std::move(unit), false});
  return readings;
}

std::optional<UnitSuffix> column_unit(const ColumnHeading& heading, ColumnMeasure measure) {
  if (heading.unit.empty() && !heading.bracket) return si;
  std::optional<UnitSuffix> found;
  const auto find = [&](ColumnMeasure column, const std::string& wanted) {
    each_unit(column, [&](const std::string& text, const UnitSuffix& unit) {
      if (text == wanted) found = unit;
      return found.has_value();
    });
  };
  find(measure, heading.unit);
  if (!found && !heading.bracket && measure.rate > 0) find({measure.measure, 0}, heading.unit);
  return found;
}

std::string column_units(ColumnMeasure measure) {
  std::vector<std::string> names;
  each_unit(measure, [&names](const std::string& text, const UnitSuffix&) {
    names.push_back(text);
    return false;
  });
  std::string list;
  for (std::size_t k = 0; k < names.size(); ++k)
    list += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + names[k];
  return list;
}

}  // namespace torsor
