// torsor VERB ...
#include <algorithm>
#include <csignal>
#include <iostream>
#include <vector>

#include "cli/verb.hpp"

int main(int argc, char** argv) {
  // a reader that closes the pipe early is a failed write like any other, and ends with its exit code
  std::signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  return torsor::run_verb(arguments);
}
