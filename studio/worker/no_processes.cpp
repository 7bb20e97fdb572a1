// Where there are no processes and no signals: a job of the Studio runs in place, and no other program can be run.
#include <cerrno>

#include "cli/child_process.hpp"
#include "cli/interruption.hpp"
#include "cli/redirected.hpp"
#include "cli/studio_jobs.hpp"
#include "cli/verb.hpp"

// no shell, and files that nobody else has
extern "C" {
int system(const char*) { return -1; }
int flock(int, int) { return 0; }
}

namespace torsor {

std::optional<int> run_program(const std::vector<std::string>&, const std::string&, const std::string&, int) {
  errno = ENOSYS;
  return no_process;
}

std::string last_line_of(const std::string&) { return ""; }

void StudioJobs::launch(Job& job, std::vector<std::string> words) {
  std::stringbuf in, out, said;
  {
    const Redirected reading(std::cin, in), writing(std::cout, out), complaining(std::cerr, said);
    job.code = run_verb(words);
  }
  for (const auto& [name, text] : {std::pair{"out", &out}, {"errors", &said}})
    if (const auto written = job.folder.write(name, text->str()); !written) throw_error(written.faults());
}

std::optional<int> StudioJobs::ended(Job& job, bool) { return job.code; }

void StudioJobs::end(Job&) {}

// no signal ends a run: whoever has enough of it ends the worker
Interruption::Interruption(std::function<void()> before_end) : before_end_(std::move(before_end)) {}
Interruption::~Interruption() = default;
void Interruption::Turn::wait() {}

}  // namespace torsor
