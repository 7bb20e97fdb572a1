// The run of `torsor bench ROBOT --simulate` in MuJoCo: the same swing, gains, rate and step, its control by mj_rne in C.
// Built and run by tools/beside-mujoco; no part of the library.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof error);
  if (!m) return std::fprintf(stderr, "%s\n", error), 1;
  // nothing but the mechanics: no contacts, no limits, no friction solver
  m->opt.timestep = 1e-3;
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
  mjData* d = mj_makeData(m);
  const int n = m->nv;
  std::vector<double> middle;
  for (int k = 3; k < argc; ++k) middle.push_back(std::atof(argv[k]));
  if (static_cast<int>(middle.size()) != n) return std::fprintf(stderr, "%d middles for %d joints\n", argc - 3, n), 2;
  const double way = 0.5, w = 3.14159265358979323846, duration = 2;
  const struct {
    const char* name;
    int integrator;
  } methods[] = {{"RK4", mjINT_RK4}, {"Euler", mjINT_EULER}, {"implicitfast", mjINT_IMPLICITFAST}};
  for (const auto& method : methods) {
    m->opt.integrator = method.integrator;
    double best = 0, worst = 0;
    for (int run = 0; run < std::atoi(argv[2]); ++run) {
      mj_resetData(m, d);
      for (int k = 0; k < n; ++k) d->qpos[k] = middle[k], d->qvel[k] = way * w;
      worst = 0;
      const std::clock_t start = std::clock();
      for (int step = 0; step < static_cast<int>(duration * 1000 + 0.5); ++step) {
        const double t = step * 1e-3, s = way * std::sin(w * t), sd = way * w * std::cos(w * t), sdd = -w * w * s;
        // what the control needs of this state; the first stage of the step uses it, too
        mj_step1(m, d);
        for (int k = 0; k < n; ++k) {
          const double e = middle[k] + s - d->qpos[k];
          worst = std::max(worst, std::fabs(e));
          d->qacc[k] = sdd + 40 * (sd - d->qvel[k]) + 400 * e;
        }
        mj_rne(m, d, 1, d->qfrc_applied);
        for (int k = 0; k < n; ++k) d->qfrc_applied[k] += m->dof_armature[k] * d->qacc[k] - d->qfrc_passive[k];
        // the second half of a step knows no RK4
        if (method.integrator == mjINT_RK4)
          mj_step(m, d);
        else
          mj_step2(m, d);
      }
      best = std::max(best, duration / (static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC));
    }
    std::printf("MuJoCo %s, %s, steps of 1 ms: %.1f simulated seconds a second, error %.3g\n", mj_versionString(),
                method.name, best, worst);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
