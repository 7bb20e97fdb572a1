// What a check of robot files found, as a plain result.
#pragma once

#include "torsor/check/examination.hpp"
#include "torsor/fields.hpp"

namespace torsor {

namespace detail {
/// Nothing for an empty text.
inline std::optional<std::string> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}
}  // namespace detail

constexpr auto fields(Of<Finding>) {
  using F = Finding;
  return field_list(
      "Finding", "What is wrong with a robot, or probably is.",
      field("severity", "", "error, warning or note", [](const F& f) { return severity_name(f.severity); }),
      field("rule", "", "its permanent id", [](const F& f) { return f.error.rule; }),
      field("subject", "", "by which a file accepts it",
            [](const F& f) { return f.subject.ends_with(':') ? std::nullopt : std::optional(f.subject); })
          .or_absent(),
      field("file", "", "", [](const F& f) { return f.error.where.file; }),
      field("line", "", "",
            [](const F& f) { return f.error.where.line > 0 ? std::optional(f.error.where.line) : std::nullopt; })
          .or_absent(),
      field("offender", "", "link or joint", [](const F& f) { return f.error.offender; }),
      field("what", "", "with the numbers", [](const F& f) { return f.error.what; }),
      field("cause", "", "the probable one", [](const F& f) { return detail::if_any(f.cause); }).or_absent(),
      field("remedy", "", "", [](const F& f) { return f.error.remedy; }));
}

/// One file; robot is empty where it cannot be read.
struct FileVerdict {
  std::string file, robot;
  Examination examination;
  std::string accept_reason;

  int errors() const { return examination.count(Severity::error); }
  int warnings() const { return examination.count(Severity::warning); }
};

constexpr auto fields(Of<FileVerdict>) {
  using V = FileVerdict;
  return field_list(
      "FileVerdict", "What a check of a robot file found.", field("file", "", "", &V::file),
      field("robot", "", "", [](const V& v) { return detail::if_any(v.robot); }).or_absent(),
      field("errors", "", "how many", &V::errors), field("warnings", "", "how many", &V::warnings),
      field("findings", "", "in the order of the file", [](const V& v) { return v.examination.findings; }),
      field("accepted", "", "warnings that the file accepts", [](const V& v) { return v.examination.accepted; }),
      field("accept_reason", "", "", [](const V& v) { return detail::if_any(v.accept_reason); }).or_absent());
}

/// All files of a check.
struct CheckResult {
  std::vector<FileVerdict> files;
};

constexpr auto fields(Of<CheckResult>) {
  return field_list("CheckResult", "What a check found.",
                    field("files", "", "one after the other", &CheckResult::files));
}

}  // namespace torsor
