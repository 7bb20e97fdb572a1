#include "cli/mechanism_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "torsor/how_many.hpp"

namespace torsor {

MechanismRows::MechanismRows(const Mechanism& m, const MechanismRunArguments& a,
                             const std::vector<MechanismColumns>& groups, const std::string& what)
    : mechanism_(m),
      arguments_(a),
      what_(what),
      output_(a.output, a.print.json, header_of(groups, true), a.page == "-",
              [&m](JsonWriter& json) { json.field("mechanism", m.description.name); }) {
  if (a.page) page_.emplace(m, groups, what);
}

MechanismRowSink MechanismRows::sink() {
  return
      [this](const MechanismState& state, std::span<const double> numbers, Gaps gaps, std::span<const double> torques) {
        row_.assign(1, state.t);
        row_.insert(row_.end(), numbers.begin(), numbers.end());
        // less than the least normal number is nothing, and many readers stumble over it
        for (double& x : row_)
          if (std::fpclassify(x) == FP_SUBNORMAL) x = 0;
        written_ = written_ && output_.row(row_, gaps);
        ++rows_;
        if (page_) page_->add(state, numbers, torques);
        return written_;
      };
}

int MechanismRows::finish(bool finished, const RunStory& story, const std::function<void(JsonWriter&)>& summary) {
  for (const std::string& warning : story.warnings) note(warning);
  if (!output_.finish_rows(finished && written_) || !written_) return output_.complain_unwritten();
  if (page_) {
    if (const auto code = write_page(page_->report(story), *arguments_.page)) return *code;
    if (*arguments_.page == "-") return exit_done;
  }
  if (arguments_.print.json) {
    JsonWriter& json = output_.begin_summary(arguments_.output, arguments_.page);
    json.field("row_count", rows_);
    summary(json);
    json.end_object();
    return finish_json(json);
  }
  if (!output_.is_standard()) {
    std::cout << fmt::format("{}: {}; {}{}\n", mechanism_.description.name, what_, how_many(rows_, "row"),
                             output_.arrow())
              << story.text;
    say_page(arguments_.page);
  } else {
    say_page_beside(arguments_.page);
  }
  return finish_standard_output();
}

}  // namespace torsor
