// The design guide of a robot as JSON.
#include <iostream>

#include "cli/guide_report.hpp"

namespace torsor {
namespace {

void names_field(JsonWriter& json, std::string_view name, const std::vector<std::size_t>& coefficients,
                 const ExactStructure& s) {
  json.key(name).begin_array();
  for (const std::size_t e : coefficients) json.value(to_text(s.coefficients[e], s.n));
  json.end_array();
}

void effect_fields(JsonWriter& json, const MotionEffect& effect) {
  field(json, "peak_effort", effect.peak);
  json.field("energy", effect.energy).field("coupling_mean", effect.coupling_mean).field("coupling_largest", effect.coupling_largest);
}

void guidelines_field(JsonWriter& json, const DesignGuide& g) {
  const GuidelineCheck& c = g.guidelines;
  json.key("guidelines").begin_array();
  for (int k = 1; k <= 4; ++k) {
    json.begin_object()
        .field("guideline", k)
        .field("rule", guideline_text(k))
        .field("kept", c.kept(k))
        .field("found", guideline_finding(g, k));
    if (k == 1)
      json.field("joints", c.joints)
          .field("slides", c.slides)
          .field("sparsity", c.sparsity)
          .field("expected_sparsity", c.expected)
          .field("expected_with_one_slide_more", c.expected_with_one_slide);
    if (k == 2) {
      json.key("axes").begin_array();
      for (const AxisAngle& a : c.axes)
        json.begin_object()
            .field("inner", name_of(g, a.inner))
            .field("outer", name_of(g, a.outer))
            .field("parallel", a.parallel)
            .field("right_angle", a.right_angle)
            .field("angle", a.angle)
            .end_object();
      json.end_array();
    }
    if (k == 3) {
      json.key("loads").begin_array();
      for (const JointLoad& load : c.loads) {
        json.begin_object()
            .field("joint", name_of(g, load.joint))
            .field("own_mass", load.own)
            .field("moved_mass", load.moved);
        if (load.loading) json.field("loading", *load.loading);
        json.field("heavier", load.heavier).end_object();
      }
      json.end_array();
    }
    if (k == 4) {
      json.key("first").begin_array();
      for (const FirstJoint& first : c.first)
        json.begin_object()
            .field("joint", name_of(g, first.joint))
            .field("works", first.works)
            .field("largest", first.largest)
            .field("dependent_coefficients", first.dependent)
            .end_object();
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace

int print_guide_json(const DesignGuide& g, const GuideView& view) {
  const ExactStructure& s = g.now.numbers();
  JsonWriter json(std::cout);
  json.begin_object().field("robot", g.now.robot.model.name).field("motion", view.motion);
  field(json, "coordinates", g.now.robot.model.velocity_names);
  json.field("nonzero", total(s.nonzero_counts()))
      .field("constant", total(s.constant_counts()))
      .field("possible", s.coefficients.size());
  effect_fields(json, g.effect);
  guidelines_field(json, g);
  json.field("tried", g.tried).key("proposals").begin_array();
  for (std::size_t k = 0; k < g.proposals.size(); ++k) {
    const Proposal& p = g.proposals[k];
    json.begin_object()
        .field("number", k + 1)
        .field("kind", to_text(p.change.kind))
        .field("link", p.change.link)
        .field("change", p.change.text)
        .field("moves_axes", p.change.moves_axes);
    json.field("nonzero", p.count()).field("constant", total(p.structure.constant_counts()));
    names_field(json, "removed", p.removed, s);
    names_field(json, "brought", p.brought, s);
    names_field(json, "made_constant", p.steadied, s);
    effect_fields(json, p.effect);
    json.field("peak_ratio", p.peak_ratio).field("energy_ratio", p.energy_ratio);
    json.field("coupling_ratio", p.coupling_ratio).field("cost", p.cost()).key("tools").begin_array();
    for (const ToolFreedom& tool : p.freedom)
      json.begin_object()
          .field("degrees_of_freedom", tool.rank)
          .field("reach", tool.reach)
          .field("manipulability", tool.manipulability)
          .field("smallest_singular_value", tool.smallest)
          .end_object();
    json.end_array().end_object();
  }
  json.end_array().key("coefficients").begin_array();
  for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
    if (s.nonzero[e] == 0) continue;
    json.begin_object().field("name", to_text(s.coefficients[e], s.n)).key("removed_by").begin_array();
    for (const std::size_t k : g.removing(e, g.proposals.size())) json.value(k + 1);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return finish_json(json);
}

}  // namespace torsor
