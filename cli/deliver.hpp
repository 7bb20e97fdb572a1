// What a verb with a report gives its user: a page where one is asked for, and on standard output JSON or the text.
#pragma once

#include <iostream>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {

/// A result by its list of fields, as JSON on standard output; the verb's exit code.
template <class Result>
int print_result(const Result& result) {
  JsonWriter json(std::cout);
  write_json(json, result);
  return finish_json(json);
}

/// The verb's exit code: that of what is impossible where a number of the tables is not finite. `print_json` prints and
/// gives one as well; a page on standard output stands there alone.
template <class PrintJson>
int deliver(const Report& report, const std::optional<std::string>& page, const PrintArguments& print,
            const PrintJson& print_json) {
  if (const auto fault = first_not_finite(report)) return complain({*fault}, exit_impossible);
  if (page) {
    if (const auto code = write_page(report, *page)) return *code;
    if (*page == "-") return exit_done;
  }
  if (print.json) return print_json();
  print_report(report, std::cout);
  say_page(page);
  return finish_standard_output();
}

}  // namespace torsor
