// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ask/compound/compound.hpp"
#include "ask/shapes/moving_distance.hpp"
#include "ask/shared/first_contact_options.hpp"
#include "ask/shared/many_bodies.hpp"
#include "body/body_data.hpp"
#include "body/compound.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/collide/method.hpp"
#include "engine/contains/solid.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "engine/proof/certificate.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

bool has_curved_piece(const Body& body) {
  const body::Pieces pieces(body);
  for (std::uint32_t i = 0; i < pieces.size(); ++i)
    if (pieces[i].data().is_curved()) return true;
  return false;
}

/// What is not answered for compounds.
std::optional<ErrorDetail> missing_for_compounds(const FirstContactOptions& o, const Body& a, const Body& b) {
  const auto refuse = [](const char* what, const char* instead) {
    return engine::collide::unsupported(std::string(what) + " is not available for compounds; " + instead,
                                        std::string("option ") + what);
  };
  if (o.method != "best_first") return refuse("method", "use best_first, or ask for the pieces");
  if (o.all_contacts && (has_curved_piece(a) || has_curved_piece(b)))
    return engine::collide::unsupported(
        "all_contacts is not available for curved pieces; ask for pairs of other pieces "
        "(Body::piece), or for the first contact, and again from there",
        "option all_contacts");
  return std::nullopt;
}

/// The pairs of pieces whose boxes may meet on the way, each with the time before which they do not. A node's box
/// contains the boxes below it: what meets not before t does not meet before t further down.
class MovingPieces {
 public:
  MovingPieces(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b, double margin)
      : a_(a), b_(b), motion_a_(motion_a), motion_b_(motion_b), margin_(margin) {}

  std::vector<PairQuestion> near(Counters& counters) const {
    struct Nodes {
      std::uint32_t a, b;
      double not_before;
    };
    std::vector<PairQuestion> questions;
    std::vector<Nodes> stack{{0, 0, 0}};
    while (!stack.empty()) {
      core::poll_once();
      const Nodes top = stack.back();
      stack.pop_back();
      const body::PieceNode &x = a_.node(top.a), &y = b_.node(top.b);
      const bool leaves = x.is_leaf() && y.is_leaf();
      const double meet = engine::first_contact::boxes_meet(x.box, motion_a_, margin_, y.box, motion_b_, margin_,
                                                            top.not_before, 1, leaves ? 4 : 2, counters);
      if (!(meet <= 1)) continue;
      if (leaves) {
        questions.push_back({x.piece, y.piece, &a_[x.piece], &b_[y.piece], motion_a_, motion_b_, meet});
      } else if (y.is_leaf() || (!x.is_leaf() && diagonal(x.box) >= diagonal(y.box))) {
        stack.push_back({x.left, top.b, meet});
        stack.push_back({x.right, top.b, meet});
      } else {
        stack.push_back({top.a, y.left, meet});
        stack.push_back({top.a, y.right, meet});
      }
    }
    return questions;
  }

  static double diagonal(const Box3& box) { return length(box.hi - box.lo); }

 private:
  body::Pieces a_, b_;
  const Motion &motion_a_, &motion_b_;
  double margin_;
};

/// As `FirstContactOptions::tolerance` says; of a half-space nothing is known. 0: none.
double tolerance_of(const Body& a, const Body& b, const FirstContactOptions& options) {
  double size = math::infinity;
  for (const Body* body : {&a, &b})
    if (!body->data().is_half_space()) size = std::min(size, MovingPieces::diagonal(body->box()));
  return options.tolerance.value_or(1e-6 * size);
}

/// The contacts of all pairs of pieces, with their pieces. False: the list of a pair is not complete.
bool gather_contacts(const FirstContactsResult& all, std::vector<ContactEvent>& contacts) {
  for (const PairContact& pair : all.pairs) {
    if (pair.contact.status == Status::undecided) return false;
    for (ContactEvent event : pair.contact.contacts) {
      event.pieces = {PieceId{pair.a}, PieceId{pair.b}};
      contacts.push_back(event);
    }
  }
  std::sort(contacts.begin(), contacts.end(), [](const ContactEvent& x, const ContactEvent& y) {
    return std::tie(x.time.touch, x.feature, *x.pieces) < std::tie(y.time.touch, y.feature, *y.pieces);
  });
  return true;
}

/// The step that divides a body into its pieces: a shape is one item, a mesh its triangles.
std::string divided(const char* side, const Body& body) {
  const body::Pieces pieces(body);
  if (pieces.size() == 1) return {};
  std::string line = side + (' ' + std::to_string(pieces.size()));
  for (std::uint32_t i = 0; i < pieces.size(); ++i) {
    const body::BodyData& piece = pieces[i].data();
    line += ' ' + std::to_string(piece.shape ? 1 : piece.mesh.triangle_count());
  }
  return line + '\n';
}

/// The proofs of all pairs of pieces until t_safe, put together. Also of those pairs that boxes told apart, because the
/// checker knows no boxes. None if one of them has none.
void add_compound_certificate(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                              const FirstContactOptions& options, double tolerance, FirstContactResult& result) {
  const double until = result.time.safe;
  if (!(until > 0) || !engine::proof::can_be_stated(motion_a.path(), motion_b.path())) return;
  FirstContactOptions asked = options;
  asked.budget.reset();
  asked.cancel = {};
  asked.method_counters = nullptr;
  asked.coherence = nullptr;
  asked.solid = asked.all_features = false;
  if (tolerance > 0 && std::isfinite(tolerance)) asked.tolerance = tolerance;
  const body::Pieces of_a(a), of_b(b);
  std::string steps = divided("A", a);
  FirstContactResult pair;
  for (std::uint32_t i = 0; i < of_a.size(); ++i) {
    steps += divided("B", b);
    for (std::uint32_t j = 0; j < of_b.size(); ++j) {
      first_contact(of_a[i], motion_a, of_b[j], motion_b, asked, pair);
      result.counters += pair.counters;
      if (!pair.certificate || pair.certificate->until < until) return;
      steps += engine::proof::steps_until(*pair.certificate, until);
    }
  }
  const engine::proof::Stated stated{a, b, motion_a.path(), motion_b.path(), options.min_separation};
  result.certificate = engine::proof::certificate_of_shapes(stated, steps, until);
}

}  // namespace

void first_contact_compounds(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                             const FirstContactOptions& options, FirstContactResult& result) {
  if (core::refused(result, mistake_in(options)) || core::refused(result, missing_for_compounds(options, a, b))) return;
  if (options.solid)
    for (const auto& [body, label] : {std::pair(&a, "A"), std::pair(&b, "B")})
      if (core::refused(result, engine::contains::not_solid(body->data(), label))) return;
  result.method = "best_first";
  const double tolerance = tolerance_of(a, b, options);
  FirstContactsOptions asked;
  asked.pair = options;
  asked.pair.certificate = asked.pair.clearance = false;  // those of all pairs are asked for together
  asked.pair.budget.reset();
  asked.pair.cancel = {};
  if (tolerance > 0 && std::isfinite(tolerance)) asked.pair.tolerance = tolerance;
  asked.threads = options.threads;
  asked.all_pairs = options.all_contacts;
  FirstContactsResult all;
  const MovingPieces pieces(a, motion_a, b, motion_b, tolerance + options.min_separation);
  bool ended = false;
  try {
    ask_pairs(pieces.near(all.counters), asked, all);
  } catch (const core::Stopped&) {  // while the boxes were compared: nothing is known
    ended = true;
    all.status = Status::undecided;
    all.safe = 0;
  }
  std::vector<ContactEvent> contacts;
  const bool touches = all.status == Status::contact || all.status == Status::touching_at_start;
  if (options.all_contacts && touches && !gather_contacts(all, contacts)) all.status = Status::undecided;
  if (!ended && all.earliest) {
    result = std::move(all.earliest->contact);
    result.pieces = {PieceId{all.earliest->a}, PieceId{all.earliest->b}};
    result.time.safe = std::min(result.time.safe, all.safe);
  } else {
    result.tolerance = tolerance;
  }
  result.counters = all.counters;
  result.status = all.status;
  result.error = std::move(all.error);
  if (all.status == Status::contact || all.status == Status::touching_at_start) {
    result.contacts = std::move(contacts);
    if (options.clearance) add_moving_clearance(a, motion_a, b, motion_b, options, result);
    if (options.certificate) add_compound_certificate(a, motion_a, b, motion_b, options, tolerance, result);
    return;
  }
  FirstContactResult known;  // of what was not decided only the time is reported
  known.status = result.status;
  known.method = result.method;
  known.tolerance = tolerance;
  known.time = {all.status == Status::free ? 1 : all.safe, math::not_a_number};
  known.gap = math::not_a_number;
  known.counters = result.counters;
  known.error = std::move(result.error);
  if (known.error)
    if (const std::size_t at = known.error->message.find("(asked for bodies"); at != std::string::npos)
      known.error->message.replace(at, 17, "(asked for pieces");
  result = std::move(known);
  if (options.clearance) add_moving_clearance(a, motion_a, b, motion_b, options, result);
  if (options.certificate && !result.error)
    add_compound_certificate(a, motion_a, b, motion_b, options, tolerance, result);
}

}  // namespace graze::ask
