// What a sizing says, as tables and plots: joints, motors, the motors' curves, gear ratios, power over time.
#pragma once

#include "torsor/report/column_curves.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/model/description.hpp"
#include "torsor/drives/sizing_result.hpp"
#include "torsor/dynamics/limit_watch.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// Gathers what the plots need while the instants go by; memory does not grow with the motion.
class SizingCurves {
 public:
  SizingCurves(const Sizing& sizing, const Model<double>& model);

  void add(double t, std::span<const double> instant);

  /// Torques over speeds of the joints, with the limits of the robot file.
  PlotGrid joint_clouds(bool degrees) const;
  /// Torques over speeds of the motors, with their curves.
  PlotGrid motor_clouds() const;
  /// Power of each joint and of all motors together.
  SvgPlot power() const;

 private:
  const Sizing& sizing_;
  const Model<double>& model_;
  std::vector<ThinnedSeries> joints_, motors_;
  ColumnCurves power_;
  std::vector<double> now_;
};

/// An instant for the picture, with the torques that colour its joints.
void add_sized(RobotMotion& pictures, Sizing& sizing, const MotionRow& row);

struct SizingFacts {
  std::string motion;
  double duration = 0, dwell = 0;  // [s]
  SizingError error;
  bool rows = false;                      // the motion was known in rows, not at any time
  bool rotors = false, friction = false;  // whether the robot file has any that are not zero
  std::vector<std::string> remarks = {};  // what was applied, what the reader should know
};

/// `0.5 s of motion and 0.2 s at rest; energies good to 1e-9 J`.
std::string headline(const SizingResult& sized, const SizingFacts& facts);

/// Everything but the plots.
std::vector<TextTable> sizing_tables(const SizingResult& sized, const LimitWatch& limits, const SizingFacts& facts,
                                     const PrintStyle& print);

/// Whether the robot has rotors and friction, and a remark where it has not: a drive would feel them.
void note_what_is_missing(const Description& robot, SizingFacts& facts);

/// Sentences: of each motor whether it will do, of the robot which limit is passed first.
std::vector<Paragraph> sizing_verdicts(const SizingResult& sized, const LimitWatch& limits);

/// The page; tables and verdicts included.
void describe_sizing(Report& report, const Sizing& sizing, const SizingResult& sized, const LimitWatch& limits,
                     const SizingCurves& curves, const SizingFacts& facts, const PrintStyle& print);

/// The page with the robot as it moves, and the robot itself. model: the robot under its loads; finished: the motion came to its end.
Report sizing_report(const Robot& robot, const Model<double>& model, const Sizing& sizing, const SizingResult& sized,
                     const SizingCurves& curves, const SizingFacts& facts, const LimitWatch& limits,
                     const RobotMotion& motion, bool finished, const PrintStyle& print);

}  // namespace torsor
