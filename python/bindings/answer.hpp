// Answers of runs: an object of the package, made from named parts; and runs that a user may break off.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/bindings/arrays.hpp"
#include "torsor/spatial/motion.hpp"

namespace torsor::python {

/// The parts of an answer; make() is an object of torsor.MODULE.TYPE with them.
class Answer {
 public:
  template <class Value>
  Answer& put(const char* name, Value&& value) {
    parts_[name] = std::forward<Value>(value);
    return *this;
  }
  nb::object make(const char* module, const char* type) const {
    return nb::module_::import_((std::string("torsor.") + module).c_str()).attr(type)(**parts_);
  }

 private:
  nb::dict parts_;
};

/// Python's own ways into a run that goes on without its lock: Ctrl-C, and what a function of the user raises. The run ends
/// when go_on() is false; settle(), with the lock again, throws what ended it. Runs that do not ask have functions of their
/// arguments that do: keep_on() ends them by an exception through the library, which unlocked() awaits.
class Visits {
 public:
  /// Runs body without the lock; throws what ended it, with the lock again.
  template <class Body>
  void unlocked(const Body& body) {
    try {
      const nb::gil_scoped_release release;
      body();
    } catch (const Ended&) {
    }
    settle();
  }
  void keep_on() {
    if (!go_on()) throw Ended();
  }

  /// Looks for signals, some times in a second.
  bool go_on() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return !error_;
    last_ = now;
    return call([] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  }
  /// Calls body with the lock; false when it, or one before it, has thrown.
  template <class Body>
  bool call(const Body& body) {
    if (error_) return false;
    const nb::gil_scoped_acquire lock;
    try {
      body();
    } catch (...) {
      error_ = std::current_exception();
    }
    return !error_;
  }
  void settle() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  struct Ended {};

  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::exception_ptr error_;
};

/// Warns with torsor.RunWarning: a run that ended before its time, results to be doubted.
void warn_of_run(const std::string& what);

/// The numbers of a run: rows of the same length, one per instant.
class RunRows {
 public:
  void add(double x) { numbers_.push_back(x); }
  void add(const Vec3<double>& v) { numbers_.insert(numbers_.end(), {v.x, v.y, v.z}); }
  void add(const Motion<double>& V) {
    add(V.w);
    add(V.v);
  }
  void add(const Force<double>& F) {
    add(F.n);
    add(F.f);
  }
  void add(const Transform<double>& X) {
    numbers_.resize(numbers_.size() + 16);
    write_pose(X, numbers_.data() + numbers_.size() - 16);
  }
  void add(std::span<const double> row) { numbers_.insert(numbers_.end(), row.begin(), row.end()); }
  /// As an array of that shape.
  nb::object array(std::initializer_list<std::size_t> shape) const { return new_array(numbers_, shape); }
  nb::object array() const { return new_array(numbers_); }
  std::size_t size() const { return numbers_.size(); }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::vector<double> numbers_;
};

/// A number above zero, by its name; ValueError else.
double positive(const char* function, const char* name, double x, double most = std::numeric_limits<double>::max());

/// ValueError: the argument is none of these words; with the likely one.
[[noreturn]] void refuse_word(const char* function, const char* name, const std::string& given,
                              const std::vector<std::string_view>& words);
/// The place of the argument among the words; ValueError else.
std::size_t word_of(const char* function, const char* name, const std::string& given,
                    const std::vector<std::string_view>& words);

/// The name of an integrator; ValueError else.
const std::string& integrator_of(const char* function, const std::string& given);

}  // namespace torsor::python
