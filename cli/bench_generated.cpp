// Generated code beside the peers: C for this one robot, compiled while the
// comparison is prepared and loaded into it.
#include <dlfcn.h>
#include <fmt/format.h>

#include "cli/bench_calls.hpp"
#include "torsor/codegen/generate.hpp"
#include "torsor/codegen/work_folder.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// A function of a robot as machine code.
struct CompiledFunction {
  std::shared_ptr<void> library;
  void* address = nullptr;
  long operations = 0;
};

/// Nothing where the code is refused, or there is no compiler.
std::optional<CompiledFunction> compiled(const BenchRobot& robot, CodeFunction function) {
  if (robot.model.frames.empty()) return std::nullopt;
  CodeOptions options;
  options.functions = {function};
  options.name = "robot";
  const auto code = codegen({&robot.model, robot.model.frames.back()}, options);
  const WorkFolder folder;
  if (!code || !folder.write("robot.c", code->source) || !folder.write("robot.h", code->header)) return std::nullopt;
  const std::string command = fmt::format(
      "cc -std=c99 -O3 -march=native -ffp-contract=fast "
      "-fno-tree-slp-vectorize -shared -fPIC -w -o {} {} >{} 2>&1",
      shell_word(folder.file("robot.so")), shell_word(folder.file("robot.c")), shell_word(folder.file("log")));
  if (std::system(command.c_str()) != 0) return std::nullopt;
  std::shared_ptr<void> library(dlopen(folder.file("robot.so").c_str(), RTLD_NOW | RTLD_LOCAL),
                                [](void* open) { open ? dlclose(open) : 0; });
  if (!library) return std::nullopt;
  const GeneratedFunction& made = code->functions.front();
  void* address = dlsym(library.get(), made.name.c_str());
  if (!address) return std::nullopt;
  return CompiledFunction{library, address, made.count.multiplications + made.count.additions};
}

using In = const double*;
using Out = double*;

struct GeneratedWork {
  CompiledFunction code;
  std::vector<double> out;

  template <class... Argument>
  void call(Argument... argument) const {
    reinterpret_cast<void (*)(Argument...)>(code.address)(argument...);
  }
};

struct GeneratedInverse : GeneratedWork {
  void run(const BenchState& x) { call<In, In, In, Out>(x.q.data(), x.qd.data(), x.qdd.data(), out.data()); }
};

struct GeneratedMass : GeneratedWork {
  void run(const BenchState& x) { call<In, Out>(x.q.data(), out.data()); }
};

struct GeneratedForward : GeneratedWork {
  void run(const BenchState& x) { call<In, In, In, Out>(x.q.data(), x.qd.data(), x.tau.data(), out.data()); }
};

struct GeneratedJacobian : GeneratedWork {
  void run(const BenchState& x) { call<In, Out, Out, Out>(x.q.data(), R, p, out.data()); }
  double R[9] = {}, p[3] = {};
};

struct GeneratedDerivatives : GeneratedWork {
  void run(const BenchState& x) {
    call<In, In, In, Out, Out, Out>(x.q.data(), x.qd.data(), x.qdd.data(), out.data(), out.data() + out.size() / 2,
                                    M.data());
  }
  std::vector<double> M = std::vector<double>(out.size() / 2);
};

template <class Work>
std::optional<BenchCall> generated_call(const BenchRobot& robot, CodeFunction function, std::size_t size) {
  auto code = compiled(robot, function);
  if (!code) return std::nullopt;
  const long operations = code->operations;
  return single_call(robot, std::make_shared<Work>(Work{{*std::move(code), std::vector<double>(size)}}), operations);
}

}  // namespace

std::span<const BenchRow> generated_bench_rows() {
  static constexpr BenchRow all[] = {
      {"id", "generated",
       [](const BenchRobot& robot) {
         return generated_call<GeneratedInverse>(robot, CodeFunction::id, static_cast<std::size_t>(robot.model.nv));
       }},
      {"mass", "generated",
       [](const BenchRobot& robot) {
         return generated_call<GeneratedMass>(robot, CodeFunction::mass, cells(robot.model.nv, robot.model.nv));
       }},
      {"fd", "generated",
       [](const BenchRobot& robot) {
         return generated_call<GeneratedForward>(robot, CodeFunction::fd, static_cast<std::size_t>(robot.model.nv));
       }},
      {"jacobian", "generated",
       [](const BenchRobot& robot) {
         return generated_call<GeneratedJacobian>(robot, CodeFunction::jacobian, cells(6, robot.model.nv));
       }},
      {"derivatives", "generated",
       [](const BenchRobot& robot) {
         return generated_call<GeneratedDerivatives>(robot, CodeFunction::derivatives,
                                                     cells(2 * robot.model.nv, robot.model.nv));
       }},
  };
  return all;
}

}  // namespace torsor
