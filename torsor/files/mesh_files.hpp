// The meshes that a robot names, found, read once each and integrated. A name is package://NAME/PATH or model://NAME/PATH, as
// xacro finds packages; file:///PATH; or a path, relative to the folder of the robot. Only files in the folder of the robot, in
// its package and in the folders that were given are opened.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "torsor/files/mesh_reader.hpp"
#include "torsor/model/load_options.hpp"

namespace torsor {

namespace detail {
class XacroPackages;
}

class MeshFiles {
 public:
  /// Of the robot in this file; of a text in memory, whose file does not exist, only the options give folders.
  MeshFiles(LoadOptions options, const std::string& robot_file);
  ~MeshFiles();
  MeshFiles(const MeshFiles&) = delete;
  MeshFiles& operator=(const MeshFiles&) = delete;

  /// The mesh of this name; or why it cannot be had: rules mesh-missing, mesh-outside, mesh-package, and those of the readers.
  const Result<MeshFile>& mesh(const std::string& name);

 private:
  LoadOptions options_;
  std::unique_ptr<detail::XacroPackages> packages_;
  std::map<std::string, Result<MeshFile>> known_;

  Result<MeshFile> read(const std::string& name);
  Result<std::string> find(const std::string& name);
};

}  // namespace torsor
