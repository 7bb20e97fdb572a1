"""What motions ask of joints and motors."""

from __future__ import annotations

from ._answer import Answer, Array


class Shaft(Answer):
    """What a motion asks of one shaft: N m, rad/s, W, J (or N, m/s)."""

    name: str
    peak_torque: float
    peak_torque_time: float
    rms_torque: float
    gear_torque: float  # cubic mean, by which bearings and teeth are rated
    peak_speed: float
    mean_speed: float
    peak_power: float
    braking_power: float
    energy_taken: float
    energy_returned: float


class MotorSizing(Answer):
    """A motor behind its gear; shares of its curves are 1 at the curve, None where no drive file gives a motor."""

    coordinate: int
    shaft: Shaft
    gear_torque: float  # on the slow side of the gear
    best_ratio: float  # at which the rms torque is least
    gear: float | None  # None where the transmission couples joints
    motor: str | None
    use: float | None  # the largest of the next three: below 1 the motor will do
    of_peak: float | None
    of_speed: float | None
    of_continuous: float | None
    fits: bool | None
    verdict: str
    copper_loss: float | None  # J
    sweep_rms_torque: Array  # at each of the ratios
    sweep_use: Array


class SizingAnswer(Answer):
    """What a motion asks of joints and motors."""

    robot: str
    time: float  # s, of the cycle
    joints: list[Shaft]
    motors: list[MotorSizing]
    total: Shaft  # all on one supply: power and energies
    ratios: Array
    energy_error: float  # J, estimated
    instants: int
    settled: bool
