// Which files an SDF may open: those in its own folder, and those of models and packages that were given or lie beside
// it. Nothing else, whatever the paths in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "torsor/files/sdf_model.hpp"
#include "torsor/files/xacro_packages.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor::detail {

class SdfPlaces {
 public:
  /// `file` is the SDF itself.
  SdfPlaces(const LoadOptions& options, const std::string& file)
      : options_(options), file_(file), packages_(options, file) {}

  /// The text behind model://NAME/..., package://NAME/..., file://..., a path beside the file that names it, or the
  /// plain name of a model. A folder stands for the file that its model.config names.
  Result<SdfText> open(const std::string& uri, const std::string& from);

 private:
  const LoadOptions& options_;
  std::string file_;
  XacroPackages packages_;

  std::optional<std::filesystem::path> model_folder(const std::string& name) const;
  std::optional<std::filesystem::path> located(const std::string& uri, const std::string& from);
};

}  // namespace torsor::detail
