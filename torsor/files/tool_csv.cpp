#include "torsor/files/tool_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

#include "torsor/files/motion_columns.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/trajectory/orientation_path.hpp"

namespace torsor {
namespace {

using Names = std::vector<std::string>;

const Names positions = {"x", "y", "z"}, quaternions = {"e0", "e1", "e2", "e3"}, angles = {"roll", "pitch", "yaw"},
            twists = {"wx", "wy", "wz", "vx", "vy", "vz"}, accelerations = {"wdx", "wdy", "wdz", "ax", "ay", "az"},
            times = {"t", "time"};

// a typed quaternion has few digits: accepted up to here, then brought to unit length
constexpr double unit_tolerance = 1e-3;

/// The headings that name a unit without it; the others as they are.
Names names_of(const Names& header, std::vector<ColumnHeading>& headings) {
  Names names;
  const auto known = [](const std::string& name) {
    const auto has = [&name](const Names& list) { return std::find(list.begin(), list.end(), name) != list.end(); };
    return has(tool_columns()) || has(angles) || has(times);
  };
  for (const std::string& column : header) {
    auto readings = heading_readings(column);
    auto reading =
        std::find_if(readings.begin(), readings.end(), [&](const ColumnHeading& h) { return known(h.name); });
    if (reading == readings.end()) reading = readings.begin();
    names.push_back(reading->name);
    headings.push_back(std::move(*reading));
  }
  return names;
}

ColumnMeasure measure_of(const std::string& name) {
  const auto among = [&name](const Names& list) { return std::find(list.begin(), list.end(), name) != list.end(); };
  if (among(times)) return {ColumnKind::time};
  if (among(positions)) return {ColumnKind::length};
  if (among(angles)) return {ColumnKind::angle};
  const int rate = among(twists) ? 1 : 2;
  if (!among(twists) && !among(accelerations)) return {ColumnKind::number};
  return {name.front() == 'w' ? ColumnKind::angle : ColumnKind::length, rate};
}

/// Finds the columns of a header, and says what is missing of a set that is begun or needed.
struct Search {
  const Names& header;  // without units
  CsvReader& csv;
  const std::vector<ColumnHeading>& headings;
  bool degrees = false;
  std::vector<int> columns = {};
  std::vector<UnitSuffix> units = {};
  bool listed = false;
  std::vector<bool> used = std::vector<bool>(header.size(), false);

  int index(const std::string& name) const {
    const auto found = std::find(header.begin(), header.end(), name);
    return found == header.end() ? -1 : static_cast<int>(found - header.begin());
  }

  bool any(const Names& names) const {
    return std::any_of(names.begin(), names.end(), [this](const std::string& name) { return index(name) >= 0; });
  }

  void take(const Names& names, const std::string& remedy) {
    for (const std::string& name : names) {
      const int column = index(name);
      if (column < 0) {
        const std::string hint = did_you_mean(name, header);
        csv.fault({csv.file(), 0}, fmt::format("column \"{}\"", name), "motion-column",
                  std::exchange(listed, true) ? "it is missing"
                                              : "it is missing; " + columns_there(csv.header(), !columns.empty()),
                  hint.empty() ? remedy : fmt::format("{} {}", hint, remedy));
        continue;
      }
      used[static_cast<std::size_t>(column)] = true;
      columns.push_back(column);
      units.push_back(unit(static_cast<std::size_t>(column)));
    }
  }

  UnitSuffix unit(std::size_t column) {
    const ColumnMeasure measure = measure_of(header[column]);
    const ColumnHeading& heading = headings[column];
    if (degrees && measure.measure == ColumnKind::angle && heading.unit.empty() && !heading.bracket) return degree_unit;
    if (const auto found = column_unit(heading, measure)) return *found;
    const std::string known = column_units(measure);
    csv.fault({csv.file(), 0}, fmt::format("column \"{}\"", csv.header()[column]), "column-unit",
              fmt::format("names the unit \"{}\", which is none of this column", excerpt(heading.unit)),
              known.empty() ? "leave out the unit: it has none" : fmt::format("give it in {}", known));
    return {};
  }
};

Vec3<double> vector_of(std::span<const double> x) { return {x[0], x[1], x[2]}; }

}  // namespace

const std::vector<std::string>& tool_columns() {
  static const Names all = [] {
    Names names;
    for (const Names* part : {&positions, &quaternions, &twists, &accelerations})
      names.insert(names.end(), part->begin(), part->end());
    return names;
  }();
  return all;
}

void append_tool(const CartesianState& state, Quaternion<double>& before, std::vector<double>& numbers) {
  const Quaternion<double> e = before = nearer(quaternion(state.X.R), before);
  const auto append = [&numbers](const Vec3<double>& v) { numbers.insert(numbers.end(), {v.x, v.y, v.z}); };
  append(state.X.p);
  numbers.insert(numbers.end(), {e.e0, e.e1, e.e2, e.e3});
  for (const Motion<double>* motion : {&state.twist, &state.acceleration}) {
    append(motion->w);
    append(motion->v);
  }
}

ToolReader::ToolReader(std::istream& in, std::string file, bool degrees) : csv_(in, std::move(file)) {
  if (!csv_.ok()) return;
  std::vector<ColumnHeading> headings;
  const Names names = names_of(csv_.header(), headings);
  std::unordered_map<std::string_view, std::size_t> first_with;  // name -> column
  for (std::size_t k = 0; k < names.size(); ++k)
    if (const auto [first, is_new] = first_with.emplace(names[k], k); !is_new)
      csv_.fault({csv_.file(), 0}, fmt::format("column \"{}\"", csv_.header()[k]), "motion-column",
                 fmt::format("is the same as \"{}\"", csv_.header()[first->second]), "remove one of the two");
  Search search{names, csv_, headings};
  has_time_ = search.any(times);
  if (search.any({"t"}) && search.any({"time"}))
    csv_.fault({csv_.file(), 0}, "column \"time\"", "motion-column", "is the same as \"t\"", "remove one of the two");
  angles_ = !search.any(quaternions) && search.any(angles);
  search.degrees = degrees && angles_;
  for (std::size_t k = 0; angles_ && !degrees && k < angles.size(); ++k)
    if (const int column = search.index(angles[k]); column >= 0)
      unnamed_angle_[k] = headings[static_cast<std::size_t>(column)].unit.empty();
  velocities_ = search.any(twists);
  accelerations_ = search.any(accelerations);
  if (has_time_) search.take({search.any({"t"}) ? "t" : "time"}, "");
  search.take(positions, "a pose has x, y, z in metres");
  search.take(angles_ ? angles : quaternions, "a pose has e0, e1, e2, e3, or roll, pitch, yaw in radians");
  if (velocities_ || accelerations_) search.take(twists, "velocities are wx, wy, wz, vx, vy, vz");
  if (accelerations_) search.take(accelerations, "accelerations are wdx, wdy, wdz, ax, ay, az");
  // angles beside a quaternion, as fk writes them, must say the same
  twice_ = !angles_ && std::all_of(angles.begin(), angles.end(), [&](const auto& name) { return search.any({name}); });
  if (twice_) search.take(angles, "");
  if (!csv_.ok()) return;
  for (std::size_t k = 0; k < search.header.size(); ++k)
    if (!search.used[k] && std::find(angles.begin(), angles.end(), search.header[k]) == angles.end())
      ignored_.push_back(csv_.header()[k]);
  csv_.select(search.columns);
  numbers_.resize(search.columns.size());
  units_ = std::move(search.units);
}

bool ToolReader::read(ToolRow& row) {
  if (numbers_.empty() || !csv_.next(numbers_)) return false;
  for (std::size_t k = 0; k < numbers_.size(); ++k) numbers_[k] = to_si(numbers_[k], units_[k]);
  std::span<const double> rest(numbers_);
  const auto take = [&rest](std::size_t count) {
    const auto part = rest.first(count);
    rest = rest.subspan(count);
    return part;
  };
  row = {};
  if (has_time_) {
    row.t = take(1)[0];
    if (!first_ && !(row.t > latest_))
      csv_.fault("column \"t\"", "motion-time",
                 fmt::format("{} comes after {}", print_number(row.t), print_number(latest_)), "give increasing times");
    latest_ = row.t;
  }
  first_ = false;
  row.state.X.p = vector_of(take(3));
  if (angles_) {
    const auto a = take(3);
    for (std::size_t k = 0; k < 3; ++k)
      if (unnamed_angle_[k]) largest_unnamed_angle_ = std::max(largest_unnamed_angle_, std::abs(a[k]));
    row.state.X.R = rotation_rpy(a[0], a[1], a[2]);
  } else {
    const auto e = take(4);
    const double length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!(std::abs(length - 1) <= unit_tolerance)) {
      csv_.fault("columns \"e0\" to \"e3\"", "quaternion-unit", fmt::format("the length is {:.6g}", length),
                 "give a quaternion of length one, the scalar first");
      return true;
    }
    row.state.X.R = rotation(normalized(Quaternion<double>{e[0], e[1], e[2], e[3]}));
  }
  if (velocities_) {
    row.state.twist.w = vector_of(take(3));
    row.state.twist.v = vector_of(take(3));
  }
  if (accelerations_) {
    row.state.acceleration.w = vector_of(take(3));
    row.state.acceleration.v = vector_of(take(3));
  }
  if (twice_) {
    const auto a = take(3);
    const double apart = slerp(row.state.X.R, rotation_rpy(a[0], a[1], a[2])).angle;
    if (!(std::abs(apart) <= unit_tolerance))
      csv_.fault("columns \"roll\" to \"yaw\"", "motion-orientation",
                 fmt::format("they are {:.4g} rad away from the orientation of \"e0\" to \"e3\"", std::abs(apart)),
                 "keep one of the two; angles are in radians, R = Rz(yaw) Ry(pitch) Rx(roll)");
  }
  return true;
}

bool ToolReader::next(ToolRow& row) {
  if (csv_.ok() && read(row) && csv_.ok()) return true;
  // what follows the first fault is read for the others
  ToolRow ignored;
  while (read(ignored)) {
  }
  return false;
}

}  // namespace torsor
