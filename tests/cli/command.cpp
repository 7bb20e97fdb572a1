#include "tests/cli/command.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cli_test {

const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    auto p = std::filesystem::temp_directory_path() / ("torsor-cli-" + std::to_string(getpid()));
    std::filesystem::remove_all(p);
    std::filesystem::create_directories(p);
    std::atexit([] {
      std::filesystem::remove_all(std::filesystem::temp_directory_path() / ("torsor-cli-" + std::to_string(getpid())));
    });
    return p;
  }();
  return path;
}

std::string path(const std::string& name) { return (folder() / name).string(); }

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string write(const std::string& name, const std::string& text) {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

Outcome torsor_as_is(const std::string& arguments, const std::string& input) {
  const std::string in = write("stdin", input), out = path("stdout"), err = path("stderr");
  const std::string command = "cd '" + folder().string() + "' && { '" + places::command_path() + "' " +
                              arguments + "\n} <'" + in + "' >'" + out + "' 2>'" + err + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(out), read(err)};
}

Outcome torsor(const std::string& arguments, const std::string& input) {
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".partial") std::filesystem::remove(entry.path());
  return torsor_as_is(arguments, input);
}

nlohmann::json json_of(const Outcome& outcome) {
  CAPTURE(outcome.err);
  REQUIRE(nlohmann::json::accept(outcome.out));
  return nlohmann::json::parse(outcome.out);
}

nlohmann::json json_of(const std::string& arguments) { return json_of(torsor(arguments + " --json")); }

const nlohmann::json& named(const nlohmann::json& list, const std::string& value, const std::string& key) {
  const auto at = std::ranges::find_if(list, [&](const nlohmann::json& entry) { return entry.at(key) == value; });
  CAPTURE(value);
  REQUIRE(at != list.end());
  return *at;
}

double cell(const std::string& csv, const std::string& column, std::size_t row) {
  std::istringstream lines(csv);
  std::string line, name, number;
  std::getline(lines, line);
  std::istringstream names(line);
  std::size_t at = 0;
  while (std::getline(names, name, ',') && name != column) ++at;
  REQUIRE(name == column);
  for (std::size_t k = 0; k <= row; ++k) REQUIRE(std::getline(lines, line));
  std::istringstream cells(line);
  for (std::size_t k = 0; k <= at; ++k) std::getline(cells, number, ',');
  return std::stod(number);
}

std::size_t rows_in(const std::string& name) {
  const std::string text = read(path(name));
  REQUIRE_FALSE(text.empty());
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

namespace {

/// Whether the word stands in the line with nothing of its own kind at either end: 2 is not in 0.2, nor --qd in --qdd.
bool has_word(std::string_view line, std::string_view word) {
  const auto joins = [](char a, char b) {
    const auto inner = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
    return (inner(a) && inner(b)) || (a == '.' && std::isdigit(static_cast<unsigned char>(b)));
  };
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool decimals = end + 1 < line.size() && line[end] == '.' &&
                          std::isdigit(static_cast<unsigned char>(line[end + 1])) &&
                          std::isdigit(static_cast<unsigned char>(word.back()));
    if ((at == 0 || !joins(line[at - 1], word.front())) && (end == line.size() || !joins(word.back(), line[end])) &&
        !decimals)
      return true;
  }
  return false;
}

}  // namespace

bool says(const std::string& text, std::initializer_list<std::string_view> details) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::ranges::all_of(details, [&](std::string_view word) { return has_word(line, word); })) return true;
  return false;
}

bool tells(const std::string& text, std::string_view rule, std::initializer_list<std::string_view> details) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (contains(line, "[" + std::string(rule) + "]") && says(line, details)) return true;
  return false;
}

}  // namespace cli_test
