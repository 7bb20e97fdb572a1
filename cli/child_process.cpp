#include "cli/child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "torsor/result.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor {

std::optional<int> run_program(const std::vector<std::string>& words, const std::string& out, const std::string& errors,
                               int seconds) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    // no memory is asked for from here on
    const int nothing = open("/dev/null", O_RDONLY), said = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
              complained = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing >= 0) dup2(nothing, 0);
    if (said >= 0) dup2(said, 1);
    if (complained >= 0) dup2(complained, 2);
    execvp(arguments.front(), arguments.data());
    _exit(no_such_program);
  }
  if (child < 0) return no_process;
  int status = 0;
  constexpr int looks = 100;  // a second
  for (int k = 0; k < seconds * looks; ++k) {
    if (waitpid(child, &status, WNOHANG) != 0)
      return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
    usleep(1000000 / looks);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return std::nullopt;
}

std::string last_line_of(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text) return "";
  std::string line = *text;
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  return printable(line.substr(line.rfind('\n') == std::string::npos ? 0 : line.rfind('\n') + 1));
}

}  // namespace torsor
