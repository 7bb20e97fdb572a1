#include "cli/agree_against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/again_and_again.hpp"
#include "cli/deliver.hpp"
#include "cli/files.hpp"
#include "cli/motion_job.hpp"
#include "torsor/check/torque_diagnosis.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/files/torque_record.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/thinned_series.hpp"

namespace torsor {
namespace {

// below this share of a joint's size nothing is a difference; derived rates are no better than the second
constexpr double level = 1e-6, level_of_derived = 0.02;

std::string size_text(const FittedSize& size, const PrintArguments& print) {
  constexpr double shown = 1e-12;  // less of a number is rounding
  return fmt::format("{} {}{}{}{}", size.name, format_number(size.value, print.significant()),
                     size.deviation > shown * std::abs(size.value) ? fmt::format(" ± {:.2g}", size.deviation) : "",
                     size.unit.empty() ? "" : " ", size.unit);
}

/// The numbers that were fitted: a few in a sentence, more in a table.
void add_sizes(const std::vector<FittedSize>& sizes, const PrintArguments& print, ReportSection& section) {
  constexpr std::size_t few = 3;
  std::string text;
  for (const FittedSize& size : sizes) text += (text.empty() ? "Fitted: " : ", ") + size_text(size, print);
  if (sizes.size() <= few) {
    if (!text.empty()) section.text(text + ".");
    return;
  }
  TextTable table{"fitted, with standard deviations",
                  {column("", "", print), column("value", "", print), {"±", "", Align::automatic, 2}, {"unit"}}};
  for (const FittedSize& size : sizes) table.add({size.name, size.value, size.deviation, size.unit});
  section.table(std::move(table));
}

/// Here against there, joint by joint.
PlotGrid torques_here_and_there(const Model<double>& model, TorqueRows& record, bool timed) {
  const auto nv = static_cast<std::size_t>(model.nv);
  Dynamics dynamics(model, DynamicsOptions{.questions = Questions::all_but_forward});
  std::vector<ThinnedSeries> here(nv), there(nv);
  std::vector<double> tau(nv);
  record.rewind();
  for (std::size_t row = 1; const TorqueSample* sample = record.next(); ++row) {
    dynamics.inverse(sample->q, sample->qd, sample->qdd, tau);
    const double x = timed ? record.t() : static_cast<double>(row);
    for (std::size_t k = 0; k < nv; ++k) here[k].push(x, tau[k]), there[k].push(x, sample->tau[k]);
  }
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  PlotGrid grid{"Torques here and there", "", {}, static_cast<int>(std::min<std::size_t>(3, nv))};
  for (std::size_t k = 0; k < nv; ++k)
    grid.plots.push_back({model.velocity_names[k],
                          "",
                          {timed ? "time" : "row", timed ? "s" : ""},
                          {"torque", std::string(torque_unit(kinds[k]))},
                          {{"here", here[k].x(), here[k].y()}, {"there", there[k].x(), there[k].y()}},
                          {},
                          {}});
  return grid;
}

/// `elbow 0.2 N m, wrist 0.1 N m`: the rms differences of the joints that differ.
std::string noise_text(const Model<double>& model, const TorqueDiagnosis& diagnosis, const PrintArguments& print) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  std::string text;
  for (std::size_t i = 0; i < diagnosis.joints.size(); ++i)
    if (const TorqueMismatch& joint = diagnosis.joints[i]; joint.differs)
      text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", model.velocity_names[i],
                          format_number(joint.rms, std::min(3, print.significant())), torque_unit(kinds[i]));
  return text;
}

/// The tolerance, of two digits, at which a clear guess explains the difference.
std::string enough_tolerance(const SlipGuess& guess) {
  const double unit = std::pow(10, std::floor(std::log10(guess.remains)) - 1);
  constexpr double rounding = 1e-9;
  return fmt::format("{:.2g}", std::ceil(guess.remains / unit * (1 + rounding)) * unit);
}

/// What would explain a difference that has no reason as strictly as it is looked at: the closest guess if it is clear,
/// and if that is a pair the closest single slip.
std::string hint(const TorqueDiagnosis& diagnosis) {
  constexpr double noise = 0.2;  // more of a joint's size is no noise
  std::string text;
  for (const SlipGuess& guess : diagnosis.guesses) {
    if (!guess.clear || guess.remains > noise || (!text.empty() && guess.slips.size() > 1)) continue;
    text += fmt::format("{}{} explains it at --tolerance {}", text.empty() ? "" : ", ", guess.reason(true),
                        enough_tolerance(guess));
    if (guess.slips.size() == 1) break;
  }
  return text;
}

TextTable difference_table(const Model<double>& model, bool timed, const TorqueDiagnosis& diagnosis,
                           const PrintArguments& print) {
  const SlipGuess* const best = diagnosis.is_known() ? &diagnosis.guesses.front() : nullptr;
  TextTable table{"joint by joint"};
  for (const char* name : {"joint", "unit", "rms", "off by", timed ? "at (s)" : "in row", "here", "there", "off/rms"})
    table.columns.push_back(column(name, "", print));
  if (best) table.columns.push_back(column("left", "", print));
  table.columns.push_back(column("", "", print));
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (std::size_t i = 0; i < diagnosis.joints.size(); ++i) {
    const TorqueMismatch& joint = diagnosis.joints[i];
    TextTable::Row row{model.velocity_names[i], std::string(torque_unit(kinds[i])), joint.size, joint.worst};
    if (timed)
      row.emplace_back(joint.t);
    else
      row.emplace_back(static_cast<long long>(joint.row + 1));
    row.insert(row.end(), {joint.ours, joint.theirs, fmt::format("{:.2g}", joint.worst / joint.size)});
    if (best) row.emplace_back(fmt::format("{:.2g}", best->joints[i]));
    row.emplace_back(std::string(joint.differs ? "differs" : "same"));
    table.add(std::move(row));
  }
  return table;
}

void describe_guesses(const Model<double>& model, const TorqueDiagnosis& diagnosis, const PrintArguments& print,
                      ReportSection& section) {
  if (diagnosis.agrees) {
    section.text("The torques agree.", Tone::good);
    return;
  }
  const std::string tried = fmt::format("{} mistakes alone{}", diagnosis.alone,
                                        diagnosis.pairs > 0 ? fmt::format(" and {} in pairs", diagnosis.pairs) : "");
  if (diagnosis.outliers > 0) {
    const auto worst =
        std::ranges::max_element(diagnosis.joints, {}, [](const TorqueMismatch& j) { return j.worst / j.size; });
    section.text(
        fmt::format("{} of {} rows {}, the others agree: row {} is furthest off. Look at {}, not at the model.",
                    diagnosis.outliers, diagnosis.searched, diagnosis.outliers == 1 ? "differs" : "differ",
                    worst->row + 1, diagnosis.outliers == 1 ? "that row" : "those rows"),
        Tone::warning);
    return;
  }
  if (diagnosis.noise) {
    section.text(
        fmt::format("The difference looks like noise: none of {} explains more of it than chance would. Rms: {}.",
                    tried, noise_text(model, diagnosis, print)),
        Tone::warning);
    section.text(
        "It could also have a reason that none of them is like; --tolerance sets what counts as a difference.");
    return;
  }
  if (!diagnosis.is_known()) {
    section.text(diagnosis.alone == 0
                     ? "The reason is unknown: the torques are beyond the numbers that can be compared."
                     : fmt::format("The reason is unknown: none of {} explains the difference.", tried),
                 Tone::bad);
    if (const std::string text = hint(diagnosis); !text.empty())
      section.text(fmt::format("But {}: is the record that exact?", text));
    if (diagnosis.guesses.empty()) return;
  } else {
    const SlipGuess& best = diagnosis.guesses.front();
    section.text(fmt::format("Most likely, in the other tool: {} [{}].", best.sentence(), best.reason()),
                 Tone::warning);
    add_sizes(best.sizes, print, section);
    section.text(
        fmt::format("It brings the largest difference from {:.2g} to {:.2g} of the size of its joint ({} tried).",
                    diagnosis.before, best.remains, tried));
    if (best.but_noise)
      section.text("What it leaves looks like noise: no second mistake explains more of that than chance would.");
    if (diagnosis.guesses.size() == 1) return;
  }
  const bool known = diagnosis.is_known();
  TextTable table{
      known ? "what explains it, too, but is less plain or comes later in the table" : "the closest guesses",
      {column("reason", "", print), column("leaves", "", print)}};
  for (std::size_t k = known ? 1 : 0; k < diagnosis.guesses.size(); ++k)
    table.add({diagnosis.guesses[k].reason(true), fmt::format("{:.2g}", diagnosis.guesses[k].remains)});
  section.table(std::move(table));
}

}  // namespace

int agree_against(const Robot& robot, const AgainstArguments& a) {
  const auto cutoff = read_cutoff(a.cutoff);
  if (!cutoff) return complain(cutoff.faults(), exit_bad_input);
  InputFile input(*a.file);
  if (!input.faults().empty()) return complain(input.faults(), exit_bad_input);
  AgainAndAgain text(input, *a.file);
  if (!text.faults().empty()) return complain(text.faults(), exit_not_written);
  TorqueFile record(robot.model(), [&] { return text.open(); }, input.name(), *cutoff, a.degrees);
  const RecordSurvey seen = survey(robot.model(), record);
  if (!record.faults().empty()) return complain(record.faults(), exit_bad_input);
  const RecordNotes notes = record.notes();
  const std::string derivation = notes.derived ? derivation_sentence(notes.derived) : "";
  if (notes.derived)
    note(derivation);
  else if (a.cutoff)
    note("--cutoff has no effect: the file has its own velocities and accelerations");
  if (!notes.degree_suspicion.empty()) note(degrees_sentence(notes.degree_suspicion, "--degrees"));
  if (!notes.ignored.empty()) note(fmt::format("columns not used: {}", fmt::join(notes.ignored, ", ")));

  const double tolerance = a.tolerance.value_or(notes.derived ? level_of_derived : level);
  const auto diagnosis = agree_against(robot.description(), record, seen, {.level = tolerance});
  if (!diagnosis) return complain(diagnosis.faults(), exit_bad_input);

  const std::size_t rows = seen.rows;
  Report report{
      fmt::format("{}: torques here and in {}", robot.model().name, a.name.empty() ? *a.file : a.name),
      fmt::format("{} row{}; a difference is more than {:.2g} of the rms of its joint, and more than the digits "
                  "of the file can hide",
                  rows, rows == 1 ? "" : "s", tolerance)};
  ReportSection& section = report.section("");
  section.table(difference_table(robot.model(), notes.timed, *diagnosis, a.print));
  describe_guesses(robot.model(), *diagnosis, a.print, section);
  // the first sentence of the guesses is what it comes to
  for (const ReportBlock& block : section.blocks)
    if (const auto* first = std::get_if<Paragraph>(&block)) {
      report.verdict = *first;
      break;
    }
  if (diagnosis->alone > 0 && diagnosis->searched < rows)
    section.text(
        fmt::format("Reasons were sought on {} of the {} rows, spread evenly, and where joints are furthest off.",
                    diagnosis->searched, rows));
  if (notes.derived && a.page) section.text(derivation);
  if (a.page) section.figure(torques_here_and_there(robot.model(), record, notes.timed));
  const int code = deliver(report, a.page, a.print, [&] {
    JsonWriter json(std::cout);
    json.begin_object()
        .field("against", a.name.empty() ? *a.file : a.name)
        .field("row_count", rows)
        .field("derived", bool(notes.derived));
    write_fields(json, *diagnosis);
    json.end_object();
    return finish_json(json);
  });
  return code == exit_done && !diagnosis->agrees ? exit_impossible : code;
}

}  // namespace torsor
