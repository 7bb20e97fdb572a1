// The command as a user runs it: arguments and standard input in; standard output, standard error and exit code out.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "tests/support/places.hpp"

namespace cli_test {

/// A folder of this test program alone, emptied when it starts.
const std::filesystem::path& folder();

/// The path of a file in that folder.
std::string path(const std::string& name);

std::string read(const std::string& file);

/// Writes a file into the folder and gives its path.
std::string write(const std::string& name, const std::string& text);

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// Runs `torsor ARGUMENTS` (as written for the shell) in the folder as it is.
Outcome torsor_as_is(const std::string& arguments, const std::string& input = "");

/// The same without what runs before it left part way, which is never overwritten.
Outcome torsor(const std::string& arguments, const std::string& input = "");

/// What a run with --json put on standard output.
nlohmann::json json_of(const Outcome& outcome);
/// The same of `torsor ARGUMENTS --json`, whatever its exit code.
nlohmann::json json_of(const std::string& arguments);

/// The entry of a list that has that name (or `value` under another key); it must be there.
const nlohmann::json& named(const nlohmann::json& list, const std::string& value, const std::string& key = "name");

/// One number of a CSV text: of that column, and of that row below the header.
double cell(const std::string& csv, const std::string& column, std::size_t row);

/// How many rows a CSV file of the folder has below its header.
std::size_t rows_in(const std::string& name);

bool contains(const std::string& text, const std::string& part);

/// Whether one line of a text has the rule and, as whole words, all details: names, options, numbers, places. The wording around
/// them is free to change.
bool tells(const std::string& text, std::string_view rule, std::initializer_list<std::string_view> details = {});

/// The same for lines that no rule is given with: notes, and sentences of a report.
bool says(const std::string& text, std::initializer_list<std::string_view> details);

}  // namespace cli_test
