// Results as the engine writes them: made from their lists of fields (torsor/fields.hpp) by tests/studio/results_test.cpp, not by hand.
import type {Pose} from './answers';

/** Numbers in several axes, row by row. */
export type Axes = (number | Axes)[];

/** Whether the number of solutions of a pose is certain. */
export interface IkProof {
  proven: boolean;  // whether the count is
  count: number;  // proven: exactly so many, limits or not
  missing: number[][];  // of them those that were not found, (nq,) each
  sentence: string;  // the same in words
}

/** A number that was taken as the special one it is close to. */
export interface Snap {
  what: string;
  residual: number;  // between them
  unit: string;  // rad or m
}

/** One joint position that puts the tool where it should be: its label, its status, its numbers. */
export interface IkBranch {
  branch: string;  // as options have it: + - +
  label: string;  // the same in words: shoulder +, elbow -, wrist +
  shoulder: number;  // +1, -1, or 0 where there is no choice
  elbow: number;
  wrist: number;
  root: number;  // number of the solution where shoulder and elbow have no meaning, else 0
  determinant_sign: number;  // of the general form: sign of det J, beside the root; else 0
  q: number[];  // joint positions, rad and m
  status: string;  // ok, near-singular, singular or outside limits
  explanation: string;  // of the status
  losses: string | null;  // what a singular branch loses and what remains of it
  inside_limits: boolean;
  beyond_limits: number[];  // how far each joint is beyond its limits, 0 inside
  determinant: number;  // of the Jacobian
  factors: number[];  // of det J: shoulder, elbow, wrist; 1 far from singular, 0 there
  free: string[];  // joints that may have any value while the others follow
  family_dimension: number;  // 1: one of a curve of solutions, 2: of a surface; 0: alone
  moves: string[];  // joints that change along that curve
  wrist_sign: number;  // at a wrist singularity: 1 or -1, of the sum that is determined
  wrist_sum: number | null;  // that sum; rad
  position_residual: number;  // recomputed from q; m
  angle_residual: number;  // rad
  qd: number[] | null;  // where the tool moves
  qdd: number[] | null;
  velocity_status: string | null;  // ok, near-singular, or what is missed
  acceleration_status: string | null;  // likewise
  turns: number[][];  // positions that the limits allow, whole turns apart, where they are asked for
}

/** Every joint position for one pose of the tool. */
export interface IkAnswer {
  robot: string;
  tool: string;
  solver: string;  // closed form or general
  coordinates: string[];  // names of the joint positions
  pose: Pose;  // of the tool in the world
  form: string[];  // which form solves the robot, and why no other: sentences
  stages: string[];  // what each of its stages found, where that is asked for: sentences
  proof: IkProof | null;  // of the number of solutions, where that is asked for
  family: string;  // the closed form that solved it
  status: string;  // solved, unreachable, orientation unreachable or not a pose
  snaps: Snap[];  // special geometry that was assumed and corrected for
  branch_count: number;  // of the pose in all
  branches: IkBranch[];  // at most eight, of the general form sixteen; none twice
  straightened: IkBranch | null;  // of a nearly singular wrist: the member next to the joints asked for
  short_by: number;  // (or rad) to the nearest where the pose is unreachable; m
  nearest_is_least: boolean;  // whether that is proved to be the least
  nearest: IkBranch | null;  // unreachable: a branch that comes near
}

/** One joint position that puts the tool where it should be. */
export interface PoseSolutionRow {
  label: string;  // its number
  q: number[];  // (nq,), rad and m
  status: string;  // ok, near-singular, singular or outside limits
  inside_limits: boolean;
  position_residual: number;  // recomputed from q; m
  angle_residual: number;  // rad
  smallest_singular_value: number;  // of the joints that are not held, lengths in units of the arm
  family_dimension: number;  // 1: one of a curve of solutions, 2: of a surface; 0: alone
  moves: string[];  // joints that change along that curve
  qd: number[] | null;  // where the tool moves
  qdd: number[] | null;
  velocity_status: string | null;  // ok, near-singular, or what is missed
  acceleration_status: string | null;  // likewise
}

/** Values of the redundancy that have solutions. */
export interface FeasibleInterval {
  lower: number;
  upper: number;
}

/** All solutions of a pose of fewer than six joints, or of seven with one held. */
export interface PoseSolutions {
  robot: string;
  tool: string;
  solver: string;  // closed form or general
  coordinates: string[];  // names of the joint positions
  pose: Pose;  // of the tool in the world
  form: string[];  // which form solves the robot, and why no other: sentences
  stages: string[];  // what each of its stages found, where that is asked for: sentences
  proof: IkProof | null;  // of the number of solutions, where that is asked for
  status: string;  // solved or unreachable
  redundant_joint: string | null;  // the joint that is held, of seven
  redundancy: number | null;  // where it is held, rad or m
  swivel: number | null;  // the swivel angle, where that was asked for; rad
  solution_count: number;  // limits or not
  solutions: PoseSolutionRow[];  // none twice
  feasible: FeasibleInterval[];  // values of the redundancy with solutions inside the limits, where they are asked for
  feasible_swivel: FeasibleInterval[];  // swivel angles likewise, where the arm has one
}

/** What one leg of a parallel robot has for a pose. */
export interface LegBranches {
  name: string;  // of its loop; platform: the joints of the tree that carry it
  count: number;  // ways to put its joints
}

/** Positions of the actuators that put the platform where it should be. */
export interface ParallelSolution {
  q: number[];  // of the independent joints; rad or m
  joints: number[];  // of all joints of the tree; rad or m
  branch: number[];  // which of its ways each leg takes, from 1
  assembled: boolean;  // inside the limits, and the robot, asked for q, has its platform there: the mode of its loops
  inside_limits: boolean;  // of the independent joints
  closure_error: number;  // of all loops; m or rad
  residual: number;  // of what counts of the pose; m or rad
}

/** All solutions of a pose of a parallel robot, leg by leg. */
export interface ParallelSolutions {
  status: string;  // solved or unreachable
  legs: LegBranches[];  // the platform's chain first
  solutions: ParallelSolution[];  // that of the assembled mode first, then those inside the limits
  unreachable: string;  // the leg that does not reach
}

/** One way to put the loops together. */
export interface AssemblyMode {
  joints: number[];  // positions of all joints of the tree; rad or m
  assembled: boolean;  // the mode in which the robot has its loops
  inside_limits: boolean;  // of all joints
  closure_error: number;  // of all loops; m or rad
  determined: number;  // how well the dependent joints are, 0 at a dead centre
}

/** All ways to put the loops together at a position of the independent joints, by a search from random starts. */
export interface AssemblyModes {
  modes: AssemblyMode[];  // the assembled one first, then those inside the limits
  starts: number;  // of the search
  missing: number;  // modes that are expected to be there still, from how often each was found
  settled: boolean;  // each was found as often as was wanted
}

/** One addend of a sum. */
export interface WorkedTerm {
  symbol: string;  // its letters, LaTeX
  value: number;  // in the unit of the step
}

/** One step of a worked example. */
export interface WorkedStep {
  stage: string;  // of the calculation
  link: number;  // row of the DH table, from 1; 0 of all
  symbol: string;  // left side, LaTeX
  equation: string;  // right side, LaTeX
  reference: string;  // number of the equation in the source
  unit: string;  // of its values
  values: number[];  // a number, a vector, or a matrix row by row
  terms: WorkedTerm[];  // addends that are not zero, of a sum
}

/** One state worked through a formulation step by step. */
export interface WorkedExample {
  name: string;  // of the formulation
  title: string;  // in words
  source: string;  // whose letters and equations these are
  frames: string;  // in which the vectors are written
  steps: WorkedStep[];  // in the order of the calculation
  tau: number[];  // of the joints, without friction and without loads at the tool; N m or N
}

/** Where a comparison is worst. */
export interface Disagreement {
  disagreement: number;  // max |dtau| / max (|D qdd| + |h| + |g|)
  joint: string | null;  // None where nothing differs
  q: number[];  // the state
  qd: number[];
  qdd: number[];
  tau_first: number | null;  // N m or N, there
  tau_second: number | null;  // of other questions than inverse dynamics: what is off
}

/** A row of a catalogue and how it did, beside the first of its question. */
export interface CertifiedRow {
  question: string;  // inverse, coefficients, christoffel, mass or gravity
  name: string;
  source: string;
  frames: string;  // tree, standard DH or modified DH
  complexity: string;
  disagreement: number;  // max |dtau| / max (|D qdd| + |h| + |g|)
  joint: string | null;  // None where nothing differs
  q: number[];  // the state
  qd: number[];
  qdd: number[];
  tau_first: number | null;  // N m or N, there
  tau_second: number | null;  // of other questions than inverse dynamics: what is off
  reason: string | null;  // why it does not serve the robot; None if it does
}

/** Two formulations of inverse dynamics, and where they differ most. */
export interface CertifiedPair {
  first: string;
  second: string;
  disagreement: number;  // max |dtau| / max (|D qdd| + |h| + |g|)
  joint: string | null;  // None where nothing differs
  q: number[];  // the state
  qd: number[];
  qdd: number[];
  tau_first: number | null;  // N m or N, there
  tau_second: number | null;  // of other questions than inverse dynamics: what is off
}

/** Every formulation against every other, over random states of one robot. */
export interface Agreement {
  robot: string;
  states: number;  // how many
  seed: number;  // of them
  worst: Disagreement;  // of all
  formulations: CertifiedRow[];  // all that were run, those of inverse dynamics first
  names: string[];  // of the formulations of inverse dynamics
  matrix: Axes;  // (names, names): the worst disagreement of each pair
  pairs: CertifiedPair[];  // the same with the states
  refused: CertifiedRow[];  // those that do not serve the robot, with the reason
  snaps: Snap[];  // geometry that was taken as special: none, all forms are of the robot as typed
}

/** Operations; negation is free. */
export interface OperationCount {
  multiplications: number;
  additions: number;  // subtractions included
  divisions: number;
  square_roots: number;
  trigonometric: number;  // sines and cosines
  arctangents: number;
}

/** Operations of a formulation. */
export interface Tally {
  all: OperationCount;  // that are executed
  live: OperationCount;  // without what no torque depends on
}

/** What a formulation costs for a robot. */
export interface CensusRow {
  name: string;
  source: string;
  complexity: string;
  refused?: string;  // why it does not serve this robot
  dense?: Tally;  // zeros and ones inside run-time arithmetic are not exploited
  structured?: Tally;  // they are
  listing?: Tally;  // they are within a stage
}

/** What a motion asks of one joint: N m, rad/s, W, J (or N, m/s). */
export interface JointSizing {
  name: string;
  torque_unit: string;  // N m or N
  speed_unit: string;  // rad/s or m/s; deg/s where degrees are asked for
  peak_torque: number;  // N m or N, with its sign
  peak_torque_time: number;  // s
  rms_torque: number;  // what heats a motor
  peak_speed: number;  // rad/s or m/s
  peak_speed_time: number;  // s
  mean_speed: number;  // of its magnitude
  peak_power: number;  // W
  peak_power_time: number;  // s
  braking_power: number;  // the most negative; W
  braking_power_time: number;  // s
  energy_taken: number;  // J
  energy_returned: number;  // J
  energy_net: number;  // J
  of_effort_limit: number | null;  // peak torque by the limit of the robot file; 1
  of_speed_limit: number | null;  // peak speed by its limit; 1
  effort_limit_passed: number | null;  // first time beyond the limit; s
  speed_limit_passed: number | null;  // likewise; s
}

/** A drive with another gear ratio. */
export interface SweptRatio {
  ratio: number;  // motor speed / joint speed
  peak_torque: number;  // magnitude; N m
  rms_torque: number;  // N m
  peak_speed: number;  // magnitude; rad/s
  mean_speed: number;  // rad/s
  of_peak_torque: number | null;  // torque by peak torque at that speed; infinite beyond all speeds; 1
  of_top_speed: number | null;  // speed by top speed; 1
  of_continuous_torque: number | null;  // rms torque by continuous torque at the mean speed; 1
  use: number | null;  // the largest of these: below 1 the motor will do; 1
  fits: boolean | null;  // whether it will do
}

/** What a motion asks of a motor behind its gear. */
export interface DriveSizing {
  name: string;
  joint: string;  // which it moves
  gear: number | null;  // motor speed / joint speed; None where the transmission couples joints
  efficiency: number;  // of the gear; 1
  rotor_inertia: number;  // kg m^2
  peak_torque: number;  // N m or N, with its sign
  peak_torque_time: number;  // s
  rms_torque: number;  // what heats a motor
  peak_speed: number;  // rad/s or m/s
  peak_speed_time: number;  // s
  mean_speed: number;  // of its magnitude
  peak_power: number;  // W
  peak_power_time: number;  // s
  braking_power: number;  // the most negative; W
  braking_power_time: number;  // s
  energy_taken: number;  // J
  energy_returned: number;  // J
  energy_net: number;  // J
  gear_torque: number;  // cubic mean on the slow side of the gear, by which bearings and teeth are rated
  gear_torque_unit: string;  // N m or N
  motor: string | null;  // of the drive file
  of_peak_torque: number | null;  // torque by peak torque at that speed; infinite beyond all speeds; 1
  of_top_speed: number | null;  // speed by top speed; 1
  of_continuous_torque: number | null;  // rms torque by continuous torque at the mean speed; 1
  use: number | null;  // the largest of these: below 1 the motor will do; 1
  fits: boolean | null;  // whether it will do
  of_peak_torque_time: number;  // when that is largest; s
  copper_loss: number | null;  // heat of the windings; J
  verdict: string | null;  // whether the motor will do, and what decides it
  best_ratio: number | null;  // at which the rms torque is least; infinite for a rotor without inertia
  sweep: SweptRatio[];  // at each of the ratios
  fitting_ratios: ([number, number])[];  // ranges of them in which the motor will do
}

/** All motors, and joints without one, sharing one supply. */
export interface SupplySizing {
  peak_power: number;  // W
  peak_power_time: number;  // s
  braking_power: number;  // the most negative; W
  braking_power_time: number;  // s
  energy_taken: number;  // J
  energy_returned: number;  // J
  energy_net: number;  // J
}

/** What a motion asks of joints and motors. */
export interface SizingResult {
  robot: string;
  duration: number;  // of the motion; s
  dwell: number;  // at rest behind it; s
  energy_error: number;  // estimated; J
  instants: number;  // or rows, that were computed
  settled: boolean;  // whether the motion was resolved
  joints: JointSizing[];
  drives: DriveSizing[];  // joints with a motor
  total: SupplySizing;
  ratios: number[];  // of the sweeps
}

