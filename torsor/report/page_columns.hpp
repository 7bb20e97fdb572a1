// The numbers of a page's curves, each column stored once: curves over the same instants share them, and a curve that is drawn
// twice is kept once. In the data a series names its columns by their number.
//
//   data: columns: ["...", ...], each the float64 of one column, little-endian, as base64; NaN is a gap
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/text/base64.hpp"
#include "torsor/text/json.hpp"

namespace torsor {

class PageColumns {
 public:
  /// The number of the column with these values, bit for bit.
  std::size_t add(std::span<const double> values) {
    std::string text = base64_of<double>(values);
    const auto [place, is_new] = numbers_.try_emplace(std::move(text), numbers_.size());
    if (is_new) texts_.push_back(&place->first);
    return place->second;
  }

  void write(JsonWriter& json) const {
    json.begin_array();
    for (const std::string* text : texts_) json.value(*text);
    json.end_array();
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;  // nodes stay where they are
  std::vector<const std::string*> texts_;
};

}  // namespace torsor
