"""Torsor: dynamics of robot arms and mechanisms.

>>> import torsor as ts
>>> robot = ts.load("puma560")
>>> ts.inverse_dynamics(robot, [0, 0.8, 3.1, 0, 0.8, 0]).shape
(6,)

Every function takes NumPy arrays (or lists) whose last axis is a state and whose leading axes are states, and gives
arrays of the same leading axes. Units are SI and radians.
"""

from . import _torsor
from ._answers import BaseParameters as BaseParameters
from ._answers import MotionTerms as MotionTerms
from ._answers import Parameter as Parameter
from ._error import Error as Error
from ._error import Fault as Fault
from ._error import RobotWarning as RobotWarning
from ._answers import BaseParameters, MotionTerms, Parameter
from ._error import Error, Fault, RobotWarning, RunWarning
from ._mechanism import (
    Assembled,
    Dependence,
    DrivenRun,
    Equilibrium,
    ForwardRun,
    InverseRun,
    Mobility,
    MobilityCount,
    Modes,
)
from ._simulate import Event, Integrator, RoundTrip, SimulationRun
from ._torsor import *  # noqa: F403

__version__: str = _torsor.__version__  # type: ignore[attr-defined]
