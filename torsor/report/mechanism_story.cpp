#include "torsor/report/mechanism_story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/freedoms.hpp"

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
  warnings.push_back(sentence);
}

std::string list_of_times(const std::vector<double>& times, int digits) {
  std::string list;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (k == 6) return list + fmt::format(" and {} times more", times.size() - k);
    list += fmt::format("{}{}", k == 0 ? "" : ", ", format_number(times[k], digits));
  }
  return list;
}

RunStory story_of_driven(const DrivenRunReport& report, const std::vector<double>& singular_times) {
  RunStory story;
  story.highlights = {
      {"ran to", format_number(report.t, 5), "s", report.finished ? "the end" : "it stopped",
       report.finished ? Tone::good : Tone::bad},
      {"largest loop-closure error", format_number(report.worst_gap, 2), "m or rad", "of the equations of position"}};
  if (!report.finished)
    story.sentences.push_back(
        {fmt::format("It stopped at {} s: {}.", format_number(report.t, 8), report.why), Tone::bad});
  story.say(fmt::format("Equations of position hold to {} m or rad.", format_number(report.worst_gap, 2)));
  story.answer = "It is closed all the way, and passes no singular position.";
  story.say(passage_sentence(singular_times), Tone::warning);
  if (!report.branch_times.empty())
    story.say(
        fmt::format(
            "At {} s it passes a branch point, from which it might have gone on in another way: it goes straight on.",
            list_of_times(report.branch_times)),
        Tone::warning);
  if (report.rest_time >= 0)
    story.say(fmt::format(
                  "From {} s on it rests upon a singular position: what holds it there may have to be without bounds.",
                  format_number(report.rest_time, 6)),
              Tone::warning);
  if (!report.watched)
    story.warn("It has more than 60 bodies: whether it stays on its branch next to a dead centre is not watched.");
  for (const std::string& jump : sentences_of(report.jumps)) story.warn(jump);
  return story;
}

Paragraph verdict_of(const RunStory& story) {
  const std::vector<Highlight>& highlights = story.highlights;
  const std::vector<Paragraph>& sentences = story.sentences;
  if (sentences.empty()) return {};
  const auto worst =
      std::ranges::max_element(sentences, {}, [](const Paragraph& p) { return static_cast<int>(p.tone); });
  if (worst->tone != Tone::plain && worst->tone != Tone::good) return *worst;
  std::string text = story.answer.empty() ? sentences.front().text : story.answer;
  const auto ran = std::ranges::find(highlights, "ran to", &Highlight::label);
  if (ran != highlights.end()) text += fmt::format(" It ran to {} s, {}.", ran->value, ran->remark);
  return {std::move(text), Tone::good};
}

std::string redundancy_sentence(const Redundancy& r, ReactionsGiven given) {
  const bool any = given != ReactionsGiven::none;
  if (!r.rank)
    return fmt::format(
        "Its loops connect too many bodies for the rank of its {} to be found: they are taken to depend on one "
        "another{}.",
        how_many(r.equations, "equation"), any ? ", and single reactions may not be unique" : "");
  if (*r.redundant == 0)
    return fmt::format("{} independent{}.",
                       r.equations == 1 ? "Its one equation is" : fmt::format("All {} equations are", r.equations),
                       given == ReactionsGiven::of_joints ? ": reactions are unique" : "");
  const std::vector<std::string>& names = *r.not_unique;
  constexpr std::size_t most_named = 8;
  std::string list;
  for (std::size_t k = 0; k < names.size() && k < most_named; ++k) list += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > most_named) list += fmt::format(" and {} more", names.size() - most_named);
  return fmt::format("{} of {} equations {} redundant (rank {}): {} {}.", *r.redundant, r.equations,
                     *r.redundant == 1 ? "is" : "are", *r.rank,
                     any ? "reactions of" : "those of",
                     list + (any ? " are not unique, the least ones are given" : " depend on one another"));
}

std::vector<std::string> limit_sentences(const MechanismDescription& d, double from, double to) {
  std::vector<std::string> sentences;
  for (const LimitedTorque& each : limited_torques(d, from, to)) {
    const MechanismActuator& a = d.actuators[static_cast<std::size_t>(each.actuator)];
    const std::string limit =
        format_number(*a.effort_limit, 4) + (a.measure.what == Measure::What::angle ? " N m" : " N");
    sentences.push_back(
        to > from
            ? fmt::format("Actuator \"{}\" was at its limit of {} for {} s, from {} s on: its torque was asked to "
                          "be larger.",
                          a.name, limit, format_number(each.seconds, 3), format_number(each.first, 4))
            : fmt::format("Actuator \"{}\" is at its limit of {}: its torque is asked to be larger.", a.name, limit));
  }
  return sentences;
}

std::string spin_sentence(const Mechanism& m, const MechanismState& assembled, EquationSet set) {
  if (std::none_of(m.borrowed.begin(), m.borrowed.end(), [](const BorrowedInertia& b) { return b.I.xx > 0; }))
    return "";
  std::string list;
  for (const int body : spinning_bodies(m, assembled, set))
    list +=
        fmt::format("{}\"{}\"", list.empty() ? "" : ", ", m.description.bodies[static_cast<std::size_t>(body)].name);
  if (list.empty()) return "";
  return fmt::format(
      "Nothing holds the turning of body {}, and it has no inertia against it: such degrees of freedom count, but "
      "nothing drives "
      "or "
      "depends on them, and small motions are given without them.",
      list);
}

}  // namespace torsor
