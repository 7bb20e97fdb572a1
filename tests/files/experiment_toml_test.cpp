#include "torsor/files/experiment_toml.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/files/file_text.hpp"
#include "tests/support/mutate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

ControlExperiment example_experiment(TaskKind kind) {
  ControlExperiment e;
  e.robot = "my \"arm\".toml";
  e.tool = "drill";
  e.digest = "0123456789abcdef";
  e.task.kind = kind;
  e.task.start = {0.1, -1.0 / 3, 2};
  e.task.turn = {0, 0, 0.4};
  e.task.duration = 0.7;
  e.task.rest = 0.3;
  if (kind == TaskKind::arc) {
    e.task.centre = {0.5, 0.1, 1.0 / 7};
    e.task.axis = {0, 1, 0};
    e.task.angle = 6.28;
  } else {
    e.task.way = {0.3, 0, -1e-3};
  }
  if (kind == TaskKind::contact) e.task.wall = {{0.4, 0, 0.5}, {-1, 0, 0}, 2e4, 150};
  if (kind == TaskKind::payload) {
    e.task.payload = 2.4;
    e.task.payload_time = 0.35;
  }
  e.laws = {"computed-torque", "impedance"};
  if (kind == TaskKind::line) e.speeds = {0.5, 1.0 / 3};
  e.model = ControllerKind::reduced;
  e.reduced_tolerance = 0.02;
  e.rate = 2000;
  e.delay = 0.1 + 0.2;
  e.gains = {1600, 80};
  e.limits = false;
  e.knots = 7;
  e.impedance_bandwidth = 0.25;
  if (kind == TaskKind::contact) e.impedance = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, {13, 14, 15, 16, 17, 18}};
  e.model_error = 0.1;
  e.seed = 9007199254740991;
  return e;
}

Fault experiment_fault(TaskKind kind, const std::string& piece, const std::string& by) {
  const Fault fault = fault_after(write_experiment_toml(example_experiment(kind)), piece, by, read_experiment_toml);
  CHECK(fault.where.line > 0);
  return fault;
}

}  // namespace

TEST_CASE("an experiment is read as it is written, every number to its last bit") {
  for (const TaskKind kind : {TaskKind::line, TaskKind::arc, TaskKind::contact, TaskKind::payload}) {
    const ControlExperiment e = example_experiment(kind);
    const std::string text = write_experiment_toml(e);
    const auto read = read_experiment_toml(text, "file.toml");
    for (const Fault& error : read.faults()) MESSAGE(to_string(error));
    REQUIRE(read);
    CHECK(write_experiment_toml(*read) == text);
    CHECK(read->robot == e.robot);
    CHECK(read->tool == e.tool);
    CHECK(read->digest == e.digest);
    CHECK(read->speeds == e.speeds);
    CHECK(read->task.kind == kind);
    CHECK(read->task.start == e.task.start);
    CHECK(read->task.way.z == e.task.way.z);
    CHECK(read->task.centre.z == e.task.centre.z);
    CHECK(read->task.wall.damping == e.task.wall.damping);
    CHECK(read->task.payload_time == e.task.payload_time);
    CHECK(read->laws == e.laws);
    CHECK(read->model == e.model);
    CHECK(read->delay == e.delay);
    CHECK(read->limits == e.limits);
    CHECK(read->impedance.stiffness == e.impedance.stiffness);
    CHECK(read->seed == e.seed);
  }
}

TEST_CASE("faults of an experiment's file are told with their line and what to do") {
  Fault fault = experiment_fault(TaskKind::line, "rate = 2000", "rate = -3");
  CHECK(fault.offender == "rate");
  CHECK(fault.where.line == 20);
  fault = experiment_fault(TaskKind::line, "\"impedance\"", "\"impedence\"");
  CHECK(fault.what.find("impedence") != std::string::npos);
  CHECK(fault.remedy.find("impedance-force") != std::string::npos);
  CHECK(experiment_fault(TaskKind::line, "kind = \"line\"", "kind = \"lime\"").rule == "task-kind");
  CHECK(experiment_fault(TaskKind::line, "way = [0.3, 0, -0.001]", "").rule == "key-missing");
  CHECK(experiment_fault(TaskKind::line, "duration = 0.7", "duration = 0").offender == "task: duration");
  CHECK(experiment_fault(TaskKind::line, "duration = 0.7", "durration = 0.7").rule == "key-unknown");
  CHECK(experiment_fault(TaskKind::line, "rest = 0.3", "rest = \"long\"").rule == "type");
  CHECK(experiment_fault(TaskKind::line, "seed = 9007199254740991", "seed = 1.5").rule == "whole-number");
  CHECK(experiment_fault(TaskKind::line, "model = \"reduced\"", "model = \"exact\"").rule == "controller-model");
  CHECK(experiment_fault(TaskKind::arc, "axis = [0, 1, 0]", "axis = [0, 2, 0]").offender == "task: axis");
  CHECK(experiment_fault(TaskKind::contact, "stiffness = 20000", "stiffness = -1").offender == "task: wall");
  CHECK(experiment_fault(TaskKind::contact, "mass = [1, 2, 3, 4, 5, 6]", "mass = [1, 2, 3]").rule == "list-length");
  CHECK(experiment_fault(TaskKind::contact, "mass = [1,", "mass = [0,").offender == "mass");
  CHECK(experiment_fault(TaskKind::payload, "payload_time = 0.35", "payload_time = 35").offender ==
        "task: payload_time");
  CHECK(experiment_fault(TaskKind::line, "format = 1", "format = 2").rule == "format-version");
}

TEST_CASE("no bytes bring the reader of experiments down") {
  testing::Random random(71);
  const std::string pieces[] = {"1e300", "-1", "0", "nan", "99", "\"pd\"", "\"arc\"", "\"", "[", "]", ",", "\n"};
  const std::string sound = write_experiment_toml(example_experiment(TaskKind::contact));
  for (int k = 0; k < testing::draws(1000); ++k) {
    const std::string text = testing::mutated(sound, {pieces, std::span(pieces).subspan(0, 5)}, random);
    const auto e = read_experiment_toml(text, "file.toml");
    if (e)
      CHECK(read_experiment_toml(write_experiment_toml(*e), "again.toml"));
    else
      CHECK_FALSE(e.faults().empty());
  }
}
