#include "torsor/files/motion_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "torsor/files/column_words.hpp"
#include "torsor/how_many.hpp"
#include "torsor/text/column_heading.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

const std::vector<std::string> time_names = {"t", "time"};

std::vector<std::vector<std::string>> numbered(const std::string& prefix, std::span<const std::string> names) {
  std::vector<std::vector<std::string>> spellings;
  for (std::size_t i = 0; i < names.size(); ++i)
    spellings.push_back({prefix + std::to_string(i + 1), prefix + '.' + names[i]});
  return spellings;
}

// A heading with a number in it, the last one: `actual_q_3` or `q[3]`. Headings that differ in the number alone are a family.
struct NumberedHeading {
  std::string before, after;
  std::size_t number = 0;

  std::string family() const { return lower_case(before) + '#' + lower_case(after); }
  std::string counted_from_one() const { return fmt::format("{}{}{}", before, number + 1, after); }
  // an element of a message of joint states: these come in the order of the message's own names
  bool of_message() const {
    std::string_view word = before;
    while (!word.empty() && std::string_view("_./ ").find(word.back()) != word.npos) word.remove_suffix(1);
    constexpr std::string_view fields[] = {"position", "positions", "velocity", "velocities", "effort", "efforts"};
    const std::string field = lower_case(word);
    return std::ranges::any_of(fields, [&field](std::string_view each) { return field.ends_with(each); });
  }
};

std::optional<NumberedHeading> numbered_heading(const std::string& heading) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t last = heading.find_last_of(digits);
  if (last == std::string::npos) return {};
  const std::size_t before = heading.find_last_not_of(digits, last);
  if (before == std::string::npos) return {};
  NumberedHeading parts{heading.substr(0, before + 1), heading.substr(last + 1)};
  const std::string_view number(heading.data() + before + 1, last - before);
  const auto [stop, status] = std::from_chars(number.begin(), number.end(), parts.number);
  if (status != std::errc{} || (number.size() > 1 && number.front() == '0')) return {};
  if (parts.before.ends_with('[') && parts.after.starts_with(']')) {
    parts.before.pop_back();
    parts.after.erase(0, 1);
  }
  return parts;
}

// records of a UR have a time stamp in seconds
bool is_of_ur(const std::string& heading) {
  return heading.starts_with("actual_q_") || heading.starts_with("target_q_");
}

// what each column of a header is, found once; and what was doubled and missed
struct Search {
  struct Place {
    int part = -1;  // 0: the time; 1, 2, 3: q, qd, qdd; -1: nothing of a motion
    std::size_t coordinate = 0;
    bool by_name = false, from_zero = false;  // else by a number, which may count from 0
    ColumnHeading heading = {};
  };

  std::span<const std::string> header;
  const MotionNames& names;
  const std::string& file;
  std::vector<Place> places = {};
  Faults errors = {};
  bool listed = false;
  struct Misfit {
    std::string unit, known;
    std::vector<std::string> columns = {};
  };
  std::vector<Misfit> misfits = {};  // units that columns cannot have
  bool messages = false;             // some columns are elements of messages of joint states

  Search(std::span<const std::string> columns, const MotionNames& motion, const std::string& name)
      : header(columns), names(motion), file(name) {
    // spellings with the number of a coordinate, which may count from 0, and all others
    std::unordered_map<std::string_view, Place> exact, numbers;
    for (const std::string& time : time_names) exact.emplace(time, Place{0});
    const std::vector<std::vector<std::string>>* const parts[] = {&names.q, &names.qd, &names.qdd};
    for (int part = 1; part <= 3; ++part)
      for (std::size_t k = 0; k < parts[part - 1]->size(); ++k)
        for (const std::string& spelling : (*parts[part - 1])[k]) {
          const bool number = names.misleading.empty() && &spelling == &(*parts[part - 1])[k].front();
          (number ? numbers : exact).emplace(spelling, Place{part, k, !number});
        }
    const ColumnWords words(names);
    const bool of_ur = std::ranges::any_of(header, is_of_ur);

    std::unordered_map<std::string, std::size_t> beyond;  // one more than the last number of families with a 0
    const auto each_number = [&](auto&& visit) {
      for (const std::string& column : header)
        for (const ColumnHeading& reading : heading_readings(column))
          if (const auto parts_of = numbered_heading(reading.name)) visit(*parts_of);
    };
    each_number([&](const NumberedHeading& each) {
      if (each.number == 0) beyond[each.family()] = 1;
    });
    each_number([&](const NumberedHeading& each) {
      if (const auto family = beyond.find(each.family()); family != beyond.end())
        family->second = std::max(family->second, each.number + 1);
    });

    const auto meaning = [&](const std::string& text, ColumnKey key) {
      if (const auto found = words.meaning(text, key))
        for (int part = 1; part <= 3; ++part)
          if (names.quantities[static_cast<std::size_t>(part - 1)] == found->quantity &&
              found->coordinate < parts[part - 1]->size())
            return Place{part, found->coordinate, key == ColumnKey::name};
      return Place{};
    };
    const auto place_of = [&](const ColumnHeading& reading) {
      if (const auto found = exact.find(reading.name); found != exact.end()) return found->second;
      if (is_time(reading) || (of_ur && lower_case(reading.name) == "timestamp")) return Place{0};
      if (const Place place = meaning(reading.name, ColumnKey::name); place.part >= 0) return place;
      std::string text = reading.name;
      const auto number = numbered_heading(text);
      const auto family = number ? beyond.find(number->family()) : beyond.end();
      if (family != beyond.end()) {
        if (number->of_message()) {
          messages = true;
          return Place{};
        }
        text = number->counted_from_one();
      }
      Place place = meaning(text, ColumnKey::name_or_number);
      if (const auto found = numbers.find(text); found != numbers.end()) place = found->second;
      place.from_zero = family != beyond.end();
      if (place.part > 0 && place.from_zero && family->second > parts[place.part - 1]->size())
        too_many(*number, family->second, parts[place.part - 1]->size());
      return place;
    };
    for (const std::string& column : header) {
      Place place;
      for (ColumnHeading& reading : heading_readings(column)) {
        place = place_of(reading);
        place.heading = std::move(reading);
        if (place.part >= 0) break;
      }
      places.push_back(std::move(place));
    }
  }

  // 0 to 6 of six coordinates may begin one too early or end one too late
  void too_many(const NumberedHeading& each, std::size_t beyond, std::size_t count) {
    const std::string offender = fmt::format("columns \"{}0{}\" to \"{}{}{}\"", each.before, each.after, each.before,
                                             beyond - 1, each.after);
    if (!errors.empty() && errors.back().offender == offender) return;
    fault(offender, fmt::format("count from 0 to {}, and the robot has {}", beyond - 1, how_many(static_cast<long long>(count), "coordinate")),
          "leave out the columns that are not of this robot, or head them by the joints' names");
  }

  void fault(std::string offender, std::string what, std::string remedy, std::string rule = "motion-column") {
    errors.push_back({{file, 0}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }

  // the columns of one part in the order of the coordinates, -1 where there is none
  std::vector<int> find_all(int part, std::size_t count) {
    std::vector<int> columns(count, -1);
    std::vector<std::pair<std::size_t, std::size_t>> doubles;
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (places[i].part != part) continue;
      int& column = columns[places[i].coordinate];
      if (column >= 0) doubles.emplace_back(static_cast<std::size_t>(column), i);
      column = static_cast<int>(i);
    }
    // what is there twice is told once
    if (!doubles.empty()) {
      const auto [first, second] = doubles.front();
      const std::size_t more = doubles.size() - 1;
      const bool crossed = places[first].from_zero != places[second].from_zero;
      fault(more == 0 ? fmt::format("column \"{}\"", header[second])
                      : fmt::format("column \"{}\" and {} more", header[second], more),
            more == 0 ? fmt::format("is the same as \"{}\"", header[first])
                      : fmt::format("are the same as \"{}\" and so on", header[first]),
            crossed     ? "head the columns by the joints' names: the numbers of the file count from 0"
            : more == 0 ? "remove one of the two"
                        : "remove one of each two");
    }
    return columns;
  }

  // every column not found is a fault, the first with those that are there; the remedy is the unused column that looks
  // most like it. Where all of more than two are absent and none has a likeness, that is one fault
  void require(const std::vector<int>& columns, const std::vector<std::vector<std::string>>& spellings,
               std::string hint) {
    if (messages)
      hint = "head the columns by the joints' names: elements of a message are in the order of its own names";
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < header.size(); ++i)
      // e1 is no slip of q1
      if (places[i].part < 0 && header[i].size() > 2 &&
          std::ranges::find(names.elsewhere, header[i]) == names.elsewhere.end())
        unused.push_back(header[i]);
    const auto known =
        static_cast<std::size_t>(std::ranges::count_if(places, [](const Place& place) { return place.part >= 0; }));
    std::vector<std::string> look_alikes(columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (const std::string& spelling : spellings[k])
        if (look_alikes[k].empty()) look_alikes[k] = closest(spelling, unused);
    const auto absent = [](int column) { return column < 0; };
    if (columns.size() > 2 && std::ranges::all_of(columns, absent) &&
        std::ranges::all_of(look_alikes, &std::string::empty)) {
      fault(fmt::format("columns \"{}\" to \"{}\"", spellings.front().front(), spellings.back().front()),
            fmt::format("are missing (the first is spelt {}){}", fmt::join(spellings.front(), " or "),
                        std::exchange(listed, true) ? "" : "; " + columns_there(header, known > 0)),
            hint);
      return;
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] >= 0) continue;
      const std::string& look_alike = look_alikes[k];
      fault(fmt::format("column \"{}\"", spellings[k].front()),
            fmt::format("is missing (spelt {}){}", fmt::join(spellings[k], " or "),
                        std::exchange(listed, true) ? "" : "; " + columns_there(header, known > 0)),
            look_alike.empty() ? hint : fmt::format("rename \"{}\" if that is it", look_alike));
    }
  }

  void miss_time(Derived what) {
    const auto stamp =
        std::ranges::find_if(header, [](const std::string& column) { return lower_case(column) == "timestamp"; });
    fault("column \"t\"",
          fmt::format("is missing, and without it {} cannot be derived from {}{}",
                      what == Derived::rates ? "velocities" : "accelerations",
                      what == Derived::rates ? "positions" : "velocities",
                      std::exchange(listed, true) ? "" : "; " + columns_there(header, true)),
          stamp != header.end()
              ? fmt::format("name the unit of \"{}\": timestamp_s, timestamp_ms or timestamp_us", excerpt(*stamp))
          : what == Derived::rates ? "give the time in seconds as column t, or columns for every qd and qdd"
                                   : "give the time in seconds as column t, or columns for every qdd");
  }

  ColumnMeasure measure_of(const Place& place) const {
    if (place.part == 0) return {ColumnKind::time, 0};
    const MotionQuantity quantity = names.quantities[static_cast<std::size_t>(place.part - 1)];
    const auto& kinds = quantity == MotionQuantity::position ? names.position_kinds : names.velocity_kinds;
    const bool torques = quantity == MotionQuantity::torque;
    if (kinds.empty())
      return torques ? ColumnMeasure{ColumnKind::torque_or_force}
                     : ColumnMeasure{ColumnKind::angle_or_length, rate_of(quantity)};
    switch (kinds[place.coordinate]) {
      case CoordinateKind::angle:
        return torques ? ColumnMeasure{ColumnKind::torque} : ColumnMeasure{ColumnKind::angle, rate_of(quantity)};
      case CoordinateKind::length:
        return torques ? ColumnMeasure{ColumnKind::force} : ColumnMeasure{ColumnKind::length, rate_of(quantity)};
      case CoordinateKind::quaternion: break;
    }
    return {ColumnKind::number};
  }

  // the unit of a column that is used; one that is not known there is a fault
  UnitSuffix unit(int column, bool degrees) {
    const Place& place = places[static_cast<std::size_t>(column)];
    const ColumnMeasure measure = measure_of(place);
    const bool angle = measure.measure == ColumnKind::angle || measure.measure == ColumnKind::angle_or_length;
    if (degrees && angle && place.heading.unit.empty() && !place.heading.bracket) return degree_unit;
    const auto found = column_unit(place.heading, measure);
    if (found) return *found;
    // a mistake that many columns have is told once
    const std::string known = column_units(measure);
    const auto alike = std::ranges::find_if(
        misfits, [&](const Misfit& each) { return each.unit == place.heading.unit && each.known == known; });
    Misfit& misfit = alike != misfits.end() ? *alike : misfits.emplace_back(Misfit{place.heading.unit, known});
    misfit.columns.push_back(fmt::format("\"{}\"", excerpt(header[static_cast<std::size_t>(column)])));
    return {};
  }

  void fault_units() {
    constexpr std::size_t most = 6;
    for (const Misfit& each : misfits) {
      const bool one = each.columns.size() == 1;
      const std::size_t shown = std::min(each.columns.size(), most), rest = each.columns.size() - shown;
      fault(
          fmt::format("column{} {}{}", one ? "" : "s",
                      fmt::join(each.columns.begin(), each.columns.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                      rest > 0 ? fmt::format(" and {} more", rest) : ""),
          fmt::format("name{} the unit \"{}\", which is none of {}", one ? "s" : "", excerpt(each.unit),
                      one ? "this column" : "these columns"),
          each.known.empty() ? fmt::format("leave out the unit: {} none", one ? "it has" : "they have")
                             : fmt::format("give {} in {}", one ? "it" : "them", each.known),
          "column-unit");
    }
  }

  static int rate_of(MotionQuantity quantity) {
    return quantity == MotionQuantity::torque ? 0 : static_cast<int>(quantity);
  }
};

}  // namespace

std::string_view derived_from(Derived what) {
  switch (what) {
    case Derived::nothing: return "";
    case Derived::rates: return "qd and qdd come from a smoothing spline of q";
    case Derived::accelerations: return "qdd comes from a smoothing spline of qd";
  }
  return "";
}

namespace {

bool is_motion_column(const std::string& column, const MotionNames& names) {
  const auto among = [&column](const std::vector<std::string>& spellings) {
    return std::find(spellings.begin(), spellings.end(), column) != spellings.end();
  };
  const auto any = [&among](const auto& list) { return std::any_of(list.begin(), list.end(), among); };
  return among(time_names) || any(names.q) || any(names.qd) || any(names.qdd);
}

bool any_found(const std::vector<int>& columns) {
  return std::any_of(columns.begin(), columns.end(), [](int column) { return column >= 0; });
}

bool all_found(const std::vector<int>& columns) { return std::ranges::find(columns, -1) == columns.end(); }

}  // namespace

MotionNames motion_names(std::span<const std::string> position_names, std::span<const std::string> velocity_names,
                         const std::string& last) {
  MotionNames names{numbered("q", position_names), numbered("qd", velocity_names), numbered(last, velocity_names)};
  names.position_names.assign(position_names.begin(), position_names.end());
  names.velocity_names.assign(velocity_names.begin(), velocity_names.end());
  if (last == "tau") names.quantities[2] = MotionQuantity::torque;
  // a name wins over a number: with a joint q2 that is not the second nobody is known by number, lest q2 be of one
  // joint and qd2 of another
  bool numbers_mislead = false;
  for (std::size_t i = 0; i < position_names.size(); ++i)
    for (const auto* list : {&names.q, &names.qd, &names.qdd})
      for (const auto& spellings : *list)
        if (&spellings != &names.q[i] && spellings.front() == position_names[i]) numbers_mislead = true;
  if (numbers_mislead)
    for (auto* list : {&names.q, &names.qd, &names.qdd})
      for (auto& spellings : *list) {
        names.misleading.push_back(spellings.front());
        spellings.erase(spellings.begin());
      }
  // a bare name will do for a position unless it means something else: a joint may be called t, or q.elbow
  for (std::size_t i = 0; i < position_names.size(); ++i)
    if (!is_motion_column(position_names[i], names)) names.q[i].push_back(position_names[i]);
  return names;
}

MotionNames motion_names(const Model<double>& model, const std::string& last) {
  MotionNames names = motion_names(model.position_names, model.velocity_names, last);
  names.position_kinds = position_kinds(model);
  names.velocity_kinds = velocity_kinds(model);
  return names;
}

MotionNames torque_names(const MotionNames& names) {
  TORSOR_EXPECT(names.quantities[2] == MotionQuantity::torque);
  MotionNames torques{names.qdd, {}, {}, {}, names.misleading, {}, {MotionQuantity::torque}};
  for (const auto* list : {&names.q, &names.qd})
    for (const auto& spellings : *list)
      torques.elsewhere.insert(torques.elsewhere.end(), spellings.begin(), spellings.end());
  torques.velocity_names = names.velocity_names;
  torques.velocity_kinds = names.velocity_kinds;
  return torques;
}

std::vector<int> known_motion_columns(std::span<const std::string> header, const MotionNames& names) {
  const std::string nowhere;
  const Search search(header, names, nowhere);
  std::vector<int> known;
  for (std::size_t i = 0; i < header.size(); ++i)
    if (search.places[i].part >= 0) known.push_back(static_cast<int>(i));
  return known;
}

namespace {

/// A word or two, as a heading is: not a line of a foreign file, which may be nobody's business.
bool looks_like_a_heading(const std::string& name) {
  constexpr std::size_t longest = 48;
  constexpr std::string_view others = "_.-+*/^()[] ";
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || others.find(c) != others.npos; };
  if (name.empty() || name.size() > longest) return false;
  const bool topic = name.front() == '/' && std::ranges::count(name, '/') > 1;
  return (letter(name.front()) || name.front() == '_' || topic) && std::ranges::all_of(name, allowed) &&
         std::ranges::count(name, ' ') <= 2;
}

}  // namespace

std::string columns_there(std::span<const std::string> header, bool has_known) {
  if (!has_known && (header.size() < 2 || !std::ranges::all_of(header, looks_like_a_heading)))
    return "the first line of the file does not look like names of columns";
  constexpr std::size_t most = 24;
  std::vector<std::string> shown;
  for (const std::string& name : header.first(std::min(header.size(), most))) shown.push_back(excerpt(name));
  return fmt::format("the file has {}{}", fmt::join(shown, ", "),
                     header.size() > most ? fmt::format(" and {} more", header.size() - most) : "");
}

std::vector<int> MotionColumns::all() const {
  std::vector<int> columns;
  if (t) columns.push_back(*t);
  for (const auto* part : {&q, &qd, &qdd}) columns.insert(columns.end(), part->begin(), part->end());
  return columns;
}

Result<MotionColumns> resolve_motion_columns(std::span<const std::string> header, const MotionNames& names,
                                             const ColumnOptions& options, const std::string& file) {
  const auto [derivatives, may_derive, degrees] = options;
  Search search{header, names, file};
  MotionColumns columns;
  if (const int t = search.find_all(0, 1).front(); t >= 0) columns.t = t;
  columns.q = search.find_all(1, names.q.size());
  columns.qd = search.find_all(2, names.qd.size());
  columns.qdd = search.find_all(3, names.qdd.size());
  const bool rates = names.not_derived.empty() && names.q.size() == names.qd.size();
  if (may_derive && derivatives > 0 && !names.qd.empty() && !any_found(columns.qdd)) {
    if (!any_found(columns.qd))
      columns.derive = Derived::rates;
    else if (derivatives > 1 && rates && all_found(columns.qd))
      columns.derive = Derived::accelerations;
  }

  search.require(columns.q, names.q, "give one column for each coordinate");
  const std::string all_or_none =
      may_derive && rates ? "give every one of them, or none to have them derived: qd and qdd from t and q, qdd from t and qd"
                          : "give one column for each coordinate";
  const bool derived = columns.derive != Derived::nothing;
  if (derivatives > 0 && !derived) search.require(columns.qd, names.qd, all_or_none);
  if (derivatives > 1 && !derived) search.require(columns.qdd, names.qdd, all_or_none);
  if (derived && rates && !columns.t) search.miss_time(columns.derive);
  if (derived && !rates)
    search.fault(
        names.not_derived.empty() ? "columns qd, qdd"
                                  : fmt::format("joint{} \"{}\"", names.not_derived.size() > 1 ? "s" : "",
                                                fmt::join(names.not_derived, "\", \"")),
        "qd and qdd are missing, and those of planar, spherical and free joints are not derived from positions "
        "and quaternions: they are components in a body frame",
        fmt::format("give columns for every qd and qdd, of every joint: {}, ...", names.qd.front().back()));
  const auto misleads = [&names](const ColumnHeading& reading) {
    return std::find(names.misleading.begin(), names.misleading.end(), reading.name) != names.misleading.end();
  };
  for (std::size_t i = 0; i < header.size(); ++i)
    if (const auto readings = heading_readings(header[i]);
        search.places[i].part < 0 && std::any_of(readings.begin(), readings.end(), misleads))
      search.fault(fmt::format("column \"{}\"", header[i]),
                   "is a number, and a joint's name looks like another's number",
                   "head the columns by the joints' names: q.NAME, qd.NAME and so on");
  if (columns.derive == Derived::rates || derivatives < 1) columns.qd.clear();
  if (derived || derivatives < 2) columns.qdd.clear();
  for (const int column : columns.all())
    columns.units.push_back(column < 0 ? UnitSuffix{} : search.unit(column, degrees));
  search.fault_units();
  if (!search.errors.empty()) return search.errors;

  const auto angle = [](const UnitSuffix& unit) { return unit.text == degree_unit.text; };
  columns.in_degrees = std::any_of(columns.units.begin(), columns.units.end(), angle);
  for (std::size_t k = 0; k < columns.q.size() && !degrees; ++k)
    if (const auto& place = search.places[static_cast<std::size_t>(columns.q[k])]; place.heading.unit.empty())
      if (const ColumnKind kind = search.measure_of(place).measure;
          kind == ColumnKind::angle || kind == ColumnKind::angle_or_length)
        columns.unnamed.push_back(static_cast<int>(k));
  if (std::all_of(columns.units.begin(), columns.units.end(),
                  [](const UnitSuffix& unit) { return unit.times == 1 && unit.by == 1; }))
    columns.units.clear();
  for (std::size_t i = 0; i < header.size(); ++i)
    if (search.places[i].part < 0) columns.ignored.push_back(header[i]);
  return columns;
}

Result<std::vector<std::string>> motion_layout(int columns, const MotionNames& names, int derivatives,
                                               const std::string& file, bool may_derive) {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  const int nq = count(names.q), nv = count(names.qd), all = nq + derivatives * nv;
  const bool rates = may_derive && derivatives > 0 && names.not_derived.empty() && nq == nv;
  const bool alone = rates && columns == nq + 1;
  if (columns != all && columns != all + 1 && !alone) {
    // q1 becomes q, tau.elbow becomes tau
    std::string parts = "q";
    for (const auto* list : {&names.qd, &names.qdd})
      if (derivatives-- > 0 && !list->empty()) {
        const std::string& first = list->front().front();
        parts += ", " + first.substr(0, first.find_first_of(".1"));
      }
    return Fault{{file, 0},
                 "shape",
                 "motion-column",
                 fmt::format("the array has {} {}, and which is what follows from their number", columns,
                             columns == 1 ? "column" : "columns"),
                 fmt::format("give {}: {} side by side in the robot's order, or {} with t before them{}", all, parts,
                             all + 1, rates ? fmt::format(", or {}: t and q alone", nq + 1) : "")};
  }
  std::vector<std::string> header;
  if (alone || columns == all + 1) header.push_back(time_names.front());
  const auto add = [&header](const std::vector<std::vector<std::string>>& list) {
    for (const auto& spellings : list) header.push_back(spellings.front());
  };
  add(names.q);
  if (!alone && derivatives > 0) add(names.qd);
  if (!alone && derivatives > 1) add(names.qdd);
  return header;
}

}  // namespace torsor
