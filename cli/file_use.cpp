#include "cli/file_use.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace torsor {

std::string through_links(const std::string& path) {
  constexpr int most_links = 40;  // as the system has it
  std::error_code code;
  std::filesystem::path end = path;
  for (int k = 0; k < most_links && std::filesystem::is_symlink(end, code); ++k) {
    const std::filesystem::path next = std::filesystem::read_symlink(end, code);
    if (code) break;
    end = end.parent_path() / next;  // an absolute one replaces all before it
  }
  return end.string();
}

namespace {

/// There is something in it, and no run is writing it.
bool is_left(const std::string& partial) {
  struct stat status {};
  const int descriptor = open(partial.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool left = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
                    flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  return left;
}

}  // namespace

FileUse& file_use() {
  static FileUse use;
  return use;
}

std::string partial_path(const std::string& path) { return through_links(path) + ".partial"; }

Fault partial_exists(const std::string& partial, bool can_go_on) {
  return {
      {partial, 0},
      "",
      "partial-exists",
      "is there already, of a run that was stopped or of your own",
      can_go_on ? "go on with it by --continue, or remove or rename it" : "remove or rename it, or give another file"};
}

std::optional<FileUse::Place> FileUse::place_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Place{status.st_dev, status.st_ino, ""};
  }
  const std::filesystem::path end = through_links(path);
  const std::string folder = end.has_parent_path() ? end.parent_path().string() : ".";
  if (stat(folder.c_str(), &status) != 0) return std::nullopt;
  return Place{status.st_dev, status.st_ino, end.filename().string()};
}

std::optional<FileUse::Place> FileUse::place_of_stream(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Place{status.st_dev, status.st_ino, ""};
}

void FileUse::reads(std::string as, const std::string& path) {
  const auto place = path == "-" ? place_of_stream(STDIN_FILENO) : place_of(path);
  const bool known = place && std::any_of(read_.begin(), read_.end(),
                                          [&](const Use& use) { return use.as == as && use.place == *place; });
  if (place && place->name.empty() && !known) read_.push_back({std::move(as), path, *place});
}

Faults FileUse::also_reads(const FilesRead& opened) {
  for (const std::string& path : opened.paths()) {
    const auto place = place_of(path);
    const bool known = std::any_of(read_.begin(), read_.end(), [&](const Use& use) { return use.place == place; });
    if (place && !known) read_.push_back({"a file that an input needs", path, *place});
  }
  return conflicts();
}

void FileUse::goes_on(std::string as, bool now) {
  rows_ = std::move(as);
  going_on_ = now;
}

void FileUse::writes(std::string as, const std::string& path) {
  if (path == "-") return;
  const auto place = place_of(path);
  if (!place) return;
  const std::string partial = partial_path(path);
  written_.push_back({as, path, *place});
  if (const auto beside = place_of(partial)) written_.push_back({std::move(as), partial, *beside, true});
}

Faults FileUse::conflicts() const {
  std::vector<Use> written = written_;
  if (const auto place = place_of_stream(STDOUT_FILENO))
    written.insert(written.begin(), {"standard output", "standard output", *place});
  Faults errors;
  const auto fault = [&errors](const Use& one, const Use& other, std::string what, std::string remedy) {
    errors.push_back(
        {{one.path, 0}, fmt::format("{} and {}", other.as, one.as), "same-file", std::move(what), std::move(remedy)});
  };
  for (auto output = written.begin(); output != written.end(); ++output) {
    for (const Use& input : read_)
      if (input.place == output->place) fault(*output, input, "is both read and written", "write to another file");
    for (auto earlier = written.begin(); earlier != output; ++earlier)
      if (earlier->place == output->place && earlier->as != output->as && !(earlier->beside && output->beside))
        fault(*output, *earlier, "is to be written twice", "give each result a file of its own");
  }
  if (!errors.empty()) return errors;
  for (const Use& output : written)
    if (output.beside && !(going_on_ && output.as == rows_) && is_left(output.path))
      errors.push_back(partial_exists(output.path, output.as == rows_));
  return errors;
}

}  // namespace torsor
