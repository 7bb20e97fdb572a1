// torsor example: the files that the documentation's commands read, written into the current folder.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "cli/files.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

struct ExampleFile {
  std::string name, what;
  std::string_view text;
};

/// examples/data as its contents.txt lists it, then the mechanisms: where a file of one's own begins.
std::vector<ExampleFile> example_files() {
  std::vector<ExampleFile> files;
  std::string_view contents;
  for (const EmbeddedFile& file : embedded_examples())
    if (file.name == "contents.txt") contents = file.text;
  for (const EmbeddedFile& file : embedded_examples()) {
    const std::string entry = std::string(file.name) + ": ";
    const std::size_t at = contents.find(entry);
    if (at == std::string_view::npos) continue;
    const std::size_t begin = at + entry.size();
    files.push_back(
        {std::string(file.name), std::string(contents.substr(begin, contents.find('\n', begin) - begin)), file.text});
  }
  for (const EmbeddedFile& file : embedded_mechanisms())
    files.push_back(
        {std::string(file.name) + ".toml", "a mechanism file: the built-in " + std::string(file.name), file.text});
  return files;
}

int list_examples(const std::vector<ExampleFile>& files, bool as_json) {
  JsonWriter json(std::cout);
  TextTable table{"", {{"name"}, {"what it is"}}};
  if (as_json) json.begin_array();
  for (const ExampleFile& file : files) {
    if (as_json) json.begin_object().field("name", file.name).field("what", file.what).end_object();
    table.add({file.name, file.what});
  }
  if (as_json) {
    json.end_array();
    return finish_json(json);
  }
  std::cout << to_text(table);
  return finish_standard_output();
}

/// A file of that name is the user's unless it is the example itself.
bool is_other_file(const std::string& path, std::string_view text) {
  if (!std::filesystem::exists(path)) return false;
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {}) != text;
}

}  // namespace

int example_verb(Arguments arguments) {
  std::string name;
  std::optional<std::string> output;
  bool json = false;
  Options options("example", "Writes a file that the documentation's commands read; without NAME, lists them.");
  options.optional_word("NAME", name, "the example, a name of the list")
      .writes("-o,--output", "FILE", output, "where to write it; default NAME in the current folder, - standard output")
      .flag("--json", json, "the list as JSON on standard output")
      .example("", "the list")
      .example("pick.toml", "writes pick.toml")
      .example("four_bar.toml -o press.toml", "a built-in mechanism as the start of one's own");
  if (const auto code = options.parse(arguments)) return *code;
  const std::vector<ExampleFile> files = example_files();
  Faults errors;
  refuse_if(name.empty() && output.has_value(), "--output", "without NAME", errors);
  refuse_if(!name.empty() && json, "--json", "with NAME", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (name.empty()) return list_examples(files, json);

  std::vector<std::string_view> names;
  for (const ExampleFile& file : files) {
    names.push_back(file.name);
    if (file.name != name) continue;
    const std::string path = output.value_or(name);
    if (path != "-" && is_other_file(path, file.text))
      return complain({{{path, 0},
                        "",
                        "file-exists",
                        "there is such a file, and it is another",
                        "remove it, or name another with -o"}},
                      exit_not_written);
    OutputFile out(path);
    if (out.faults().empty()) out.stream() << file.text;
    if (!out.finish()) return complain(out.faults(), exit_not_written);
    if (path == "-") return finish_standard_output();
    std::cout << fmt::format("{}: {}\n", path, file.what);
    return finish_standard_output();
  }
  const std::string hint = did_you_mean(name, names);
  return complain({fault_of(fmt::format("\"{}\"", name), "example-unknown", "there is no such example",
                            hint.empty() ? "torsor example lists them" : hint)},
                  exit_bad_input);
}

}  // namespace torsor
