// Which files are opened while something is loaded: those that a robot includes, its meshes, its tables, its packages.
// Whoever writes must spare them, and no reader can forget to name one: all of them open files by read_text_file or
// InputFile, and these put it on record.
#pragma once

#include <set>
#include <string>

namespace torsor {

class FilesRead {
 public:
  /// From here on to its end it hears of every file that this thread opens.
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  const std::set<std::string>& paths() const { return paths_; }

  /// Tells all that listen.
  static void add(const std::string& path);

 private:
  FilesRead* outer_;
  std::set<std::string> paths_;
};

}  // namespace torsor
