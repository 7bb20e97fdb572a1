#include "cli/studio_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "torsor/text/text_file.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_jobs = 8;
constexpr double longest_job = 600;  // s
constexpr int killed = 128;

/// SUBJECT, MOTION and DRIVES stand for what the call is about, ROWS for a table that the page is written beside.
struct JobQuestion {
  std::string_view name;
  std::array<std::string_view, 8> words;
};

constexpr JobQuestion job_questions[] = {
    {"structure", {"structure", "SUBJECT", "--json"}},
    {"equations", {"equations", "SUBJECT", "--json"}},
    {"agree", {"agree", "SUBJECT", "--json"}},
    {"count", {"count", "SUBJECT", "--json"}},
    {"tables", {"count", "--tables", "--json"}},
    {"size", {"size", "SUBJECT", "MOTION", "--json"}},
    {"drives", {"size", "SUBJECT", "MOTION", "--drives", "DRIVES", "--json"}},
    {"drives_page", {"size", "SUBJECT", "MOTION", "--drives", "DRIVES", "--html", "-"}},
    {"show", {"show", "SUBJECT", "--json"}},
    {"mobility", {"mechanism", "mobility", "SUBJECT", "--json"}},
    {"modes", {"mechanism", "modes", "SUBJECT", "--json"}},
    {"c", {"codegen", "SUBJECT", "--functions", "id,mass,fk,jacobian"}},
    {"toml", {"convert", "SUBJECT", "--to", "toml"}},
    {"urdf", {"convert", "SUBJECT", "--to", "urdf"}},
    {"mjcf", {"convert", "SUBJECT", "--to", "mjcf"}},
    {"sdf", {"convert", "SUBJECT", "--to", "sdf"}},
    {"page", {"report", "SUBJECT", "--html", "-"}},
    {"driven_page", {"mechanism", "inverse", "SUBJECT", "--output", "ROWS", "--html", "-"}},
    {"released_page", {"mechanism", "simulate", "SUBJECT", "--output", "ROWS", "--html", "-"}},
};

}  // namespace

StudioJobs::~StudioJobs() {
  for (auto& [number, job] : jobs_) end(*job);
}

int StudioJobs::start(const std::string& name, const std::string& subject, const std::string& motion,
                      const std::string& drives) {
  const auto* const question = std::ranges::find(job_questions, name, &JobQuestion::name);
  if (question == std::end(job_questions)) refuse_call(name, "question-unknown", "there is no such question");
  const std::scoped_lock lock(mutex_);
  if (jobs_.size() >= most_jobs)
    refuse_call(name, "job-count", fmt::format("{} jobs are under way", jobs_.size()), "cancel one");
  auto job = std::make_unique<Job>();
  if (!job->folder.is_there())
    refuse_call(name, "file-write", "no temporary folder can be made", "set TMPDIR to a folder with free space");
  std::vector<std::string> words;
  for (const std::string_view word : question->words) {
    if (word.empty()) break;
    const auto file_of = [&](const std::string& file_name, const std::string& text) {
      const auto file = job->folder.write(file_name, text);
      if (!file) throw_error(file.faults());
      words.push_back(*file);
    };
    if (word == "MOTION") {
      if (motion.empty()) refuse_call(name, "motion-missing", "there is no motion to go along", "add way points");
      file_of(motion.starts_with("t,") ? "motion.csv" : "motion.toml", motion);
    } else if (word == "DRIVES") {
      if (drives.empty()) refuse_call(name, "drive-file", "there is no drive file", "choose one");
      file_of("drives.toml", drives);
    } else if (word == "ROWS") {
      words.push_back(job->folder.file("rows.csv"));
    } else {
      words.push_back(word == "SUBJECT" ? subject : std::string(word));
    }
  }
  launch(*job, std::move(words));
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
    end(job);
    code = killed;
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
  end(*found->second);
  jobs_.erase(found);
}

}  // namespace torsor
