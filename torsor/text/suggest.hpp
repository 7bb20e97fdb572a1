// "did you mean": the nearest of the allowed names to a misspelt one, by optimal string alignment distance (insert,
// delete, replace, swap neighbours), blind to case. Nothing is suggested that changes over a third.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace torsor {

/// The candidate nearest to name, or an empty text when none is near enough to be a slip of the tool.
std::string closest(std::string_view name, std::span<const std::string> candidates);
std::string closest(std::string_view name, std::span<const std::string_view> candidates);

/// `did you mean "revolute"?` for use as (part of) a remedy, or an empty text.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace torsor
