#include "python/bindings/row_call.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

#include "python/bindings/errors.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/numpy_array.hpp"
#include "torsor/fast/start_threads.hpp"

namespace torsor::python {
namespace {

/// States that a thread takes at a time: a multiple of what Dynamics does, so that threads change no bit.
constexpr std::int64_t piece_states = 1024;
/// States that are worth a thread where their number is left to us: the cheapest take some 15 ns each, a thread 30 us.
constexpr std::int64_t states_worth_a_thread = 8192;

/// Threads for so many states. Workers of a cluster set OMP_NUM_THREADS where each is to keep to its core.
int threads_worth(std::int64_t states) {
  std::int64_t most = std::thread::hardware_concurrency();
  if (const char* const told = std::getenv("OMP_NUM_THREADS")) {
    const std::int64_t number = std::strtol(told, nullptr, 10);
    if (number > 0) most = std::min(most, number);
  }
  return static_cast<int>(std::min(most, states / states_worth_a_thread));
}

/// First and last byte of rows.
struct Extent {
  const char *first, *end;
};
Extent extent(const void* data, std::ptrdiff_t stride, std::int64_t states, int columns, std::ptrdiff_t size) {
  const char* const a = static_cast<const char*>(data);
  const char* const b = a + stride * (states - 1) * size;
  return {std::min(a, b), std::max(a, b) + columns * size};
}
bool overlap(const Extent& a, const Extent& b) { return a.first < b.end && b.first < a.end; }

/// Whether two entries of an array share a byte.
bool overlaps_itself(PyArrayObject* array) {
  if (PyArray_IS_C_CONTIGUOUS(array) || PyArray_SIZE(array) < 2) return false;
  const std::size_t size = static_cast<std::size_t>(PyArray_ITEMSIZE(array));
  struct Axis {
    std::size_t step, count;
  };
  std::vector<Axis> axes;
  for (int a = 0; a < PyArray_NDIM(array); ++a) {
    const npy_intp step = std::abs(PyArray_STRIDE(array, a)), count = PyArray_DIM(array, a);
    if (count > 1) axes.push_back({static_cast<std::size_t>(step), static_cast<std::size_t>(count)});
  }
  std::ranges::sort(axes, {}, &Axis::step);

  // a step beyond all that lies along the smaller ones overlaps nothing, which is nearly every array
  std::size_t end = size;
  bool apart = true;
  for (const Axis& axis : axes) {
    apart = apart && axis.step >= end;
    end += axis.step * (axis.count - 1);
  }
  if (apart) return false;

  // else the places themselves tell; the sign of a step turns an axis round, no more
  std::vector<std::size_t> places{0};
  for (const Axis& axis : axes) {
    const std::size_t before = places.size();
    for (std::size_t k = 1; k < axis.count; ++k)
      for (std::size_t p = 0; p < before; ++p) places.push_back(places[p] + k * axis.step);
  }
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places, [size](std::size_t a, std::size_t b) { return b - a < size; }) !=
         places.end();
}

int row_count(std::initializer_list<int> row) {
  int columns = 1;
  for (const int n : row) columns *= n;
  return columns;
}

}  // namespace

RowCall::RowCall(const char* function, int threads) : function_(function), threads_(threads) {
  if (threads < 0)
    refuse(function, "threads is " + std::to_string(threads) + "; expected 1 or more, or 0 for all of the machine's");
}

RowCall& RowCall::take(const char* name, nb::handle value, std::initializer_list<int> row, Need need) {
  Input& input = inputs_.add();
  ++taken_;
  input.name = name;
  input.stride = 0;
  input.columns = row_count(row);
  input.row_axes = static_cast<int>(row.size());
  std::copy(row.begin(), row.end(), input.row.begin());
  if (value.is_none()) {
    if (need == Need::given) refuse(function_, std::string(name) + " is None; expected " + shape_wanted(input));
    return *this;
  }
  const int type = PyArray_CheckExact(value.ptr()) ? PyArray_TYPE(as_array(value)) : NPY_NOTYPE;
  if (type == NPY_DOUBLE || type == NPY_FLOAT)
    input.array = nb::borrow(value);
  else
    input.array = numbers(function_, name, value);

  // the last axes are the row
  PyArrayObject* const array = as_array(input.array);
  const int axes = PyArray_NDIM(array);
  bool fits = axes >= input.row_axes && axes - input.row_axes <= most_axes;
  for (int k = 0; fits && k < input.row_axes; ++k)
    fits = PyArray_DIM(array, axes - input.row_axes + k) == input.row[static_cast<std::size_t>(k)];
  if (!fits)
    refuse(function_,
           std::string(name) + " has shape " + shape_text(shape_of(array)) + "; expected " + shape_wanted(input));
  return *this;
}

std::string RowCall::shape_wanted(const Input& input) const {
  if (input.row_axes == 0) return "a number or an array of numbers";
  std::string row;
  for (int k = 0; k < input.row_axes; ++k)
    row += (k ? ", " : "") + std::to_string(input.row[static_cast<std::size_t>(k)]);
  return "(" + row + (input.row_axes == 1 ? ",)" : ")") + " for one state or (..., " + row + ") for many";
}

void RowCall::settle(Scalars scalars) {
  // types: floats only if nothing else came
  bool all_floats = true;
  for (int k = 0; k < taken_; ++k)
    if (inputs_[k].array.is_valid()) all_floats = all_floats && PyArray_TYPE(as_array(inputs_[k].array)) == NPY_FLOAT;
  float_answers_ = all_floats;
  floats_ = all_floats && scalars == Scalars::either;

  // leading axes, aligned at their ends
  for (int k = 0; k < taken_; ++k) {
    const Input& input = inputs_[k];
    if (!input.array.is_valid()) continue;
    const int axes = PyArray_NDIM(as_array(input.array)) - input.row_axes;
    const npy_intp* const shape = PyArray_DIMS(as_array(input.array));
    if (axes > axes_) {
      std::copy_backward(leading_.begin(), leading_.begin() + axes_, leading_.begin() + axes);
      std::fill_n(leading_.begin(), axes - axes_, 1);
      axes_ = axes;
    }
    for (int a = 0; a < axes; ++a) {
      std::ptrdiff_t& common = leading_[static_cast<std::size_t>(axes_ - axes + a)];
      if (common == 1) {
        common = shape[a];
      } else if (shape[a] != 1 && shape[a] != common) {
        std::string others;
        for (int j = 0; j < k; ++j)
          if (inputs_[j].array.is_valid())
            others += std::string(others.empty() ? "" : ", ") + inputs_[j].name + " " +
                      shape_text(shape_of(as_array(inputs_[j].array)));
        refuse(function_, std::string(input.name) + " has shape " + shape_text(shape_of(as_array(input.array))) +
                              ", whose leading axes do not broadcast against " + others +
                              "; expected one state, or as many states");
      }
    }
  }
  states_ = 1;
  for (int a = 0; a < axes_; ++a) states_ *= leading_[static_cast<std::size_t>(a)];
  for (int k = 0; k < taken_; ++k)
    if (inputs_[k].array.is_valid()) set_rows(inputs_[k]);
}

void RowCall::set_rows(Input& input) const {
  const int type = floats_ ? NPY_FLOAT : NPY_DOUBLE;
  const std::ptrdiff_t size = floats_ ? sizeof(float) : sizeof(double);
  PyArrayObject* array = as_array(input.array);
  const int axes = PyArray_NDIM(array);

  // rows may be any distance apart, numbers in a row may not
  const bool sound = PyArray_TYPE(array) == type && PyArray_ISALIGNED(array) && PyArray_ISNOTSWAPPED(array);
  const bool one_axis = sound && input.row_axes == 1 && axes == 2 &&
                        (input.columns <= 1 || PyArray_STRIDE(array, 1) == size) &&
                        PyArray_STRIDE(array, 0) % size == 0;
  if (!one_axis && !(sound && PyArray_IS_C_CONTIGUOUS(array))) {
    input.array = converted(input.array, type);
    array = as_array(input.array);
  }

  std::int64_t own = 1;
  for (int a = 0; a < axes - input.row_axes; ++a) own *= PyArray_DIM(array, a);
  if (own != states_ && own != 1) {
    // some axes of several are to be repeated: that takes a copy
    std::vector<npy_intp> shape(leading_.begin(), leading_.begin() + axes_);
    shape.insert(shape.end(), input.row.begin(), input.row.begin() + input.row_axes);
    const nb::object wide = stolen(PyArray_SimpleNew(static_cast<int>(shape.size()), shape.data(), type));
    if (PyArray_CopyInto(as_array(wide), array) < 0) throw nb::python_error();
    input.array = wide;
    array = as_array(wide);
    input.stride = input.columns;
  } else {
    input.stride = own == 1 ? 0 : one_axis ? PyArray_STRIDE(array, 0) / size : input.columns;
  }
  input.data = PyArray_DATA(array);
}

void RowCall::give(nb::handle out, std::initializer_list<int> row) {
  const int place = given_;
  Output& output = outputs_.add();
  ++given_;
  output.columns = row_count(row);
  output.stride = output.columns;

  npy_intp shape[most_axes + 4];
  std::copy(leading_.begin(), leading_.begin() + axes_, shape);
  std::copy(row.begin(), row.end(), shape + axes_);
  const int axes = axes_ + static_cast<int>(row.size());
  const int type = float_answers_ ? NPY_FLOAT : NPY_DOUBLE;
  if (out.is_none() && axes == 0 && !float_answers_) {
    output.data = &output.number;
    return;
  }
  if (out.is_none()) {
    output.array = stolen(PyArray_SimpleNew(axes, shape, type));
  } else {
    // words are made where something is refused: a call of one state takes as long as they do
    const auto refuse_out = [&](const std::string& what) {
      refuse(function_, (place == 0 ? "out" : "out[" + std::to_string(place) + "]") + what +
                            "; expected a writable array of " + (float_answers_ ? "float32" : "float64") +
                            " with shape " + shape_text({shape, static_cast<std::size_t>(axes)}));
    };
    if (!PyArray_Check(out.ptr())) refuse_out(" is no array but " + text(nb::repr(out.type())));
    if (!PyArray_CheckExact(out.ptr()))
      refuse_masked(function_, place == 0 ? "out" : "out[" + std::to_string(place) + "]", out);
    PyArrayObject* const array = as_array(out);
    if (PyArray_TYPE(array) != type || !PyArray_ISNOTSWAPPED(array)) refuse_out(" has dtype " + dtype_text(array));
    if (!std::ranges::equal(shape_of(array), std::span<const npy_intp>(shape, static_cast<std::size_t>(axes))))
      refuse_out(" has shape " + shape_text(shape_of(array)));
    if (!PyArray_ISWRITEABLE(array)) refuse_out(" cannot be written to");
    if (overlaps_itself(array)) refuse_out(" overlaps itself: several entries are one place in memory");
    output.array = nb::borrow(out);

    // rows that do not lie together are written elsewhere first
    const std::ptrdiff_t size = float_answers_ ? sizeof(float) : sizeof(double);
    const bool rows = axes == 2 && row.size() == 1 && (output.columns <= 1 || PyArray_STRIDE(array, 1) == size) &&
                      PyArray_STRIDE(array, 0) % size == 0;
    if (!PyArray_ISALIGNED(array) || !(rows || PyArray_IS_C_CONTIGUOUS(array)))
      output.temporary = stolen(PyArray_SimpleNew(axes, shape, floats_ ? NPY_FLOAT : NPY_DOUBLE));
    else if (rows && axes_ > 0)
      output.stride = PyArray_STRIDE(array, 0) / size;
  }
  if (float_answers_ && !floats_) {
    output.temporary = stolen(PyArray_SimpleNew(axes, shape, NPY_DOUBLE));
    output.stride = output.columns;
  }
  output.data = PyArray_DATA(as_array(output.temporary.is_valid() ? output.temporary : output.array));
  if (!out.is_none() && states_ > 0) keep_apart(output);
}

void RowCall::keep_apart(const Output& output) {
  const std::ptrdiff_t size = floats_ ? sizeof(float) : sizeof(double);
  const Extent written = extent(output.data, output.stride, states_, output.columns, size);
  for (int k = 0; k + 1 < given_; ++k)
    if (overlap(written, extent(outputs_[k].data, outputs_[k].stride, states_, outputs_[k].columns, size)))
      refuse(function_, "two arrays of out overlap; expected arrays of their own");
  for (int k = 0; k < taken_; ++k) {
    Input& input = inputs_[k];
    if (!input.data || !overlap(written, extent(input.data, input.stride, states_, input.columns, size))) continue;
    input.array = stolen(PyArray_NewCopy(as_array(input.array), NPY_CORDER));
    set_rows(input);
  }
}

void RowCall::give_all(nb::handle out, std::initializer_list<std::initializer_list<int>> rows) {
  if (out.is_none()) {
    for (const auto& row : rows) give(out, row);
    return;
  }
  if (!PySequence_Check(out.ptr()) || PyArray_Check(out.ptr()) ||
      PySequence_Size(out.ptr()) != static_cast<Py_ssize_t>(rows.size()))
    refuse(function_, "out is " + text(nb::repr(out.type())) + "; expected a tuple of " + std::to_string(rows.size()) +
                          " arrays");
  Py_ssize_t k = 0;
  for (const auto& row : rows) give(nb::object(out[k++]), row);
}

int RowCall::threads_for(std::int64_t work) const {
  return std::max(threads_ == 0 ? threads_worth(work) : threads_, 1);
}

void RowCall::share_pieces(const void* body, Call call) const {
  const std::int64_t pieces = (states_ + piece_states - 1) / piece_states;
  const int threads =
      static_cast<int>(std::min<std::int64_t>(threads_ == 0 ? threads_worth(states_) : threads_, pieces));
  const auto answer = [&](std::int64_t k) {
    const std::int64_t count = std::min(piece_states, states_ - k * piece_states);
    call(body, k * piece_states, count);
    examine(k * piece_states, count);  // while its numbers are near
  };
  if (threads <= 1) {
    if (!examined_) return call(body, 0, states_);
    for (std::int64_t k = 0; k < pieces; ++k) answer(k);
    return;
  }
  share_out(pieces, threads, answer);
}

nb::object RowCall::result(nb::handle named) {
  if (examined_ && !told_)
    tell(telling_ == Telling::asked, [&](std::int64_t k) {
      return robot_ ? no_answer_fault(*this, *robot_, k) : meaningless_fault(*this, model_, k);
    });
  for (int k = 0; k < given_; ++k) {
    Output& output = outputs_[k];
    if (output.temporary.is_valid() && PyArray_CopyInto(as_array(output.array), as_array(output.temporary)) < 0)
      throw nb::python_error();
  }
  // answers without any axis are numbers
  const auto answer = [this](int k) {
    if (!outputs_[k].array.is_valid()) {
      const nb::object type = nb::steal(reinterpret_cast<PyObject*>(PyArray_DescrFromType(NPY_DOUBLE)));
      return stolen(PyArray_Scalar(&outputs_[k].number, reinterpret_cast<PyArray_Descr*>(type.ptr()), nullptr));
    }
    return nb::steal(PyArray_Return(reinterpret_cast<PyArrayObject*>(outputs_[k].array.release().ptr())));
  };
  if (given_ == 1) return answer(0);
  auto* const type = reinterpret_cast<PyTypeObject*>(named.ptr());
  nb::object all = stolen(type ? type->tp_alloc(type, given_) : PyTuple_New(given_));
  for (int k = 0; k < given_; ++k) PyTuple_SET_ITEM(all.ptr(), k, answer(k).release().ptr());
  return all;
}

}  // namespace torsor::python
