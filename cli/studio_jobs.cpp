#include "cli/studio_jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>

#include "torsor/text/text_file.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_jobs = 8;
constexpr double longest_job = 600;  // s

/// SUBJECT and MOTION stand for what the call is about.
struct JobQuestion {
  std::string_view name;
  std::array<std::string_view, 8> words;
};

constexpr JobQuestion job_questions[] = {
    {"structure", {"structure", "SUBJECT", "--json"}},
    {"equations", {"equations", "SUBJECT", "--json"}},
    {"agree", {"agree", "SUBJECT", "--json"}},
    {"count", {"count", "SUBJECT", "--json"}},
    {"size", {"size", "SUBJECT", "MOTION", "--json"}},
    {"show", {"show", "SUBJECT", "--json"}},
    {"mobility", {"mechanism", "mobility", "SUBJECT", "--json"}},
    {"modes", {"mechanism", "modes", "SUBJECT", "--json"}},
    {"c", {"codegen", "SUBJECT", "--functions", "id,mass,fk,jacobian"}},
    {"toml", {"convert", "SUBJECT", "--to", "toml"}},
    {"urdf", {"convert", "SUBJECT", "--to", "urdf"}},
    {"mjcf", {"convert", "SUBJECT", "--to", "mjcf"}},
    {"sdf", {"convert", "SUBJECT", "--to", "sdf"}},
    {"page", {"report", "SUBJECT", "--html", "-"}},
};

/// This command; where another program has its verbs in it (Python), the one on PATH.
std::string own_command() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return !error && self.filename() == "torsor" ? self.string() : "torsor";
}

}  // namespace

StudioJobs::StudioJobs() : command_(own_command()) {}

StudioJobs::~StudioJobs() {
  for (auto& [number, job] : jobs_) {
    if (job->process > 0) kill(job->process, SIGKILL);
    ended(*job, true);
  }
}

std::optional<int> StudioJobs::ended(Job& job, bool wait) {
  if (job.process <= 0) return std::nullopt;
  int status = 0;
  if (waitpid(job.process, &status, wait ? 0 : WNOHANG) <= 0) return std::nullopt;
  job.process = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int StudioJobs::start(const std::string& name, const std::string& subject, const std::string& motion) {
  const auto* const question = std::ranges::find(job_questions, name, &JobQuestion::name);
  if (question == std::end(job_questions)) refuse_call(name, "question-unknown", "there is no such question");
  const std::scoped_lock lock(mutex_);
  if (jobs_.size() >= most_jobs)
    refuse_call(name, "job-count", fmt::format("{} jobs are under way", jobs_.size()), "cancel one");
  auto job = std::make_unique<Job>();
  if (!job->folder.is_there())
    refuse_call(name, "file-write", "no temporary folder can be made", "set TMPDIR to a folder with free space");
  std::vector<std::string> words{command_};
  for (const std::string_view word : question->words) {
    if (word.empty()) break;
    if (word == "MOTION") {
      if (motion.empty()) refuse_call(name, "motion-missing", "there is no motion to go along", "add way points");
      const auto file = job->folder.write("motion.toml", motion);
      if (!file) throw_error(file.faults());
      words.push_back(*file);
    } else {
      words.push_back(word == "SUBJECT" ? subject : std::string(word));
    }
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string out = job->folder.file("out"), errors = job->folder.file("errors");
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    // no memory is asked for from here on; whoever started it takes it along
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    const int nothing = open("/dev/null", O_RDONLY), said = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
              complained = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing >= 0) dup2(nothing, 0);
    if (said >= 0) dup2(said, 1);
    if (complained >= 0) dup2(complained, 2);
    if (nice(5) == -1) {
    }
    execvp(arguments.front(), arguments.data());
    _exit(127);
  }
  if (child < 0) refuse_call(name, "job-start", "no process can be started");
  job->process = child;
  job->start = std::chrono::steady_clock::now();
  jobs_[++last_] = std::move(job);
  return last_;
}

void StudioJobs::look(int number, StudioAnswer& out) {
  const std::scoped_lock lock(mutex_);
  const auto found = jobs_.find(number);
  if (found == jobs_.end()) refuse_call(fmt::format("job {}", number), "job-unknown", "there is no such job");
  Job& job = *found->second;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - job.start).count();
  auto code = ended(job, false);
  if (!code && seconds > longest_job) {
    kill(job.process, SIGKILL);
    code = ended(job, true);
  }
  out.json.field("done", code.has_value()).field("seconds", seconds);
  if (!code) return;
  const auto answer = read_text_file(job.folder.file("out")), said = read_text_file(job.folder.file("errors"));
  out.json.field("code", *code).field("answer", answer ? *answer : "").field("said", said ? *said : "");
  jobs_.erase(found);
}

void StudioJobs::cancel(int number) {
  const std::scoped_lock lock(mutex_);
  const auto found = jobs_.find(number);
  if (found == jobs_.end()) return;
  if (found->second->process > 0) kill(found->second->process, SIGKILL);
  ended(*found->second, true);
  jobs_.erase(found);
}

}  // namespace torsor
