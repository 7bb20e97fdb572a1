#include "torsor/files/motion_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/text/csv_reader.hpp"
#include "torsor/text/npy_reader.hpp"
#include "torsor/text/number.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/smoothing_spline.hpp"

namespace torsor {
namespace {

// so many rows tell the sample period; a cutoff so far below the sample rate would need a very long window
constexpr std::size_t leading_rows = 256;
constexpr double lowest_cutoff = 1e-4;
// above half the sample rate there is nothing left to cut off; some slack for the rounding of the period
constexpr double highest_cutoff = 0.5, slack = 1e-6;
constexpr double uneven = 0.01;

// an array of NumPy is known by its name or by its first byte, which begins no text in UTF-8
std::unique_ptr<RowReader> open_rows(std::istream& in, std::string file, const MotionNames& names,
                                     const MotionOptions& options) {
  constexpr int first_byte = 0x93;
  if (!file.ends_with(".npy") && in.peek() != first_byte) return std::make_unique<CsvReader>(in, std::move(file));
  auto rows = std::make_unique<NpyReader>(in, std::move(file));
  if (!rows->ok()) return rows;
  auto layout = motion_layout(rows->columns(), names, options.derivatives, rows->file(), options.derive);
  for (const Fault& error : layout.faults())
    rows->fault(error.where, error.offender, error.rule, error.what, error.remedy);
  if (layout) rows->name(*std::move(layout));
  return rows;
}

}  // namespace

MotionReader::MotionReader(std::istream& in, std::string file, const MotionNames& names, MotionOptions options)
    : rows_(open_rows(in, std::move(file), names, options)), nq_(names.q.size()), nv_(names.qd.size()) {
  if (!rows_->ok()) return;
  auto columns = resolve_motion_columns(rows_->header(), names, {options.derivatives, options.derive, options.degrees},
                                        rows_->file());
  for (const Fault& error : columns.faults()) rows_->fault(error.offender, error.rule, error.what, error.remedy);
  if (!columns) {
    check_rows(names);
    return;
  }
  columns_ = *std::move(columns);
  const std::vector<int> selected = columns_.all();
  rows_->select(selected);
  numbers_.resize(selected.size());
  derivation_.what = columns_.derive;
  if (derivation_) start_deriving(options.cutoff);
}

// a file whose columns are not all there is read to its end for the faults of those that are
void MotionReader::check_rows(const MotionNames& names) {
  const std::vector<int> known = known_motion_columns(rows_->header(), names);
  rows_->select(known);
  std::vector<double> row(known.size());
  while (rows_->next(row)) {
  }
}

bool MotionReader::next(MotionRow& row) { return derivation_ ? next_derived(row) : read(row); }

// one row as it stands in the file
bool MotionReader::read(MotionRow& row) {
  if (numbers_.empty()) return false;
  while (rows_->next(numbers_)) {
    for (std::size_t k = 0; k < columns_.units.size(); ++k) numbers_[k] = to_si(numbers_[k], columns_.units[k]);
    auto from = numbers_.begin();
    row.t = columns_.t ? *from++ : 0;
    const bool later = first_ || !columns_.t || row.t > previous_;
    if (!later)
      rows_->fault("column \"t\"", "motion-time",
                 fmt::format("{} does not come after {}", print_number(row.t), print_number(previous_)),
                 "times must increase from row to row");
    previous_ = row.t;
    // after a step back the rows that catch up have no fault of their own, and no place either
    if (!later || (!first_ && columns_.t && row.t <= latest_)) continue;
    latest_ = row.t;
    first_ = false;
    const auto take = [&from](std::vector<double>& to, std::size_t count) {
      to.assign(from, from + static_cast<std::ptrdiff_t>(count));
      from += static_cast<std::ptrdiff_t>(count);
    };
    take(row.q, columns_.q.size());
    take(row.qd, columns_.qd.size());
    take(row.qdd, columns_.qdd.size());
    return true;
  }
  return false;
}

// the first rows give the sample period, and with it the cutoff
void MotionReader::start_deriving(std::optional<double> cutoff) {
  std::vector<MotionRow> leading;
  std::vector<double> times;
  while (leading.size() < leading_rows && read(sample_)) {
    times.push_back(sample_.t);
    leading.push_back(sample_);
  }
  double& period = derivation_.period;
  double& frequency = derivation_.cutoff;
  if (times.size() > 1) {
    period = median_period(times);
    frequency = cutoff.value_or(default_cutoff(period));
    for (std::size_t k = 1; k < times.size(); ++k)
      derivation_.even = derivation_.even && std::abs(times[k] - times[k - 1] - period) <= uneven * period;
    if (!(frequency * period >= lowest_cutoff)) {
      rows_->fault(Where{}, "cutoff", "motion-cutoff",
                 fmt::format("{} Hz is too low for samples at {:.6g} Hz", print_number(frequency), 1 / period),
                 fmt::format("give at least {:.6g} Hz", lowest_cutoff / period));
      return;
    }
    if (std::isfinite(frequency) && frequency * period > highest_cutoff * (1 + slack)) {
      rows_->fault(Where{}, "cutoff", "motion-cutoff",
                 fmt::format("{} Hz is above half the sample rate of {:.6g} Hz", print_number(frequency), 1 / period),
                 fmt::format("give at most {:.6g} Hz, or none to interpolate", highest_cutoff / period));
      return;
    }
  }
  // a single row has no period and needs none
  spline_.emplace(nq_, period > 0 ? frequency : 1.0, period > 0 ? period : 1.0);
  for (const MotionRow& row : leading) push(row);
}

// two samples much closer than those before make an acceleration of their rounding
void MotionReader::push(const MotionRow& row) {
  constexpr double closest = 1e-6;  // of the step before
  const double step = pushed_ ? row.t - *pushed_ : 0;
  if (step_ > 0 && step < closest * step_)
    rows_->fault("column \"t\"", "motion-time",
               fmt::format("{} is only {:.2g} s after the sample before, which came {:.4g} s after its own",
                           print_number(row.t), step, step_),
               derivation_.what == Derived::rates ? "leave one of them out, or give qd and qdd"
                                                  : "leave one of them out, or give qdd");
  step_ = step;
  pushed_ = row.t;
  if (derivation_.what == Derived::rates) {
    spline_->push(row.t, row.q);
  } else if (spline_->push(row.t, row.qd)) {
    waiting_.push_back(row);
  }
}

// a single number near the limit of all numbers spoils the curve through it
bool MotionReader::finite(const MotionRow& row) {
  if (all_finite(row.q) && all_finite(row.qd) && all_finite(row.qdd)) return true;
  if (!std::exchange(overflow_, true))
    rows_->fault(Where{rows_->file(), 0}, "", "motion-range",
               fmt::format("{} derived at t = {} are not finite",
                           derivation_.what == Derived::rates ? "velocities" : "accelerations", print_number(row.t)),
               derivation_.what == Derived::rates ? "look for a time or a position that is far too large"
                                                  : "look for a time or a velocity that is far too large");
  return false;
}

// the next row with its derivatives; what the file has of it stays as it is where accelerations alone are missing
bool MotionReader::pop(MotionRow& row) {
  if (!spline_) return false;
  if (derivation_.what == Derived::rates) return spline_->pop(row.t, row.q, row.qd, row.qdd);
  if (!spline_->pop(row.t, smooth_, row.qdd, jerk_)) return false;
  row.q = waiting_.front().q;
  row.qd = waiting_.front().qd;
  waiting_.pop_front();
  return true;
}

bool MotionReader::next_derived(MotionRow& row) {
  row.q.resize(nq_);
  row.qd.resize(nv_);
  row.qdd.resize(nv_);
  smooth_.resize(nv_);
  jerk_.resize(nv_);
  while (true) {
    while (pop(row))
      if (finite(row)) return true;
    if (ended_) return false;
    // without a spline the rest is read for its faults only
    if (read(sample_)) {
      if (spline_) push(sample_);
    } else {
      ended_ = true;
      if (spline_) spline_->finish();
    }
  }
}

}  // namespace torsor
