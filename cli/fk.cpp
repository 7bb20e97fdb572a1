// torsor fk ROBOT: where the links and the tool are, how they move, and the Jacobian of the tool.
#include <fmt/format.h>

#include "cli/deliver.hpp"
#include "cli/limit_report.hpp"
#include "cli/motion_job.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_report.hpp"
#include "torsor/dynamics/limit_result.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/loops/assembly_result.hpp"
#include "torsor/loops/closed_motion.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/state_result.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

struct FkArguments {
  RobotArgument robot;
  StateArguments state;
  MotionArguments motion;
  PrintArguments print;
  bool jacobian = false, rates = false, modes = false;
};

/// Where a frame is and, where that is asked for, how it moves; angle: a radian in the unit that is shown.
struct FrameResult {
  std::string frame;
  bool tool = false;
  PoseResult pose;
  FrameMotion motion;
  bool moving = false;
  double angle = 1;
};

constexpr auto fields(Of<FrameResult>) {
  using F = FrameResult;
  const auto rate = [](Vec3<double> FrameMotion::*which, bool turns) {
    return [which, turns](const F& f) {
      return f.moving ? std::optional(f.motion.*which * (turns ? f.angle : 1)) : std::nullopt;
    };
  };
  return field_list("FrameResult", "A frame in the world.", field("frame", "", "its link, or its name", &F::frame),
                    field("tool", "", "whether it is the tool", &F::tool), fields_of_part(&F::pose),
                    field("angular_velocity", "", "rad/s or deg/s", rate(&FrameMotion::w, true)).or_absent(),
                    field("velocity", "m/s", "", rate(&FrameMotion::v, false)).or_absent(),
                    field("angular_acceleration", "", "", rate(&FrameMotion::wd, true)).or_absent(),
                    field("acceleration", "m/s²", "", rate(&FrameMotion::a, false)).or_absent());
}

struct FkResult {
  StateResult state;
  std::optional<std::vector<double>> qdd;
  std::vector<FrameResult> frames;
  std::optional<NumberArray> jacobian, jacobian_rate;
  std::vector<PassedLimit> limits_passed;
};

constexpr auto fields(Of<FkResult>) {
  using F = FkResult;
  return field_list(
      "FkResult", "Forward kinematics at a state.", fields_of_part(&F::state),
      field("qdd", "", "", [](const F& f) { return f.qdd ? std::optional(f.state.rates(*f.qdd)) : std::nullopt; })
          .or_absent(),
      field("frames", "", "every link, then the tool", &F::frames),
      field("jacobian", "", "of the tool: (w; v) = J qd, in the world", &F::jacobian).or_absent(),
      field("jacobian_rate", "", "", &F::jacobian_rate).or_absent(), field("limits_passed", "", "", &F::limits_passed));
}

// every link frame, then the tool
std::vector<Frame<double>> all_frames(const Model<double>& model, const Frame<double>& tool) {
  std::vector<Frame<double>> frames;
  for (int i = 0; i < model.size(); ++i) frames.push_back({model.link_names[i], i, model[i].link});
  frames.push_back(tool);
  return frames;
}

// names of the frames, the tool marked as such
std::vector<std::string> frame_names(const std::vector<Frame<double>>& frames) {
  std::vector<std::string> names;
  for (const Frame<double>& frame : frames) names.push_back(frame.name);
  names.back() += " (tool)";
  return names;
}

// a rotation as it is printed
struct Orientation {
  Quaternion<double> e;
  RollPitchYaw angles;

  explicit Orientation(const Mat3<double>& R) : e(quaternion(R)), angles(roll_pitch_yaw(R)) {}
  // nearest to that of the row before: neither signs nor angles jump along a motion
  Orientation(const Mat3<double>& R, const Orientation& before)
      : e(nearer(quaternion(R), before.e)), angles(roll_pitch_yaw(R, before.angles)) {}
};

std::vector<double> pose_numbers(const Vec3<double>& p, const Orientation& o) {
  return {p.x, p.y, p.z, o.e.e0, o.e.e1, o.e.e2, o.e.e3, o.angles.roll, o.angles.pitch, o.angles.yaw};
}

std::vector<double> velocity_numbers(const FrameMotion& m) { return {m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z}; }

std::vector<double> acceleration_numbers(const FrameMotion& m) { return {m.wd.x, m.wd.y, m.wd.z, m.a.x, m.a.y, m.a.z}; }

const std::vector<std::string> pose_columns = {"x", "y", "z", "e0", "e1", "e2", "e3", "roll", "pitch", "yaw"};
const std::vector<std::string> velocity_columns = {"wx", "wy", "wz", "vx", "vy", "vz"};
const std::vector<std::string> acceleration_columns = {"wdx", "wdy", "wdz", "ax", "ay", "az"};

template <class Numbers>
TextTable frame_table(std::string caption, const std::vector<Frame<double>>& frames,
                      const std::vector<FrameMotion>& motions, const std::vector<std::string>& columns,
                      const Numbers& numbers, const PrintArguments& print) {
  std::vector<double> entries;
  for (const FrameMotion& motion : motions) {
    const std::vector<double> row = numbers(motion);
    entries.insert(entries.end(), row.begin(), row.end());
  }
  return matrix_table(std::move(caption), entries, frame_names(frames), columns, print);
}

int fk_state(const FkArguments& a, const Robot& robot, const Frame<double>& tool, const State& state) {
  const bool moving = a.state.qd || a.state.qdd;
  const Model<double>&model = robot.coordinates(), &tree = robot.tree();
  const std::vector<Frame<double>> frames = all_frames(tree, tool);
  // of all joints
  State all = state;
  std::optional<ClosedMotion> closed;
  if (robot.loops()) {
    closed.emplace(tree, robot.loops());
    if (const LoopStatus status = closed->set(state.q, state.qd, state.qdd); !status)
      return complain({loop_fault(robot, status)}, exit_impossible);
    all.q.assign(closed->q().begin(), closed->q().end());
    all.qd.assign(closed->qd().begin(), closed->qd().end());
    all.qdd.assign(closed->qdd().begin(), closed->qdd().end());
  }
  FrameMotions motions(tree);
  motions.set(tree, all.q, all.qd, all.qdd);
  std::vector<FrameMotion> motion;
  for (const Frame<double>& frame : frames) motion.push_back(motions.of(frame));

  const auto nv = static_cast<std::size_t>(model.nv);
  std::vector<double> J(6 * nv), Jd(6 * nv);
  std::vector<Motion<double>> scratch(tree.bodies.size());
  const std::span<const Transform<double>> X = motions.poses();
  if (closed) {
    std::vector<double> wide(6 * static_cast<std::size_t>(tree.nv));
    jacobian<double>(tree, X, tool.body, motion.back().X.p, wide);
    closed->map().columns(wide, 6, J);
  } else {
    jacobian<double>(tree, X, tool.body, motion.back().X.p, J);
    jacobian_rate<double>(tree, X, state.qd, tool.body, motion.back().X.p, scratch, Jd);
  }

  std::vector<double> shown;
  std::vector<std::string> names;
  const auto show = [&](const std::string& of, const std::vector<double>& numbers,
                        const std::vector<std::string>& columns) {
    shown.insert(shown.end(), numbers.begin(), numbers.end());
    for (const std::string& column : columns) names.push_back(fmt::format("{}: {}", of, column));
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    show(frames[i].name, pose_numbers(motion[i].X.p, Orientation(motion[i].X.R)), pose_columns);
    if (!moving) continue;
    show(frames[i].name, velocity_numbers(motion[i]), velocity_columns);
    show(frames[i].name, acceleration_numbers(motion[i]), acceleration_columns);
  }
  for (std::size_t row = 0; a.jacobian && row < 6; ++row)
    for (const std::vector<double>* matrix : {&J, &Jd}) {
      const std::span<const double> part = std::span(*matrix).subspan(row * nv, nv);
      show(matrix == &J ? "Jacobian" : "its rate", {part.begin(), part.end()}, model.velocity_names);
    }
  if (const auto error = first_not_finite(shown, names)) return complain({*error}, exit_impossible);
  LimitWatch watch(model);
  watch.add(0, {state.q, state.qd, state.qdd});
  const double angle = in_unit(1, CoordinateKind::angle, a.print.degrees);
  const std::string unit(coordinate_unit(CoordinateKind::angle, 0, a.print.degrees));
  // the numbers of a frame, with those from first to last in the unit of angles
  const auto turned = [angle](std::vector<double> numbers, std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) numbers[k] *= angle;
    return numbers;
  };

  if (a.print.json) {
    FkResult result{{model, state.q, state.qd, {}, a.print.degrees},
                    {},
                    {},
                    {},
                    {},
                    reported_limits(watch, InstantsBy::nothing, a.print.degrees)};
    if (moving) result.qdd = state.qdd;
    for (std::size_t i = 0; i < frames.size(); ++i)
      result.frames.push_back(
          {frames[i].name, i + 1 == frames.size(), {motion[i].X, a.print.degrees}, motion[i], moving, angle});
    if (a.jacobian) {
      result.jacobian = matrix_of(J, nv);
      if (!closed) result.jacobian_rate = matrix_of(Jd, nv);
    }
    return finish_limits({false, a.print.degrees}, watch, InstantsBy::nothing, print_result(result));
  }

  Report report = state_report("forward kinematics", model, state, {}, a.print);
  ReportSection& section = report.section("");
  std::vector<Quantity> quantities;
  if (moving) quantities = {{"qd", state.qd, 1}, {"qdd", state.qdd, 2}};
  if (moving || plain_coordinates(model)) section.table(state_table("", model, state, std::move(quantities), a.print));
  const auto poses = [&](const FrameMotion& m) { return turned(pose_numbers(m.X.p, Orientation(m.X.R)), 7, 10); };
  const auto velocities = [&](const FrameMotion& m) { return turned(velocity_numbers(m), 0, 3); };
  const auto accelerations = [&](const FrameMotion& m) { return turned(acceleration_numbers(m), 0, 3); };
  section.table(frame_table("poses in the world: m, Euler parameters, roll pitch yaw in " + unit, frames, motion,
                            pose_columns, poses, a.print));
  if (moving) {
    section.table(
        frame_table(unit == "rad" ? "velocities in the world: rad/s, m/s" : "velocities in the world: deg/s, m/s",
                    frames, motion, velocity_columns, velocities, a.print));
    section.table(frame_table(
        unit == "rad" ? "accelerations in the world: rad/s², m/s²" : "accelerations in the world: deg/s², m/s²", frames,
        motion, acceleration_columns, accelerations, a.print));
  }
  if (a.jacobian) {
    section.table(matrix_table(fmt::format("Jacobian of \"{}\": (w; v) = J qd, in the world", tool.name), J,
                               velocity_columns, model.velocity_names, a.print));
    if (!closed) section.table(matrix_table("its rate", Jd, velocity_columns, model.velocity_names, a.print));
  }
  print_report(report, std::cout);
  return finish_limits({false, a.print.degrees}, watch, InstantsBy::nothing, finish_standard_output());
}

/// Every way in which the loops can be put together there.
int fk_modes(const FkArguments& a, const Robot& robot, const Frame<double>& tool, const State& state) {
  const auto found = find_assembly_modes(robot, state.q, {.frame = tool});
  if (!found) return complain(found.faults(), exit_impossible);
  const Model<double>&model = robot.coordinates(), &tree = robot.tree();
  const std::vector<CoordinateKind> kinds = position_kinds(tree);
  const auto shown = [&](std::span<const double> q, std::size_t k) { return in_unit(q[k], kinds[k], a.print.degrees); };
  if (a.print.json) {
    AssemblyModes answer = *found;
    for (AssemblyMode& mode : answer.modes)
      for (std::size_t k = 0; k < mode.q.size(); ++k) mode.q[k] = shown(mode.q, k);
    JsonWriter json(std::cout);
    json.begin_object().field("robot", model.name).field("tool", tool.name);
    field(json, "joint_names", tree.position_names);
    write_fields(json, answer);
    angle_unit_field(json, a.print.degrees);
    json.end_object();
    return finish_json(json);
  }
  Report report = state_report("assembly modes", model, state, {}, a.print);
  ReportSection& section = report.section("");
  TextTable table{
      fmt::format("where \"{}\" can be: m, roll pitch yaw in {}", tool.name, a.print.degrees ? "deg" : "rad"), {{""}}};
  for (const char* name : {"x", "y", "z", "roll", "pitch", "yaw"}) table.columns.push_back(column(name, "", a.print));
  table.columns.push_back({"mode"}), table.columns.push_back({"limits"});
  TextTable joints{"positions of all joints", {{""}}};
  for (const std::string& name : tree.position_names) joints.columns.push_back(column(name, "", a.print));
  FrameMotions motions(tree);
  for (std::size_t n = 0; n < found->modes.size(); ++n) {
    const AssemblyMode& mode = found->modes[n];
    motions.set(tree, mode.q, {}, {});
    const Transform<double> X = motions.of(tool).X;
    const RollPitchYaw turn = roll_pitch_yaw(X.R);
    TextTable::Row row{fmt::format("{}", n + 1)}, all{fmt::format("{}", n + 1)};
    for (const double x : {X.p.x, X.p.y, X.p.z}) row.emplace_back(x);
    for (const double x : {turn.roll, turn.pitch, turn.yaw})
      row.emplace_back(in_unit(x, CoordinateKind::angle, a.print.degrees));
    row.emplace_back(std::string(mode.assembled ? "as assembled" : "another"));
    row.emplace_back(std::string(mode.inside_limits ? "kept" : "passed"));
    for (std::size_t k = 0; k < mode.q.size(); ++k) all.emplace_back(shown(mode.q, k));
    table.add(std::move(row)), joints.add(std::move(all));
  }
  section.table(without_noise(std::move(table)));
  section.table(without_noise(std::move(joints)));
  section.text(fmt::format(
      "Found from {} random starts{}: a search, no proof.", found->starts,
      found->settled ? ", each several times" : fmt::format("; about {:.0f} more are expected", found->missing)));
  section.text("To work in another mode, write its joint positions as start = ... of the robot file's joints.");
  print_report(report, std::cout);
  return finish_standard_output();
}

int fk_motion(const FkArguments& a, const Robot& robot, const Frame<double>& tool) {
  const Model<double>&model = robot.coordinates(), &tree = robot.tree();
  FrameMotions motions(tree);
  std::optional<ClosedMotion> closed;
  if (robot.loops()) closed.emplace(tree, robot.loops());
  std::optional<Orientation> orientation;
  MotionJob job{.model = model, .files = a.motion, .json = a.print.json, .derivatives = a.rates ? 2 : 0, .header = {}};
  job.jumps = Jumps::noted;
  job.header = pose_columns;
  if (a.rates)
    for (const auto* columns : {&velocity_columns, &acceleration_columns})
      job.header.insert(job.header.end(), columns->begin(), columns->end());
  job.compute = [&](const MotionRow& row, std::vector<double>& results) -> std::optional<Fault> {
    const auto append = [&results](const std::vector<double>& numbers) {
      results.insert(results.end(), numbers.begin(), numbers.end());
    };
    if (closed) {
      if (const LoopStatus status = closed->set(row.q, row.qd, row.qdd); !status) return loop_fault(robot, status);
      motions.set(tree, closed->q(), closed->qd(), closed->qdd());
    } else {
      motions.set(tree, row.q, row.qd, row.qdd);
    }
    const FrameMotion m = motions.of(tool);
    orientation = orientation ? Orientation(m.X.R, *orientation) : Orientation(m.X.R);
    append(pose_numbers(m.X.p, *orientation));
    if (!a.rates) return std::nullopt;
    append(velocity_numbers(m));
    append(acceleration_numbers(m));
    return std::nullopt;
  };
  job.summary = [&tool](JsonWriter& json) { json.field("tool", tool.name); };
  return run(job).exit_code;
}

Faults check_mode(const FkArguments& a) {
  Faults errors;
  check_motion_mode(a.motion, a.state, a.robot.name, "--motion", errors);
  refuse_if(a.motion.input && a.jacobian, "--jacobian", "with --motion: it is for one state", errors);
  refuse_if(a.modes && (a.motion.input || a.jacobian || a.state.qd || a.state.qdd), "--modes",
            "with --motion, --jacobian or rates: it is of one position", errors);
  refuse_if(!a.motion.input && a.rates, "--rates", "without --motion", errors);
  refuse_if(a.motion.input && a.motion.cutoff && !a.rates, "--cutoff", "without --rates", errors);
  return errors;
}

}  // namespace

int fk_verb(Arguments arguments) {
  FkArguments a;
  Options options(
      "fk",
      "Forward kinematics: pose of every link frame and of the tool in the world; velocities and accelerations if --qd "
      "or --qdd is given. Or the poses of the tool along a CSV motion (--motion FILE).");
  a.robot.add_to(options, ToolMeans::frame);
  options.group("State");
  a.state.add_position_to(options);
  a.state.add_rates_to(options);
  options.flag("--jacobian", a.jacobian, "the geometric Jacobian of the tool and its rate, angular rows first");
  options.flag("--modes", a.modes,
               "of a robot with loops every way to put them together there, all solutions of the forward kinematics");
  a.motion.add_to(options, "--motion", "t, q1.. (or joint names)", true);
  options.group("Motion")
      .flag("--rates", a.rates, "velocities and accelerations, too; qd and qdd from the file or derived")
      .group("Options");
  a.print.add_to(options);
  options.example("puma560 --q \"0 45 180 0 45 0\" --degrees", "poses")
      .example("puma560 --q zero --qd \"1 0 0 0 0 0\" --jacobian", "motion of the frames and the Jacobian of the tool")
      .example("five_bar --q \"2 1\" --modes", "where the tool of a robot with loops can be, as it can be put together")
      .example("puma560 --motion motion.csv -o tool.csv", "poses of the tool along a motion");
  if (const auto code = options.parse(arguments)) return *code;
  if (const Faults errors = check_mode(a); !errors.empty()) return complain(errors, exit_bad_input);
  a.print.degrees = a.motion.degrees = a.state.degrees;

  a.robot.loops = true;
  const auto robot = read_robot(a.robot);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto tool = find_tool(*robot, a.robot.chain.tool);
  const auto state = a.motion.input ? Result<State>(State{}) : read_state(*robot, a.state);
  Faults errors = tool.faults();
  collect(state, errors);
  refuse_if(a.modes && !robot->loops(), "--modes", "of a robot without loops: it has one pose", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (a.modes) return fk_modes(a, *robot, *tool, *state);
  return a.motion.input ? fk_motion(a, *robot, *tool) : fk_state(a, *robot, *tool, *state);
}

}  // namespace torsor
