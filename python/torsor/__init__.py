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
from ._codegen import CodeProof as CodeProof
from ._codegen import GeneratedCode as GeneratedCode
from ._codegen import GeneratedFunction as GeneratedFunction
from ._codegen import ProvedFunction as ProvedFunction
from ._command import Command as Command
from ._command import CommandError as CommandError
from ._command import Page as Page
from ._command import command as command
from ._command import page as page
from ._control import ControlExperiment as ControlExperiment
from ._control import ControlFigures as ControlFigures
from ._control import ControlLawRow as ControlLawRow
from ._control import ControlRun as ControlRun
from ._control import SpeedRun as SpeedRun
from ._error import Error as Error
from ._error import Fault as Fault
from ._error import RobotWarning as RobotWarning
from ._error import RunWarning as RunWarning
from ._identification import Identification as Identification
from ._identification import JointFit as JointFit
from ._mechanism import Assembled as Assembled
from ._mechanism import Dependence as Dependence
from ._mechanism import DrivenRun as DrivenRun
from ._mechanism import Equilibrium as Equilibrium
from ._mechanism import ForwardRun as ForwardRun
from ._mechanism import InverseRun as InverseRun
from ._mechanism import Mobility as Mobility
from ._mechanism import MobilityCount as MobilityCount
from ._mechanism import Modes as Modes
from ._simulate import Event as Event
from ._simulate import Integrator as Integrator
from ._simulate import RoundTrip as RoundTrip
from ._simulate import SimulationRun as SimulationRun
from ._sizing import MotorSizing as MotorSizing
from ._sizing import Shaft as Shaft
from ._sizing import SizingAnswer as SizingAnswer
from ._torsor import *  # noqa: F403

__version__: str = _torsor.__version__  # type: ignore[attr-defined]
