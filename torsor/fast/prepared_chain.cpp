#include "torsor/fast/prepared_chain.hpp"

namespace torsor {
namespace {

bool is_plain(const Friction<double>& law) {
  return law.stribeck_velocity == 0 && law.table.values.empty() && !law.function;
}

}  // namespace

template <class Real>
SplitFriction<Real> split_friction(const Model<double>& model) {
  SplitFriction<Real> split;
  const auto convert = [](double x) { return static_cast<Real>(x); };
  for (std::size_t k = 0; k < model.friction.size(); ++k) {
    const auto& [body, law] = model.friction[k];
    const Body<double>& b = model[body];
    if (is_plain(law))
      split.in_lanes.push_back(
          {b.v, convert(b.ratio), convert(law.viscous), convert(law.coulomb_positive), convert(law.coulomb_negative)});
    else
      split.others.push_back(static_cast<int>(k));
  }
  return split;
}

template <class Real>
PreparedChain<Real>::PreparedChain(const Model<double>& model, const CanonicalChain& chain)
    : links_(chain.links.size()), theta0_(chain.links.size() + 64 / sizeof(Real), Real(0)) {
  const auto convert = [](double x) { return static_cast<Real>(x); };
  for (const auto& [i, j, value] : chain.rotor_coupling) rotor_coupling_.push_back({i, j, convert(value)});
  friction_ = split_friction<Real>(model).in_lanes;
  call_.n = chain.n();
  call_.rotor_couplings = static_cast<int>(rotor_coupling_.size());
  refill(model, chain);
}

template <class Real>
void PreparedChain<Real>::refill(const Model<double>& model, const CanonicalChain& chain) {
  const auto convert = [](double x) { return static_cast<Real>(x); };
  for (int i = 0; i < chain.n(); ++i) {
    links_[i] = cast<Real>(chain.links[i], convert);
    theta0_[i] = links_[i].theta0;
    call_.rotors = call_.rotors || links_[i].rotor != 0;
  }
  call_.level = chain.level;
  call_.g = cast<Real>(chain.g, convert);
  call_.X_world_0 = cast<Real>(chain.X_world_0, convert);
  // the tool is the last frame of the model, or its last body where it has none
  const bool framed = !model.frames.empty();
  const int body = framed ? model.frames.back().body : model.size() - 1;
  const Transform<double>& X = chain.X_link_body[body];
  call_.tool_link = chain.link_of_body[body];
  call_.X_link_tool = cast<Real>(framed ? X * model.frames.back().X_body_frame : X, convert);
}

template <class Real>
ChainCall<Real> PreparedChain<Real>::call() const {
  ChainCall<Real> call = call_;
  call.links = links_.data();
  call.theta0 = theta0_.data();
  call.rotor_coupling = rotor_coupling_.data();
  call.friction = friction_.data();
  call.frictions = static_cast<int>(friction_.size());
  return call;
}

template class PreparedChain<double>;
template class PreparedChain<float>;
template SplitFriction<double> split_friction(const Model<double>&);
template SplitFriction<float> split_friction(const Model<double>&);

std::optional<ChainEnds<double>> chain_ends(const Model<double>& model, const CanonicalChain& chain,
                                            const BodyLoads<double>& loads) {
  const Vec3<double> p = model.base.R * chain.X_base_0.p;  // from the base's origin to that of frame 0
  ChainEnds<double> out{seen_from(chain.X_world_0.R, p, {loads.base.w, loads.base.wd, loads.base.a - model.gravity}),
                        {}};
  for (std::size_t i = 0; i < loads.external.size(); ++i) {
    if (vanishes(loads.external[i])) continue;
    if (chain.link_of_body[i] != chain.n() - 1) return std::nullopt;
    const Force<double> on_link = chain.X_link_body[i] * loads.external[i];
    out.tip.f -= on_link.f;
    out.tip.n -= on_link.n;
  }
  return out;
}

}  // namespace torsor
