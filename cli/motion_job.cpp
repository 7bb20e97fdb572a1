#include "cli/motion_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "cli/files.hpp"
#include "cli/limit_report.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "torsor/text/number.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/numeric/rest_watch.hpp"

namespace torsor {
namespace {

// without the rounding of a median and its inverse
double twelve_digits(double x) { return std::isfinite(x) ? std::stod(fmt::format("{:.12g}", x)) : x; }

void say_notes(const MotionJob& job, const MotionReader& reader, const MotionOutcome& outcome) {
  if (outcome.derived)
    note(derivation_sentence(outcome.derived));
  else if (job.files.cutoff)
    note("--cutoff has no effect: the file has its own velocities and accelerations");
  if (!reader.ignored().empty()) note(fmt::format("columns not used: {}", fmt::join(reader.ignored(), ", ")));
}

// rows that are read before they are computed: enough to keep lanes and threads busy, and few of a very large robot
std::size_t block_size(const MotionJob& job) {
  constexpr std::size_t most_rows = 1024, most_numbers = std::size_t{1} << 17;
  const auto numbers = static_cast<std::size_t>(job.model.nq + 2 * job.model.nv + 1);
  return job.prepare ? std::clamp<std::size_t>(most_numbers / numbers, 1, most_rows) : 1;
}

constexpr double most_seconds_gathered = 0.2;

std::string chatter_sentence(const Chatter& chatter, const Model<double>& model) {
  const auto v = static_cast<std::size_t>(chatter.coordinate);
  return fmt::format(
      "\"{}\": the derived velocity changes its sign {} times within the reach of the spline: that is noise of q, and "
      "dry friction changes by {:.4g} {} with it; give a lower --cutoff, or qd and qdd",
      model.velocity_names[v], chatter.reversals, chatter.friction, torque_unit(velocity_kinds(model)[v]));
}

// until the motion ends or something is in the way: then what the mathematics says, if it is that
std::optional<Fault> compute_rows(const MotionJob& job, MotionRow first, MotionStream& stream, InputFile& input,
                                  const std::vector<std::string>& header, RowOutput& output, MotionOutcome& outcome) {
  Progress progress(input.size());
  std::vector<double> results;
  std::vector<MotionRow> rows(block_size(job));
  rows[0] = std::move(first);
  const bool rates = outcome.has_time && !outcome.derived && job.derivatives == 2;
  const bool noise = job.friction && outcome.derived.what == Derived::rates && outcome.derived.period > 0;
  RowWatch watch(job.model, {.limits = false,
                             .jumps = job.jumps != Jumps::ignored && rates,
                             .reach = noise ? spline_reach(outcome.derived.cutoff, outcome.derived.period) : 0});
  std::size_t count = 1, computed = 0;  // of the block
  std::optional<Fault> impossible;
  bool ended = false;
  const auto compute_block = [&] {
    const auto block = std::span<const MotionRow>(rows).subspan(computed, count - computed);
    computed = count;
    if (job.prepare && !block.empty()) job.prepare(block);
    ended = true;
    for (const MotionRow& row : block) {
      results.clear();
      if (outcome.has_time) results.push_back(row.t);
      if (watch.add(row)) {
        outcome.jumps = watch.jumps();
        if (job.jumps == Jumps::refused) {
          impossible = refusal(*outcome.jumps.first, job.model, input.name());
          return;
        }
      }
      impossible = job.compute(row, results);
      if (!impossible) impossible = first_not_finite(results, header);
      if (impossible) {
        impossible->where.file = input.name();
        impossible->what += outcome.has_time ? fmt::format(" at t = {}", print_number(row.t))
                                             : fmt::format(" in row {}", outcome.rows + 1);
        return;
      }
      if (!output.row(results)) return;
      ++outcome.rows;
    }
    ended = false;
    progress.update(stream.reader().bytes(), outcome.rows);
  };
  // rows of a slow source do not wait until a block is full: neither where they come one by one, nor in a pause
  input.when_idle([&] {
    if (ended) return;
    compute_block();
    ended = ended || !output.flush();
  });
  for (bool more = true; more || count > 0; count = computed = 0) {
    const double begun = coarse_seconds();
    while (more && !ended && count < rows.size() && coarse_seconds() - begun < most_seconds_gathered &&
           (more = stream.next(rows[count])))
      ++count;
    if (!ended) compute_block();
    if (ended) break;
  }
  input.when_idle({});
  if (ended) return impossible;
  outcome.chatter = watch.chatter();
  return std::nullopt;
}

// the rest of the JSON answer, or a line on the screen when the rows went elsewhere
int summarise(const MotionJob& job, RowOutput& output, const MotionOutcome& outcome, bool complete) {
  if (job.discard) return exit_done;
  if (!job.json) {
    if (!output.is_standard() && !job.quiet)
      std::cout << fmt::format("{}: {} {}{}\n", job.model.name, outcome.rows, outcome.rows == 1 ? "row" : "rows",
                               output.arrow());
    return finish_standard_output();
  }
  JsonWriter& json = output.begin_summary(job.files.output);
  json.field("row_count", outcome.rows);
  if (outcome.derived) {
    if (std::isinf(outcome.derived.cutoff))
      json.field("cutoff_hz", "none");
    else
      json.field("cutoff_hz", twelve_digits(outcome.derived.cutoff));
    json.field("period_s", twelve_digits(outcome.derived.period)).field("even_samples", outcome.derived.even);
  }
  if (job.summary) job.summary(json);
  jump_fields(json, outcome.jumps, job.model);
  if (!outcome.chatter.empty()) {
    json.key("chatter").begin_array();
    for (const Chatter& each : outcome.chatter)
      json.begin_object()
          .field("joint", job.model.velocity_names[static_cast<std::size_t>(each.coordinate)])
          .field("reversals", each.reversals)
          .field("friction_jump", each.friction)
          .end_object();
    json.end_array();
  }
  json.field("complete", complete).end_object();
  return finish_json(json);
}

}  // namespace

Result<std::optional<double>> read_cutoff(const std::optional<std::string>& text) {
  if (!text) return std::optional<double>{};
  if (*text == "none") return std::optional<double>{std::numeric_limits<double>::infinity()};
  const ParsedNumber number = parse_number(*text);
  if (number && number.value > 0) return std::optional<double>{number.value};
  return fault_of("--cutoff", "option-value", fmt::format("\"{}\" is not allowed", *text),
                  "give a frequency in Hz above zero, or none to interpolate");
}

void MotionArguments::add_to(Options& options, const std::string& option, const std::string& columns, bool with_cutoff,
                             bool with_output) {
  options.group("Motion").reads(
      option, "FILE", input,
      fmt::format(
          "CSV with a header line and columns {}; or NPY (x.npy) with these columns side by side in this order, "
          "known by their number; - for standard input",
          columns));
  if (with_output)
    options.writes("-o,--output", "FILE", output,
                   "CSV of results, or NPY if it ends in .npy; default - (CSV on standard output)");
  if (with_output) add_continue_to(options, go_on);
  if (with_cutoff)
    options.text("--cutoff", "HZ", cutoff,
                 "of the smoothing spline that gives missing qd and qdd; at most half the sample rate; none to "
                 "interpolate; default a tenth of the sample rate");
  options.group("Options");
}

void add_threads_to(Options& options, std::optional<long long>& threads) {
  options.group("Motion")
      .whole("--threads", 1, 256, threads, "that compute the rows of the file; default 1")
      .group("Options");
}

void check_motion_mode(const MotionArguments& files, const StateArguments& state, const std::string& robot,
                       const std::string& option, Faults& errors) {
  for (const std::string& name : state.given())
    refuse_if(files.input.has_value() && name != "--degrees", name,
              fmt::format("with {}: the file has the states", option), errors);
  refuse_if(files.input == "-" && robot == "-", option + " -", "while the robot is read from standard input, too",
            errors);
  refuse_if(!files.input && files.output, "--output", "without " + option, errors);
  refuse_if(files.go_on && files.output.value_or("-") == "-", "--continue", "without --output FILE", errors);
  refuse_if(!files.input && files.cutoff, "--cutoff", "without " + option, errors);
  collect(read_cutoff(files.cutoff), errors);
}

MotionOutcome run(const MotionJob& job) {
  MotionOutcome outcome;
  const auto stop = [&outcome](const Faults& errors, ExitCode code) {
    outcome.exit_code = complain(errors, code);
    return outcome;
  };
  if (job.files.input->ends_with(".toml"))
    return stop({fault_of(*job.files.input, "motion-file", "is a motion file, and a table of joint positions is wanted",
                          "torsor path FILE -o TABLE.csv makes one of it")},
                exit_bad_input);
  InputFile input(*job.files.input);
  if (!input.faults().empty()) return stop(input.faults(), exit_bad_input);

  // nothing is written before the columns are known to be there, and a row without fault
  MotionStream stream(job.model, input.stream(), input.name(),
                      {job.derivatives, *read_cutoff(job.files.cutoff), true, job.files.degrees}, job.content);
  const MotionReader& reader = stream.reader();
  MotionRow first;
  const bool any = stream.next(first);
  if (!any && !reader.ok()) return stop(reader.faults(), exit_bad_input);
  outcome.has_time = reader.has_time();
  outcome.derived = reader.derivation();
  say_notes(job, reader, outcome);
  if (job.start) job.start(outcome);

  std::vector<std::string> header;
  if (outcome.has_time) header.push_back("t");
  header.insert(header.end(), job.header.begin(), job.header.end());
  ColumnRange answer = job.answer;
  if (outcome.has_time && answer.count > 0) ++answer.first;
  const auto begin = [&job](JsonWriter& json) {
    json.field("robot", job.model.name).field("input", *job.files.input);
  };
  RowOutput output(job.files.output, job.json, header, job.discard, begin, answer, job.files.go_on,
                   job.files.degrees ? &job.model : nullptr);
  if (!output.faults().empty()) return stop(output.faults(), exit_not_written);
  std::optional<Fault> impossible;
  if (any) impossible = compute_rows(job, std::move(first), stream, input, header, output, outcome);
  const bool complete = reader.ok() && !impossible;
  if (!output.finish_rows(complete)) {
    outcome.exit_code = output.complain_unwritten();
    return outcome;
  }

  if (outcome.jumps && job.jumps == Jumps::noted) note(describe(outcome.jumps, job.model));
  for (const Chatter& each : outcome.chatter) note(chatter_sentence(each, job.model));
  if (const std::string why = stream.degree_suspicion(); !why.empty()) note(degrees_sentence(why, "--degrees"));
  // what came before a fault is kept, and told before it
  outcome.exit_code = summarise(job, output, outcome, complete);
  if (outcome.exit_code != exit_done) return outcome;
  if (impossible)
    stop({*impossible}, exit_impossible);
  else if (!reader.ok())
    stop(reader.faults(), exit_bad_input);
  return outcome;
}

std::string derivation_sentence(const Derivation& derived) {
  const bool rates = derived.what == Derived::rates;
  if (derived.period == 0)
    return rates ? "one row gives no velocities: qd and qdd are zero" : "one row gives no accelerations: qdd is zero";
  if (std::isinf(derived.cutoff))
    return rates ? "qd and qdd come from the quintic spline through q (no smoothing)"
                 : "qdd comes from the quintic spline through qd (no smoothing)";
  return fmt::format("{} with cutoff {:.6g} Hz (half amplitude), samples at {}{:.6g} Hz",
                     rates ? "q, qd and qdd come from a quintic smoothing spline of q"
                           : "qdd comes from a quintic smoothing spline of qd",
                     derived.cutoff, derived.even ? "" : "typically ", 1 / derived.period);
}

void add_names(std::vector<std::string>& header, const std::string& prefix, const std::vector<std::string>& names) {
  for (const std::string& name : names) header.push_back(fmt::format("{}.{}", prefix, name));
}

}  // namespace torsor
