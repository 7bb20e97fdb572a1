// torsor VERB ...
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <string_view>
#include <vector>

#include "cli/printable_output.hpp"
#include "cli/verb.hpp"

int main(int argc, char** argv) {
  // a reader that closes the pipe has seen enough: the run ends quietly, by this signal as with other tools
  std::signal(SIGPIPE, SIG_DFL);
  // a file beyond its limit is a failed write like any other
  std::signal(SIGXFSZ, SIG_IGN);
  std::ios::sync_with_stdio(false);
  try {
    torsor::make_standard_output_printable();
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    return torsor::run_verb(arguments);
  } catch (const std::bad_alloc&) {
    // said without asking for more of it
    constexpr std::string_view said = "there is not enough memory [memory]; give a smaller task, or more memory\n";
    // whether it was heard or not
    [[maybe_unused]] const auto written = write(STDERR_FILENO, said.data(), said.size());
    return torsor::exit_not_written;
  } catch (const torsor::Error& error) {
    return torsor::complain(error.faults(), torsor::exit_bad_input);
  } catch (const std::exception& fault) {
    return torsor::complain({{{}, "", "system", fault.what(), "see that folders are there and can be written to"}},
                            torsor::exit_not_written);
  }
}
