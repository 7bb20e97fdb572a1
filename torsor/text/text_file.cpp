#include "torsor/text/text_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

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
  return everything_in(stream.get(), path);
}

}  // namespace torsor
