"""A design study on many machines: how long should upper arm and forearm be?

Every variant of an arm is looked at in many configurations, at random speeds and accelerations within its limits. Of each
configuration two numbers are kept: how strongly its joints are coupled (the largest |M_ij| / sqrt(M_ii M_jj); 0 would be
three machines that do not feel each other), and the largest torque in parts of what the motors have.

    python design_survey.py OUT                         10^7 configurations on the cores of this machine
    python design_survey.py OUT --scheduler tcp://...   on a cluster that sees OUT (dask)
    python design_survey.py OUT --count 100000 --chunk 5000

The work is cut into chunks. A chunk is one NPY file of OUT; its name and its random numbers follow from its place in the
study alone, and it appears by renaming, whole or not at all. So whatever dies, nothing is lost and nothing counts twice:
start the study again, and it does the chunks that are not there. pip install 'torsor[cluster]' brings dask.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torsor as ts

if TYPE_CHECKING:
    from dask.distributed import Client

EFFORT = np.array([120.0, 110.0, 45.0])  # N m
SPEED = np.array([2.0, 2.0, 3.0])  # rad/s
ACCELERATION = np.array([6.0, 6.0, 9.0])  # rad/s^2

ARM = """
format = 1
name = "arm {upper} + {fore} m"
[[link]]
name = "column"
joint = "revolute"
shape = {{ cylinder = {{ radius = 0.08, length = 0.3 }}, mass = 12, position = [0, 0, 0.15] }}
[[link]]
name = "upper_arm"
joint = {{ kind = "revolute", axis = [0, 1, 0] }}
placement = {{ position = [0, 0, 0.3] }}
shape = {{ tube = {{ outer = 0.05, inner = 0.045, length = {upper} }}, density = 2700, axis = "x", position = [{half}, 0, 0] }}
[[link]]
name = "forearm"
joint = {{ kind = "revolute", axis = [0, 1, 0] }}
placement = {{ position = [{upper}, 0, 0] }}
parts = [
  {{ shape = {{ tube = {{ outer = 0.04, inner = 0.036, length = {fore} }}, density = 2700, axis = "x", position = [{near}, 0, 0] }} }},
  {{ shape = {{ box = [0.1, 0.08, 0.06], mass = 4, position = [{fore}, 0, 0] }} }},
]
"""


@dataclass(frozen=True)
class Study:
    """Lengths to try (m), configurations of each, how many make a chunk."""

    lengths: tuple[tuple[float, float], ...]
    count: int
    chunk: int
    seed: int = 1

    @property
    def chunks(self) -> list[tuple[int, int]]:
        """(variant, piece) of every chunk."""
        pieces = -(-self.count // self.chunk)
        return [(variant, piece) for variant in range(len(self.lengths)) for piece in range(pieces)]

    def size(self, piece: int) -> int:
        return min(self.chunk, self.count - piece * self.chunk)


def robot_of(upper: float, fore: float) -> ts.Robot:
    return ts.load(ARM.format(upper=upper, fore=fore, half=upper / 2, near=fore / 2))


def survey(robot: ts.Robot, count: int, random: np.random.Generator) -> np.ndarray:
    """(count, 2): coupling and largest part of the motors' torque, of random states."""
    turn = np.array([np.pi, np.pi / 2, 2.5])
    q, qd, qdd = (random.uniform(-1, 1, (count, 3)) * most for most in (turn, SPEED, ACCELERATION))
    M = ts.mass_matrix(robot, q)
    own = np.sqrt(np.einsum("kii->ki", M))
    k = np.abs(M) / (own[:, :, None] * own[:, None, :])
    coupling = np.maximum(np.maximum(k[:, 0, 1], k[:, 0, 2]), k[:, 1, 2])
    load = np.abs(ts.inverse_dynamics(robot, q, qd, qdd) / EFFORT).max(axis=1)
    return np.stack([coupling, load], axis=1)


def file_of(out: Path, variant: int, piece: int) -> Path:
    return out / f"chunk-{variant:04}-{piece:06}.npy"


def run_chunk(study: Study, out: str, variant: int, piece: int) -> str:
    """Computes a chunk and puts its file in place; done twice it is the same file."""
    path = file_of(Path(out), variant, piece)
    random = np.random.default_rng([study.seed, variant, piece])
    rows = survey(robot_of(*study.lengths[variant]), study.size(piece), random)
    started = path.with_suffix(f".{os.uname().nodename}-{os.getpid()}.part")
    with open(started, "wb") as file:
        np.save(file, rows)
        file.flush()
        os.fsync(file.fileno())
    os.replace(started, path)
    return path.name


def missing(study: Study, out: Path) -> list[tuple[int, int]]:
    return [chunk for chunk in study.chunks if not file_of(out, *chunk).exists()]


def run(study: Study, out: Path, client: Client) -> int:
    """Computes what is missing with a dask client; how many chunks it was. The chunk of a worker that dies is given to another."""
    from dask.distributed import as_completed

    out.mkdir(parents=True, exist_ok=True)
    settings = out / "study.txt"
    if settings.exists() and settings.read_text() != repr(study):
        raise ValueError(f"{out} holds another study: {settings.read_text()}")
    settings.write_text(repr(study))
    todo = missing(study, out)
    futures = [client.submit(run_chunk, study, str(out), *chunk, pure=False) for chunk in todo]
    for future in as_completed(futures):  # type: ignore[no-untyped-call]
        future.result()
    return len(todo)


class Variant(NamedTuple):
    """What the study says about one pair of lengths."""

    upper: float
    fore: float
    configurations: int
    coupling: float  # mean
    strongest: float
    load: float  # largest part of a motor's torque
    overloaded: float  # share of configurations that ask for more than the motors have


def totals(study: Study, out: Path) -> list[Variant]:
    """Of all chunks, always in the same order, so that equal files have equal totals to the last bit."""
    table = []
    for variant, (upper, fore) in enumerate(study.lengths):
        rows = np.concatenate([np.load(file_of(out, v, piece)) for v, piece in study.chunks if v == variant])
        coupling, load = rows.T
        overloaded = float(np.mean(load > 1))
        mean = float(coupling.mean())
        table.append(Variant(upper, fore, len(rows), mean, float(coupling.max()), float(load.max()), overloaded))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="folder for the chunks")
    parser.add_argument("--count", type=int, default=10_000_000, help="configurations, of all variants together")
    parser.add_argument("--chunk", type=int, default=100_000, help="configurations in a file")
    parser.add_argument("--scheduler", help="address of a dask scheduler; without it the cores of this machine")
    arguments = parser.parse_args()

    from dask.distributed import Client, LocalCluster

    lengths = tuple((upper, round(1.0 - upper, 2)) for upper in (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75))
    study = Study(lengths, -(-arguments.count // len(lengths)), arguments.chunk)
    with contextlib.ExitStack() as stack:
        cluster = arguments.scheduler
        if not cluster:
            cluster = stack.enter_context(LocalCluster(threads_per_worker=1, dashboard_address=":0"))  # type: ignore[no-untyped-call]
        client = stack.enter_context(Client(cluster))  # type: ignore[no-untyped-call]
        done = run(study, arguments.out, client)
    print(f"{done} of {len(study.chunks)} chunks computed now")
    print(" upper  forearm  configurations  coupling  strongest  largest load  overloaded")
    for row in totals(study, arguments.out):
        print(
            f"{row.upper:6.2f} {row.fore:8.2f} {row.configurations:15} {row.coupling:9.4f} {row.strongest:10.4f}"
            f" {row.load:13.3f} {row.overloaded:10.4%}"
        )


if __name__ == "__main__":
    main()
