#include "torsor/robot.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "torsor/check/examination.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/mjcf_writer.hpp"
#include "torsor/files/sdf_writer.hpp"
#include "torsor/text/number.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/model/chain_links.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/free_base.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/model/serial_part.hpp"

namespace torsor {

struct Robot::Parts {
  Description description;
  Model<double> tree;
  std::shared_ptr<const LoopModel> loops = {};
};

Robot::Robot(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {}
Robot::Robot(Description description) : Robot(*try_build(std::move(description))) {}

Robot Robot::load(const std::string& name_path_or_text, const LoadOptions& options) {
  return *try_load(name_path_or_text, options);
}

const Description& Robot::description() const { return parts_->description; }
const Model<double>& Robot::tree() const { return parts_->tree; }
const std::shared_ptr<const LoopModel>& Robot::loops() const { return parts_->loops; }
const std::string& Robot::name() const { return tree().name; }
int Robot::nq() const { return coordinates().nq; }
int Robot::nv() const { return coordinates().nv; }

Frame<double> Robot::tool() const { return *find_frame(); }
Frame<double> Robot::tool(const std::string& name) const { return *find_frame(&name); }

Robot Robot::chain(const std::string& base, const std::string& tool, const ChainOptions& options) const {
  return *try_chain(base, tool, options);
}

bool Robot::is_serial() const { return is_serial(tool()); }

Robot Robot::with_payload(const Payload& payload) const { return with_payload(payload, tool()); }

Faults faults_of(const Payload& payload) {
  const auto fault = [](std::string what, std::string remedy) {
    return Faults{{{}, "payload", "payload", std::move(what), std::move(remedy)}};
  };
  const auto& [mass, com, tensor] = payload;
  if (!(mass >= 0))
    return fault(fmt::format("the mass is {}", print_number(mass)), "give a mass in kg that is not negative");
  // as of a file
  if (Faults sizes = check_part({.mass = mass, .com = com, .tensor = tensor}, {}, "payload"); !sizes.empty())
    return sizes;
  const MassSpread spread = mass_spread(mass, tensor);
  if (can_be_a_body(spread, com)) return {};
  if (mass == 0)
    return fault("it has a mass centre or moments of inertia, and the mass is 0",
                 "give its mass, or leave out the rest");
  const auto& [least, middle, most] = spread.moments;
  if (least < 0) return fault("a moment of inertia is negative", "give them in kg m^2 about the payload's mass centre");
  return fault(fmt::format("no body has the moments of inertia {} {} {}", print_number(least), print_number(middle),
                           print_number(most)),
               "each is at most the sum of the other two, about the payload's mass centre");
}

Result<Robot> Robot::try_build(Description description) {
  auto tree = build_tree(description);
  if (!tree) return tree.faults();
  if (description.loops.empty()) return Robot(Parts{std::move(description), *std::move(tree)});
  auto loops = assemble_loops(description, *tree);
  if (!loops) return loops.faults();
  return Robot(Parts{std::move(description), *std::move(tree), std::make_shared<const LoopModel>(*std::move(loops))});
}

const Model<double>& Robot::model() const {
  if (loops()) throw_error(refuse_loops(description()));
  return tree();
}

const Model<double>& Robot::coordinates() const { return loops() ? loops()->coordinates : tree(); }

namespace {
std::vector<std::string> names_of(std::span<const EmbeddedRobot> robots) {
  std::vector<std::string> names;
  for (const EmbeddedRobot& robot : robots) names.emplace_back(robot.name);
  return names;
}
}  // namespace

std::vector<std::string> Robot::names() { return names_of(embedded_robots()); }
std::vector<std::string> Robot::names_with_loops() { return names_of(embedded_robots_with_loops()); }

Result<Robot> Robot::try_load(const std::string& name_path_or_text, const LoadOptions& options) {
  const std::size_t first = name_path_or_text.find_first_not_of(" \t\r\n");
  const bool is_text = name_path_or_text.find('\n') != std::string::npos ||
                       (first != std::string::npos && name_path_or_text[first] == '<');
  auto description =
      is_text ? read_robot_text(name_path_or_text, "text", options) : load_robot(name_path_or_text, options);
  if (!description) return description.faults();
  return try_build(*std::move(description));
}

Result<Frame<double>> Robot::find_frame(const std::string* name) const {
  const Model<double>& m = tree();
  if (m.frames.empty())
    return Fault{{}, m.name, "tool-unknown", "has no links, and so no tool", "add a link to the robot file"};
  if (!name) return m.frames.back();
  std::vector<std::string> names;
  for (const Frame<double>& frame : m.frames) {
    if (frame.name == *name) return frame;
    names.push_back(frame.name);
  }
  if (const int body = m.body_index(*name); body >= 0) return Frame<double>{*name, body, m[body].link};
  for (const std::string& link : m.link_names)
    if (std::ranges::find(names, link) == names.end()) names.push_back(link);
  const std::string hint = did_you_mean(*name, names);
  return Fault{{},
               fmt::format("tool \"{}\"", *name),
               "tool-unknown",
               fmt::format("{} has no such frame", m.name),
               fmt::format("{}{}expected one of {}", hint, hint.empty() ? "" : " ", fmt::join(names, ", "))};
}

Result<Robot> Robot::try_chain(const std::string& base, const std::string& tool, const ChainOptions& options) const {
  if (Faults refused = refuse_loops(description()); !refused.empty()) return refused;
  std::string tip = tool;
  if (tip.empty()) {
    const auto frame = find_frame();
    if (!frame) return frame.faults();
    tip = frame->name;
  }
  auto part = serial_part(description(), base, tip, options);
  if (!part) return part.faults();
  for (std::string& sentence : sentences(*part))
    part->description.notes.push_back({{}, "chain", "chain-cut", std::move(sentence), "", Severity::note});
  return try_build(std::move(part->description));
}

bool Robot::is_serial(const Frame<double>& tool) const {
  if (loops()) return false;
  const Model<double>& m = tree();
  int last = -1;  // the body that moves furthest out; what is fixed belongs to what carries it
  std::vector<int> moved(m.bodies.size(), -1);
  // rotors that are bodies come after all links
  for (std::size_t i = 0; i < description().links.size(); ++i) {
    const Body<double>& b = m.bodies[i];
    const int parent = b.parent < 0 ? -1 : moved[static_cast<std::size_t>(b.parent)];
    moved[i] = b.kind == JointKind::fixed ? parent : static_cast<int>(i);
    if (b.kind == JointKind::fixed) continue;
    if (b.nv != 1 || parent != last) return false;
    last = static_cast<int>(i);
  }
  return last >= 0 && tool.body >= 0 && moved[static_cast<std::size_t>(tool.body)] == last;
}

Robot Robot::with_payload(const Payload& payload, const Frame<double>& frame) const {
  if (const Faults faults = faults_of(payload); !faults.empty()) throw_error(faults);
  const Part part{.mass = payload.mass, .com = payload.com, .tensor = payload.inertia};
  return Robot(Parts{torsor::with_payload(description(), tree(), frame, part),
                     torsor::with_payload(tree(), frame.body, frame.X_body_frame, inertia_of({part})), loops()});
}

Robot Robot::with_gravity(const Vec3<double>& gravity) const {
  Parts parts = *parts_;
  parts.description.gravity = parts.tree.gravity = gravity;
  return Robot(std::move(parts));
}

Robot Robot::on_free_base() const {
  if (const Faults faults = refuse_loops(description()); !faults.empty()) throw_error(faults);
  return Robot(*torsor::on_free_base(description()));
}

void Robot::save(const std::string& path) const {
  const bool mjcf = path.ends_with(".mjcf") || path.ends_with(".mjcf.xml");
  const bool urdf = path.ends_with(".urdf") || path.ends_with(".xml");
  const std::string text = mjcf   ? *write_mjcf(description())
                           : path.ends_with(".sdf") ? *write_sdf(description())
                           : urdf ? *write_urdf(description())
                                  : write_robot_toml(description());
  if (const Faults faults = write_text_file(path, text); !faults.empty()) throw_error(faults);
}

Faults Robot::without_masses() const {
  const Model<double>& m = tree();
  const auto heavy = [](const Body<double>& b) {
    const Sym3<double>& I = b.inertia.I;
    return b.inertia.m != 0 || I.xx != 0 || I.yy != 0 || I.zz != 0;
  };
  // what a joint moves: its body and all that hang from it
  std::vector<bool> moved(m.bodies.size());
  for (int i = m.size() - 1; i >= 0; --i) {
    moved[i] = moved[i] || heavy(m[i]);
    if (moved[i] && m[i].nv > 0) return {};
    if (moved[i] && m[i].parent >= 0) moved[m[i].parent] = true;
  }
  if (m.nv == 0 || std::ranges::any_of(m.rotor, [](double r) { return r != 0; })) return {};
  return {
      {description().where, fmt::format("robot \"{}\"", m.name), "robot-massless",
       "none of its joints moves a mass: it is a robot for kinematics alone",
       "torsor inertia gives its links masses from their shapes; fk, ik, path, show, convert, regressor and codegen "
       "--functions fk,jacobian,ik need none"}};
}

Faults Robot::warnings() const {
  Faults doubts;
  for (const Fault& note : description().notes)
    if (note.severity == Severity::warning) {
      doubts.push_back(note);
      doubts.back().severity = Severity::error;  // as those of findings: whoever prints them says what they are
    }
  for (const Finding& finding : examine(description(), tree()).findings)
    if (finding.severity != Severity::note) doubts.push_back(finding.error);
  return doubts;
}

}  // namespace torsor
