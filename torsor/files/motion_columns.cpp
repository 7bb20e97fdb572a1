#include "torsor/files/motion_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

const std::vector<std::string> time_names = {"t", "time"};

std::vector<std::vector<std::string>> numbered(const std::string& prefix, std::span<const std::string> names) {
  std::vector<std::vector<std::string>> spellings;
  for (std::size_t i = 0; i < names.size(); ++i)
    spellings.push_back({prefix + std::to_string(i + 1), prefix + '.' + names[i]});
  return spellings;
}

// looks up spellings in one header and remembers what was found, doubled and missed
struct Search {
  std::span<const std::string> header;
  const std::string& file;
  std::vector<bool> used = std::vector<bool>(header.size(), false);
  Faults errors = {};

  void fault(std::string offender, std::string what, std::string remedy) {
    errors.push_back({{file, 0}, std::move(offender), "motion-column", std::move(what), std::move(remedy)});
  }

  // the column of one of these spellings, -1 if none
  int find(const std::vector<std::string>& spellings) {
    int found = -1;
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (std::find(spellings.begin(), spellings.end(), header[i]) == spellings.end()) continue;
      used[i] = true;
      if (found >= 0)
        fault(fmt::format("column \"{}\"", header[i]),
              fmt::format("is the same as \"{}\"", header[static_cast<std::size_t>(found)]), "remove one of the two");
      found = static_cast<int>(i);
    }
    return found;
  }

  std::vector<int> find_all(const std::vector<std::vector<std::string>>& names) {
    std::vector<int> columns;
    for (const auto& spellings : names) columns.push_back(find(spellings));
    return columns;
  }

  // every column not found is a fault; the remedy is the unused column that looks most like it
  void require(const std::vector<int>& columns, const std::vector<std::vector<std::string>>& names,
               const std::string& hint) {
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < header.size(); ++i)
      if (!used[i]) unused.push_back(header[i]);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] >= 0) continue;
      std::string look_alike;
      for (const std::string& spelling : names[k])
        if (look_alike.empty()) look_alike = closest(spelling, unused);
      fault(fmt::format("column \"{}\"", names[k].front()),
            fmt::format("is missing (spelt {})", fmt::join(names[k], " or ")),
            look_alike.empty() ? hint : fmt::format("rename \"{}\" if that is it", look_alike));
    }
  }
};

bool any_found(const std::vector<int>& columns) {
  return std::any_of(columns.begin(), columns.end(), [](int column) { return column >= 0; });
}

}  // namespace

MotionNames motion_names(std::span<const std::string> position_names, std::span<const std::string> velocity_names,
                         const std::string& last) {
  MotionNames names{numbered("q", position_names), numbered("qd", velocity_names), numbered(last, velocity_names)};
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

bool is_motion_column(const std::string& column, const MotionNames& names) {
  const auto among = [&column](const std::vector<std::string>& spellings) {
    return std::find(spellings.begin(), spellings.end(), column) != spellings.end();
  };
  const auto any = [&among](const auto& list) { return std::any_of(list.begin(), list.end(), among); };
  return among(time_names) || any(names.q) || any(names.qd) || any(names.qdd);
}

std::vector<int> MotionColumns::all() const {
  std::vector<int> columns;
  if (t) columns.push_back(*t);
  for (const auto* part : {&q, &qd, &qdd}) columns.insert(columns.end(), part->begin(), part->end());
  return columns;
}

Result<MotionColumns> resolve_motion_columns(std::span<const std::string> header, const MotionNames& names,
                                             int derivatives, const std::string& file, bool may_derive) {
  Search search{header, file};
  MotionColumns columns;
  if (const int t = search.find(time_names); t >= 0) columns.t = t;
  columns.q = search.find_all(names.q);
  columns.qd = search.find_all(names.qd);
  columns.qdd = search.find_all(names.qdd);
  columns.derive =
      may_derive && derivatives > 0 && !names.qd.empty() && !any_found(columns.qd) && !any_found(columns.qdd);

  search.require(columns.q, names.q, "give one column for each coordinate");
  const bool rates = names.not_derived.empty() && names.q.size() == names.qd.size();
  const std::string all_or_none = may_derive && rates
                                      ? "give every qd and qdd, or none of them to have them derived from t and q"
                                      : "give one column for each coordinate";
  if (derivatives > 0 && !columns.derive) search.require(columns.qd, names.qd, all_or_none);
  if (derivatives > 1 && !columns.derive) search.require(columns.qdd, names.qdd, all_or_none);
  if (columns.derive && rates && !columns.t)
    search.fault("column \"t\"", "is missing, and without it velocities cannot be derived from positions",
                 "give the time in seconds as column t, or columns for every qd and qdd");
  if (columns.derive && !rates)
    search.fault(
        names.not_derived.empty() ? "columns qd, qdd"
                                  : fmt::format("joint{} \"{}\"", names.not_derived.size() > 1 ? "s" : "",
                                                fmt::join(names.not_derived, "\", \"")),
        "qd and qdd are missing, and those of planar, spherical and free joints are not derived from positions "
        "and quaternions: they are components in a body frame",
        fmt::format("give columns for every qd and qdd, of every joint: {}, ...", names.qd.front().back()));
  for (std::size_t i = 0; i < header.size(); ++i)
    if (!search.used[i] &&
        std::find(names.misleading.begin(), names.misleading.end(), header[i]) != names.misleading.end())
      search.fault(fmt::format("column \"{}\"", header[i]),
                   "is a number, and a joint's name looks like another's number",
                   "head the columns by the joints' names: q.NAME, qd.NAME and so on");
  if (!search.errors.empty()) return search.errors;

  for (std::size_t i = 0; i < header.size(); ++i)
    if (!search.used[i]) columns.ignored.push_back(header[i]);
  if (columns.derive || derivatives < 1) columns.qd.clear();
  if (columns.derive || derivatives < 2) columns.qdd.clear();
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
