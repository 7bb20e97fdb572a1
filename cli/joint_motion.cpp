#include "cli/joint_motion.hpp"

#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/motion_job.hpp"
#include "torsor/trajectory/pick_and_place.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_rows = 1'000'000;
constexpr const char* built_in = "pick-and-place";

Error too_long() {
  return {
      {}, "--motion", "motion-length", fmt::format("it has more than {} instants", most_rows), "take fewer samples"};
}

Result<std::vector<MotionRow>> read_csv(const JointMotionArguments& a, const Model<double>& model) {
  const auto cutoff = read_cutoff(a.cutoff);
  if (!cutoff) return cutoff.errors();
  InputFile input(*a.motion);
  if (!input.errors().empty()) return input.errors();
  MotionStream stream(model, input.stream(), input.name(), {2, *cutoff, true});
  std::vector<MotionRow> rows;
  for (MotionRow row; stream.next(row); rows.push_back(row))
    if (rows.size() == most_rows) return too_long();
  if (!stream.reader().ok()) return stream.reader().errors();
  if (rows.empty()) return Error{{input.name(), 0}, "", "motion-empty", "has no rows", "give at least one instant"};
  if (stream.reader().derived())
    note(derivation_sentence(
        {0, 0, true, true, stream.reader().cutoff(), stream.reader().period(), stream.reader().even()}));
  return rows;
}

template <JointMotion M>
Result<std::vector<MotionRow>> sampled(const M& motion, const JointMotionArguments& a, const Model<double>& model) {
  Errors errors;
  refuse_if(a.cutoff.has_value(), "--cutoff", "with a motion that is no CSV file", errors);
  if (motion.size() != static_cast<std::size_t>(model.nv))
    errors.push_back({{},
                      "--motion " + *a.motion,
                      "motion-size",
                      fmt::format("it moves {} joints, and {} has {}", motion.size(), model.name, model.nv),
                      "take a motion of this robot"});
  const auto period = a.sampling.period(motion.duration());
  collect(period, errors);
  if (!errors.empty()) return errors;
  if (sample_count(motion.duration(), *period) > static_cast<std::int64_t>(most_rows)) return too_long();
  std::vector<MotionRow> rows;
  sample_motion(motion, *period, [&](const MotionRow& row) { rows.push_back(row); });
  return rows;
}

}  // namespace

void JointMotionArguments::add_to(Options& options, const std::string& what) {
  options.group("Motion")
      .text("--motion", "MOTION", motion,
            fmt::format(
                "{}: a CSV file (t, q1.. or joint names, perhaps qd1.., qdd1..), a motion file (.toml), the name of "
                "a published motion, or {} (of a PUMA 560)",
                what, built_in))
      .text("--cutoff", "HZ", cutoff, "of the smoothing spline that gives the qd and qdd a CSV file has not; or none");
  sampling.add_to(options);
  options.group("Options");
}

Result<std::vector<MotionRow>> read_joint_motion(const JointMotionArguments& a, const Model<double>& model) {
  if (*a.motion == built_in) return sampled(pick_and_place_puma560(), a, model);
  if (names_file(*a.motion) && !a.motion->ends_with(".toml")) {
    Errors errors;
    refuse_if(a.sampling.any(), "--step or --rate", "with a CSV file: it has its own instants", errors);
    if (!errors.empty()) return errors;
    return read_csv(a, model);
  }
  const auto planned = load_motion(*a.motion, std::nullopt, &model);
  if (!planned) return planned.errors();
  if (const AnyMotion* joints = planned->joints()) return sampled(*joints, a, model);
  return Error{{},
               "--motion " + *a.motion,
               "motion-kind",
               "it is a motion of the hand",
               "let torsor ik --path make a joint motion of it first"};
}

}  // namespace torsor
