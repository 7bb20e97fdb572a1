"""Torsor: dynamics of robot arms and mechanisms.

>>> import torsor as ts
>>> robot = ts.load("puma560")
>>> ts.inverse_dynamics(robot, [0, 0.8, 3.1, 0, 0.8, 0]).shape
(6,)

Every function takes NumPy arrays (or lists) whose last axis is a state and whose leading axes are states, and gives
arrays of the same leading axes. Units are SI and radians.
"""

import typing as _typing

from . import _torsor
from ._answers import BaseParameters as BaseParameters
from ._answers import DiscreteStep as DiscreteStep
from ._answers import JointRates as JointRates
from ._answers import Momentum as Momentum
from ._answers import MotionTable as MotionTable
from ._answers import NamedMotion as NamedMotion
from ._answers import Parameter as Parameter
from ._answers import PathScaling as PathScaling
from ._answers import Reach as Reach
from ._answers import Rollout as Rollout
from ._answers import Step as Step
from ._answers import Terms as Terms
from ._answers import ToolTorques as ToolTorques
from ._command import Command as Command
from ._command import CommandError as CommandError
from ._command import Page as Page
from ._command import command as command
from ._command import page as page
from ._error import Error as Error
from ._error import Fault as Fault
from ._error import RobotWarning as RobotWarning
from ._error import RowWarning as RowWarning
from ._error import RunWarning as RunWarning
from ._functions import complete as _complete
from ._loads import Loads as Loads
from ._peers import from_mujoco as from_mujoco
from ._peers import from_pinocchio as from_pinocchio
from ._peers import to_mujoco as to_mujoco
from ._peers import to_pinocchio as to_pinocchio
from ._robot_rows import RobotRows as RobotRows
from ._rollout_gradient import RolloutGradient as RolloutGradient
from ._rollout_gradient import rollout_vjp as rollout_vjp
from ._view import view as view
from ._results import *  # noqa: F403
from ._torsor import *  # noqa: F403

__version__: str = _torsor.__version__  # type: ignore[attr-defined]

_complete()

if _typing.TYPE_CHECKING:
    from . import plot as plot
else:
    # for help() and `from torsor import *`: all that is public but modules, of which plot is loaded when it is asked for
    __all__ = [name for name, thing in dict(vars()).items() if name[0] != "_" and not isinstance(thing, type(_typing))]

    def __getattr__(name):
        # matplotlib takes longer to load than all the rest, and need not be there
        if name == "plot":
            from importlib import import_module

            return import_module(".plot", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
