// The list of fields of a limit that is passed: fields.hpp says what is made from it.
#pragma once

#include "torsor/dynamics/passed_limit.hpp"
#include "torsor/fields.hpp"

namespace torsor {

constexpr auto fields(Of<PassedLimit>) {
  using P = PassedLimit;
  constexpr auto if_by = [](const P& p, InstantsBy by, double x) {
    return p.by == by ? std::optional(x) : std::nullopt;
  };
  return field_list(
      "PassedLimit", "A limit of a robot that a motion passes, with its worst value.",
      field("joint", "", "which coordinate", &P::joint),
      field("quantity", "", "position, speed, acceleration, jerk or torque",
            [](const P& p) { return limit_name(p.kind); }),
      field("value", "", "the worst, with its sign", &P::value),
      field("limit", "", "rad, m, rad/s, m/s, rad/s², m/s², rad/s³, m/s³, N m or N", &P::limit),
      field("time", "s", "of the worst", [=](const P& p) { return if_by(p, InstantsBy::time, p.time); }),
      field("first_time", "s", "when it was first passed",
            [=](const P& p) { return if_by(p, InstantsBy::time, p.first); }),
      field("row", "", "of the worst, where there are no times",
            [=](const P& p) { return if_by(p, InstantsBy::row, p.time); }),
      field("first_row", "", "likewise", [=](const P& p) { return if_by(p, InstantsBy::row, p.first); }),
      field("instants", "", "how many are beyond",
            [](const P& p) { return p.by == InstantsBy::nothing ? std::nullopt : std::optional(p.instants); }),
      field("mean_from", "s", "where the value is the mean from one row to the next: when that begins", &P::mean_from));
}

}  // namespace torsor
