// How long MJCF files take to be read and built, by Torsor and by MuJoCo in the same process; see tools/mjcf-times.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "torsor/robot.hpp"

namespace {

/// The quickest of some runs, in milliseconds of the processor.
template <class Work>
double quickest(const Work& work) {
  double best = 1e9, spent = 0;
  for (int run = 0; run < 3 || (spent < 500 && run < 200); ++run) {
    const std::clock_t start = std::clock();
    work();
    const double took = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, took);
    spent += took;
  }
  return best;
}

}  // namespace

int main(int count, char** files) {
  std::printf("| file | degrees of freedom | Torsor, ms | MuJoCo, ms |\n|---|---|---|---|\n");
  for (int k = 1; k < count; ++k) {
    const auto robot = torsor::Robot::try_load(files[k]);
    char error[500] = "";
    mjModel* model = mj_loadXML(files[k], nullptr, error, sizeof error);
    const double ours = robot ? quickest([&] { (void)torsor::Robot::try_load(files[k]); }) : 0;
    const double theirs =
        model ? quickest([&] { mj_deleteModel(mj_loadXML(files[k], nullptr, error, sizeof error)); }) : 0;
    const std::string path = files[k];
    std::printf("| %s | %d | %.2f | %.2f |\n", path.substr(path.rfind('/') + 1).c_str(), robot ? robot->nv() : -1, ours,
                theirs);
    if (model) mj_deleteModel(model);
  }
}
