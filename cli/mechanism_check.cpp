// torsor mechanism check, mobility: whether a mechanism closes, and how freely it moves.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/deliver.hpp"
#include "cli/mechanism_argument.hpp"
#include "torsor/how_many.hpp"
#include "torsor/report/mechanism_story.hpp"
#include "torsor/report/mechanism_view.hpp"

namespace torsor {
namespace {

using Origin = ConstraintBlock::Origin;

std::string side_name(const MechanismDescription& d, const JointSide& side) {
  if (side.carrier >= 0) return d.carriers[static_cast<std::size_t>(side.carrier)].name;
  return side.body == ground ? "ground" : d.bodies[static_cast<std::size_t>(side.body)].name;
}

/// A mechanism at its start, and whether it got there.
struct Started {
  Mechanism mechanism;
  MechanismState state;
  Faults errors;
  bool singular;         // it may go on in more than one way
  MobilityReport joints;  // without drivers, where it closes
};

Result<Started> start_of(const MechanismChoice& choice) {
  auto mechanism = read_mechanism(choice);
  if (!mechanism) return mechanism.faults();
  Started out{*std::move(mechanism), {}, {}, false, {}};
  out.state = described_state(out.mechanism);
  Assembly assembly(out.mechanism, EquationSet::all);
  assembly.expect_redundancy(true);
  out.errors = assemble_start(out.mechanism, assembly, out.state);
  if (!out.errors.empty()) return out;
  out.singular = starts_singular(out.mechanism, out.state, assembly.positions(out.state));
  out.joints = mobility(out.mechanism, out.state, EquationSet::without_drivers);
  return out;
}

int equations_of(const Mechanism& m, Origin origin, std::size_t index) {
  int rows = 0;
  for (const ConstraintBlock& block : m.blocks)
    if (block.origin == origin && static_cast<std::size_t>(block.index) == index) rows += block.rows;
  return rows;
}

/// How far assembly moved the bodies from where the file puts them.
double moved(const Mechanism& m, const MechanismState& state) {
  const MechanismState before = described_state(m);
  double most = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    most = std::max(most, norm(state.bodies[b].r - before.bodies[b].r));
  return most;
}

constexpr const char* singular_sentence =
    "It stands in a singular position, where it has more degrees of freedom than beside it and may go on in more than "
    "one way.";

Report check_report(const Started& s, const PrintArguments& print) {
  const Mechanism& m = s.mechanism;
  const MechanismDescription& d = m.description;
  Report report{d.name, d.source, "Made by torsor mechanism check."};
  ReportSection& parts = report.section("");
  TextTable bodies{"bodies", {{"name"}, column("mass", "kg", print), {"x", "m"}, {"y", "m"}, {"z", "m"}}};
  for (int b = 0; b < m.bodies(); ++b) {
    const Vec3<double> p = body_pose(m, s.state, b).p;
    const MechanismBody& body = d.bodies[static_cast<std::size_t>(b)];
    bodies.add({body.name, body.m, p.x, p.y, p.z});
  }
  parts.table(std::move(bodies));
  TextTable joints{"joints", {{"name"}, {"kind"}, {"between"}, {"and"}, {"equations"}}};
  for (std::size_t k = 0; k < d.joints.size(); ++k)
    joints.add({d.joints[k].name, std::string(row(d.joints[k].kind).name), side_name(d, d.joints[k].i),
                side_name(d, d.joints[k].j), static_cast<long long>(equations_of(m, Origin::joint, k))});
  parts.table(std::move(joints));
  TextTable others{"what else there is", {{"what"}, {"name"}, {"equations"}}};
  for (std::size_t k = 0; k < d.couplings.size(); ++k) others.add({d.couplings[k].kind, d.couplings[k].name, 1LL});
  for (const MechanismDriver& driver : d.drivers)
    others.add({std::string("driver"), driver.name,
                driver.joint < 0 ? TextTable::Cell(1LL) : std::string("those of its joint")});
  for (const MechanismActuator& a : d.actuators) others.add({std::string("actuator"), a.name, std::string()});
  for (const MechanismSpring& spring : d.springs)
    others.add({std::string(spring.play ? "stop" : "spring"), spring.name, std::string()});
  for (const MechanismForce& force : d.forces) others.add({std::string("force"), force.name, std::string()});
  for (const MechanismPoint& point : d.points) others.add({std::string("point"), point.name, std::string()});
  if (!others.rows.empty()) parts.table(std::move(others));
  parts.text(fmt::format("{}, {}, {} in all.", how_many(m.bodies(), "body", "bodies"),
                         how_many(static_cast<long long>(d.joints.size()), "joint"),
                         how_many(m.rows, "equation")));
  parts.text(s.errors.empty()
                 ? fmt::format("It closes; bodies were moved by {} m at most.", format_number(moved(m, s.state), 2))
                 : fmt::format("It does not close: {}", to_string(s.errors.front())),
             s.errors.empty() ? Tone::good : Tone::bad);
  if (s.singular) parts.text(singular_sentence, Tone::warning);
  if (s.errors.empty())
    parts.text(redundancy_sentence(redundancy(m, s.joints), ReactionsGiven::none));
  return report;
}

int check_json(const Started& s) {
  const Mechanism& m = s.mechanism;
  JsonWriter json(std::cout);
  json.begin_object().field("mechanism", m.description.name).field("source", m.description.source);
  json.field("equations", m.rows).field("closes", s.errors.empty());
  if (s.errors.empty()) {
    json.field("moved", moved(m, s.state)).field("singular", s.singular);
    write_json(json.key("redundancy"), redundancy(m, s.joints));
  } else {
    json.key("faults").begin_array();
    for (const Fault& each : s.errors)
      json.begin_object()
          .field("offender", each.offender)
          .field("rule", each.rule)
          .field("what", each.what)
          .field("remedy", each.remedy)
          .end_object();
    json.end_array();
  }
  json.key("bodies").begin_array();
  for (int b = 0; b < m.bodies(); ++b) {
    const MechanismBody& body = m.description.bodies[static_cast<std::size_t>(b)];
    json.begin_object().field("name", body.name).field("mass", body.m);
    pose_fields(json, body_pose(m, s.state, b)).end_object();
  }
  json.end_array().key("joints").begin_array();
  for (std::size_t k = 0; k < m.description.joints.size(); ++k) {
    const MechanismJoint& joint = m.description.joints[k];
    json.begin_object().field("name", joint.name).field("kind", row(joint.kind).name);
    json.field("i", side_name(m.description, joint.i)).field("j", side_name(m.description, joint.j));
    json.field("equations", equations_of(m, Origin::joint, k)).end_object();
  }
  json.end_array();
  const auto names = [&](const char* key, const auto& things) {
    std::vector<std::string> list;
    for (const auto& thing : things) list.push_back(thing.name);
    field(json, key, list);
  };
  names("couplings", m.description.couplings);
  names("drivers", m.description.drivers);
  names("actuators", m.description.actuators);
  names("springs", m.description.springs);
  names("forces", m.description.forces);
  json.end_object();
  return finish_json(json);
}

MovingView view_of_start(const Started& s) {
  MechanismMotion motion(s.mechanism);
  motion.add(s.state);
  return mechanism_view(motion, "the mechanism at the start");
}

Report mobility_report(const Started& s, const Mobility& found) {
  const Mechanism& m = s.mechanism;
  const MobilityReport& j = found.joints;
  Report report{fmt::format("{}: mobility", m.description.name),
                "where it stands at the start",
                "Made by torsor mechanism mobility."};
  report.highlights = {
      {"degrees of freedom", fmt::format("{}", j.freedoms), "", fmt::format("by counting: {}", j.counted)},
      {"redundant equations", fmt::format("{}", j.redundant), "", ""}};
  report.verdict = {
      fmt::format("{}{}.", how_many(j.freedoms, "degree of freedom", "degrees of freedom"),
                  j.redundant > 0 ? fmt::format(", {}", how_many(j.redundant, "redundant equation")) : ""),
      Tone::plain};
  ReportSection& section = report.section("");
  TextTable counts{"", {{""}, {"joints and couplings"}, {"with drivers"}}};
  const auto line = [&](const char* what, int a, int b) {
    counts.add({std::string(what), static_cast<long long>(a), static_cast<long long>(b)});
  };
  line("coordinates of velocity, 6 per body", 6 * j.bodies, 6 * j.bodies);
  line("equations", j.rows, found.driven.rows);
  line("independent ones among them", j.rank, found.driven.rank);
  line("redundant ones", j.redundant, found.driven.redundant);
  line("degrees of freedom", j.freedoms, found.driven.freedoms);
  line("by counting alone (Gruebler, Kutzbach)", j.counted, found.driven.counted);
  section.table(std::move(counts));
  const int left = found.driven.freedoms, contradicting = found.driven.redundant - j.redundant;
  section.text(m.description.drivers.empty() ? "Nothing is driven."
               : left > 0                    ? fmt::format("Drivers leave {} free: under-driven.",
                                                           how_many(left, "degree of freedom", "degrees of freedom"))
               : contradicting > 0
                   ? fmt::format("Fully driven, and {} more than that: over-driven by {}.",
                                 how_many(contradicting, "equation"),
                                 fmt::join(found.over_driving, ", "))
                   : std::string("Fully driven."));
  section.text(fmt::format("{}: {}.", found.actuated.word, found.actuated.sentence));
  if (!found.actuated.shared.empty() && j.dependences.empty())
    section.text(torque_sentence(m, found.actuated.shared), Tone::warning);
  if (s.singular) section.text(singular_sentence, Tone::warning);
  if (const std::string spins = spin_sentence(m, s.state, EquationSet::without_drivers); !spins.empty())
    section.text(spins, Tone::warning);
  if (!j.dependences.empty()) {
    ReportSection& redundant = report.section("Redundant equations");
    redundant.text(
        fmt::format("Each follows from those of the others named. The reactions of all of them are not unique: least "
                    "ones are given. Motion is unique.{}",
                    m.description.actuators.empty() ? "" : " " + torque_sentence(m, found.actuated.shared)));
    TextTable table{"", {{"equation"}, {"of"}, {"follows from"}}};
    for (const NamedDependence& each : found.dependences) {
      constexpr std::size_t most = 6;
      const std::vector<std::string>& from = each.follows_from;
      table.add({static_cast<long long>(each.equation), each.of,
                 fmt::format("{}{}",
                             fmt::join(from.begin(),
                                       from.begin() + static_cast<std::ptrdiff_t>(std::min(most, from.size())), ", "),
                             from.size() > most ? fmt::format(" and {} more", from.size() - most) : "")});
    }
    redundant.table(std::move(table));
  }
  section.figure(view_of_start(s));
  if (j.freedoms > 0) {
    report.section("Independent coordinates")
        .text(fmt::format("These velocities determine all others here (Wehage & Haug 1982): {}.",
                          fmt::join(found.independent, ", ")));
  }
  return report;
}

}  // namespace

int mechanism_check(Arguments arguments) {
  MechanismChoice choice;
  PrintArguments print;
  Options options(
      "mechanism check",
      "Reads a mechanism file, builds the mechanism and closes it: every fault with file, line, element, [rule] and "
      "remedy; else its bodies, joints and equations. Exit code 1 when it cannot be closed, 2 when the file is "
      "wrong. docs/mechanism-file.md lists every rule.");
  choice.add_to(options);
  print.add_to(options);
  options.example("four_bar", "a built-in mechanism").example("my_press.toml --json", "for a program");
  if (const auto code = options.parse(arguments)) return *code;
  const auto started = start_of(choice);
  if (!started) return complain(started.faults(), exit_bad_input);
  const int code = deliver(check_report(*started, print), std::nullopt, print, [&] { return check_json(*started); });
  if (code != exit_done || started->errors.empty()) return code;
  return complain(started->errors, exit_impossible);
}

int mechanism_mobility(Arguments arguments) {
  MechanismChoice choice;
  std::optional<std::string> page;
  PrintArguments print;
  Options options(
      "mechanism mobility",
      "Degrees of freedom by the rank of the equations, not by counting; redundant equations and which joints they "
      "come from; whether drivers and actuators are enough, too few or too many.");
  choice.add_to(options);
  options.writes("--html", "FILE", page, "a page (HTML)");
  print.add_to(options);
  options.example("bricard", "a linkage that counting says cannot move").example("palletiser --json", "for a program");
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors;
  refuse_if(page == "-" && print.json, "--html -", "with --json", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  auto started = start_of(choice);
  if (!started) return complain(started.faults(), exit_bad_input);
  if (!started->errors.empty()) {
    // drivers that fight say nothing of the joints: what moves is shown where these close without them
    if (started->errors.front().rule != "drivers-fight") return complain(started->errors, exit_impossible);
    started->joints = mobility(started->mechanism, started->state, EquationSet::without_drivers);
  }
  const Mobility found = mobility_of(started->mechanism, started->state, started->joints, started->singular);
  if (found.joints.too_large)
    return complain(
        {fault_of(
            started->mechanism.description.name, "mechanism-size",
            fmt::format(
                "loops of its {} bodies leave so many degrees of freedom together that their rank cannot be found in "
                "reasonable time: a thousand in one set of loops is about the most",
                started->mechanism.bodies()),
            "ask for a part of it; torsor mechanism simulate runs it all the same")},
        exit_impossible);
  const int code = deliver(mobility_report(*started, found), page, print, [&] { return print_result(found); });
  return code != exit_done || started->errors.empty() ? code : complain(started->errors, exit_impossible);
}

}  // namespace torsor
