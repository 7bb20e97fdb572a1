// torsor agree --against ENGINE, with a stand-in for the engine: a Python interpreter of ours that speaks its protocol
// (script, engine, robot file, states, where to write) and takes the torques from `torsor id`, with mistakes put in.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// The stand-in; `mistake` is Python that changes the list tau of a row of n joints, whose number is k.
std::string stand_in(const std::string& name, const std::string& mistake) {
  const std::string file =
      write(name, R"py(#!/usr/bin/env python3
import csv, os, random, subprocess, sys
script, engine, robot, states, out = sys.argv[1:6]
assert os.path.exists(script) and engine in ("pinocchio", "mujoco", "drake")
random.seed(1)
torques = out + ".id"
subprocess.run([")py" +
                      places::command_path() +
                      R"py(", "id", robot, "--motion", states, "-o", torques], check=True, capture_output=True)
rows, answers = list(csv.DictReader(open(states))), list(csv.DictReader(open(torques)))
names = [key[2:] for key in rows[0] if key.startswith("q.")]
print("Stand-in 1.0")
with open(out, "w", newline="") as file:
    write = csv.writer(file)
    write.writerow([f"{kind}.{joint}" for kind in ("q", "qd", "qdd", "tau") for joint in names])
    for k, (row, answer) in enumerate(zip(rows, answers)):
        tau = [float(answer["tau." + joint]) for joint in names]
        qd = [float(row["qd." + joint]) for joint in names]
)py" + mistake + R"py(
        write.writerow([row[f"{kind}.{joint}"] for kind in ("q", "qd", "qdd") for joint in names] + [repr(x) for x in tau])
)py");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

json answer_of(const std::string& engine, const std::string& python, int code) {
  const Outcome outcome = torsor("agree puma560 --against " + engine + " --python " + python + " --states 40 --json");
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  return json_of(outcome);
}

}  // namespace

TEST_CASE("an engine that says the same agrees, and mistakes are recognised for what they are") {
  for (const char* engine : {"pinocchio", "mujoco", "drake"}) {
    CAPTURE(engine);
    const json same = answer_of(engine, stand_in("same.py", ""), 0);
    CHECK(same["agree"] == true);
    CHECK(same["against"] == "Stand-in 1.0");
    CHECK(same["row_count"] == 40);

    const json joint = answer_of(engine, stand_in("joint.py", "        tau[2] *= 1.25\n"), 1);
    CHECK(joint["reason"] == "joint-factor");
    CHECK(joint["joints"][2]["differs"] == true);
    CHECK(joint["joints"][1]["differs"] == false);
    CHECK(joint["guesses"][0]["sizes"][0]["value"].get<double>() == doctest::Approx(1.25));

    const json all = answer_of(engine, stand_in("all.py", "        tau = [x * 0.4 for x in tau]\n"), 1);
    CHECK(all["reason"] == "effort-size");

    const json noise =
        answer_of(engine, stand_in("noise.py", "        tau = [x + random.gauss(0, 0.3) for x in tau]\n"), 1);
    CHECK(noise["reason"] == "noise");
  }
}

TEST_CASE("what is not there is an error with its remedy") {
  CHECK(tells(torsor("agree puma560 --against mujoco --python ./nobody").err, "engine-python", {"--python"}));
  const std::string missing = write("missing.sh", "#!/bin/sh\necho \"No module named 'mujoco'\" >&2\nexit 3\n");
  std::filesystem::permissions(missing, std::filesystem::perms::owner_all);
  const Outcome none = torsor("agree puma560 --against mujoco --python " + missing);
  CHECK(none.code == 2);
  CHECK(tells(none.err, "engine-missing", {"pip", "install", "mujoco"}));
  const std::string unwilling = write("unwilling.sh", "#!/bin/sh\necho \"inertia must be positive\" >&2\nexit 4\n");
  std::filesystem::permissions(unwilling, std::filesystem::perms::owner_all);
  CHECK(tells(torsor("agree puma560 --against drake --python " + unwilling).err, "engine-refused",
              {"inertia", "must", "be", "positive"}));
  CHECK(tells(torsor("agree floating --against drake --python " + unwilling).err, "engine-robot"));
  CHECK(tells(torsor("agree puma560 --python x").err, "option-mode", {"--python"}));
  CHECK(tells(torsor("agree puma560 --against mujoco --cutoff 5").err, "option-mode", {"--cutoff"}));
}
