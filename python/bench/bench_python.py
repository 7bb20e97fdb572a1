"""What a call from Python costs: beside the same call in C++ and beside Pinocchio's; import time and size of the wheel.

    python bench_python.py BUILD [ROBOT]

BUILD is the build of the release with the Python package (build/release after ./test); run it with an interpreter that has
torsor and pin. Ours and theirs alternate in one run, and each figure is the least of many: the machine has other work, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pinocchio as pin
import torsor as ts

HERE = Path(__file__).resolve().parent
STATES = 100_000
ROUNDS = int(os.environ.get("ROUNDS", 400))
CALLS = 200


def core(build: Path, name: str, states: Path) -> subprocess.Popen:
    """The program that makes the same calls in C++."""
    program = build / "python" / "bench_core"
    source = HERE / "core.cpp"
    command = ["c++", "-std=c++20", "-O2", f"-I{HERE.parents[1]}", source, build / "libtorsor.a", "-lfmt", "-lpugixml", "-pthread"]
    subprocess.run([*map(str, command), "-o", str(program)], check=True)
    return subprocess.Popen([program, name, states], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(program: subprocess.Popen, question: str) -> float:
    print(question, file=program.stdin, flush=True)
    return float(program.stdout.readline())


def per_call(call, calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def import_seconds() -> list[float]:
    """`import torsor` by the clock, its processor time, and how much of this is NumPy's."""
    text = (
        "import time; w = time.perf_counter(); a = time.process_time(); import numpy; b = time.process_time(); import torsor;"
        "print(time.perf_counter() - w, time.process_time() - a, b - a)"
    )
    runs = [subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout for _ in range(20)]
    return [min(column) for column in zip(*(map(float, run.split()) for run in runs))]


def main(build: Path, name: str) -> None:
    robot = ts.load(name)
    random = np.random.default_rng(1)
    q, qd, qdd = random.uniform(-2, 2, (3, STATES, robot.nv))
    file = Path(tempfile.mkdtemp()) / "states"
    file.write_bytes(np.concatenate([q.ravel(), qd.ravel(), qdd.ravel()]).tobytes())
    program = core(build, name, file)

    urdf = "\n".join(line for line in robot.to_urdf().splitlines() if "<?xml" not in line)
    model = pin.buildModelFromXML(urdf)
    # (cos, sin) for joints without limits
    p = np.concatenate([x[:, None] if j.nq == 1 else np.stack([np.cos(x), np.sin(x)], 1) for j, x in zip(list(model.joints)[1:], q.T)], 1)
    data = model.createData()
    tau = np.empty((STATES, robot.nv))
    one = np.empty(robot.nv)
    a, b, c, at = q[0].copy(), qd[0].copy(), qdd[0].copy(), p[0].copy()
    gap = np.abs(ts.inverse_dynamics(robot, a, b, c) - pin.rnea(model, data, at, b, c)).max()
    assert gap < 1e-9, gap
    rows = range(1000)

    def their_loop():
        for k in rows:
            tau[k] = pin.rnea(model, data, p[k], qd[k], qdd[k])

    ready = [(p[k], qd[k], qdd[k]) for k in rows]

    def their_bare_loop():
        """Rows taken out beforehand, answers thrown away: the least that a loop can cost."""
        for x, y, z in ready:
            pin.rnea(model, data, x, y, z)

    # their own batches: a column per state, as many data as threads; as many states as the loops have
    cores = os.cpu_count() or 1
    pools = {threads: pin.ModelPool(model, threads) for threads in (1, cores)}
    columns = [np.asfortranarray(x[: len(rows)].T) for x in (p, qd, qdd)]
    theirs = np.empty((robot.nv, len(rows)), order="F")

    def their_batch(threads):
        pin.rneaInParallel(threads, pools[threads], *columns, theirs)

    their_batch(cores)
    gap = np.abs(ts.inverse_dynamics(robot, q[: len(rows)], qd[: len(rows)], qdd[: len(rows)]) - theirs.T).max()
    assert gap < 1e-9, gap

    names = (
        "C++", "Torsor", "Torsor, out=", "pin.rnea", "C++ batch", "Torsor batch", "Torsor batch, out=", "all cores",
        "all cores, out=", "loop over pin.rnea", "bare loop", "rneaInParallel, 1", "rneaInParallel, all",
    )  # fmt: skip
    best = dict.fromkeys(names, np.inf)

    def keep(name, seconds):
        best[name] = min(best[name], seconds)

    # short spells: the least of many is one that nobody interrupted
    nothing = np.inf
    for _ in range(ROUNDS):
        nothing = min(nothing, per_call(lambda: None, CALLS))
        keep("C++", ask(program, "one"))
        keep("Torsor", per_call(lambda: ts.inverse_dynamics(robot, a, b, c), CALLS))
        keep("Torsor, out=", per_call(lambda: ts.inverse_dynamics(robot, a, b, c, out=one), CALLS))
        keep("pin.rnea", per_call(lambda: pin.rnea(model, data, at, b, c), CALLS))
        keep("C++ batch", ask(program, "batch") / STATES)
        keep("Torsor batch", per_call(lambda: ts.inverse_dynamics(robot, q, qd, qdd, threads=1), 1) / STATES)
        keep("Torsor batch, out=", per_call(lambda: ts.inverse_dynamics(robot, q, qd, qdd, out=tau, threads=1), 1) / STATES)
        keep("all cores", per_call(lambda: ts.inverse_dynamics(robot, q, qd, qdd), 1) / STATES)
        keep("all cores, out=", per_call(lambda: ts.inverse_dynamics(robot, q, qd, qdd, out=tau), 1) / STATES)
        keep("rneaInParallel, 1", per_call(lambda: their_batch(1), 1) / len(rows))
        keep("rneaInParallel, all", per_call(lambda: their_batch(cores), 1) / len(rows))
        keep("loop over pin.rnea", per_call(their_loop, 1) / len(rows))
        keep("bare loop", per_call(their_bare_loop, 1) / len(rows))
    for name in ("Torsor", "Torsor, out=", "pin.rnea"):
        best[name] -= nothing
    program.stdin.close()
    program.wait()

    print(f"{robot.name}, inverse dynamics; ns per state")
    for name, seconds in best.items():
        print(f"  {name:20} {seconds * 1e9:9.1f}")
    print(f"one call: {best['pin.rnea'] / best['Torsor']:.2f} times as fast as pin.rnea, {(best['Torsor'] - best['C++']) * 1e9:.0f} ns beyond C++")
    loop = best["loop over pin.rnea"]
    beyond = {name: best[name] / best["C++ batch"] - 1 for name in ("Torsor batch", "Torsor batch, out=")}
    print(
        f"batch of {STATES}: {loop / best['Torsor batch']:.0f} times as fast as a loop over pin.rnea that fills an array, "
        f"{best['bare loop'] / best['Torsor batch']:.0f} times as a bare one; {loop / best['all cores']:.0f} and "
        f"{best['bare loop'] / best['all cores']:.0f} on all {os.cpu_count()} cores; {beyond['Torsor batch'] * 100:+.1f} % beyond C++, "
        f"{beyond['Torsor batch, out='] * 100:+.1f} % with out="
    )
    print(
        f"beside rneaInParallel, into a given array: {best['rneaInParallel, 1'] / best['Torsor batch, out=']:.1f} times as fast on one "
        f"thread, {best['rneaInParallel, all'] / best['all cores, out=']:.1f} times on {cores}"
    )
    clock, processor, numpys = import_seconds()
    print(f"import: {clock * 1e3:.0f} ms, {processor * 1e3:.0f} ms of the processor, {numpys * 1e3:.0f} ms of it NumPy's")
    for wheel in (build / "python/wheel").glob("*.whl"):
        print(f"wheel: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "puma560")
