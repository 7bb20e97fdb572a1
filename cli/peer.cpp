#include "cli/peer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <utility>

#include "torsor/text/number.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor {
namespace {

constexpr int patience_ms = 60000;

/// The last line of a text that says something.
std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

std::vector<std::string> between_tabs(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
  return words;
}

}  // namespace

struct Peer::Process {
  std::string program, complaints;  // the file of its standard error
  pid_t id = -1;
  int socket = -1;
  std::string heard;  // beyond the last line

  /// Ends its standard input and waits for its end; one that goes on is made to stop. How it ended, as waitpid says.
  int finish() {
    if (socket >= 0) close(std::exchange(socket, -1));
    int status = -1;
    const pid_t child = std::exchange(id, -1);
    for (int k = 0; child > 0 && k < 200 && waitpid(child, &status, WNOHANG) == 0; ++k) {
      if (k == 100) kill(child, SIGKILL);
      usleep(10000);
    }
    return status;
  }
};

void Peer::End::operator()(Process* process) const {
  process->finish();
  std::error_code ignored;
  std::filesystem::remove(process->complaints, ignored);
  delete process;
}

Fault Peer::fault(std::string what) const {
  return {{},
          fmt::format("peer \"{}\"", printable(process_->program)),
          "peer",
          std::move(what),
          "bench/peer.hpp says what a peer answers, ./run bench --peers builds them anew"};
}

Result<Peer> Peer::start(const std::string& program, const std::string& urdf, const std::string& states) {
  Peer peer;
  peer.process_.reset(new Process{
      program, fmt::format("{}.{}", states, std::filesystem::path(program).filename().string()), -1, -1, {}});
  Process& process = *peer.process_;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return peer.fault("there are no pipes left");
  process.socket = ends[0];
  process.id = fork();
  if (process.id == 0) {
    // no memory is asked for from here on
    const int errors = open(process.complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(ends[1], 0);
    dup2(ends[1], 1);
    if (errors >= 0) dup2(errors, 2);
    execl(program.c_str(), program.c_str(), urdf.c_str(), states.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  if (process.id < 0) return peer.fault("it cannot be run");

  for (;;) {
    const auto said = peer.line();
    if (!said) {
      if (const int status = process.finish(); !WIFEXITED(status) || WEXITSTATUS(status) != 1) return said.faults();
      const auto complaint = read_text_file(process.complaints);
      peer.refusal = complaint ? last_line(*complaint) : "";
      peer.calls.clear();
      return peer;
    }
    const std::vector<std::string> words = between_tabs(*said);
    if (*said == "ready") {
      if (peer.name.empty()) return peer.fault("it does not say what it is");
      return peer;
    }
    if (words.size() == 3 && words[0].starts_with("peer ") && (words[1] == "optimised" || words[1] == "debug")) {
      peer.name = words[0].substr(5);
      peer.optimised = words[1] == "optimised";
      peer.built = words[2];
    } else if (words.size() == 2 && words[0].starts_with("call ")) {
      peer.calls.push_back({words[0].substr(5), words[1]});
    } else {
      return peer.fault(fmt::format("it says \"{}\"", printable(*said)));
    }
  }
}

Result<std::string> Peer::line() {
  Process& process = *process_;
  std::size_t searched = 0;
  for (;;) {
    if (const std::size_t end = process.heard.find('\n', searched); end != std::string::npos) {
      std::string first = process.heard.substr(0, end);
      process.heard.erase(0, end + 1);
      return first;
    }
    searched = process.heard.size();
    pollfd wait{process.socket, POLLIN, 0};
    if (poll(&wait, 1, patience_ms) == 0) {
      kill(process.id, SIGKILL);
      return fault("it has said nothing for a minute");
    }
    char part[65536];
    const ssize_t n = recv(process.socket, part, sizeof part, 0);
    if (n <= 0) return fault("it has ended");
    process.heard.append(part, static_cast<std::size_t>(n));
  }
}

Result<std::string> Peer::ask(const std::string& question) {
  const std::string text = question + '\n';
  if (send(process_->socket, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return fault("it has ended");
  return line();
}

Result<std::vector<double>> Peer::check(std::size_t k) {
  const auto said = ask(fmt::format("check {}", k));
  if (!said) return said.faults();
  std::vector<double> numbers;
  for (std::size_t at = 0; (at = said->find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(said->find(' ', at), said->size());
    const ParsedNumber number = parse_number(std::string_view(*said).substr(at, end - at));
    if (!number && number.fault != NumberFault::too_small)
      return fault(fmt::format("\"{}\" is no number", printable(said->substr(at, end - at))));
    numbers.push_back(number.value);
    at = end;
  }
  return numbers;
}

Result<double> Peer::time(std::size_t k, long count) {
  const auto said = ask(fmt::format("time {} {}", k, count));
  if (!said) return said.faults();
  const ParsedNumber number = parse_number(*said);
  if (!number || !(number.value > 0)) return fault(fmt::format("\"{}\" is no time", printable(*said)));
  return number.value;
}

std::vector<std::string> peer_programs(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> programs;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
    if (entry.is_regular_file() && access(entry.path().c_str(), X_OK) == 0) programs.push_back(entry.path().string());
  std::sort(programs.begin(), programs.end());
  return programs;
}

}  // namespace torsor
