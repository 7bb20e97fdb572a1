// The command as a user runs it: arguments and standard input in; standard output, standard error and exit code out.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/places.hpp"

namespace cli_test {

/// A folder of this test program alone, emptied when it starts.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    const auto p = std::filesystem::temp_directory_path() / ("torsor-cli-" + std::to_string(getpid()));
    std::filesystem::remove_all(p);
    std::filesystem::create_directories(p);
    std::atexit([] {
      std::filesystem::remove_all(std::filesystem::temp_directory_path() / ("torsor-cli-" + std::to_string(getpid())));
    });
    return p;
  }();
  return path;
}

/// The path of a file in that folder.
inline std::string path(const std::string& name) { return (folder() / name).string(); }

inline std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Writes a file into the folder and gives its path.
inline std::string write(const std::string& name, const std::string& text) {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// Runs `torsor ARGUMENTS` (as written for the shell) in the folder as it is.
inline Outcome torsor_as_is(const std::string& arguments, const std::string& input = "") {
  const std::string in = write("stdin", input), out = path("stdout"), err = path("stderr");
  const std::string command = "cd '" + folder().string() + "' && { '" + places::command_path() + "' " +
                              arguments + "\n} <'" + in + "' >'" + out + "' 2>'" + err + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(out), read(err)};
}

/// The same without what runs before it left part way, which is never overwritten.
inline Outcome torsor(const std::string& arguments, const std::string& input = "") {
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".partial") std::filesystem::remove(entry.path());
  return torsor_as_is(arguments, input);
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace cli_test
