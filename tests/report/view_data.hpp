// The data of a view as a page has it, read back.
#pragma once

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "torsor/report/moving_view.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/text/json.hpp"

inline nlohmann::json view_data(const torsor::MovingView& view) {
  std::ostringstream out;
  torsor::JsonWriter json(out);
  torsor::PageColumns columns;
  write_data(view, json, columns);
  CHECK(json.non_finite() == 0);
  return nlohmann::json::parse(out.str());
}
