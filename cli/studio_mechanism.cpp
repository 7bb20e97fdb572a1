#include "cli/studio_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "cli/mechanism_rest.hpp"
#include "cli/mode_character.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/mechanism/mechanism_variant.hpp"
#include "torsor/report/mechanism_torques.hpp"
#include "torsor/report/mechanism_view.hpp"
#include "torsor/report/page_columns.hpp"

namespace torsor {
namespace {

/// A driver that prescribes a measure or a sum of them: one that a person can move instead.
bool has_value(const MechanismDriver& driver) { return driver.joint < 0 && driver.function; }

std::vector<Transform<double>> poses_of(const Mechanism& m, const MechanismState& state) {
  MechanismMotion motion(m);
  motion.add(state);
  return motion.instants().front().poses;  // of carriers, too
}

/// Forces that joints exert on their second bodies, in the world, at the joints: place and force of each.
void append_reactions(const Mechanism& m, const MechanismInverse& inverse, const MechanismState& state,
                      std::vector<double>& out) {
  for (const ConstraintBlock& block : m.blocks) {
    if (block.origin != ConstraintBlock::Origin::joint) continue;
    const JointReaction r = joint_reaction(m, inverse.equations(), block, inverse.lambda());
    const PlacedSide& j = m.side_j[static_cast<std::size_t>(block.index)];
    const PlacedSide& i = m.side_i[static_cast<std::size_t>(block.index)];
    const bool on_j = j.body >= 0;
    const PlacedSide& side = on_j ? j : i;
    Vec3<double> at = side.s;
    if (side.body >= 0) {
      const BodyState& b = state.bodies[static_cast<std::size_t>(side.body)];
      at = b.r + rotation(b.p) * side.s;
    }
    const Vec3<double>& f = on_j ? r.on_j.f : r.on_i.f;
    out.insert(out.end(), {at.x, at.y, at.z, f.x, f.y, f.z});
  }
}

struct Column {
  std::string name, unit, group;
};

std::vector<Column> columns_of(const std::vector<MechanismColumns>& groups) {
  std::vector<Column> out;
  for (const MechanismColumns& g : groups)
    for (std::size_t k = 0; k < g.names.size(); ++k) out.push_back({g.names[k], std::string(g.unit_of(k)), g.heading});
  return out;
}

/// What rounding leaves of a zero, beside the largest number under the same heading (of reactions, all of them), is that zero; and
/// so are places and angles that an assembly leaves there.
void silence_noise(const std::vector<Column>& columns, std::vector<double>& numbers) {
  constexpr double noise = 1e-12;
  const std::size_t width = columns.size();
  const auto heading = [&](std::size_t k) {
    return columns[k].group.find("eaction") == std::string::npos ? columns[k].group : "Reactions";
  };
  std::vector<double> most(width);
  std::map<std::string, double> largest;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (const double x = std::abs(numbers[i]); x > most[i % width]) most[i % width] = x;
  for (std::size_t k = 0; k < width; ++k) largest[heading(k)] = std::max(largest[heading(k)], most[k]);
  for (std::size_t k = 0; k < width; ++k)
    if (most[k] < noise * largest[heading(k)] ||
        (most[k] < noise && (columns[k].unit == "rad" || columns[k].unit == "m")))
      for (std::size_t i = k; i < numbers.size(); i += width) numbers[i] = 0;
}

void write_columns(JsonWriter& json, const std::vector<Column>& columns) {
  json.key("columns").begin_array();
  for (const Column& c : columns)
    json.begin_object().field("name", c.name).field("unit", c.unit).field("group", c.group).end_object();
  json.end_array();
}

}  // namespace

std::vector<double> StudioMechanism::driver_values(double t) const {
  std::vector<double> out;
  for (const MechanismDriver& d : mechanism_.description.drivers)
    if (has_value(d)) out.push_back(d.function(t).f);
  return out;
}

void StudioMechanism::append_driver_measures(const MechanismEquations& at, std::vector<double>& out) const {
  for (const MechanismDriver& d : mechanism_.description.drivers) {
    if (!has_value(d)) continue;
    double sum = 0;
    for (const MechanismCoupling::Term& t : d.terms) {
      const double x = at.measure(t.measure).value;
      sum += t.factor * (t.profile ? t.profile(x).f : x);
    }
    out.push_back(sum);
  }
}

void StudioMechanism::describe(StudioAnswer& out) {
  const Mechanism& m = mechanism_;
  const MechanismDescription& d = m.description;
  JsonWriter& json = out.json;
  state_ = described_state(m);
  Faults faults = start_driven(m, state_);
  const bool driven = faults.empty();
  if (!driven) {
    state_ = described_state(m);
    faults = start_simulated(m, state_);
  }
  values_ = driver_values(state_.t);
  json.field("kind", "mechanism")
      .field("title", d.name)
      .field("source", d.source)
      .field("driven", driven)
      .field("of_robot", robot_.has_value());
  if (tool_) {
    json.field("tool", tool_->name).key("tool_pose");
    write_value(json, tool_pose());
  }
  json.field("tool_refusal", refusal_);
  const MobilityReport joints = mobility(m, state_, EquationSet::without_drivers);
  json.field("freedoms", joints.freedoms).field("redundant", joints.redundant);
  const auto is_shown = [&](const auto& named) { return std::ranges::find(hidden_, named.name) == hidden_.end(); };
  json.field("time", d.run.time)
      .field("bodies", std::ranges::count_if(d.bodies, is_shown))
      .field("joints", std::ranges::count_if(d.joints, is_shown));
  json.key("gravity").value(std::span<const double>(std::array{d.gravity.x, d.gravity.y, d.gravity.z}));
  json.key("drivers").begin_array();
  for (const MechanismDriver& driver : d.drivers) {
    if (!has_value(driver)) continue;
    bool angle = true;
    for (const MechanismCoupling::Term& t : driver.terms) angle = angle && t.measure.what == Measure::What::angle;
    const double value = driver.function(state_.t).f;
    double low = value, high = value;
    for (int k = 0; k <= 200; ++k) {
      const double f = driver.function(d.run.time * k / 200).f;
      low = std::min(low, f), high = std::max(high, f);
    }
    json.begin_object()
        .field("name", driver.name)
        .field("angle", angle)
        .field("value", value)
        .field("low", low)
        .field("high", high);
    const auto range = std::ranges::find(ranges_, driver.name, &StudioDriverRange::driver);
    if (range != ranges_.end()) json.field("lower", range->low).field("upper", range->high);
    json.end_object();
  }
  json.end_array();
  const auto names = [&json](const char* key, const auto& list) {
    json.key(key).begin_array();
    for (const auto& x : list) json.value(x.name);
    json.end_array();
  };
  json.key("actuators").begin_array();
  for (const MechanismActuator& a : d.actuators)
    json.begin_object().field("name", a.name).field("unit", torque_unit(a.measure)).end_object();
  json.end_array();
  names("joint_names", d.joints);
  MechanismMotion still(m);
  still.add(state_);
  PageColumns unused;
  json.key("view");
  MovingView view = mechanism_view(still, d.name);
  const auto is_hidden = [&](const auto& drawn) {
    return std::ranges::find(hidden_, drawn.name) != hidden_.end() ||
           (drawn.part >= 0 &&
            std::ranges::find(hidden_, view.parts[static_cast<std::size_t>(drawn.part)].name) != hidden_.end());
  };
  std::erase_if(view.symbols, is_hidden);
  std::erase_if(view.traces, is_hidden);
  write_data(view, json, unused);
  append_notes(d.notes, faults);
  write_faults(json, "findings", faults);
}

void StudioMechanism::run(const StudioRequest& in, StudioAnswer& out) {
  const Mechanism& m = mechanism_;
  const double time = in.number_or("time", m.description.run.time);
  const int count = in.whole_or("samples", 2, 2000, 401);
  if (!(time > 0 && time <= 1000)) refuse_call("time", "call-field", "it is not within 1000 s");
  const bool released = in.text_or("how", "driven") == "released";
  const auto measures = reported_measures(m.description);
  MechanismState state = described_state(m);
  if (const Faults faults = released ? start_simulated(m, state) : start_driven(m, state); !faults.empty())
    throw_error(faults);
  std::vector<double> t, poses, numbers, reactions, drivers;
  std::vector<Column> columns;
  std::string ended;
  // a page waits no longer
  constexpr double patience = 8;  // s
  const auto start = std::chrono::steady_clock::now();
  const auto patient = [&] {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < patience) return true;
    ended = fmt::format("computed for {} s; torsor mechanism goes on", patience);
    return false;
  };
  const auto place = [&](const MechanismState& at) {
    t.push_back(at.t);
    append_poses(poses_of(m, at), poses);
  };
  MechanismEquations equations(m);
  if (released) {
    columns = columns_of(measure_columns(measures));
    columns.insert(columns.end(),
                   {{"kinetic", "J", "Energy"}, {"potential", "J", "Energy"}, {"balance", "J", "Energy"}});
    ForwardRunRules rules;
    rules.time = time;
    rules.interval = time / (count - 1);
    rules.tolerance = 1e-8;
    const ForwardRunReport report = run_forward(m, state, rules, [&](const ForwardInstant& at) {
      place(at.state);
      equations.evaluate(at.state);
      append_measures(equations, measures, at.A, numbers);
      append_driver_measures(equations, drivers);
      const MechanismEnergy& e = at.forward.energy();
      numbers.insert(numbers.end(), {e.kinetic, e.potential, at.energy_error});
      return patient();
    });
    if (!report.finished && ended.empty()) ended = report.why;
  } else {
    const MobilityReport joints = mobility(m, state, EquationSet::without_drivers);
    InverseRows inverse(m, state, joints.freedoms, false, false);
    const bool of_drivers = inverse.of_drivers();
    MechanismInverse forces(m, of_drivers ? EquationSet::all : EquationSet::without_drivers);
    std::vector<double> u(m.description.actuators.size());
    std::vector<MechanismColumns> groups = inverse.columns();
    for (MechanismColumns& each : measure_columns(measures)) groups.push_back(std::move(each));
    columns = columns_of(groups);
    const DrivenRunReport report = run_driven(m, state, {time, time / (count - 1)}, [&](const DrivenInstant& at) {
      place(at.state);
      inverse.append(at, numbers);
      equations.evaluate(at.state);
      append_measures(equations, measures, at.A, numbers);
      forces.torques(at.state, at.A, u);
      append_reactions(m, forces, at.state, reactions);
      const std::vector<double> prescribed = driver_values(at.state.t);
      drivers.insert(drivers.end(), prescribed.begin(), prescribed.end());
      return patient();
    });
    if (!report.finished && ended.empty()) ended = report.why;
  }
  // every row whole
  const std::size_t width = columns.size(), rows = width > 0 ? std::min(t.size(), numbers.size() / width) : t.size();
  t.resize(rows);
  silence_noise(columns, numbers);
  out.json.field("ended", ended);
  write_columns(out.json, columns);
  out.rows("t", t);
  out.rows("poses", poses, 7);
  out.rows("numbers", numbers, width);
  out.rows("reactions", reactions, 6);
  out.rows("drivers", drivers, std::max<std::size_t>(1, values_.size()));
}

void StudioMechanism::drive(const StudioRequest& in, StudioAnswer& out) {
  if (state_.bodies.empty()) refuse_call("drive", "mechanism-start", "it has no position to start from");
  const std::vector<double> wanted = in.numbers("values", values_.size());
  std::size_t first = 0;
  for (const MechanismDriver& driver : mechanism_.description.drivers)
    if (has_value(driver) && !(std::abs(wanted[first++]) <= 1e5))
      refuse_call(driver.name, "state-size", "a value beyond 1e5 (rad, m): no digit of the answer would be sure");
  // what its drivers say is replaced by straight ways from the present values to the wanted ones
  MechanismDescription d = mechanism_.description;
  std::size_t k = 0;
  for (MechanismDriver& driver : d.drivers) {
    if (!has_value(driver)) continue;
    driver.function = polynomial_in_time({values_[k], wanted[k] - values_[k]});
    ++k;
  }
  const auto built = build(d);
  if (!built) throw_error(built.faults());
  const Mechanism& m = *built;
  // where it goes does not depend on what its bodies weigh: with the same mass everywhere nothing is lost beside anything
  const Result<Mechanism> moved = with_equal_masses(m);
  if (!moved) throw_error(moved.faults());
  MechanismState state = state_;
  state.t = 0;
  MechanismState reached = state;
  double share = 0;
  const DrivenRunReport report = run_driven(*moved, state, {1, 0.25}, [&](const DrivenInstant& at) {
    reached = at.state;
    share = at.state.t;
    return true;
  });
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += share * (wanted[i] - values_[i]);
  for (BodyState& b : reached.bodies) b.v = b.w = {};
  reached.t = 0;
  state_ = reached;
  write_held(report.finished ? "" : report.why, out);
}

void StudioMechanism::write_held(const std::string& ended, StudioAnswer& out) const {
  const Mechanism& m = mechanism_;
  JsonWriter& json = out.json;
  json.key("values").value(std::span<const double>(values_));
  json.field("ended", ended);
  if (tool_) {
    json.key("tool_pose");
    write_value(json, tool_pose());
  }
  const bool of_drivers = m.description.actuators.empty();
  MechanismInverse inverse(m, of_drivers ? EquationSet::all : EquationSet::without_drivers);
  std::vector<double> u(m.description.actuators.size()), reactions, poses;
  const std::vector<Motion<double>> rest(m.description.bodies.size());
  inverse.torques(state_, rest, u);
  for (const double x : u)
    if (!std::isfinite(x)) refuse_call("drive", "not-finite", "what holds it there is not finite");
  json.key("holding").value(std::span<const double>(u));
  append_reactions(m, inverse, state_, reactions);
  append_poses(poses_of(mechanism_, state_), poses);
  out.rows("poses", poses, 7);
  out.rows("reactions", reactions, 6);
}

void StudioMechanism::modes(const StudioRequest&, StudioAnswer& out) {
  AtRest at;
  at.mechanism = mechanism_;
  if (const Faults faults = bring_to_rest(at, true); !faults.empty()) throw_error(faults);
  const Linearisation found = linearise(held_at(at.mechanism, at.state.t), at.state);
  if (!found.why.empty()) refuse_call(at.mechanism.description.name, "no-modes", found.why);
  JsonWriter& json = out.json;
  json.field("stability", status_name(at.report.stability)).key("modes").begin_array();
  for (const Mode& mode : found.modes)
    json.begin_object()
        .field("frequency", mode.frequency)
        .field("damping", mode.damping)
        .field("real", mode.s.real())
        .field("imaginary", mode.s.imag())
        .field("character", mode_character(mode))
        .end_object();
  json.end_array();
  // of the first of them; all have as many instants
  std::vector<double> poses;
  std::size_t instants = 0, cycles = 0;
  if (!found.modes.empty()) {
    for (const MovingView::Clip& clip : mode_view(at.mechanism, at.state, found.modes, "").clips) {
      if (cycles > 0 && clip.t.size() != instants) break;
      instants = clip.t.size();
      ++cycles;
      append_poses(clip.poses, poses);
    }
  }
  json.field("cycles", cycles).field("instants", instants);
  out.rows("poses", poses, 7);
}

}  // namespace torsor
