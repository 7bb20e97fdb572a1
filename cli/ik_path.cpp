#include "cli/ik_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/motion_job.hpp"
#include "cli/print.hpp"
#include "cli/row_output.hpp"

namespace torsor {

void PathArguments::add_to(Options& options) {
  options.group("Path")
      .text("--path", "FILE", input,
            "of the hand: CSV with t, x, y, z, e0..e3 (or roll, pitch, yaw), rates wx..az or none; a motion file; a "
            "published motion")
      .text("-o,--output", "FILE", output, "CSV of the joints, for torsor id; default - (standard output)")
      .text("--variant", "NAME", variant, "of a published motion");
  sampling.add_to(options);
  options.group("Options");
}

int follow_into_csv(const PathArguments& a, const HandSolver& solver, const std::optional<BranchChoice>& choice,
                    const std::optional<std::vector<double>>& near, bool as_json) {
  const auto path = load_hand_path(*a.input, a.variant, a.sampling);
  if (!path) return complain(path.errors(), exit_bad_input);
  for (const std::string& sentence : path->notes) note(sentence);
  const auto start = choose_start(solver, *path, choice, near);
  if (!start) return complain(start.errors(), exit_impossible);
  const FollowedPath followed = solver.follow(*path, *start);
  const Model<double>& model = solver.model();
  std::vector<std::string> header{"t"};
  add_names(header, "q", model.position_names);
  if (path->derivatives > 0) add_names(header, "qd", model.velocity_names);
  if (path->derivatives > 1) add_names(header, "qdd", model.velocity_names);
  RowOutput output(a.output, as_json, header, false, [&](JsonWriter& json) {
    json.field("robot", model.name)
        .field("input", *a.input)
        .field("solver", solver.closed() ? "closed form" : "general");
    field(json, "start", *start);
  });
  if (!output.errors().empty()) return complain(output.errors(), exit_not_written);
  double residual = 0;
  std::vector<double> row;
  for (const PathSample& sample : followed.samples) {
    row.assign(1, sample.t);
    row.insert(row.end(), sample.q.begin(), sample.q.end());
    if (path->derivatives > 0) row.insert(row.end(), sample.qd.begin(), sample.qd.end());
    if (path->derivatives > 1) row.insert(row.end(), sample.qdd.begin(), sample.qdd.end());
    residual = std::max({residual, sample.position_residual, sample.angle_residual});
    if (!output.row(row)) break;
  }
  if (!output.finish_rows()) return complain(output.write_errors(), exit_not_written);
  const std::string why = explanation(followed, model);
  if (as_json) {
    if (!output.is_standard()) output.begin_json();
    JsonWriter& json = output.json();
    if (a.output) json.field("output", *a.output);
    json.field("row_count", followed.samples.size()).field("stop", stop_name(followed.stop)).field("explanation", why);
    json.field("worst_residual", residual).field("complete", followed.finished()).end_object();
    if (const int code = finish_json(json); code != exit_done) return code;
  } else if (!output.is_standard()) {
    std::cout << fmt::format("{}: {} rows -> {}\n{}; worst residual {}\n", model.name, followed.samples.size(),
                             printable(*a.output), why, format_number(residual, 2));
    if (const int code = finish_standard_output(); code != exit_done) return code;
  }
  if (path->derivatives > 0)
    for (const std::string& sentence : undetermined_rates(followed)) note(sentence);
  if (followed.finished()) return exit_done;
  if (!followed.samples.empty()) note(fmt::format("rows kept from before the stop: {}", followed.samples.size()));
  return complain({{{path->name, 0}, "", "path-stop", why, "another branch, start or path may do"}}, exit_impossible);
}

}  // namespace torsor
