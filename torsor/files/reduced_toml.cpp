#include "torsor/files/reduced_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/text/fault_log.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/toml_table.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_joints = 64;
constexpr int highest_exponent = 15;

enum class Use { dynamics, inverse };
enum class Velocity { derived, dropped };
enum class Proof { proven, searched };
const Words<Use> uses{{"dynamics", Use::dynamics}, {"inverse dynamics", Use::inverse}};
const Words<Velocity> velocities{{"derived", Velocity::derived}, {"dropped", Velocity::dropped}};
const Words<Proof> proofs{{"proven", Proof::proven}, {"searched", Proof::searched}};
const Words<bool> kinds{{"revolute", false}, {"prismatic", true}};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    if (to > from) parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

/// A whole number of at most three digits; -1 for anything else.
int whole(std::string_view text) {
  if (text.empty() || text.size() > 3) return -1;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    value = 10 * value + (c - '0');
  }
  return value;
}

class Reader {
 public:
  explicit Reader(TomlTable& root) : root_(root) {}

  ReducedModel read() {
    if (const auto format = root_.number("format"); format && *format != 1)
      root_.fault("format", "format-version", fmt::format("it is {}", print_number(*format)),
                  "this is the reader of format = 1");
    model_.robot = single_line(need("robot", root_.text("robot")));
    // without joints, what belongs here is anyone's guess
    if (read_joints()) {
      read_statement();
      read_entries("D", TermPart::inertia, 2);
      read_entries("h", TermPart::velocity, 3);
      read_entries("G", TermPart::gravity, 1);
      root_.finish();
    }
    return std::move(model_);
  }

 private:
  template <class T>
  T need(std::string_view key, std::optional<T> value) {
    if (!value && !root_.has(key)) root_.missing(key, "torsor reduce -o writes complete files");
    return value.value_or(T{});
  }

  std::size_t size() const { return model_.joints.size(); }

  /// A list with an entry for every joint.
  template <class T>
  std::vector<T> per_joint(std::string_view key, std::optional<std::vector<T>> list) {
    std::vector<T> out = need(key, std::move(list));
    if (out.size() != size() && root_.has(key))
      root_.fault(key, "list-length", fmt::format("it has {} entries", out.size()),
                  fmt::format("give one for each of the {} joints", size()));
    out.resize(size());
    return out;
  }

  bool read_joints() {
    const std::size_t before = root_.fault_count();
    for (const std::string& name : need("joints", root_.texts("joints")))
      model_.joints.push_back({single_line(name), false, 0, -1});
    if (model_.joints.empty() || size() > most_joints) {
      if (root_.has("joints"))
        root_.fault("joints", "joint-count", fmt::format("there are {}", size()),
                    fmt::format("name 1 to {}", most_joints));
      return false;
    }
    const auto words = per_joint("kinds", root_.texts("kinds"));
    const auto offsets = per_joint("offsets", root_.numbers("offsets"));
    const auto previous = per_joint("previous", root_.numbers("previous"));
    std::set<int> followed;
    for (std::size_t i = 0; i < size(); ++i) {
      ReducedJoint& joint = model_.joints[i];
      const auto kind = std::ranges::find(kinds, words[i], &std::pair<std::string_view, bool>::first);
      if (kind == kinds.end())
        root_.fault("kinds", "joint-kind",
                    fmt::format("\"{}\" is none that a reduced model has", single_line(words[i])),
                    "use revolute or prismatic");
      else
        joint.prismatic = kind->second;
      joint.offset = offsets[i];
      const double p = previous[i];
      if (p == 0) continue;
      if (p != std::floor(p) || p < 1 || p > static_cast<double>(i) || joint.prismatic ||
          model_.joints[static_cast<std::size_t>(p) - 1].prismatic || !followed.insert(static_cast<int>(p)).second)
        root_.fault("previous", "joint-order", fmt::format("joint {} cannot follow joint {}", i + 1, print_number(p)),
                    "give the number of an earlier revolute joint that no other follows, or 0");
      else
        joint.previous = static_cast<int>(p) - 1;
    }
    return root_.fault_count() == before;
  }

  std::vector<StateRange> ranges(std::string_view key) {
    std::vector<StateRange> out;
    for (const std::vector<double>& row : per_joint(key, root_.matrix(key))) {
      if (row.size() != 2 || !(row[0] <= row[1])) {
        if (root_.has(key)) root_.fault(key, "range", "an entry is no range", "write [least, most] for every joint");
        out.push_back({});
      } else {
        out.push_back({row[0], row[1]});
      }
    }
    return out;
  }

  std::vector<double> sizes(std::string_view key, bool above_zero) {
    std::vector<double> out = per_joint(key, root_.numbers(key));
    for (const double x : out)
      if (root_.has(key) && (x < 0 || (above_zero && x == 0)))
        root_.fault(key, "range", fmt::format("{} is not allowed", print_number(x)),
                    above_zero ? "give numbers above zero" : "give numbers that are not negative");
    return out;
  }

  void read_statement() {
    ReductionStatement& said = model_.statement;
    said.tolerance = need("tolerance", root_.number("tolerance"));
    if (!(said.tolerance >= 0 && said.tolerance < 1))
      root_.fault("tolerance", "range", fmt::format("{} is not allowed", print_number(said.tolerance)),
                  "give a number from 0 to below 1");
    said.definite = need("use", root_.word("use", uses)) == Use::dynamics;
    said.consistent = need("velocity", root_.word("velocity", velocities)) == Velocity::derived;
    said.proven = need("error", root_.word("error", proofs)) == Proof::proven;
    said.q = ranges("q");
    said.qd = ranges("qd");
    said.qdd = ranges("qdd");
    said.scale = sizes("scale", true);
    said.on_motion = sizes("error_on_motion", false);
    said.on_ranges = sizes("error_on_ranges", false);
    if (root_.has("error_found")) said.found = sizes("error_found", false);
    model_.reference = need("reference", root_.matrix("reference"));
    const auto short_row =
        std::ranges::find_if(model_.reference, [&](const auto& row) { return row.size() != size(); });
    if (short_row != model_.reference.end())
      root_.fault("reference", "list-length", fmt::format("a row has {} entries", short_row->size()),
                  fmt::format("give the torques of all {} joints in every row", size()));
  }

  void fault(std::string_view key, std::string_view entry, std::string what, std::string remedy) {
    root_.fault(key, "reduced-term", fmt::format("\"{}\": {}", single_line(std::string(entry.substr(0, 80))), what),
                std::move(remedy));
  }

  /// The indices before the colon, from 0; empty where they are none.
  std::vector<int> indices(std::string_view text, std::size_t count) const {
    std::vector<int> out;
    for (const std::string_view part : split(text, ',')) out.push_back(whole(part) - 1);
    const bool sound =
        out.size() == count && std::ranges::all_of(out, [&](int k) { return 0 <= k && k < model_.size(); });
    return sound ? out : std::vector<int>{};
  }

  void read_entries(std::string_view key, TermPart part, std::size_t count) {
    std::set<std::vector<int>> seen;
    for (const std::string& entry : need(key, root_.texts(key))) {
      const std::size_t colon = entry.find(':');
      const std::vector<int> at =
          colon == std::string::npos ? std::vector<int>{} : indices(std::string_view(entry).substr(0, colon), count);
      if (at.empty() || (count > 1 && at[count - 2] > at[count - 1])) {
        fault(key, entry, "it begins with no indices of this robot",
              fmt::format("begin with {} and a colon", count == 1   ? "i"
                                                       : count == 2 ? "i,j, i not above j,"
                                                                    : "i,j,m, j not above m,"));
        continue;
      }
      if (!seen.insert(at).second) {
        fault(key, entry, "its indices are there already", "write each entry once");
        continue;
      }
      TorqueTerm term{part, at[0], count > 1 ? at[1] : at[0], count > 2 ? at[2] : count > 1 ? at[1] : at[0], 0, {}};
      read_sum(key, entry, split(std::string_view(entry).substr(colon + 1), ' '), term);
    }
  }

  /// number factor factor ... +|- number ...
  void read_sum(std::string_view key, std::string_view entry, const std::vector<std::string_view>& words,
                TorqueTerm term) {
    double sign = 1;
    bool at_number = true;
    for (const std::string_view word : words) {
      if (at_number) {
        const ParsedNumber number = parse_number(word);
        if (!number)
          return fault(key, entry, fmt::format("\"{}\" is no number", single_line(std::string(word))),
                       "begin each term with its coefficient");
        term.coefficient = sign * number.value;
        term.factors.clear();
        at_number = false;
      } else if (word == "+" || word == "-") {
        model_.terms.push_back(term);
        sign = word == "-" ? -1 : 1;
        at_number = true;
      } else if (const auto factor = read_factor(word)) {
        term.factors.push_back(*factor);
      } else {
        return fault(
            key, entry, fmt::format("\"{}\" is no factor of this robot", single_line(std::string(word))),
            "write C2, S23^2 (cosine, sine of a sum of revolute joints) or d3 (a prismatic joint), powers up to 15");
      }
    }
    if (at_number) return fault(key, entry, "it ends where a term should stand", "end with a term");
    model_.terms.push_back(std::move(term));
  }

  std::optional<TermFactor> read_factor(std::string_view word) {
    TermFactor factor;
    if (const std::size_t power = word.find('^'); power != std::string_view::npos) {
      factor.exponent = whole(word.substr(power + 1));
      if (factor.exponent < 1 || factor.exponent > highest_exponent) return std::nullopt;
      word = word.substr(0, power);
    }
    if (word.size() < 2) return std::nullopt;
    std::vector<int> joints;
    const std::string_view rest = word.substr(1);
    if (size() > 9 || word[0] == 'd')
      for (const std::string_view part : split(rest, ',')) joints.push_back(whole(part) - 1);
    else
      for (const char c : rest) joints.push_back(c - '1');
    for (std::size_t k = 0; k < joints.size(); ++k) {
      if (joints[k] < 0 || joints[k] >= model_.size() || (k > 0 && joints[k] <= joints[k - 1])) return std::nullopt;
      if (model_.joints[static_cast<std::size_t>(joints[k])].prismatic != (word[0] == 'd')) return std::nullopt;
    }
    if (joints.empty()) return std::nullopt;
    if (word[0] == 'd') {
      if (joints.size() != 1) return std::nullopt;
      factor.kind = TermFactor::Kind::slide;
      factor.index = joints.front();
      return factor;
    }
    if (word[0] != 'C' && word[0] != 'S') return std::nullopt;
    factor.kind = word[0] == 'S' ? TermFactor::Kind::sine : TermFactor::Kind::cosine;
    const auto known = std::ranges::find(model_.angles, joints);
    factor.index = static_cast<int>(known - model_.angles.begin());
    if (known == model_.angles.end()) model_.angles.push_back(std::move(joints));
    return factor;
  }

  TomlTable& root_;
  ReducedModel model_;
};

}  // namespace

Result<ReducedModel> read_reduced_toml(std::string_view text, const std::string& file) {
  const Result<TomlValue> document = parse_toml(text, file);
  if (!document) return document.faults();
  Faults errors;
  TomlTable root(*document, "", file, errors);
  ReducedModel model = Reader(root).read();
  if (errors.empty()) return model;
  std::ranges::stable_sort(errors, {}, [](const Fault& error) { return error.where.line; });
  FaultLog log;
  for (Fault& error : errors) log.add(std::move(error));
  return log.faults();
}

}  // namespace torsor
