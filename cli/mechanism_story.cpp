#include "cli/mechanism_story.hpp"

#include <fmt/format.h>

namespace torsor {

namespace {

std::string passage_sentence(const std::vector<double>& times) {
  if (times.empty()) return "";
  return fmt::format("At {} s{} it passes a singular position, where it has more degrees of freedom.",
                     format_number(times.front(), 5),
                     times.size() == 1 ? "" : fmt::format(", and at {} instants in all,", times.size()));
}

}  // namespace

void RunStory::say(std::string sentence, Tone tone) {
  if (sentence.empty()) return;
  text += sentence + "\n";
  sentences.push_back({std::move(sentence), tone});
}

void RunStory::warn(const std::string& sentence) {
  sentences.push_back({sentence, Tone::warning});
  note(sentence);
}

std::string list_of_times(const std::vector<double>& times, int digits) {
  std::string list;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (k == 6) return list + fmt::format(" and {} times more", times.size() - k);
    list += fmt::format("{}{}", k == 0 ? "" : ", ", format_number(times[k], digits));
  }
  return list;
}

RunStory story_of_driven(const DrivenRunReport& report, const SingularWatch& watch) {
  RunStory story;
  story.highlights = {{"ran to", format_number(report.t, 5), "s", report.finished ? "the end" : "it stopped",
                       report.finished ? Tone::good : Tone::bad},
                      {"largest loop-closure error", format_number(report.worst_gap, 2), "m or rad", "of the equations of position"}};
  if (!report.finished)
    story.sentences.push_back({fmt::format("It stopped at {} s: {}.", format_number(report.t, 8), report.why), Tone::bad});
  story.say(fmt::format("Equations of position hold to {} m or rad.", format_number(report.worst_gap, 2)));
  story.say(passage_sentence(watch.times()), Tone::warning);
  if (!report.branch_times.empty())
    story.say(
        fmt::format(
            "At {} s it passes a branch point, from which it might have gone on in another way: it goes straight on.",
            list_of_times(report.branch_times)),
        Tone::warning);
  if (report.rest_time >= 0)
    story.say(fmt::format("From {} s on it rests upon a singular position: what holds it there may have to be without bounds.",
                          format_number(report.rest_time, 6)),
              Tone::warning);
  if (!report.watched)
    story.warn("It has more than 60 bodies: whether it stays on its branch next to a dead centre is not watched.");
  for (const std::string& jump : sentences_of(report.jumps)) story.warn(jump);
  return story;
}

void jump_fields(JsonWriter& json, const std::vector<DriverJump>& jumps) {
  json.key("jumps").begin_array();
  for (const DriverJump& jump : jumps)
    json.begin_object()
        .field("of", jump.name)
        .field("what", jump.of_value ? "value" : "velocity")
        .field("t", jump.t)
        .field("by", jump.by)
        .field("unit", fmt::format("{}{}", jump.unit, jump.of_value ? "" : "/s"))
        .field("count", jump.count)
        .end_object();
  json.end_array();
}

void end_fields(JsonWriter& json, const DrivenRunReport& report, const SingularWatch& watch, const Mechanism& m) {
  json.field("complete", report.finished).field("end_time", report.t).field("largest_gap", report.worst_gap);
  if (!report.finished) {
    json.field("stop", report.why).field("rule", run_stop(report.stop).rule);
    if (report.block >= 0) json.field("stopped_by", m.block_name(m.blocks[static_cast<std::size_t>(report.block)]));
  }
  json.key("singular_times").value(std::span<const double>(watch.times()));
  json.key("branch_times").value(std::span<const double>(report.branch_times));
  if (report.rest_time >= 0) json.field("rest_time", report.rest_time);
  json.field("branches_watched", report.watched);
  jump_fields(json, report.jumps);
}

int end_of_run(int code, RunStop stop, double t, int block, const std::string& why, const Mechanism& m) {
  if (code != exit_done || stop == RunStop::none) return code;
  const RunStopRow& row = run_stop(stop);
  return complain({{{},
                    block >= 0 ? m.block_name(m.blocks[static_cast<std::size_t>(block)]) : m.description.name,
                    std::string(row.rule),
                    fmt::format("at {} s {}", format_number(t, 8), why),
                    std::string(row.remedy)}},
                  exit_impossible);
}

}  // namespace torsor
