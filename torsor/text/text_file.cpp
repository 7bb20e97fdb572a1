#include "torsor/text/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <system_error>

#include "torsor/text/files_read.hpp"

namespace torsor {
namespace {

constexpr std::size_t largest_text_file = std::size_t{64} << 20U;

Fault unreadable(const std::string& file, std::string rule, std::string what, std::string remedy) {
  return {{file, 0}, "", std::move(rule), std::move(what), std::move(remedy)};
}

Result<std::string> everything_in(std::FILE* stream, const std::string& file) {
  std::string text;
  std::array<char, 1U << 16U> block;
  while (const std::size_t size = std::fread(block.data(), 1, block.size(), stream)) {
    text.append(block.data(), size);
    if (text.size() > largest_text_file)
      return unreadable(file, "file-size", "it has more than 64 MB",
                        "such a file is a few kilobytes: is it the right file?");
  }
  if (std::ferror(stream))
    return unreadable(file, "file-read", std::generic_category().message(errno), "give a file that can be read");
  return text;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  if (path == "-") return everything_in(stdin, "standard input");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return unreadable(path, "file-read", "it is a directory", "give a file in it");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!stream)
    return unreadable(path, "file-read", std::generic_category().message(errno), "give a file that can be read");
  FilesRead::add(path);
  return everything_in(stream.get(), path);
}

Faults write_text_file(const std::string& path, std::string_view text) {
  namespace fs = std::filesystem;
  std::error_code code;
  // the file behind links, with its permissions
  fs::path target = path;
  for (int links = 0; links < 40 && fs::is_symlink(target, code); ++links) {
    const fs::path next = fs::read_symlink(target, code);
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  const fs::file_status old = fs::status(target, code);
  const bool beside = !fs::exists(old) || fs::is_regular_file(old);
  std::string written = target.string();
  const auto failed = [&](int error) -> Faults {
    if (beside) fs::remove(written, code);
    return {{{path, 0},
             "",
             "file-write",
             std::generic_category().message(error),
             "check the folder, its space and its permissions"}};
  };
  // a file that may not be written is not replaced, either
  if (beside && fs::exists(old) && !std::ofstream(written, std::ios::binary | std::ios::in | std::ios::out)) {
    const int error = errno;
    return {{{path, 0},
             "",
             "file-write",
             std::generic_category().message(error),
             "check the folder, its space and its permissions"}};
  }
  if (beside) written += fmt::format(".{:x}.partial", std::random_device{}());
  errno = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(written.c_str(), "wb"), std::fclose);
  if (!stream) return failed(errno);
  if (std::fwrite(text.data(), 1, text.size(), stream.get()) != text.size() || std::fflush(stream.get()) != 0)
    return failed(errno);
  if (!beside) return {};
  if (fs::exists(old)) fs::permissions(written, old.permissions(), code);
  fs::rename(written, target, code);
  if (code) return failed(code.value());
  return {};
}

}  // namespace torsor
