#include "torsor/files/torque_record.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "torsor/files/load_robot.hpp"

using namespace torsor;

namespace {

struct TorqueRecord : RecordNotes {
  std::vector<TorqueSample> samples;
  std::vector<double> t;
};

// all rows, or every fault
Result<TorqueRecord> record_of(const std::string& text) {
  const auto model = build(*load_robot("two_link"));
  TorqueFile rows(*model, [&] { return std::make_unique<std::istringstream>(text); }, "record.csv");
  TorqueRecord record;
  while (const TorqueSample* sample = rows.next()) {
    record.samples.push_back(*sample);
    record.t.push_back(rows.t());
  }
  if (!rows.faults().empty()) return rows.faults();
  static_cast<RecordNotes&>(record) = rows.notes();
  if (!record.timed) record.t.clear();
  return record;
}

}  // namespace

TEST_CASE("a record is a motion with efforts, in any order of columns") {
  const auto record =
      record_of("tau2,q1,q2,qd1,qd2,qdd1,qdd2,tau.q1,state\n8,1,2,3,4,5,6,7,1\n80,10,20,30,40,50,60,70,2\n");
  REQUIRE(record);
  REQUIRE(record->samples.size() == 2);
  CHECK(record->samples[0].q == std::vector<double>{1, 2});
  CHECK(record->samples[0].qdd == std::vector<double>{5, 6});
  CHECK(record->samples[1].tau == std::vector<double>{70, 80});
  CHECK(record->t.empty());
  CHECK(!record->derived);
  CHECK(record->ignored == std::vector<std::string>{"state"});
}

TEST_CASE("missing rates are derived, missing efforts are not") {
  std::string text = "t,q1,q2,tau1,tau2\n";
  for (int k = 0; k < 60; ++k) text += std::to_string(k * 0.01) + ',' + std::to_string(k * 0.02) + ",0.5,1,2\n";
  const auto record = record_of(text);
  REQUIRE(record);
  CHECK(record->derived);
  CHECK(record->samples.size() == 60);
  CHECK(record->t.size() == 60);
  CHECK(record->samples[30].qd[0] == doctest::Approx(2).epsilon(1e-3));
  CHECK(record->samples[30].tau == std::vector<double>{1, 2});

  const auto without = record_of("t,q1,q2,qd1,qd2,qdd1,qdd2,tau1\n0,0,0,0,0,0,0,1\n");
  REQUIRE(!without);
  CHECK(without.faults().size() == 1);
  CHECK(without.faults()[0].offender == "column \"tau2\"");
}

TEST_CASE("efforts whose squares are no numbers are refused, each with its line") {
  const auto record = record_of("q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n0,0,0,0,0,0,1,1e100\n0,0,0,0,0,0,1e308,-1e200\n");
  REQUIRE(!record);
  REQUIRE(record.faults().size() == 2);
  for (const Fault& error : record.faults()) {
    CHECK(error.rule == "effort-range");
    CHECK(error.where.line == 3);
  }
  CHECK(record.faults()[0].offender == "column \"tau1\"");
}

TEST_CASE("every fault of motion and efforts is told, each once") {
  const auto record = record_of("q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n0,0,0,0,0,0,x,0\n0,y,0,0,0,0,0,0\n0,0\n");
  REQUIRE(!record);
  CHECK(record.faults().size() == 3);
}
