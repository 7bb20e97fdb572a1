#include "torsor/files/experiment_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "torsor/text/fault_log.hpp"
#include "torsor/text/toml_table.hpp"
#include "torsor/text/toml_text.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

constexpr double largest_whole = 9007199254740992;  // 2^53

template <class E, std::size_t N>
Words<E> words(const std::string_view (&names)[N]) {
  Words<E> out;
  for (std::size_t k = 0; k < N; ++k) out.emplace_back(names[k], static_cast<E>(k));
  return out;
}

class Reader {
 public:
  explicit Reader(TomlTable& root) : root_(root) {}

  ControlExperiment read() {
    if (const auto format = root_.number("format"); format && *format != 1)
      root_.fault("format", "format-version", fmt::format("it is {}", print_number(*format)),
                  "this is the reader of format = 1");
    need(root_, "robot", root_.text("robot"), e_.robot);
    take(root_.text("robot_digest"), e_.digest);
    take(root_.text("tool"), e_.tool);
    // what is missing or of the wrong kind comes first; numbers are checked in a sound file
    need_table("task", [this](TomlTable& t) { read_task(t); });
    need_table("controller", [this](TomlTable& t) { read_controller(t); });
    root_.table("impedance", [this](TomlTable& t) { read_impedance(t); });
    root_.table("arm", [this](TomlTable& t) { read_arm(t); });
    root_.finish();
    return std::move(e_);
  }

  /// Where the number of that name, as check_experiment calls it, stands.
  Where where(const std::string& offender) const {
    const auto found = places_.find(offender);
    return found == places_.end() ? root_.where() : found->second;
  }

 private:
  template <class T>
  static void take(std::optional<T> value, T& target) {
    if (value) target = *std::move(value);
  }
  template <class T>
  void need(TomlTable& t, std::string_view key, std::optional<T> value, T& target, Unit unit = units::plain) {
    if (!value && !t.has(key, unit)) t.missing(key, "torsor control --write writes complete files");
    take(std::move(value), target);
  }
  void need_table(std::string_view key, const TomlTable::Visit& visit) {
    if (!root_.has(key)) root_.missing(key, "torsor control --write writes complete files");
    root_.table(key, visit);
  }
  void keep(TomlTable& t, std::string_view key, std::string_view prefix = "", Unit unit = units::plain) {
    places_[fmt::format("{}{}", prefix, key)] = t.where(key, unit);
  }
  void number(TomlTable& t, std::string_view key, double& target, std::string_view prefix = "",
              Unit unit = units::plain) {
    take(t.number(key, unit), target);
    keep(t, key, prefix, unit);
  }
  double whole(TomlTable& t, std::string_view key, double fallback) {
    const auto value = t.number(key);
    keep(t, key);
    if (!value) return fallback;
    if (*value == std::floor(*value) && *value >= 0 && *value <= largest_whole) return *value;
    t.fault(key, "whole-number", fmt::format("it is {}", print_number(*value)), "give a whole number from 0 on");
    return fallback;
  }

  void read_task(TomlTable& t) {
    static constexpr std::string_view prefix = "task: ";
    ControlTask& task = e_.task;
    need(t, "kind", t.word("kind", words<TaskKind>(task_kind_names), "task-kind"), task.kind);
    need(t, "start", t.numbers("start"), task.start);
    for (const std::string_view key : {"start", "wall"}) keep(t, key, prefix);
    number(t, "duration", task.duration, prefix);
    number(t, "rest", task.rest, prefix);
    take(t.vector("turn", units::angle), task.turn);
    keep(t, "turn", prefix, units::angle);
    // what else belongs here depends on the kind
    if (task.kind == TaskKind::arc) {
      need(t, "centre", t.vector("centre", units::length), task.centre, units::length);
      need(t, "axis", t.vector("axis"), task.axis);
      keep(t, "centre", prefix, units::length);
      keep(t, "axis", prefix);
      number(t, "angle", task.angle, prefix, units::angle);
    } else {
      need(t, "way", t.vector("way", units::length), task.way, units::length);
      keep(t, "way", prefix, units::length);
    }
    if (task.kind == TaskKind::contact) {
      if (!t.has("wall"))
        t.missing("wall", "write wall = { point = [...], normal = [...], stiffness = ..., damping = ... }");
      t.table("wall", [&](TomlTable& wall) {
        need(wall, "point", wall.vector("point", units::length), task.wall.point, units::length);
        need(wall, "normal", wall.vector("normal"), task.wall.normal);
        take(wall.number("stiffness"), task.wall.stiffness);
        take(wall.number("damping"), task.wall.damping);
      });
    }
    if (task.kind == TaskKind::payload) {
      number(t, "payload", task.payload, prefix, units::mass);
      number(t, "payload_time", task.payload_time, prefix);
    }
  }

  void read_controller(TomlTable& t) {
    need(t, "laws", t.texts("laws"), e_.laws);
    keep(t, "laws");
    take(t.numbers("speeds"), e_.speeds);
    keep(t, "speeds");
    take(t.word("model", words<ControllerKind>(controller_kind_names), "controller-model"), e_.model);
    number(t, "reduced_tolerance", e_.reduced_tolerance);
    number(t, "rate", e_.rate);
    number(t, "delay", e_.delay);
    number(t, "kp", e_.gains.kp);
    number(t, "kv", e_.gains.kv);
    take(t.word<bool>("limits", {{"kept", true}, {"ignored", false}}), e_.limits);
    e_.knots = static_cast<int>(std::min(whole(t, "knots", e_.knots), 1e9));
  }

  void read_impedance(TomlTable& t) {
    number(t, "bandwidth", e_.impedance_bandwidth);
    const auto six = [&](std::string_view key, std::array<double, 6>& target) {
      const auto list = t.numbers(key);
      keep(t, key);
      if (!list) return;
      if (list->size() != 6)
        return t.fault(key, "list-length", fmt::format("it has {} entries", list->size()),
                       "give six, about and along the axes of the tool");
      std::copy(list->begin(), list->end(), target.begin());
    };
    six("mass", e_.impedance.mass);
    six("damping", e_.impedance.damping);
    six("stiffness", e_.impedance.stiffness);
  }

  void read_arm(TomlTable& t) {
    number(t, "error", e_.model_error);
    take(t.text("integrator"), e_.integrator);
    keep(t, "integrator");
    number(t, "step", e_.step);
    e_.seed = static_cast<std::uint64_t>(whole(t, "seed", 1));
  }

  TomlTable& root_;
  ControlExperiment e_;
  std::map<std::string, Where> places_;
};

}  // namespace

Result<ControlExperiment> read_experiment_toml(std::string_view text, const std::string& file) {
  const Result<TomlValue> document = parse_toml(text, file);
  if (!document) return document.faults();
  Faults errors;
  TomlTable root(*document, "", file, errors);
  Reader reader(root);
  ControlExperiment experiment = reader.read();
  if (errors.empty())
    for (Fault& error : errors = check_experiment(experiment)) error.where = reader.where(error.offender);
  if (errors.empty()) return experiment;
  std::ranges::stable_sort(errors, {}, [](const Fault& error) { return error.where.line; });
  FaultLog log;
  for (Fault& error : errors) log.add(std::move(error));
  return log.faults();
}

std::string write_experiment_toml(const ControlExperiment& e) {
  const ControlTask& task = e.task;
  std::string out =
      "# An experiment with control laws: torsor control --experiment FILE runs it again to the last digit.\n";
  const auto line = [&](std::string_view key, const std::string& value) {
    out += fmt::format("{} = {}\n", key, value);
  };
  const auto number = [&](std::string_view key, double value) { line(key, print_number(value)); };
  number("format", 1);
  line("robot", toml_text(e.robot));
  if (!e.digest.empty()) line("robot_digest", toml_text(e.digest));
  if (!e.tool.empty()) line("tool", toml_text(e.tool));

  out += "\n[task]\n";
  line("kind", toml_text(kind_name(task.kind)));
  line("start", toml_list(task.start));
  if (task.kind == TaskKind::arc) {
    line("centre", toml_list(task.centre));
    line("axis", toml_list(task.axis));
    number("angle", task.angle);
  } else {
    line("way", toml_list(task.way));
  }
  line("turn", toml_list(task.turn));
  number("duration", task.duration);
  number("rest", task.rest);
  if (task.kind == TaskKind::contact)
    line("wall",
         fmt::format("{{ point = {}, normal = {}, stiffness = {}, damping = {} }}", toml_list(task.wall.point),
                     toml_list(task.wall.normal), print_number(task.wall.stiffness), print_number(task.wall.damping)));
  if (task.kind == TaskKind::payload) {
    number("payload", task.payload);
    number("payload_time", task.payload_time);
  }

  out += "\n[controller]\n";
  line("laws", toml_list(e.laws));
  if (!e.speeds.empty()) line("speeds", toml_list(e.speeds));
  line("model", toml_text(kind_name(e.model)));
  if (e.model == ControllerKind::reduced) number("reduced_tolerance", e.reduced_tolerance);
  number("rate", e.rate);
  number("delay", e.delay);
  number("kp", e.gains.kp);
  number("kv", e.gains.kv);
  line("limits", e.limits ? "\"kept\"" : "\"ignored\"");
  number("knots", e.knots);

  out += "\n[impedance]\n";
  number("bandwidth", e.impedance_bandwidth);
  if (e.impedance.mass[0] > 0) {
    line("mass", toml_list(e.impedance.mass));
    line("damping", toml_list(e.impedance.damping));
    line("stiffness", toml_list(e.impedance.stiffness));
  }

  out += "\n[arm]\n";
  number("error", e.model_error);
  number("seed", static_cast<double>(e.seed));
  line("integrator", toml_text(e.integrator));
  number("step", e.step);
  return out;
}

}  // namespace torsor
