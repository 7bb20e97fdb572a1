#include "torsor/files/mechanism_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include "torsor/text/fault_log.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/mechanism_toml_blocks.hpp"
#include "torsor/text/number.hpp"
#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/numeric/integrator.hpp"

namespace torsor {
namespace detail {

std::string MechanismReader::own_name(TomlTable& table, std::string_view one) {
  std::string name = read_name(table, "name", "");
  if (name.empty()) {
    if (!table.has("name")) table.missing("name", "give it a name of its own");
    name = table.title();
  }
  if (name == "ground") table.fault("name", "name-ground", "the ground is there already", "take another name");
  if (name != table.title()) table.rename(fmt::format("{} \"{}\"", one, name));
  return name;
}

void MechanismReader::read_body(TomlTable& table) {
  MechanismBody body;
  body.where = table.where();
  body.name = own_name(table, "body");
  const std::vector<Part> parts = read_parts(table);
  for (const Part& part : parts)
    if (part.mass < 0)
      table.fault("mass", "mass-negative", fmt::format("it is {} kg", print_number(part.mass)),
                  "a mass is zero or positive", units::mass);
  if (parts.size() == 1 && parts[0].about == InertiaAbout::mass_centre) {
    // as typed, to the last digit
    body.m = parts[0].mass;
    body.com = parts[0].com;
    body.I = parts[0].tensor;
  } else {
    const Inertia<double> J = inertia_of(parts);
    body.m = J.m;
    body.com = mass_centre(J);
    body.I = tensor_about_centre(J);
  }
  // moments left at zero, as of plane mechanisms, are not known rather than wrong
  const MassSpread spread = mass_spread(body.m, body.I);
  if (spread.moments[0] > 0 && triangle_excess(spread) > 1e-6 * spread.moments[2])
    m_.notes.push_back(
        {body.where, fmt::format("body \"{}\"", body.name), "triangle",
         fmt::format("its principal moments {:.4g}, {:.4g}, {:.4g} kg m^2 are those of no body: the largest "
                     "is more than the sum of the others",
                     spread.moments[0], spread.moments[1], spread.moments[2]),
         "check them, unless only one matters"});
  body.X_world_body = read_pose(table);
  const auto v = table.vector("velocity", units::length), w = table.vector("angular_velocity", units::turning_speed);
  body.velocity = {w.value_or(Vec3<double>{}), v.value_or(Vec3<double>{})};
  body.turn_given = w.has_value(), body.way_given = v.has_value();
  m_.bodies.push_back(std::move(body));
}

void MechanismReader::read_robot(TomlTable& table, std::string_view file_key) {
  const auto named = table.text(file_key);
  const bool in_block = file_key == "file";
  if (in_block && !table.has("file")) table.missing("file", "name a robot file or a built-in robot");
  std::string prefix;
  Transform<double> X;
  std::optional<std::vector<double>> q, qd;
  std::optional<std::vector<std::string>> motors;
  if (in_block) {
    prefix = read_name(table, "name", "");
    if (!prefix.empty()) table.rename(fmt::format("robot \"{}\"", prefix)), prefix += '.';
    X = read_pose(table);
    q = table.numbers("q", units::angle);
    qd = table.numbers("qd", units::angle);
    motors = table.texts("actuators");
  }
  if (!named) return;
  const std::string& file = *named;
  const Result<Description> description =
      sources_.robot ? sources_.robot(file)
      : file.find_first_of("/.-") == std::string::npos
          ? load_robot(file)
          : Result<Description>(Fault{{}, "", "file-read", "robot files cannot be read here", "name a built-in robot"});
  const auto blame = [&](const Faults& errors) {
    const Fault& first = errors.front();
    const std::string place = first.where.line > 0 ? fmt::format(", line {}", first.where.line) : "";
    const auto count = std::ranges::count(errors, Severity::error, &Fault::severity);  // there may be notes beside them
    const std::string more = count > 1 ? fmt::format(", and {} more", count - 1) : "";
    table.fault(file_key, "robot-file", fmt::format("robot \"{}\"{}: {}{}", excerpt(file), place, first.what, more),
                first.remedy);
  };
  if (!description) return blame(description.faults());
  const Result<Model<double>> model = build(*description);
  if (!model) return blame(model.faults());

  const auto fits = [&](std::string_view key, std::optional<std::vector<double>>& list, int size) {
    if (!list || list->size() == static_cast<std::size_t>(size)) return;
    table.fault(key, "array-length", fmt::format("it has {} numbers", list->size()),
                fmt::format("give {}, one per coordinate of the robot", size), units::angle);
    list.reset();
  };
  fits("q", q, model->nq);
  fits("qd", qd, model->nv);
  // degrees are for angles; what a list in degrees says of a slide is anyone's guess
  for (const Body<double>& body : model->bodies)
    for (const std::string_view key : {"q_deg", "qd_deg"})
      if (in_block && table.has(key) && body.kind == JointKind::prismatic) {
        table.fault(key, "unit", "the robot has prismatic joints", "write it without _deg: radians and metres");
        q.reset(), qd.reset();
        break;
      }
  Result<MechanismDescription> made =
      mechanism_of_robot(*model, q ? *q : std::vector<double>{}, qd ? *qd : std::vector<double>{});
  if (!made) return blame(made.faults());
  MechanismDescription& part = *made;
  for (Fault& note : part.notes) note.where = table.where(file_key);
  const Where where = table.where(file_key);
  for (MechanismBody& body : part.bodies) body.where = where;
  for (MechanismJoint& joint : part.joints) joint.where = where;
  for (MechanismCoupling& coupling : part.couplings) coupling.where = where;
  for (MechanismActuator& motor : part.actuators) motor.where = where;
  for (MechanismSpring& spring : part.springs) spring.where = where;
  for (MechanismFriction& friction : part.frictions) friction.where = where;
  if (motors) {
    std::vector<std::string> known;
    for (const MechanismActuator& motor : part.actuators) known.push_back(motor.name);
    for (const std::string& name : *motors)
      if (std::ranges::find(known, name) == known.end())
        table.fault("actuators", "name-unknown", fmt::format("the robot has no motor at \"{}\"", excerpt(name)),
                    did_you_mean(name, known) + " it has " + names_of(part.actuators));
    std::erase_if(part.actuators, [&](const MechanismActuator& motor) {
      return std::ranges::find(*motors, motor.name) == motors->end();
    });
  }
  take_gravity(table, file_key, X.R * part.gravity);
  kind_known_.resize(m_.joints.size() + part.joints.size(), true);
  add_part(m_, std::move(part), X, prefix);
}

/// What the file says of gravity counts; where it says nothing, what its robots say.
void MechanismReader::take_gravity(TomlTable& table, std::string_view file_key, const Vec3<double>& of_robot) {
  const auto text = [](const Vec3<double>& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g}) m/s^2", v.x, v.y, v.z); };
  // 9.81 and 9.80665 do not differ
  const bool same = norm(of_robot - m_.gravity) <= 1e-2 * norm(of_robot);
  if (!gravity_known_) m_.gravity = of_robot;
  if (!gravity_known_ || same) {
    gravity_known_ = true;
    return;
  }
  if (root_.has("gravity"))
    m_.notes.push_back(
        {table.where(file_key), table.title(), "robot-gravity",
         fmt::format("the robot's own gravity is {} here, the mechanism's {} counts", text(of_robot), text(m_.gravity)),
         "let them agree if that is not intended"});
  else
    table.fault(file_key, "robot-gravity",
                fmt::format("its gravity is {} here, that of a robot before it {}", text(of_robot), text(m_.gravity)),
                "write gravity at the top of the file");
}

void MechanismReader::read_run(TomlTable& table) {
  const auto positive = [&](std::string_view key, double& target) {
    const auto x = table.number(key);
    if (x && !(*x > 0))
      table.fault(key, "run-setting", fmt::format("it is {}", print_number(*x)), "give a number above zero");
    else if (x)
      target = *x;
  };
  positive("time", m_.run.time);
  positive("interval", m_.run.interval);
  positive("step", m_.run.step);
  positive("tolerance", m_.run.tolerance);
  Words<std::string_view> methods;
  for (const IntegratorRow& row : integrators()) methods.emplace_back(row.name, row.name);
  if (const auto method = table.word("integrator", methods, "integrator-unknown")) m_.run.integrator = *method;
  m_.run.partitioned =
      table.word<bool>("formulation", {{"augmented", false}, {"partitioned", true}}).value_or(m_.run.partitioned);
}

namespace {

/// Names are how everything is referred to: each kind of thing has each name once.
template <class Things>
void check_mechanism_names(TomlTable& root, const Things& things, std::string_view one) {
  std::unordered_map<std::string_view, int> lines;
  for (const auto& thing : things)
    if (const auto [first, fresh] = lines.emplace(thing.name, thing.where.line); !fresh)
      root.fault_at(thing.where, fmt::format("{} \"{}\"", one, thing.name), "name-twice",
                    fmt::format("the {} of line {} has the same name", one, first->second),
                    "give each a name of its own");
}

}  // namespace

MechanismDescription MechanismReader::read() {
  if (const auto format = root_.number("format"); format && *format != 1)
    root_.fault("format", "format-version", fmt::format("it is {}", print_number(*format)),
                "this is the reader of format = 1");
  m_.name = read_name(root_, "name", std::filesystem::path(file_).stem().string());
  m_.source = single_line(root_.text("source").value_or(""));
  if (const auto gravity = root_.vector("gravity")) m_.gravity = *gravity;
  gravity_known_ = root_.has("gravity");
  root_.table("run", [this](TomlTable& t) { read_run(t); });
  // robot = "puma560", or blocks for more than the name
  if (root_.is_array("robot"))
    root_.tables("robot", [this](TomlTable& t) { read_robot(t, "file"); });
  else
    read_robot(root_, "robot");
  root_.tables("body", [this](TomlTable& t) { read_body(t); });
  root_.tables("carrier", [this](TomlTable& t) { read_carrier(t); });
  root_.tables("joint", [this](TomlTable& t) { read_joint(t); });
  root_.tables("coupling", [this](TomlTable& t) { read_coupling(t); });
  root_.tables("actuator", [this](TomlTable& t) { read_actuator(t); });
  root_.tables("spring", [this](TomlTable& t) { read_spring(t); });
  root_.tables("driver", [this](TomlTable& t) { read_driver(t); });
  root_.tables("stop", [this](TomlTable& t) { read_stop(t); });
  root_.tables("friction", [this](TomlTable& t) { read_friction(t); });
  root_.tables("force", [this](TomlTable& t) { read_force(t); });
  root_.tables("point", [this](TomlTable& t) { read_point(t); });
  root_.tables("law", [this](TomlTable& t) { read_law(t); });
  if (m_.bodies.empty() && !root_.has("body") && !root_.has("robot"))
    root_.fault("body", "mechanism-empty", "there is none", "write [[body]] for each body, or robot = \"...\"");
  check_mechanism_names(root_, m_.bodies, "body");
  check_mechanism_names(root_, m_.carriers, "carrier");
  check_mechanism_names(root_, m_.joints, "joint");
  check_mechanism_names(root_, m_.couplings, "coupling");
  check_mechanism_names(root_, m_.actuators, "actuator");
  check_mechanism_names(root_, m_.springs, "spring");
  check_mechanism_names(root_, m_.frictions, "friction");
  check_mechanism_names(root_, m_.laws, "law");
  check_mechanism_names(root_, m_.drivers, "driver");
  check_mechanism_names(root_, m_.forces, "force");
  check_mechanism_names(root_, m_.points, "point");
  root_.finish();
  return std::move(m_);
}

}  // namespace detail

Result<MechanismDescription> read_mechanism_toml(std::string_view text, const std::string& file,
                                                 const MechanismSources& sources,
                                                 std::span<const ParameterSetting> settings) {
  Result<TomlValue> document = parse_toml(text, file);
  if (!document) return document.faults();
  Faults errors = apply_parameters(*document, file, settings);
  TomlTable root(*document, "", file, errors);
  MechanismDescription mechanism = detail::MechanismReader(root, file, sources).read();
  // what only the whole mechanism shows
  if (errors.empty())
    if (const Result<Mechanism> built = build(mechanism); !built) {
      errors = built.faults();
      for (Fault& error : errors)
        if (error.where.file.empty()) error.where.file = file;
    }
  if (errors.empty()) return mechanism;
  std::ranges::stable_sort(errors, {}, [](const Fault& error) { return error.where.line; });
  FaultLog log;
  for (Fault& error : errors) log.add(std::move(error));
  return log.faults();
}

}  // namespace torsor
