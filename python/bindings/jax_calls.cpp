// torsor.jax calls the engine from compiled programs: one foreign function of XLA for all questions, on the program's own
// memory, without Python. Leading axes are states. Changes of positions, and gradients by them, are by the numbers of q.
#include "python/bindings/jax_calls.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "python/bindings/robot.hpp"
#include "python/bindings/xla_call.hpp"
#include "torsor/dynamics/second_products.hpp"
#include "torsor/fast/start_threads.hpp"
#include "torsor/model/joint_tangent.hpp"

namespace torsor::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// In the order of torsor/jax.py. `last` is qdd of inverse and tau of forward dynamics.
enum class Question : std::int64_t {
  inverse,            // q qd last -> tau
  forward,            // q qd last -> qdd
  mass,               // q -> M
  pose,               // q -> 12 numbers (rows of R, then p), J (6 x nv)
  inverse_jvp,        // q qd last dq dqd dlast -> dtau
  forward_jvp,        //
  inverse_vjp,        // q qd last w -> by q, qd, last
  forward_vjp,        //
  inverse_curvature,  // q qd last, a change, another -> d2tau
  forward_curvature,  //
  inverse_hvp,        // q qd last w, a change -> by q, qd, last
  forward_hvp,        //
};

constexpr std::int64_t states_worth_a_thread = 8192, piece_states = 1024;

/// Buffers as rows of doubles: of floats, a copy, which answers are rounded from.
class Numbers {
 public:
  Numbers(const xla::Buffer& buffer, std::int64_t states, bool answer) : buffer_(buffer) {
    std::int64_t size = 1;
    for (std::int64_t k = 0; k < buffer.rank; ++k) size *= buffer.shape[k];
    columns_ = states == 0 ? 0 : size / states;
    if (buffer.type == xla::f64) {
      data_ = static_cast<double*>(buffer.data);
      return;
    }
    copy_.resize(static_cast<std::size_t>(size));
    if (!answer) std::copy_n(static_cast<const float*>(buffer.data), size, copy_.begin());
    data_ = copy_.data();
  }
  double* row(std::int64_t k) { return data_ + k * columns_; }
  StateRows<const double> from(std::int64_t first) { return {row(first), columns_}; }
  StateRows<double> to(std::int64_t first) { return {row(first), columns_}; }
  std::span<const double> state(std::int64_t k) { return {row(k), static_cast<std::size_t>(columns_)}; }
  std::span<double> answer(std::int64_t k) { return {row(k), static_cast<std::size_t>(columns_)}; }
  void finish() {
    if (buffer_.type == xla::f32)
      std::ranges::transform(copy_, static_cast<float*>(buffer_.data), [](double x) { return static_cast<float>(x); });
  }

 private:
  const xla::Buffer& buffer_;
  std::vector<double> copy_;
  double* data_ = nullptr;
  std::int64_t columns_ = 0;
};

/// Frames that compiled programs ask for; they stay, as the robots do.
struct AskedFrames {
  std::mutex mutex;
  std::deque<Frame<double>> all;
};
AskedFrames& asked_frames() {
  static AskedFrames frames;
  return frames;
}

/// body(first, count) for pieces of the states, on as many threads as they are worth. What it throws is thrown here.
template <class Body>
void share(std::int64_t states, std::int64_t threads, const Body& body) {
  if (threads == 0)
    threads = std::min<std::int64_t>(std::thread::hardware_concurrency(), states / states_worth_a_thread);
  const std::int64_t pieces = (states + piece_states - 1) / piece_states;
  threads = std::min(threads, pieces);
  if (threads <= 1) {
    if (states > 0) body(std::int64_t{0}, states);
    return;
  }
  share_out(pieces, static_cast<int>(threads),
            [&](std::int64_t k) { body(k * piece_states, std::min(piece_states, states - k * piece_states)); });
}

void expect(const Status& status) {
  if (status.kind == Status::wrong_size) throw std::logic_error("rows of a call do not fit its robot");
}

/// What lanes answer in the type of the buffers: torques, accelerations, mass matrices, poses.
template <class Real>
void in_lanes(const Robot& robot, Question question, const xla::Call& call, std::int64_t states, std::int64_t threads,
              std::int64_t frame) {
  const Model<double>& model = robot.model();
  const auto argument = [&](int k, std::int64_t first) {
    const std::ptrdiff_t columns = k == 0 ? model.nq : model.nv;
    return StateRows<const Real>{static_cast<const Real*>(call.arguments.all[k]->data) + first * columns, columns};
  };
  const auto result = [&](int k, std::int64_t first, std::ptrdiff_t columns) {
    return StateRows<Real>{static_cast<Real*>(call.results.all[k]->data) + first * columns, columns};
  };
  share(states, threads, [&](std::int64_t first, std::int64_t count) {
    if (question == Question::pose) {
      const Frame<double>* const at = frame < 0 ? nullptr : &asked_frames().all[static_cast<std::size_t>(frame)];
      const auto dynamics = robot.work<Dynamics>(at, [&] {
        DynamicsOptions options{.questions = Questions::all_but_forward};
        if (at) options.tool = *at;
        return std::make_unique<Dynamics>(robot, options);
      });
      return expect(dynamics->tool(count, argument(0, first), result(0, first, 12), result(1, first, 6 * model.nv)));
    }
    const auto dynamics = robot.dynamics();
    if (question == Question::inverse)
      expect(dynamics->inverse(count, argument(0, first), argument(1, first), argument(2, first),
                               result(0, first, model.nv)));
    else if (question == Question::forward)
      expect(dynamics->forward(count, argument(0, first), argument(1, first), argument(2, first),
                               result(0, first, model.nv)));
    else
      expect(dynamics->mass(count, argument(0, first), result(0, first, model.nv * model.nv)));
  });
}

void products(const Robot& robot, Question question, const xla::Call& call, std::int64_t states, std::int64_t threads) {
  const Model<double>& model = robot.model();
  const bool plain = has_plain_positions(model),
             forward = question == Question::forward_jvp || question == Question::forward_vjp;
  std::deque<Numbers> in, out;
  for (std::int64_t k = 0; k < call.arguments.size; ++k) in.emplace_back(*call.arguments.all[k], states, false);
  for (std::int64_t k = 0; k < call.results.size; ++k) out.emplace_back(*call.results.all[k], states, true);
  // displacements in place of changes of the numbers of q, and gradients along them, where these are not the same
  std::vector<double> along(plain ? 0 : static_cast<std::size_t>(states * model.nv));
  const auto tangent = [&](std::int64_t k) {
    return std::span(along).subspan(static_cast<std::size_t>(k * model.nv), static_cast<std::size_t>(model.nv));
  };
  share(states, threads, [&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    const auto q = in[0].from(first), qd = in[1].from(first), last = in[2].from(first);
    if (question == Question::inverse_jvp || question == Question::forward_jvp) {
      if (!plain)
        for (std::int64_t k = first; k < first + count; ++k)
          position_tangent<double>(model, in[0].state(k), in[3].state(k), tangent(k));
      const StateRows<const double> dq =
          plain ? in[3].from(first) : StateRows<const double>{tangent(first).data(), model.nv};
      expect(
          forward
              ? dynamics->forward_jvp(count, q, qd, last, dq, in[4].from(first), in[5].from(first), out[0].to(first))
              : dynamics->inverse_jvp(count, q, qd, last, dq, in[4].from(first), in[5].from(first), out[0].to(first)));
      return;
    }
    const StateRows<double> by_q = plain ? out[0].to(first) : StateRows<double>{tangent(first).data(), model.nv};
    expect(
        forward
            ? dynamics->forward_vjp(count, q, qd, last, in[3].from(first), by_q, out[1].to(first), out[2].to(first))
            : dynamics->inverse_vjp(count, q, qd, last, in[3].from(first), by_q, out[1].to(first), out[2].to(first)));
    if (!plain)
      for (std::int64_t k = first; k < first + count; ++k)
        position_gradient<double>(model, in[0].state(k), tangent(k), out[0].answer(k));
  });
  for (Numbers& each : out) each.finish();
}

void second_products(const Robot& robot, Question question, const xla::Call& call, std::int64_t states,
                     std::int64_t threads) {
  std::deque<Numbers> in, out;
  for (std::int64_t k = 0; k < call.arguments.size; ++k) in.emplace_back(*call.arguments.all[k], states, false);
  for (std::int64_t k = 0; k < call.results.size; ++k) out.emplace_back(*call.results.all[k], states, true);
  share(states, threads, [&](std::int64_t first, std::int64_t count) {
    const auto work = robot.work<SecondProducts>();
    for (std::int64_t k = first; k < first + count; ++k) {
      const auto q = in[0].state(k), qd = in[1].state(k), last = in[2].state(k);
      const auto change = [&](std::size_t j) {
        return NumbersChange{in[j].state(k), in[j + 1].state(k), in[j + 2].state(k)};
      };
      const auto gradient = [&] { return NumbersGradient{out[0].answer(k), out[1].answer(k), out[2].answer(k)}; };
      int massless = -1;
      switch (question) {
        case Question::inverse_curvature:
          work->inverse_curvature(q, qd, last, change(3), change(6), out[0].answer(k));
          break;
        case Question::forward_curvature:
          massless = work->forward_curvature(q, qd, last, change(3), change(6), out[0].answer(k));
          break;
        case Question::inverse_hvp: work->inverse_hessian(q, qd, last, in[3].state(k), change(4), gradient()); break;
        default: massless = work->forward_hessian(q, qd, last, in[3].state(k), change(4), gradient());
      }
      if (massless >= 0)
        for (Numbers& each : out) std::ranges::fill(each.answer(k), std::nan(""));
    }
  });
  for (Numbers& each : out) each.finish();
}

std::int64_t attribute(const xla::Call& call, std::string_view name) {
  for (std::int64_t k = 0; k < call.attributes.size; ++k)
    if (std::string_view(call.attributes.names[k]->data, call.attributes.names[k]->size) == name)
      return *static_cast<const std::int64_t*>(call.attributes.values[k]->value);
  throw std::logic_error("a call of torsor.jax has no " + std::string(name));
}

void answer(const xla::Call& call) {
  const auto& robot = *reinterpret_cast<const Robot*>(attribute(call, "robot"));
  const auto question = static_cast<Question>(attribute(call, "question"));
  const std::int64_t threads = attribute(call, "threads");
  const xla::Buffer& q = *call.arguments.all[0];
  std::int64_t states = 1;
  for (std::int64_t k = 0; k + 1 < q.rank; ++k) states *= q.shape[k];
  if (q.type != xla::f64 && q.type != xla::f32) throw std::logic_error("torsor.jax takes float64 and float32");
  if (question <= Question::pose) {
    if (q.type == xla::f64)
      in_lanes<double>(robot, question, call, states, threads, attribute(call, "frame"));
    else
      in_lanes<float>(robot, question, call, states, threads, attribute(call, "frame"));
  } else if (question <= Question::forward_vjp) {
    products(robot, question, call, states, threads);
  } else {
    second_products(robot, question, call, states, threads);
  }
}

/// The foreign function itself. Nothing is thrown into the program that calls.
extern "C" xla::Error* torsor_answers_xla(xla::Call* call) {
  for (xla::Extension* e = call->extensions; e; e = e->next)
    if (e->type == 1) {
      xla::Version& version = reinterpret_cast<xla::MetadataExtension*>(e)->metadata->version;
      version.major_version = xla::major_version;
      version.minor_version = xla::minor_version;
      return nullptr;
    }
  if (call->stage != xla::execute) return nullptr;
  try {
    answer(*call);
  } catch (const std::exception& fault) {
    xla::ErrorArguments arguments{sizeof(xla::ErrorArguments), nullptr, fault.what(), 3};
    return call->interface->create_error(&arguments);
  }
  return nullptr;
}

}  // namespace

void bind_jax_calls(nb::module_& m) {
  m.def("_xla_function", [] { return nb::capsule(reinterpret_cast<void*>(torsor_answers_xla)); });
  m.def("_xla_robot", [](const Robot& robot) {
    robot.expect_tree();  // of loops there are no gradients
    robot.refuse_massless();
    return reinterpret_cast<std::int64_t>(&robot);
  });
  m.def(
      "_xla_frame",
      [](const Robot& robot, nb::handle name) {
        AskedFrames& frames = asked_frames();
        const Frame<double> frame = robot.frame("frame_pose", name);
        const std::lock_guard lock(frames.mutex);
        frames.all.push_back(frame);
        return static_cast<std::int64_t>(frames.all.size()) - 1;
      },
      "robot"_a, "name"_a.none());
}

}  // namespace torsor::python
