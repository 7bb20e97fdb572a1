// Texts of files that the tests of readers share: those of the project, sound ones with a slip, and what is said of them.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/places.hpp"
#include "torsor/result.hpp"

namespace torsor::testing {

/// Every byte of a file; none if it cannot be read.
inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The blocks of TOML on a page of the documentation.
inline std::vector<std::string> toml_blocks(const std::string& page) {
  const std::string open = "```toml\n";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    const std::size_t begin = at + open.size(), end = page.find("```", begin);
    blocks.push_back(page.substr(begin, end - begin));
    at = end;
  }
  return blocks;
}

inline std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

/// A robot file of one link with this joint and these lines.
inline std::string one_link(const std::string& lines, const std::string& joint = "\"revolute\"") {
  return "[[link]]\nname = \"a\"\njoint = " + joint + "\n" + lines;
}

/// `6 mass-negative, 11 key-twice`
inline std::string faults_of(const Faults& faults) {
  std::string text;
  for (const Fault& fault : faults)
    text += (text.empty() ? "" : ", ") + std::to_string(fault.where.line) + ' ' + fault.rule;
  return text;
}

template <class T>
std::string faults_of(const Result<T>& result) {
  return faults_of(result.faults());
}

/// The one fault of a sound text in which a piece was replaced.
template <class Read>
Fault fault_after(std::string text, const std::string& piece, const std::string& by, const Read& read) {
  REQUIRE(text.find(piece) != std::string::npos);
  text.replace(text.find(piece), piece.size(), by);
  const auto result = read(text, "file.toml");
  REQUIRE_FALSE(result);
  CHECK_MESSAGE(result.faults().size() == 1, to_string(result.faults().back()));
  CHECK(result.faults().front().where.file == "file.toml");
  return result.faults().front();
}

/// How many broken files there were, and which rules they broke.
struct BrokenFiles {
  int files = 0;
  std::set<std::string> rules;
};

/// Every file of the folder with that extension has exactly the faults that its first line announces, all found at once.
template <class Read>
BrokenFiles check_broken_files(const std::string& folder, const std::string& extension, const Read& read) {
  const bool is_xml = extension != ".toml";
  const std::string announce = is_xml ? "<!-- expect: " : "# expect: ";
  BrokenFiles broken;
  for (const auto& entry : std::filesystem::directory_iterator(places::in_project(folder))) {
    if (entry.path().extension() != extension) continue;
    CAPTURE(entry.path().filename().string());
    const std::string text = contents(entry.path());
    REQUIRE(text.starts_with(announce));
    const auto result = read(text, entry.path().string());
    CHECK_FALSE(result);
    CHECK(faults_of(result) == text.substr(announce.size(), text.find(is_xml ? " -->" : "\n") - announce.size()));
    for (const Fault& fault : result.faults()) {
      CHECK(fault.where.file == entry.path().string());
      CHECK_FALSE(fault.what.empty());
      CHECK((!fault.remedy.empty() || fault.severity == Severity::note));
      CHECK((!fault.offender.empty() || fault.rule == "toml-syntax"));
      broken.rules.insert(fault.rule);
    }
    ++broken.files;
  }
  return broken;
}

}  // namespace torsor::testing
