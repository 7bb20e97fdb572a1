#include "torsor/files/column_words.hpp"

#include <algorithm>
#include <charconv>
#include <span>

namespace torsor {
namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);  // a name that two coordinates have, case aside

struct Affix {
  MotionQuantity quantity;
  std::string_view before, after;
};
using enum MotionQuantity;
constexpr Affix affixes[] = {
    {position, "", "_pos"},          {position, "", "_position"},     {position, "", ".pos"},
    {position, "", ".position"},     {position, "", "/position"},     {position, "pos.", ""},
    {position, "position.", ""},     {position, "q.", ""},            {velocity, "", "_vel"},
    {velocity, "", "_velocity"},     {velocity, "", ".vel"},          {velocity, "", ".velocity"},
    {velocity, "", "/velocity"},     {velocity, "vel.", ""},          {velocity, "velocity.", ""},
    {velocity, "qd.", ""},           {velocity, "dq.", ""},           {velocity, "qdot.", ""},
    {acceleration, "", "_acc"},      {acceleration, "", "_accel"},    {acceleration, "", "_acceleration"},
    {acceleration, "", ".acc"},      {acceleration, "", ".acceleration"}, {acceleration, "", "/acceleration"},
    {acceleration, "acc.", ""},      {acceleration, "acceleration.", ""}, {acceleration, "qdd.", ""},
    {acceleration, "ddq.", ""},      {acceleration, "qddot.", ""},    {torque, "", "_torque"},
    {torque, "", "_effort"},         {torque, "", "_tau"},            {torque, "", ".torque"},
    {torque, "", ".effort"},         {torque, "", "/effort"},         {torque, "torque.", ""},
    {torque, "effort.", ""},         {torque, "tau.", ""},            {position, "position/", ""},
    {velocity, "velocity/", ""},     {torque, "effort/", ""},
    // positions of Drake
    {position, "", "_q"},
    // as our pages save their figures
    {position, "", " angle"},        {position, "", " length"},       {position, "", " position"},
    {velocity, "", " speed"},        {velocity, "", " velocity"},     {acceleration, "", " acceleration"},
    {torque, "", " effort"},         {torque, "", " torque"},
};

// a number behind one of these is that of a coordinate; those without a quantity need an affix unless it is a position
constexpr Affix number_prefixes[] = {
    {position, "q", ""},       {position, "q_", ""},      {velocity, "qd", ""},     {velocity, "qd_", ""},
    {velocity, "dq", ""},      {velocity, "dq_", ""},     {velocity, "qdot", ""},   {acceleration, "qdd", ""},
    {acceleration, "qdd_", ""}, {acceleration, "ddq", ""}, {acceleration, "ddq_", ""}, {acceleration, "qddot", ""},
    {torque, "tau", ""},       {torque, "tau_", ""},      {torque, "tau_j", ""},
    {position, "pos", ""},     {position, "pos_", ""},    {position, "position", ""}, {position, "position_", ""},
    {velocity, "vel", ""},     {velocity, "vel_", ""},    {velocity, "velocity", ""}, {velocity, "velocity_", ""},
    {acceleration, "acc", ""}, {acceleration, "acc_", ""}, {torque, "torque", ""},   {torque, "torque_", ""},
    {torque, "effort", ""},    {torque, "effort_", ""},
    // records of a UR
    {position, "actual_q_", ""},  {velocity, "actual_qd_", ""},      {position, "target_q_", ""},
    {velocity, "target_qd_", ""}, {acceleration, "target_qdd_", ""}, {torque, "target_moment_", ""},
};
// states of MuJoCo: where every joint has one coordinate, as the others are in other frames than here
constexpr Affix single_prefixes[] = {
    {position, "qpos", ""},  {position, "qpos_", ""},     {velocity, "qvel", ""},
    {velocity, "qvel_", ""}, {acceleration, "qacc", ""}, {acceleration, "qacc_", ""},
};
constexpr std::string_view joint_prefixes[] = {"joint_", "joint ", "joint", "j",    "q_",    "q",
                                               "axis_",  "axis ",  "axis",  "theta_", "theta"};

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text.front() == '0' || status != std::errc{} || stop != text.data() + text.size()) return {};
  return number;
}

std::optional<std::size_t> joint_number(std::string_view base) {
  for (const std::string_view prefix : joint_prefixes)
    if (base.starts_with(prefix))
      if (const auto number = whole_number(base.substr(prefix.size()))) return number;
  return {};
}

}  // namespace

ColumnWords::ColumnWords(const MotionNames& names)
    : nq_(names.position_names.size()), nv_(names.velocity_names.size()), numbers_(names.misleading.empty()),
      single_(names.position_names == names.velocity_names) {
  const auto enter = [this](auto& map, const std::vector<std::string>& list) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::string name = lower_case(list[k]);
      if (const auto number = joint_number(name);
          (number && *number != k + 1) || name == "joint0" || name == "joint_0" || name == "j0" || name == "q0")
        numbers_ = false;
      if (const auto [place, is_new] = map.emplace(name, k); !is_new) place->second = nobody;
    }
  };
  enter(positions_, names.position_names);
  enter(velocities_, names.velocity_names);
}

std::optional<std::size_t> ColumnWords::coordinate(std::string_view base, MotionQuantity quantity,
                                                   ColumnKey key) const {
  const auto& map = quantity == position ? positions_ : velocities_;
  if (const auto found = map.find(std::string(base)); found != map.end())
    return found->second == nobody ? std::nullopt : std::optional(found->second);
  if (key == ColumnKey::name) return std::nullopt;
  const auto number = joint_number(base);
  return number ? numbered(base.substr(base.find_first_of("123456789")), quantity == position ? nq_ : nv_)
                : std::nullopt;
}

std::optional<std::size_t> ColumnWords::numbered(std::string_view base, std::size_t count) const {
  const auto number = whole_number(base);
  return numbers_ && number && *number <= count ? std::optional(*number - 1) : std::nullopt;
}

std::optional<ColumnWords::Meaning> ColumnWords::meaning(std::string_view name, ColumnKey key) const {
  const std::string lower = lower_case(name);
  const std::string_view text = lower;
  if (const auto found = coordinate(text, position, key)) return Meaning{position, *found};
  const auto by_number = [&](std::span<const Affix> prefixes) -> std::optional<Meaning> {
    for (const Affix& prefix : prefixes)
      if (text.starts_with(prefix.before))
        if (const auto found = numbered(text.substr(prefix.before.size()), prefix.quantity == position ? nq_ : nv_))
          return Meaning{prefix.quantity, *found};
    return std::nullopt;
  };
  if (key == ColumnKey::name_or_number) {
    // axes of a KUKA; a small a is an acceleration to others
    if (name.starts_with('A'))
      if (const auto found = numbered(text.substr(1), nq_)) return Meaning{position, *found};
    if (const auto found = by_number(number_prefixes)) return found;
    if (const auto found = single_ ? by_number(single_prefixes) : std::nullopt) return found;
  }
  for (const Affix& affix : affixes)
    if (text.size() > affix.before.size() + affix.after.size() && text.starts_with(affix.before) &&
        text.ends_with(affix.after)) {
      const std::string_view base =
          text.substr(affix.before.size(), text.size() - affix.before.size() - affix.after.size());
      if (const auto found = coordinate(base, affix.quantity, key)) return Meaning{affix.quantity, *found};
    }
  // a figure of one joint, saved by a page: `elbow q.elbow`
  if (const std::size_t blank = text.rfind(' '); blank != std::string_view::npos && blank > 0)
    if (const auto found = meaning(text.substr(blank + 1), key))
      if (coordinate(text.substr(0, blank), found->quantity, key) == found->coordinate) return found;
  // a topic: `/joint_states/elbow/position`
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) return meaning(text.substr(slash + 1), key);
  return std::nullopt;
}

}  // namespace torsor
