// A program run once, without a shell: its words as they are, what it says in files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace torsor {

/// As the shell has it where a program cannot be run.
inline constexpr int no_such_program = 127;
/// Beyond all exit codes: no process could be started; why is in errno.
inline constexpr int no_process = 256;

/// Runs a program (found on PATH unless it has a slash) and waits for it: its exit code, or none where it dies or does not end
/// within so many seconds, and is ended then. Standard output and error go to these files.
std::optional<int> run_program(const std::vector<std::string>& words, const std::string& out, const std::string& errors,
                               int seconds);

/// The last line of a file that says something, printable; empty where there is none.
std::string last_line_of(const std::string& path);

}  // namespace torsor
