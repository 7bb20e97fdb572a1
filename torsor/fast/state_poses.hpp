// Poses of one state in registers of four doubles: an axis of a frame, or its origin, in each. The angles of all joints
// become sines and cosines side by side; then every body's frame F follows from that of its parent,
//
//   G = F placement,    x = c G.x + s G.y,    y = c G.y - s G.x,    z = G.z,    p = G.p + d G.z
#pragma once

#include "torsor/fast/lanes_sincos.hpp"
#include "torsor/fast/lanes_spatial.hpp"
#include "torsor/model/model.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

class StatePoses {
 public:
  using L = FourLanes;

  explicit StatePoses(const Tree<double>& tree) : count_(tree.size()) {
    steps_ = new Step[tree.bodies.size()];
    frames_ = new Frame[tree.bodies.size()];
    angles_ = new double[3 * (tree.bodies.size() + L::count)];
    sines_ = angles_ + count_ + L::count;
    cosines_ = sines_ + count_ + L::count;
    base_ = frame_of(tree.base);
    for (int i = 0; i < count_; ++i) {
      const Body<double>& body = tree[i];
      Step& s = steps_[i];
      s.parent = body.parent;
      s.q = body.q;
      s.ratio = body.ratio, s.offset = body.offset, s.pitch = body.pitch;
      const bool turns = body.kind == JointKind::revolute || body.kind == JointKind::helical;
      if (turns) s.angle = turning_++;
      if (turns) s.kind = turning;
      if (body.kind == JointKind::prismatic) s.kind = sliding;
      if (body.nv > 1) s.kind = given;
      s.placement = body.placement;
      s.link = body.link;
      const auto& [R, p] = body.link;
      s.link_apart = !(R.x.x == 1 && R.y.y == 1 && R.z.z == 1 && p.x == 0 && p.y == 0 && p.z == 0);
    }
    for (int k = 0; k < turning_ + L::count; ++k) angles_[k] = 0;
  }
  ~StatePoses() {
    delete[] steps_;
    delete[] frames_;
    delete[] angles_;
  }
  StatePoses(const StatePoses&) = delete;
  StatePoses& operator=(const StatePoses&) = delete;

  [[gnu::flatten]] void bodies(const double* q, const Transform<double>* joints, Transform<double>* X) {
    place(q, joints);
    for (int i = 0; i < count_; ++i) {
      const Frame& f = frames_[i];
      double* const to = &X[i].R.x.x;  // x, y, z, p, three numbers each: the next covers what is too much
      f.x.store(to);
      f.y.store(to + 3);
      f.z.store(to + 6);
      put_first(to + 9, f.p, 3);
    }
  }

  [[gnu::flatten]] void links(const double* q, const Transform<double>* joints, double* matrices) {
    place(q, joints);
    for (int i = 0; i < count_; ++i, matrices += 16) {
      const Step& s = steps_[i];
      const Frame& f = frames_[i];
      auto [x, y, z, p] = s.link_apart ? along(f, s.link) : f;
      transpose(x, y, z, p);
      x.store(matrices);
      y.store(matrices + 4);
      z.store(matrices + 8);
      four_lanes(0, 0, 0, 1).store(matrices + 12);
    }
  }

 private:
  enum Kind : unsigned char { fixed, turning, sliding, given };
  struct Step {
    int parent = -1, q = 0, angle = 0;
    Kind kind = fixed;
    bool link_apart = false;
    double ratio = 1, offset = 0, pitch = 0;
    Transform<double> placement, link;
  };
  struct Frame {
    L x, y, z, p;
  };

  TORSOR_INLINE static Frame frame_of(const Transform<double>& X) {
    const auto axis = [](const Vec3<double>& u) TORSOR_INLINED { return four_lanes(u.x, u.y, u.z, 0); };
    return {axis(X.R.x), axis(X.R.y), axis(X.R.z), axis(X.p)};
  }
  TORSOR_INLINE static Frame along(const Frame& f, const Transform<double>& X) {
    const auto turned = [&f](const Vec3<double>& u) TORSOR_INLINED {
      return f.x * L(u.x) + f.y * L(u.y) + f.z * L(u.z);
    };
    return {turned(X.R.x), turned(X.R.y), turned(X.R.z), f.p + turned(X.p)};
  }

  TORSOR_INLINE void place(const double* q, const Transform<double>* joints) {
    for (int i = 0; i < count_; ++i)
      if (const Step& s = steps_[i]; s.kind == turning) angles_[s.angle] = s.ratio * q[s.q] + s.offset;
    for (int k = 0; k < turning_; k += L::count) {
      L sine, cosine;
      set_sine_cosine(L::load(angles_ + k), sine, cosine);
      sine.store(sines_ + k);
      cosine.store(cosines_ + k);
    }
    for (int i = 0; i < count_; ++i) {
      const Step& s = steps_[i];
      const Frame& from = s.parent < 0 ? base_ : frames_[s.parent];
      if (s.kind == given) {
        frames_[i] = along(from, *joints++);
        continue;
      }
      Frame f = along(from, s.placement);
      if (s.kind == turning) {
        const L c(cosines_[s.angle]), sine(sines_[s.angle]), x = f.x;
        f.x = x * c + f.y * sine;
        f.y = f.y * c - x * sine;
        f.p = f.p + f.z * L(s.pitch * angles_[s.angle]);
      } else if (s.kind == sliding) {
        f.p = f.p + f.z * L(s.ratio * q[s.q] + s.offset);
      }
      frames_[i] = f;
    }
  }

  int count_, turning_ = 0;
  Step* steps_;
  Frame* frames_;
  double *angles_, *sines_, *cosines_;
  Frame base_;
};

inline PoseKernels poses_of_one() {
  return {[](const Tree<double>& tree) -> void* { return new StatePoses(tree); },
          [](void* self) { delete static_cast<StatePoses*>(self); },
          [](void* self, const double* q, const Transform<double>* joints, Transform<double>* X) {
            static_cast<StatePoses*>(self)->bodies(q, joints, X);
          },
          [](void* self, const double* q, const Transform<double>* joints, double* matrices) {
            static_cast<StatePoses*>(self)->links(q, joints, matrices);
          }};
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
