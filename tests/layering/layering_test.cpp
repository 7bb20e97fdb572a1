// Arrows point one way. This test reads every file of torsor/, c/ and cli/ and fails on an include that goes against
//
//   scalar <- numeric <- spatial <- model <- kinematics <- dynamics <- fast <- loops <- {trajectory, identification}
//     <- {formulations, check, drives, mechanism} <- {closed_form_ik, symbolic} <- {numeric_ik, structure} <- reduction
//     <- control <- {simulate, codegen}
//
// text, files and report see what they read and write, and none of these modules sees them. Files directly in torsor/ are
// foundations (result.hpp, expect.hpp, code_point.hpp, fields.hpp: seen by all, seeing no module) or the face. Of the face robot, dynamics and
// inverse_kinematics stand with a module each, and are seen from there on; the other headers see all, and are seen by none.
// The same walk keeps the folders two levels deep and the headers guarded, and asks of files above 400 lines whether they hold
// one idea.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/places.hpp"

namespace {

constexpr std::ptrdiff_t many_lines = 400;

// rooms of one rank do not see each other
struct Room {
  std::string_view name;
  int rank;
};
constexpr Room ranked_rooms[] = {
    {"scalar", 0},        {"numeric", 1},         {"spatial", 2},      {"model", 3},     {"kinematics", 4},
    {"dynamics", 5},      {"fast", 6},            {"loops", 7},        {"trajectory", 8},   {"identification", 8},
    {"formulations", 9},  {"check", 9},           {"drives", 9},       {"mechanism", 9},
    {"closed_form_ik", 10}, {"symbolic", 10},     {"numeric_ik", 11},  {"structure", 11}, {"reduction", 12},
    {"control", 13},      {"simulate", 14},       {"codegen", 14}};
// what reads and writes: a module, and the highest rank it sees
constexpr Room outer_rooms[] = {{"text", 2}, {"report", 14}, {"files", 13}};
// headers of the face, and the room beside which each stands
struct FaceHeader {
  std::string_view path, room;
};
constexpr FaceHeader face_headers[] = {
    {"torsor/robot.hpp", "model"}, {"torsor/dynamics.hpp", "fast"}, {"torsor/row_dynamics.hpp", "fast"},
    {"torsor/inverse_kinematics.hpp", "numeric_ik"}};
std::optional<int> rank(std::string_view room) {
  for (const Room& known : ranked_rooms)
    if (known.name == room) return known.rank;
  return std::nullopt;
}

const FaceHeader* face_header(std::string_view path) {
  for (const FaceHeader& known : face_headers)
    if (known.path == path) return &known;
  return nullptr;
}

// the place of a module among those that read and write, text first
const Room* outer(std::string_view room) {
  for (const Room& known : outer_rooms)
    if (known.name == room) return &known;
  return nullptr;
}

// from one module to another: its own, and those of a lower rank
bool sees(std::string_view from, std::string_view to) {
  if (from == to) return true;
  const Room *reader = outer(from), *target = outer(to);
  if (target) return reader && target < reader;
  if (reader) return rank(to) && *rank(to) <= reader->rank;
  return rank(from) && rank(to) && *rank(to) < *rank(from);
}

bool is_room(std::string_view name) { return outer(name) || rank(name); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// what a path is to the layering; room is empty for foundations, what sees everything and what is outside torsor/
enum class Kind { foundation, everything, in_room, face, outside };
struct Place {
  Kind kind;
  std::string_view room;
};

Place place(std::string_view path) {
  const auto parts = split(path, '/');
  if (parts.front() != "torsor" || parts.size() < 2) return {Kind::outside, {}};
  if (parts.size() > 2) return {Kind::in_room, parts[1]};
  if (const FaceHeader* face = face_header(path)) return {Kind::face, face->room};
  constexpr std::string_view foundations[] = {"result", "expect", "code_point", "how_many", "fields"};
  const std::string_view stem = parts[1].substr(0, parts[1].find('.'));
  return {std::ranges::find(foundations, stem) != std::end(foundations) ? Kind::foundation : Kind::everything, {}};
}

// the rule itself: may the file at `from` include the file at `to`?
bool allowed(std::string_view from, std::string_view to) {
  const Place a = place(from), b = place(to);
  if (to == "c/torsor.h" && from.starts_with("cli/bench_")) return true;  // it is timed
  if (a.kind == Kind::outside)
    return b.kind != Kind::outside || to.starts_with(from.substr(0, from.find('/') + 1)) ||
           (from.starts_with("cli/") && to.starts_with("bench/timing/"));
  if (b.kind == Kind::foundation) return true;
  switch (a.kind) {
    case Kind::everything: return b.kind != Kind::outside;
    case Kind::face:
    case Kind::in_room: return (b.kind == Kind::in_room || b.kind == Kind::face) && sees(a.room, b.room);
    default: return false;
  }
}

// the target of an include line of ours, or nothing; <system> headers are nobody's business here
std::optional<std::string_view> included(std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return std::nullopt;
  line.remove_prefix(7);
  skip_blanks();
  const bool quoted = line.starts_with('"');
  if (!quoted && !line.starts_with("<torsor/")) return std::nullopt;
  line.remove_prefix(1);
  return line.substr(0, line.find(quoted ? '"' : '>'));
}

// every fault of one file, as sentences `path:line: what`
std::vector<std::string> faults(const std::string& path, std::string_view text) {
  std::vector<std::string> found;
  const Place here = place(path);
  if (split(path, '/').size() > 3) found.push_back(path + ": a third folder level");
  if (here.kind == Kind::in_room && !is_room(here.room))
    found.push_back(path + ": a room without a place in the order");

  auto lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  if (path.ends_with(".hpp") && std::ranges::find(lines, "#pragma once") == lines.end())
    found.push_back(path + ": no #pragma once");

  for (std::size_t i = 0; i < lines.size(); ++i)
    if (const auto target = included(lines[i]); target && !allowed(path, *target))
      found.push_back(path + ':' + std::to_string(i + 1) + ": may not include " + std::string(*target));
  return found;
}

}  // namespace

TEST_CASE("no file of the library or the command line breaks the layering") {
  namespace fs = std::filesystem;
  const fs::path top = fs::path(places::in_project("torsor")).parent_path();
  std::vector<std::string> seen, found;
  for (const char* folder : {"torsor", "c", "cli", "bench/timing"})
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      if (const auto extension = entry.path().extension(); extension != ".hpp" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      seen.push_back(entry.path().lexically_relative(top).generic_string());
      for (auto& fault : faults(seen.back(), text)) found.push_back(std::move(fault));
      if (std::ranges::count(text, '\n') > many_lines)
        MESSAGE(seen.back() << " has more than 400 lines: is it one idea?");
    }
  std::ranges::sort(found);
  for (const auto& fault : found) FAIL_CHECK(fault);

  // the walk looked where it should
  for (const char* expected : {"torsor/result.hpp", "torsor/scalar/concepts.hpp", "c/torsor_c.cpp", "cli/main.cpp"})
    CHECK_MESSAGE(std::ranges::find(seen, expected) != seen.end(), expected);
}

TEST_CASE("the face declares: a file that includes it reads none of what computes") {
  std::vector<std::string> reached{"torsor/torsor.hpp"};
  for (std::size_t k = 0; k < reached.size(); ++k) {
    std::ifstream file(places::in_project(reached[k]));
    REQUIRE_MESSAGE(file, reached[k]);
    for (std::string line; std::getline(file, line);)
      if (const auto target = included(line); target && std::ranges::find(reached, *target) == reached.end())
        reached.emplace_back(*target);
  }
  // 219 before machinery went behind pointers; each costs every file of a user about 3 ms
  CHECK(reached.size() <= 180);
  for (const char* hidden : {"torsor/closed_form_ik/arm_solver.hpp", "torsor/numeric_ik/general_solver.hpp",
                             "torsor/dynamics/tree_dynamics.hpp", "torsor/scalar/trace.hpp", "torsor/scalar/poly.hpp",
                             "torsor/simulate/plant.hpp", "torsor/fields.hpp"})
    CHECK_MESSAGE(std::ranges::find(reached, hidden) == reached.end(), hidden);
}

TEST_CASE("an arrow backwards is found, an arrow forwards is not") {
  struct Arrow {
    const char *from, *to;
    bool good;
  };
  for (const Arrow& arrow : {
           // the ranks
           Arrow{"torsor/dynamics/a.hpp", "torsor/model/b.hpp", true},
           {"torsor/dynamics/a.hpp", "torsor/dynamics/b.hpp", true},
           {"torsor/codegen/a.cpp", "torsor/scalar/b.hpp", true},
           {"torsor/model/a.hpp", "torsor/dynamics/b.hpp", false},
           {"torsor/scalar/a.hpp", "torsor/numeric/b.hpp", false},
           {"torsor/simulate/a.hpp", "torsor/codegen/b.hpp", false},
           // modules of one rank
           {"torsor/symbolic/a.hpp", "torsor/closed_form_ik/b.hpp", false},
           {"torsor/numeric_ik/a.hpp", "torsor/closed_form_ik/b.hpp", true},
           {"torsor/closed_form_ik/a.hpp", "torsor/numeric_ik/b.hpp", false},
           {"torsor/trajectory/a.hpp", "torsor/numeric_ik/b.hpp", false},
           {"torsor/fast/a.cpp", "torsor/structure/b.hpp", false},
           {"torsor/formulations/a.cpp", "torsor/fast/b.hpp", true},
           // the face
           {"torsor/simulate/a.hpp", "torsor/dynamics.hpp", true},
           {"torsor/fast/a.hpp", "torsor/dynamics.hpp", true},
           {"torsor/dynamics/a.hpp", "torsor/dynamics.hpp", false},
           {"torsor/dynamics.hpp", "torsor/fast/b.hpp", true},
           {"torsor/dynamics.hpp", "torsor/robot.hpp", true},
           {"torsor/dynamics.hpp", "torsor/numeric_ik/b.hpp", false},
           {"torsor/robot.hpp", "torsor/dynamics.hpp", false},
           {"torsor/robot.hpp", "torsor/model/b.hpp", true},
           {"torsor/robot.cpp", "torsor/files/b.hpp", true},
           {"torsor/torsor.hpp", "torsor/robot.hpp", true},
           {"torsor/torsor.hpp", "torsor/mechanism.hpp", true},
           {"torsor/torsor.hpp", "cli/verb.hpp", false},
           {"torsor/mechanism.hpp", "torsor/files/a.hpp", true},
           {"torsor/files/a.cpp", "torsor/robot.hpp", true},
           {"torsor/text/a.cpp", "torsor/robot.hpp", false},
           {"torsor/inverse_kinematics.hpp", "torsor/trajectory/a.hpp", true},
           {"torsor/inverse_kinematics.hpp", "torsor/files/a.hpp", false},
           {"torsor/structure/a.hpp", "torsor/inverse_kinematics.hpp", false},
           {"torsor/control/a.hpp", "torsor/inverse_kinematics.hpp", true},
           {"torsor/mechanism/a.hpp", "torsor/control/b.hpp", false},
           {"torsor/mechanism/a.hpp", "torsor/mechanism.hpp", false},
           {"torsor/model/a.hpp", "torsor/torsor.hpp", false},
           // what reads and writes
           {"torsor/files/a.cpp", "torsor/model/b.hpp", true},
           {"torsor/files/a.cpp", "torsor/control/b.hpp", true},
           {"torsor/files/a.cpp", "torsor/simulate/b.hpp", false},
           {"torsor/files/a.cpp", "torsor/text/b.hpp", true},
           {"torsor/text/a.cpp", "torsor/files/b.hpp", false},
           {"torsor/text/a.cpp", "torsor/model/b.hpp", false},
           {"torsor/report/a.cpp", "torsor/simulate/b.hpp", true},
           {"torsor/simulate/a.cpp", "torsor/report/b.hpp", false},
           {"torsor/report/a.cpp", "torsor/files/b.hpp", false},
           {"torsor/model/a.cpp", "torsor/text/b.hpp", false},
           {"torsor/codegen/a.cpp", "torsor/files/b.hpp", false},
           // foundations
           {"torsor/scalar/a.hpp", "torsor/result.hpp", true},
           {"torsor/dynamics/a.hpp", "torsor/fields.hpp", true},
           {"torsor/fields.hpp", "torsor/spatial/a.hpp", false},
           {"torsor/result.hpp", "torsor/expect.hpp", true},
           {"torsor/result.hpp", "torsor/scalar/a.hpp", false},
           {"torsor/expect.hpp", "torsor/robot.hpp", false},
           // a room nobody placed, and the world outside the library
           {"torsor/codegen/a.hpp", "torsor/attic/b.hpp", false},
           {"torsor/attic/a.hpp", "torsor/scalar/b.hpp", false},
           {"torsor/files/a.cpp", "cli/verb.hpp", false},
           {"torsor/files/a.cpp", "c/torsor.h", false},
           {"torsor/files/a.cpp", "tests/support/b.hpp", false},
           {"torsor/files/a.cpp", "b.hpp", false},
           {"torsor/files/a.cpp", "../model/b.hpp", false},
           {"cli/id.cpp", "torsor/torsor.hpp", true},
           {"cli/id.cpp", "torsor/files/a.hpp", true},
           {"cli/id.cpp", "cli/verb.hpp", true},
           {"cli/id.cpp", "tests/support/b.hpp", false},
           {"cli/id.cpp", "c/torsor.h", false},
           {"cli/bench_fast.cpp", "c/torsor.h", true},
           {"cli/bench_fast.cpp", "c/handle.hpp", false},
           {"cli/bench.cpp", "bench/timing/b.hpp", true},
           {"torsor/fast/a.cpp", "bench/timing/b.hpp", false},
           {"c/torsor_c.cpp", "c/torsor.h", true},
           {"c/torsor_c.cpp", "torsor/files/a.hpp", true},
           {"c/torsor_c.cpp", "cli/verb.hpp", false},
       }) {
    CAPTURE(arrow.from);
    CAPTURE(arrow.to);
    CHECK(allowed(arrow.from, arrow.to) == arrow.good);
  }
}

TEST_CASE("the faults of a file are found in its text, each with its line") {
  using Faults = std::vector<std::string>;
  CHECK(faults("torsor/model/a.hpp", "#pragma once\n#include <vector>\n#include \"torsor/spatial/b.hpp\"\n").empty());
  CHECK(faults("torsor/model/a.hpp", "#pragma once\n\n  #  include \"torsor/files/b.hpp\"\n") ==
        Faults{"torsor/model/a.hpp:3: may not include torsor/files/b.hpp"});
  CHECK(faults("torsor/model/a.cpp", "#include <torsor/control/b.hpp>\n") ==
        Faults{"torsor/model/a.cpp:1: may not include torsor/control/b.hpp"});
  CHECK(faults("torsor/model/a.hpp", "int x;\n") == Faults{"torsor/model/a.hpp: no #pragma once"});
  CHECK(faults("torsor/model/deep/a.cpp", "int x;\n") == Faults{"torsor/model/deep/a.cpp: a third folder level"});
  CHECK(faults("torsor/attic/a.cpp", "int x;\n") == Faults{"torsor/attic/a.cpp: a room without a place in the order"});
}
