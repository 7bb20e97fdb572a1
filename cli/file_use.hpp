// Which files a run reads and writes, so that none of them is destroyed: a file that is read must not be written, and none
// is written twice. Files are told apart by device and inode, so that links, other spellings of a path, and redirected
// standard input and output are seen through. Devices and pipes may be written to as often as one likes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/text/files_read.hpp"

namespace torsor {

class FileUse {
 public:
  /// as: what the file is for the user, `ROBOT` or `--html`; a path of `-` is standard input or output. What does not exist
  /// is not read: it is the name of something built in, or a fault of its own.
  void reads(std::string as, const std::string& path);
  void writes(std::string as, const std::string& path);

  /// Files that no argument names, as another input does, or the name of a package; and what would be lost by now.
  Faults also_reads(const FilesRead& opened);

  /// The rows of an output that a run can go on with; now: this one does.
  void goes_on(std::string as, bool now);

  /// What would be lost; standard output is always written to. So would a FILE.partial that is there already, the user's own
  /// or of a run that was stopped, unless another run is writing it.
  Faults conflicts() const;

 private:
  /// A file there is; or where one will be: the inode of the folder, and the name in it.
  struct Place {
    unsigned long long device = 0, inode = 0;
    std::string name;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Use {
    std::string as, path;
    Place place;
    bool beside = false;  // the FILE.partial of an output
  };
  static std::optional<Place> place_of(const std::string& path);
  static std::optional<Place> place_of_stream(int descriptor);

  std::vector<Use> read_, written_;
  std::string rows_;  // the output whose rows a run can go on with
  bool going_on_ = false;
};

/// That of this run: its options put in what they name, and its readers what a file names.
FileUse& file_use();

/// Where the name of an output leads to in the end, through links that lead nowhere yet as well.
std::string through_links(const std::string& path);

/// Where an output is gathered before it has its name: beside it, so that renaming is one step.
std::string partial_path(const std::string& path);

/// The fault of one that is there.
Fault partial_exists(const std::string& partial, bool can_go_on);

}  // namespace torsor
