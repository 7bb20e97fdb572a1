// An input that is read more than once: a file is opened again, a pipe is first written to a file of ours.
#pragma once

#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "cli/files.hpp"
#include "torsor/codegen/work_folder.hpp"

namespace torsor {

class AgainAndAgain {
 public:
  /// The input, already open, and the path it was given by.
  AgainAndAgain(InputFile& input, const std::string& path) : path_(path) {
    if (input.size()) return;
    folder_.emplace();
    path_ = folder_->file("input");
    std::ofstream copy;
    if (folder_->is_there()) copy.open(path_, std::ios::binary);
    // block by block: of a whole buffer that goes in only partly, a stream says that all is well
    std::array<char, 1U << 16U> block;
    while (copy && (input.stream().read(block.data(), block.size()) || input.stream().gcount() > 0))
      copy.write(block.data(), input.stream().gcount());
    if (copy.flush(); !copy || !copy.is_open())
      faults_.push_back({{folder_->is_there() ? path_ : "", 0},
                         input.name(),
                         "file-write",
                         folder_->is_there() ? "it cannot be kept for a second reading"
                                             : "it is read twice, and no temporary folder can be made to keep it in",
                         "set TMPDIR to a folder with enough space, or give a file"});
  }

  std::unique_ptr<std::istream> open() const { return std::make_unique<std::ifstream>(path_, std::ios::binary); }
  const Faults& faults() const { return faults_; }

 private:
  std::string path_;
  std::optional<WorkFolder> folder_;
  Faults faults_;
};

}  // namespace torsor
