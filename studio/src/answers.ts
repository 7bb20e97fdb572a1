// What the engine answers. Results that have a list of fields are in results.ts, which is written from it; tests/studio/interface.py holds
// all of these beside answers of the engine.
import type {Fault, Rows} from './engine';
import type {AssemblyModes, IkAnswer, IkBranch, ParallelSolutions, PoseSolutionRow, PoseSolutions, WorkedExample, WorkedStep} from './results';

export type {WorkedExample, WorkedStep};

export type Triple = [number, number, number];

export interface ViewPart { name: string; colour: number; strokes: number[][]; plate: Triple[] }
export interface ViewSymbol { name: string; kind: string; part: number; at: Triple; axes: number[]; share: number; radius: number }
export interface ViewBar { name: string; kind: string; i: number; j: number; at_i: Triple; at_j: Triple; share: number }
export interface ViewTrace { name: string; part: number; at: Triple; axes: number[] }
export interface View {
  kind: 'view'; title: string; axis: {label: string; unit: string}; share: string; clip_label: string; fits_start: boolean; loops: boolean; plays: boolean;
  centre: Triple; radius: number; up: Triple; front: Triple; floor: number | null;
  planar: {normal: Triple; up: Triple} | null;
  base: ViewPart; parts: ViewPart[]; symbols: ViewSymbol[]; bars: ViewBar[]; traces: ViewTrace[];
  clips: {name: string; t: number[]; poses: string; shares: string}[];
}

export type Kind = 'angle' | 'length' | 'quaternion';
export interface Velocity {
  name: string; kind: Kind; lower: number | null; upper: number | null; velocity: number | null; effort: number | null;
  acceleration: number | null; position: number; body: number; friction: boolean; rotor: boolean;
}
export interface BodyInfo {
  link: string; joint: string; parent: number; kind: string; velocity: number; nv: number; mass: number;
  centre?: Triple; ellipsoid?: Triple; axes?: number[]; link_frame: number[];
}
interface Opened { id: number; subject: string; title: string; source: string; gravity: Triple; view: View; findings: Fault[]; text?: string }
export interface RobotInfo extends Opened {
  kind: 'robot'; line: string; nq: number; nv: number; joints: string; has_mass: boolean;
  positions: {name: string; kind: Kind}[]; velocities: Velocity[]; bodies: BodyInfo[]; tools: string[]; tool?: string; tool_body?: number; unit_length?: number;
  free_base?: number;  // the body that hangs on nothing
  inverse_kinematics: {all?: boolean; redundant?: boolean; place_alone?: boolean; held?: string; held_position?: number; explained?: string[]};
  control_refusal: string; neutral: number[]; start: number[]; published?: string;
}
export interface MechanismInfo extends Opened {
  kind: 'mechanism'; driven: boolean; of_robot: boolean; freedoms: number; redundant: number; time: number; bodies: number; joints: number;
  drivers: {name: string; angle: boolean; value: number; low: number; high: number; lower?: number; upper?: number}[]; actuators: {name: string; unit: string}[]; joint_names: string[];
  tool?: string; tool_pose?: Pose; tool_refusal: string;
}
export type Thing = RobotInfo | MechanismInfo;

export interface Catalogue {
  version: string; file: string; files: string[];
  robots: {name: string; title: string; joints: string; source: string}[];
  mechanisms: {name: string; title: string; source: string}[];
  laws: {name: string; title: string; source: string}[];
}

export interface Pose { position: Triple; quaternion: [number, number, number, number]; rpy: Triple }
export const causes = ['inertia', 'coriolis', 'gravity', 'friction', 'load'] as const;
export type Cause = typeof causes[number];
export interface StateAnswer {
  tau: number[]; causes: Record<Cause, number[]>; bias: number[]; M: number[]; C: number[]; positive_definite: boolean;
  kinetic_energy: number; potential_energy: number; mass: number; mass_centre: Triple; tool: Pose; reactions: number[];
  velocity_ellipsoid: {sigma: Triple; axes: number[]}; singular_values: number[]; least_singular_value: number; manipulability: number;
  microseconds: number; poses: Rows;
}

export interface SolveAnswer {
  result: IkAnswer | PoseSolutions; status: string; off_by?: number; turned_off_by?: number; nearest?: number[]; quaternion: [number, number, number, number]; least_singular_values: number[]; microseconds: number; ghosts: Rows;
}
/** A solution as the page shows it, of an arm of any kind. */
export type Solution = Pick<IkBranch, 'q' | 'label' | 'status' | 'inside_limits'> & Partial<Pick<IkBranch, 'branch' | 'explanation' | 'factors'>> & Partial<Pick<PoseSolutionRow, 'smallest_singular_value'>>;
export const solutionsOf = (a: SolveAnswer): Solution[] => ('branches' in a.result ? a.result.branches : a.result.solutions);
/** "shoulder +, elbow −, wrist +", or its number. */
export const nameOf = (s: Solution | undefined, k: number): string => (s?.label || s?.branch || String(k + 1)).replaceAll(' -', ' −');

export interface MotionAnswer {
  name: string; notes: string[]; t: Rows; q: Rows; qd: Rows; qdd: Rows; tau: Rows; inertia: Rows; coriolis: Rows; gravity: Rows;
  friction: Rows; tool: Rows; tool_speed: Rows; manipulability: Rows; least_singular_value: Rows; poses: Rows;
}

export interface MechanismRun {
  ended: string; columns: {name: string; unit: string; group: string}[]; t: Rows; poses: Rows; numbers: Rows; reactions: Rows; drivers: Rows;
}
export interface DriveAnswer { values: number[]; ended: string; tool_pose?: Pose; holding: number[]; poses: Rows; reactions: Rows }
/** Every way of the legs of a platform. */
export interface ReachAnswer extends DriveAnswer { place_alone: boolean; result: ParallelSolutions; followed: boolean; ghosts: Rows }
export interface AssembliesAnswer { result: AssemblyModes; ghosts: Rows }
export interface RunAnswer {
  t: number; ended: boolean; why?: string; q: number[]; qd: (number | null)[]; tau: number[]; poses: Rows;  // null: no number, where it ended
  energy: Record<'kinetic' | 'potential' | 'torque_work' | 'friction_loss' | 'surroundings_work' | 'stop_work' | 'balance_error', number>;
}
export interface ShapesAnswer {
  shapes: {shape: 'box' | 'sphere' | 'cylinder' | 'capsule' | 'mesh'; body: number; pose: number[]; sizes?: number[]; corners?: Rows; triangles?: Rows}[];
  faults_of_meshes: Fault[];
}

/** Where the tool gets. */
export interface Cloud { places: Rows; torque_share: Rows; least_singular_value: Rows; manipulability: Rows; payload: Rows }
export interface ModesAnswer { stability: string; modes: {frequency: number; damping: number; real: number; imaginary: number; character: string}[]; cycles: number; instants: number; poses: Rows }
export interface TorqueCurve { speed: number[]; torque: number[] }
/** Torque over speed of the motors of a drive file. */
export interface Motors { drives: {name: string; gear?: number; motor?: string; peak?: TorqueCurve; continuous?: TorqueCurve; speed: Rows; torque: Rows}[] }
