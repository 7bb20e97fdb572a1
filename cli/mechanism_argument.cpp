#include "cli/mechanism_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/quantity.hpp"
#include "torsor/io/load_mechanism.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"

namespace torsor {

void add_mechanism_to(Options& options, std::string& name) {
  options.positional(
      "FILE", name,
      "a mechanism file (docs/mechanism-file.md), a built-in mechanism such as four_bar, or - for standard "
      "input");
}

Result<Mechanism> read_mechanism(const std::string& name) {
  const auto description = load_mechanism(name);
  if (!description) return description.errors();
  for (const Error& passed_over : description->notes) note(to_string(passed_over));
  return build(*description);
}

void MechanismRunArguments::add_to(Options& options, const std::string& columns, const std::string& page_has) {
  add_mechanism_to(options, name);
  options.text("--time", "S", time, "seconds to run, or 500ms; default: what the file says")
      .text("--every", "S", every, "seconds between rows, or 10ms; default: what the file says")
      .text("-o,--output", "FILE", output, fmt::format("CSV of {}; default - (standard output)", columns))
      .text("--html", "FILE", page, fmt::format("a page: {}", page_has));
  print.add_to(options);
}

Result<RunTimes> read_run_times(const MechanismRunArguments& a, const MechanismRun& file) {
  constexpr double most_rows = 1e7;
  Errors errors;
  const auto time = read_quantity("--time", a.time, quantities::time, file.time),
             every = read_quantity("--every", a.every, quantities::time, file.interval);
  collect(time, errors);
  collect(every, errors);
  refuse_if(a.page == "-" && (a.print.json || !a.output), "--html -", a.print.json ? "with --json" : "without --output",
            errors);
  if (!errors.empty()) return errors;
  if (!(*time > 0 && *time < 1e9))
    errors.push_back({{}, "--time", "option-value", fmt::format("it is {} s", *time), "give seconds above zero"});
  if (!(*every > 0))
    errors.push_back({{}, "--every", "option-value", fmt::format("it is {} s", *every), "give seconds above zero"});
  if (errors.empty() && !(*time / *every <= most_rows))
    errors.push_back({{},
                      "--every",
                      "option-value",
                      fmt::format("there would be {:.3g} rows", *time / *every),
                      fmt::format("give {:.3g} s at least", *time / most_rows)});
  if (!errors.empty()) return errors;
  return RunTimes{*time, *every};
}

std::string_view measure_word(Measure::What what) {
  return what == Measure::What::angle ? "angle" : what == Measure::What::slide ? "slide" : "length";
}

std::vector<NamedMeasure> reported_measures(const MechanismDescription& d) {
  // of two places that nothing joins, what something looks at or pulls along
  std::set<std::pair<int, Measure::What>> used;
  const auto use = [&](const Measure& measure) { used.emplace(measure.joint, measure.what); };
  for (const MechanismCoupling& coupling : d.couplings)
    for (const auto& term : coupling.terms) use(term.measure);
  for (const MechanismDriver& driver : d.drivers)
    for (const auto& term : driver.terms) use(term.measure);
  for (const MechanismActuator& actuator : d.actuators) use(actuator.measure);
  for (const MechanismSpring& spring : d.springs) use(spring.measure);

  std::vector<NamedMeasure> all;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const MechanismJointRow& kind = row(d.joints[k].kind);
    const auto add = [&](Measure::What what, bool has) {
      const Measure measure{static_cast<int>(k), what};
      if (has && (kind.kind != MechanismJointKind::free || used.contains({measure.joint, what})))
        all.push_back({fmt::format("{}.{}", measure_word(what), d.joints[k].name), measure});
    };
    add(Measure::What::angle, kind.angle);
    add(Measure::What::slide, kind.slide);
    add(Measure::What::length, kind.length);
  }
  return all;
}

std::string spin_sentence(const Mechanism& m, const MechanismState& assembled, EquationSet set) {
  if (std::none_of(m.borrowed.begin(), m.borrowed.end(), [](const Sym3<double>& b) { return b.xx > 0; })) return "";
  std::string list;
  for (const int body : spinning_bodies(m, assembled, set))
    list +=
        fmt::format("{}\"{}\"", list.empty() ? "" : ", ", m.description.bodies[static_cast<std::size_t>(body)].name);
  if (list.empty()) return "";
  return fmt::format(
      "Nothing holds the turning of body {}, and it has no inertia against it: such freedoms count, but nothing drives "
      "or "
      "feels them, and small motions are told without them.",
      list);
}

Actuation actuation(const Mechanism& m, const MechanismState& assembled, const MobilityReport& joints) {
  Actuation out;
  const int actuators = static_cast<int>(m.description.actuators.size());
  if (actuators == 0) return {"not actuated", "it has no actuators", 0};
  MechanismInverse inverse(m);
  inverse.expect_redundancy(true);
  std::vector<double> efforts(static_cast<std::size_t>(actuators));
  const std::vector<Motion<double>> rest(m.description.bodies.size());
  out.commanded = inverse.efforts(assembled, rest, efforts).commanded;
  const auto many = [](int n, const char* one, const char* more) {
    return fmt::format("{} {}", n, n == 1 ? one : more);
  };
  out.sentence =
      fmt::format("{} {} {} of {}", many(actuators, "actuator", "actuators"), actuators == 1 ? "commands" : "command",
                  many(out.commanded, "degree of freedom", "degrees of freedom"), joints.freedoms);
  out.word = out.commanded < joints.freedoms ? "under-actuated"
             : actuators > out.commanded     ? "over-actuated"
                                             : "fully actuated";
  return out;
}

}  // namespace torsor
