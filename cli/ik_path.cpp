#include "cli/ik_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/motion_job.hpp"
#include "cli/path_scaling.hpp"
#include "cli/row_output.hpp"
#include "cli/state_report.hpp"
#include "cli/track_report.hpp"
#include "torsor/how_many.hpp"
#include "torsor/report/robot_view.hpp"

namespace torsor {
namespace {

/// The largest by which a joint is beyond its limits anywhere on the way, in rad or m.
double beyond_limits(const FollowedPath& followed, const Model<double>& model) {
  double most = 0;
  for (const PathSample& sample : followed.samples)
    for (std::size_t k = 0; k < model.limits.size() && k < sample.q.size(); ++k)
      most = std::max({most, model.limits[k].lower - sample.q[k], sample.q[k] - model.limits[k].upper});
  return most;
}

/// How far each branch goes, and whether inside the limits.
TextTable branches_table(const std::vector<BranchAlong>& branches, const Model<double>& model) {
  TextTable table{"branches along the path",
                  {{"number"}, {"branch"}, {"rows"}, {"beyond limits"}, {"nearest to singular"}, {"end"}}};
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const FollowedPath& path = branches[i].path;
    table.add({static_cast<long long>(i + 1), branches[i].name, static_cast<long long>(path.samples.size()),
               beyond_limits(path, model), nearest_singularity(path), explanation(path, model)});
  }
  return table;
}

}  // namespace

void PathArguments::add_to(Options& options) {
  options.group("Path")
      .reads("--path", "FILE", input,
             "of the tool: CSV with t, x, y, z, e0..e3 (or roll, pitch, yaw), rates wx..az or none; a motion file; a "
             "published motion")
      .writes("-o,--output", "FILE", output, "CSV of the joints, for torsor id; default - (standard output)")
      .text("--variant", "NAME", variant, "of a published motion")
      .text("--scale", "LIMITS", scale,
            "\"velocity\", \"effort\" or both: the whole time is stretched or shrunk by one factor until these limits "
            "of the robot "
            "file are just "
            "kept; a motion file has [scale]");
  sampling.add_to(options);
  limits.add_to(options);
  options.group("Options");
}

int follow_into_csv(const PathArguments& a, const InverseKinematics& solver, const SolutionChoice& choice,
                    const PathShow& show) {
  const Model<double>& model = solver.model();
  auto path = read_tool_path(*a.input, a.variant, a.sampling, model, show.print.degrees);
  if (!path) return complain(path.faults(), exit_bad_input);
  for (const std::string& sentence : path->notes) note(sentence);
  const auto wanted = wanted_scaling(a.scale, *path, model);
  if (!wanted) return complain_of_request(wanted.faults());
  const auto start = read_start(solver, *path, choice);
  if (!start) return complain(start.faults(), exit_impossible);
  std::optional<PathScaling> scaling;
  if (const auto code = scale_to_limits(*wanted, solver, *start, model, {}, *a.input, *path, scaling)) return *code;
  if (scaling && !scaling->warning.empty()) note(scaling->warning);
  const FollowedPath followed = solver.follow(*path, *start);
  std::vector<BranchAlong> branches{{"", followed}};
  if (show.all) branches = solver.follow_others(*path, followed);

  std::vector<std::string> header{"t"};
  add_names(header, "q", model.position_names);
  if (path->derivatives > 0) add_names(header, "qd", model.velocity_names);
  if (path->derivatives > 1) add_names(header, "qdd", model.velocity_names);
  const bool marked = path->derivatives > 0 && std::any_of(branches.begin(), branches.end(), [](const BranchAlong& b) {
                        return has_undetermined(b.path);
                      });
  if (marked) header.push_back("undetermined");
  if (show.all) header.push_back("branch");
  RowOutput output(a.output, show.print.json, header, false, [&](JsonWriter& json) {
    json.field("robot", model.name)
        .field("path", path->name)
        .field("input", *a.input)
        .field("solver", solver.closed() ? "closed form" : "general");
    field(json, "start", in_units(*start, position_kinds(model), show.print.degrees));
  }, {}, false, show.print.degrees ? &model : nullptr);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  std::vector<double> row;
  std::size_t count = 0;
  bool written = true;
  for (std::size_t i = 0; i < branches.size(); ++i)
    for (const PathSample& sample : branches[i].path.samples) {
      if (!written) break;
      row.assign(1, sample.t);
      row.insert(row.end(), sample.q.begin(), sample.q.end());
      if (path->derivatives > 0) row.insert(row.end(), sample.qd.begin(), sample.qd.end());
      if (path->derivatives > 1) row.insert(row.end(), sample.qdd.begin(), sample.qdd.end());
      if (marked) row.push_back(undetermined_mark(sample));
      if (show.all) row.push_back(static_cast<double>(i + 1));
      written = output.row(row);
      count += written;
    }
  if (!output.finish_rows(followed.finished())) return output.complain_unwritten();

  const std::string why = explanation(followed, model);
  const WorstResidual worst = worst_residual(followed);
  RowWatch rows(model, {.rates = path->timed ? path->derivatives : 0, .timed = path->timed});
  const RowJumps jumps = jumps_along(followed, *path, model);
  for (const PathSample& sample : followed.samples) rows.add({sample.t, sample.q, sample.qd, sample.qdd});
  const LimitWatch& watch = rows.limits();
  const InstantsBy by = path->timed ? InstantsBy::time : InstantsBy::row;
  if (show.page) {
    Report report{
        fmt::format("{}: joints along {}", model.name, path->name), path->source, "Made by torsor ik."};
    report.subtitle += scaling_text(scaling);
    if (!followed.samples.empty()) {
      RobotMotion motion;
      for (const PathSample& sample : followed.samples) motion.add(sample.t, sample.q);
      report.section("The robot").figure(robot_view(model, "The robot as it moves", motion));
    }
    describe_followed(report, solver, *path, followed, show.print);
    if (!watch.kept()) {
      ReportSection& section = report.section("Limits");
      for (const std::string& sentence : limit_sentences(watch, by, show.print.degrees))
        section.text(sentence + ".", Tone::bad);
    }
    if (const auto code = write_page(report, *show.page)) return *code;
  }
  if (show.print.json) {
    JsonWriter& json = output.begin_summary(a.output, show.page);
    if (scaling) scaling_fields(json, *scaling);
    if (show.all) {
      json.key("branches").begin_array();
      for (std::size_t i = 0; i < branches.size(); ++i) {
        const FollowedPath& each = branches[i].path;
        json.begin_object().field("number", static_cast<long long>(i + 1)).field("branch", branches[i].name);
        json.field("row_count", each.samples.size()).field("stop", stop_name(each.stop));
        json.field("beyond_limits", beyond_limits(each, model)).field("explanation", explanation(each, model));
        json.end_object();
      }
      json.end_array();
    }
    json.field("row_count", count).field("stop", stop_name(followed.stop));
    json.field("stop_time", followed.stop_time).field("explanation", why);
    if (path->derivatives > 0) field(json, "undetermined_rates", undetermined_rates(followed));
    json.field("worst_position_residual", worst.position).field("worst_angle_residual", worst.angle);
    limit_fields(json, watch, by, show.print.degrees);
    jump_fields(json, jumps, model);
    json.field("complete", followed.finished()).end_object();
    if (const int code = finish_json(json); code != exit_done) return code;
  } else if (!output.is_standard()) {
    std::cout << fmt::format("{}: {} rows{}\n", model.name, count, output.arrow());
    if (scaling) std::cout << fmt::format("scaled: {}\n", scaling->sentence);
    std::cout << fmt::format("{}; worst residual {} m, {} rad\n", why, format_number(worst.position, 2),
                             format_number(worst.angle, 2));
    if (show.all) std::cout << '\n' << to_text(branches_table(branches, model));
    say_page(show.page);
    if (const int code = finish_standard_output(); code != exit_done) return code;
  } else {
    say_page_beside(show.page);
  }
  if (path->derivatives > 0)
    for (const std::string& sentence : undetermined_rates(followed)) note(sentence);
  const int limits = finish_motion({a.limits.strict, show.print.degrees}, watch, jumps, by, exit_done);
  if (followed.finished()) return limits;
  return complain({{{path->name, 0}, "", "path-stop", why, "another branch, start or path may do"}}, exit_impossible);
}

int solve_into_csv(const PosesArguments& a, const InverseKinematics& solver, const IkChoice& wanted,
                   const PrintArguments& print) {
  const Model<double>& model = solver.model();
  if (!solver.closed() && !solver.gives_all() && !wanted.redundancy && !solver.chooses_redundancy(wanted)) {
    Faults faults = solver.refusal();
    faults.front().remedy = "--pose finds one solution by descents, --path follows a path";
    return complain(faults, exit_impossible);
  }
  auto path = read_tool_path(*a.input, {}, {}, model, print.degrees);
  if (!path) return complain(path.faults(), exit_bad_input);
  for (const std::string& sentence : path->notes) note(sentence);
  std::vector<Transform<double>> poses;
  for (double u = 0; u < path->duration + path->period / 2; u += path->period)
    poses.push_back(path->at(std::min(u, path->duration)).X);
  const IkBatch found = solve_poses(solver, poses, wanted, a.threads);

  std::vector<std::string> header{"pose", "solution"};
  add_names(header, "q", model.position_names);
  header.insert(header.end(), {"inside_limits", "residual"});
  RowOutput output(a.output, print.json, header, false, [&](JsonWriter& json) {
    json.field("robot", model.name).field("poses", *a.input).field("tool", solver.tool().name);
  }, {}, false, print.degrees ? &model : nullptr);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  std::vector<double> row;
  long long solutions = 0, inside = 0, without = 0;
  bool written = true;
  for (std::size_t pose = 0; pose < found.poses() && written; ++pose) {
    without += found.count[pose] <= 0;
    for (int k = 0; k < std::min(found.count[pose], found.most) && written; ++k) {
      const std::size_t at = pose * static_cast<std::size_t>(found.most) + static_cast<std::size_t>(k);
      row = {static_cast<double>(pose + 1), static_cast<double>(k + 1)};
      row.insert(row.end(), found.at(pose, k).begin(), found.at(pose, k).end());
      row.insert(row.end(), {found.inside_limits[at] ? 1.0 : 0.0, found.residual[at]});
      written = output.row(row);
      ++solutions;
      inside += found.inside_limits[at];
    }
  }
  if (!output.finish_rows(true)) return output.complain_unwritten();
  const long long asked = static_cast<long long>(found.poses());
  if (without > 0)
    note(fmt::format("{} of {} without a solution{}", without, how_many(asked, "pose"),
                     wanted.outside_limits ? "" : " inside the limits"));
  if (print.json) {
    JsonWriter& json = output.begin_summary(a.output);
    json.field("pose_count", asked).field("solution_count", solutions);
    json.field("inside_limits_count", inside).field("without_solution_count", without);
    json.end_object();
    return finish_json(json);
  }
  if (output.is_standard()) return exit_done;
  std::cout << fmt::format("{}: {}, {}, {} of them inside the limits{}\n", model.name,
                           how_many(asked, "pose"), how_many(solutions, "solution"), inside, output.arrow());
  return finish_standard_output();
}

}  // namespace torsor
