#include "cli/motion_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "cli/files.hpp"
#include "torsor/io/suggest.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/published_path.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} << 20;

Result<std::string> file_text(const std::string& path) {
  InputFile file(path);
  if (!file.faults().empty()) return file.faults();
  std::string text;
  char piece[65536];
  while (file.stream().read(piece, sizeof piece) || file.stream().gcount() > 0) {
    text.append(piece, static_cast<std::size_t>(file.stream().gcount()));
    if (text.size() > most_bytes)
      return Fault{{file.name(), 0}, "", "file-size", "is larger than 16 MB", "a motion file has a few lines"};
  }
  return text;
}

std::string variants_of(std::string_view name) {
  std::string text;
  for (const PublishedPath& path : published_paths())
    if (path.robot == name) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", path.variant);
  return text;
}

Result<PlannedMotion> published(const std::string& name, const std::optional<std::string>& variant) {
  if (const PublishedPath* path = published_path(name, variant.value_or("")))
    return PlannedMotion{fmt::format("{} ({})", path->robot, path->variant), std::string(path->source), path->make()};
  if (const std::string known = variants_of(name); variant && !known.empty())
    return Fault{{},
                 fmt::format("--variant \"{}\"", *variant),
                 "option-value",
                 fmt::format("{} has no such reading", name),
                 "it may be " + known};
  if (const PublishedMotion* motion = published_motion(name)) {
    if (variant)
      return Fault{{}, "--variant", "option-mode", fmt::format("{} leaves nothing open", name), "leave it out"};
    return PlannedMotion{name, std::string(motion->source), AnyMotion(motion->make())};
  }
  std::vector<std::string_view> names;
  const auto add = [&names](std::string_view each) {
    if (std::find(names.begin(), names.end(), each) == names.end()) names.push_back(each);
  };
  for (const PublishedPath& path : published_paths()) add(path.robot);
  for (const PublishedMotion& motion : published_motions()) add(motion.robot);
  const std::string hint = did_you_mean(name, names);
  return Fault{{},
               fmt::format("\"{}\"", name),
               "motion-unknown",
               "there is no such file and no published motion",
               fmt::format("{}{}published motions: {}", hint, hint.empty() ? "" : " ", fmt::join(names, ", "))};
}

}  // namespace

bool names_file(const std::string& name) {
  std::error_code ignored;
  return name == "-" || name.find('/') != std::string::npos || name.ends_with(".toml") || name.ends_with(".csv") ||
         std::filesystem::exists(name, ignored);
}

Result<PlannedMotion> load_motion(const std::string& name, const std::optional<std::string>& variant,
                                  const Model<double>* robot) {
  if (!names_file(name)) return published(name, variant);
  Faults errors;
  refuse_if(variant.has_value(), "--variant", "with a file", errors);
  const auto text = file_text(name);
  collect(text, errors);
  if (!errors.empty()) return errors;
  return read_motion_toml(*text, name == "-" ? "standard input" : name, robot);
}

void SamplingArguments::add_to(Options& options) {
  options.numbers("--step", "S", step, "seconds between samples; default 0.01")
      .numbers("--rate", "HZ", rate, "samples per second, instead");
}

Result<double> SamplingArguments::period(double duration) const {
  Faults errors;
  refuse_if(step && rate, "--rate", "with --step", errors);
  double period = 0.01;
  const auto take = [&](const char* option, const std::optional<std::vector<double>>& given, bool inverse) {
    if (!given) return;
    if (given->size() != 1)
      errors.push_back(count_error(option, given->size(), "1", "give one number"));
    else if (!(given->front() > 0))
      errors.push_back(
          {{}, option, "option-value", fmt::format("{} is not allowed", given->front()), "give a number above zero"});
    else
      period = inverse ? 1 / given->front() : given->front();
  };
  take("--step", step, false);
  take("--rate", rate, true);
  constexpr double most = 1e7;
  if (errors.empty() && !(duration / period <= most))
    errors.push_back({{},
                      rate ? "--rate" : "--step",
                      "option-value",
                      fmt::format("{:.4g} s of motion would have {:.3g} samples", duration, duration / period),
                      fmt::format("give a step of {:.3g} s at least", duration / most)});
  if (!errors.empty()) return errors;
  return period;
}

}  // namespace torsor
