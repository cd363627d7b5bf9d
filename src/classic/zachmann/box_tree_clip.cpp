// SPDX-License-Identifier: MIT
#include "classic/zachmann/box_tree_clip.hpp"

namespace graze::classic::zachmann {

namespace {

/// The other two axes of a family, in the order of the bits of an edge's number.
constexpr int other_axis[3][2] = {{1, 2}, {0, 2}, {0, 1}};
/// Which of the two is the axis? (The axis is not the family's own.)
constexpr int bit_of(int family, int axis) { return other_axis[family][0] == axis ? 0 : 1; }

std::size_t step_index(int f, int k, int which) { return static_cast<std::size_t>(6 * f + 2 * k + which); }

}  // namespace

BoxTreeClip::BoxTreeClip(const BoxTreeFrame& frame, const BoxTreeData& a, const BoxTreeData& b, Options options,
                         AllCounters& counters)
    : frame_(frame), trees_{&a, &b}, options_(options), counters_(counters) {
  constexpr double flattest = 0x1p-30;
  for (int body = 0; body < 2; ++body)
    for (int f = 0; f < 3; ++f)
      for (int k = 0; k < 3; ++k) {
        const auto& slope = frame.slope[body];
        const double s = slope[f][k];
        Family& family = family_[body][f][k];
        family.parallel = !(std::fabs(s) >= flattest);
        family.entering = s > 0;
        family.inverse = family.parallel ? 1 : 1 / s;
        family.base = -frame.offset[body][k] * family.inverse;
        for (int which = 0; which < 2; ++which) family.ratio[which] = slope[other_axis[f][which]][k] * family.inverse;
        family.widen =
            family.parallel ? frame.margin + 2 * std::fabs(s) * frame.size : frame.margin * std::fabs(family.inverse);
      }
  for (std::size_t body = 0; body < 2; ++body) {
    const BoxTreeData& tree = *trees_[body];
    if (!tree.halved) continue;
    steps_[body].resize(static_cast<std::size_t>(tree.depth) + 1);
    for (int f = 0; f < 3; ++f)
      for (int k = 0; k < 3; ++k)
        for (int which = 0; which < 2; ++which) {
          const int axis = other_axis[f][which];
          double value = (tree.box.hi[axis] - tree.box.lo[axis]) * family_[body][f][k].ratio[which];
          for (Steps& steps : steps_[body]) {
            steps[step_index(f, k, which)] = value;
            value /= 2;
          }
        }
  }
}

/// The difference of the parameters of neighbouring edges: the extent between them times the ratio.
double BoxTreeClip::step(const Pair& pair, int body, int f, int k, int which) const {
  const auto b = static_cast<std::size_t>(body);
  const int axis = other_axis[f][which];
  if (!steps_[b].empty()) return steps_[b][pair.level[body][axis]][step_index(f, k, which)];
  return (pair.box[b].hi[axis] - pair.box[b].lo[axis]) * family_[body][f][k].ratio[which];
}

/// The parameters at which the four edges of a family meet the plane x_k = at of the other body.
void BoxTreeClip::parameters(const Pair& pair, int body, int f, int k, double at, double (&value)[4]) const {
  const Family& family = family_[body][f][k];
  const Vec3& lo = pair.box[static_cast<std::size_t>(body)].lo;
  value[0] = at * family.inverse + family.base - lo[other_axis[f][0]] * family.ratio[0] -
             lo[other_axis[f][1]] * family.ratio[1];
  const double step0 = step(pair, body, f, k, 0), step1 = step(pair, body, f, k, 1);
  value[1] = value[0] - step0;
  value[2] = value[0] - step1;
  value[3] = value[1] - step1;
  counters_.box_tree_line_parameters += 4;
}

void BoxTreeClip::clip(ClippedLine& line, const Family& family, double value, bool high) {
  if (family.parallel) {
    // The signed distance from the line up to the plane.
    if (high ? value < -family.widen : value > family.widen) line = {1, 0};
  } else if (family.entering == high) {
    line.hi = std::min(line.hi, value + family.widen);
  } else {
    line.lo = std::max(line.lo, value - family.widen);
  }
}

void BoxTreeClip::flag_if_empty(Pair& pair, int body, int f, int i) const {
  if (!options_.flag || !pair.line[static_cast<std::size_t>(body)][f][i].empty()) return;
  pair.outside[static_cast<std::size_t>(body)] |= static_cast<std::uint16_t>(1u << (4 * f + i));
  --pair.inside;
  ++counters_.box_tree_outside_edges;
}

bool BoxTreeClip::may_meet(const Pair& pair) const {
  if (!frame_.usable) return true;
  if (options_.flag) return pair.inside != 0;
  for (const auto& body : pair.line)
    for (const auto& family : body)
      for (const ClippedLine& line : family)
        if (!line.empty()) return true;
  return false;
}

/// Clips all lines from scratch, by the same steps that cutting uses.
void BoxTreeClip::clip_all(Pair& pair) const {
  pair.outside = {};
  pair.inside = 24;
  for (int body = 0; body < 2; ++body) {
    const auto b = static_cast<std::size_t>(body);
    for (int f = 0; f < 3; ++f) {
      for (ClippedLine& line : pair.line[b][f]) line = {pair.box[b].lo[f], pair.box[b].hi[f]};
      for (int k = 0; k < 3; ++k)
        for (const bool high : {false, true}) {
          const Box3& other = pair.box[1 - b];
          double value[4];
          parameters(pair, body, f, k, high ? other.hi[k] : other.lo[k], value);
          for (int i = 0; i < 4; ++i) clip(pair.line[b][f][i], family_[body][f][k], value[i], high);
        }
      for (int i = 0; i < 4; ++i) flag_if_empty(pair, body, f, i);
    }
  }
}

bool BoxTreeClip::start(Pair& pair) const {
  pair = {};
  pair.box = {trees_[0]->box, trees_[1]->box};
  if (frame_.usable) clip_all(pair);
  return may_meet(pair);
}

/// The other body's edges: one new plane, the high one of the left part and the low one of the right part.
void BoxTreeClip::cut_other_lines(const Pair& pair, int body, int axis, double cut, std::array<Pair, 2>& parts) const {
  const int other = 1 - body;
  const auto o = static_cast<std::size_t>(other);
  for (int f = 0; f < 3; ++f) {
    if (options_.flag && (pair.outside[o] >> (4 * f) & 15) == 15) continue;
    const Family& family = family_[other][f][axis];
    double value[4];
    parameters(pair, other, f, axis, cut, value);
    for (int i = 0; i < 4; ++i) {
      if (options_.flag && is_outside(pair, other, f, i)) continue;
      for (const std::size_t part : {0, 1}) {
        clip(parts[part].line[o][f][i], family, value[i], part == 0);
        flag_if_empty(parts[part], other, f, i);
      }
    }
  }
}

/// The two edges of a family that the cut creates, clipped by all planes of the other box.
void BoxTreeClip::new_lines(const Pair& pair, int body, int f, int axis, double cut, ClippedLine (&lines)[2]) const {
  const auto b = static_cast<std::size_t>(body);
  const Box3 &own = pair.box[b], &other = pair.box[1 - b];
  lines[0] = lines[1] = {own.lo[f], own.hi[f]};
  const int across = bit_of(f, axis), along = 1 - across;
  for (int k = 0; k < 3; ++k) {
    const Family& family = family_[body][f][k];
    const double base0 = family.base - cut * family.ratio[across] - own.lo[other_axis[f][along]] * family.ratio[along];
    const double base1 = base0 - step(pair, body, f, k, along);
    const double low = other.lo[k] * family.inverse, high = other.hi[k] * family.inverse;
    counters_.box_tree_line_parameters += 4;
    clip(lines[0], family, base0 + low, false);
    clip(lines[0], family, base0 + high, true);
    clip(lines[1], family, base1 + low, false);
    clip(lines[1], family, base1 + high, true);
    if (options_.flag && lines[0].empty() && lines[1].empty()) return;
  }
}

void BoxTreeClip::replace(Pair& pair, int body, int f, int i, const ClippedLine& line) const {
  const auto b = static_cast<std::size_t>(body);
  if (is_outside(pair, body, f, i)) {
    pair.outside[b] &= static_cast<std::uint16_t>(~(1u << (4 * f + i)));
    ++pair.inside;
  }
  pair.line[b][f][i] = line;
  flag_if_empty(pair, body, f, i);
}

/// The cut body's own edges: those along the axis become shorter, each of the others belongs to one part, and four new
/// ones, which both parts share, lie in the cut-plane.
void BoxTreeClip::cut_own_lines(const Pair& pair, int body, int axis, double cut, std::array<Pair, 2>& parts) const {
  const auto b = static_cast<std::size_t>(body);
  for (int i = 0; i < 4; ++i) {
    if (options_.flag && is_outside(pair, body, axis, i)) continue;
    ClippedLine &l = parts[0].line[b][axis][i], &r = parts[1].line[b][axis][i];
    l.hi = std::min(l.hi, cut);
    r.lo = std::max(r.lo, cut);
    flag_if_empty(parts[0], body, axis, i);
    flag_if_empty(parts[1], body, axis, i);
  }
  for (int f = 0; f < 3; ++f) {
    if (f == axis) continue;
    ClippedLine lines[2];
    new_lines(pair, body, f, axis, cut, lines);
    const int bit = bit_of(f, axis);
    for (int i = 0; i < 2; ++i) {
      // The edge's index without and with the bit of the cut axis.
      const int low = bit == 0 ? 2 * i : i, high = low + (1 << bit);
      replace(parts[0], body, f, high, lines[i]);
      replace(parts[1], body, f, low, lines[i]);
    }
    counters_.box_tree_lines_kept += 4;
  }
}

std::array<bool, 2> BoxTreeClip::split(const Pair& pair, int body, int axis, double cut,
                                       std::array<Pair, 2>& parts) const {
  const auto b = static_cast<std::size_t>(body);
  parts[0] = parts[1] = pair;
  if (frame_.usable && options_.reuse) {
    cut_other_lines(pair, body, axis, cut, parts);
    cut_own_lines(pair, body, axis, cut, parts);
  }
  parts[0].box[b].hi[axis] = parts[1].box[b].lo[axis] = cut;
  for (Pair& part : parts) {
    ++part.level[body][axis];
    if (frame_.usable && !options_.reuse) clip_all(part);
  }
  return {may_meet(parts[0]), may_meet(parts[1])};
}

std::array<bool, 2> BoxTreeAligned::split(const Pair& pair, int body, int axis, double cut,
                                          std::array<Pair, 2>& parts) const {
  const auto b = static_cast<std::size_t>(body);
  const Box3& own = pair.box[b];
  parts[0] = parts[1] = pair;
  if (body == 1)
    for (int i = 0; i < 3; ++i) {
      const double s = frame_.slope[1][axis][i];
      const double left = s * (own.hi[axis] - cut), right = s * (cut - own.lo[axis]);
      (s > 0 ? parts[0].b.hi[i] : parts[0].b.lo[i]) -= left;
      (s > 0 ? parts[1].b.lo[i] : parts[1].b.hi[i]) += right;
    }
  parts[0].box[b].hi[axis] = parts[1].box[b].lo[axis] = cut;
  return {may_meet(parts[0]), may_meet(parts[1])};
}

}  // namespace graze::classic::zachmann
