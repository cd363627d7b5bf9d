// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "ask/shared/many_bodies.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"

namespace graze {

namespace {

/// A chain that moves from one configuration to another, and the bodies that it may touch.
class ChainQuestions {
 public:
  ChainQuestions(const Chain& chain, std::span<const LinkBody> links, std::span<const double> from,
                 std::span<const double> to, std::span<const MovingBody> environment,
                 const ChainContactsOptions& options)
      : chain_(chain), links_(links), from_(from), to_(to), environment_(environment), options_(options) {}

  std::vector<ask::PairQuestion> ask(Counters& counters) const {
    std::vector<ask::PairQuestion> questions;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      core::poll_once();
      for (std::size_t j = i + 1; j < links_.size(); ++j) {
        if (!may_touch(links_[i].link, links_[j].link) || !ask::of_interest(options_, i, j)) continue;
        const auto [a, b] = chain_.pair_motions(links_[i].link, links_[j].link, from_, to_);
        add(i, links_[i].body, a, j, links_[j].body, b, counters, questions);
      }
      const Motion in_world = chain_.link_motion(links_[i].link, from_, to_);
      for (std::size_t j = 0; j < environment_.size(); ++j)
        if (ask::of_interest(options_, i, links_.size() + j))
          add(i, links_[i].body, in_world, links_.size() + j, environment_[j].body, environment_[j].motion, counters,
              questions);
    }
    return questions;
  }

  /// Two links are tested in the frame of their nearest common ancestor: this transforms the answer to world
  /// coordinates.
  void to_world(PairContact& p) const {
    if (p.b >= links_.size() || !p.contact.points) return;
    const auto ancestor = chain_.common_ancestor(links_[p.a].link, links_[p.b].link);
    const Placement at =
        (ancestor ? chain_.link_motion(*ancestor, from_, to_) : chain_.base()).at(p.contact.time.touch);
    for (Vec3& x : *p.contact.points) x = at.apply(x);
    if (!p.contact.normal) return;
    const Vec3 n = Placement{at.r, {}}.apply(*p.contact.normal);
    p.contact.normal = n * (1 / length(n));
  }

 private:
  bool may_touch(LinkId a, LinkId b) const { return a != b && (options_.neighbours || !chain_.neighbours(a, b)); }

  /// There are few enough bodies to test all pairs. Each pair has its own boxes, as each has its own frame.
  void add(std::size_t i, const Body& a, const Motion& ma, std::size_t j, const Body& b, const Motion& mb,
           Counters& counters, std::vector<ask::PairQuestion>& questions) const {
    const double tolerance = options_.pair.tolerance.value_or(0), separation = options_.pair.min_separation;
    const double meet =
        engine::first_contact::boxes_meet(a, ma, engine::first_contact::margin_of(a, tolerance) + separation, b, mb,
                                          engine::first_contact::margin_of(b, tolerance), 0, 1, 6, counters);
    if (meet <= 1)
      questions.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), &a, &b, ma, mb, meet});
  }

  const Chain& chain_;
  std::span<const LinkBody> links_;
  std::span<const double> from_, to_;
  std::span<const MovingBody> environment_;
  const ChainContactsOptions& options_;
};

std::optional<ErrorDetail> problem_with(const Chain& chain, std::span<const LinkBody> links,
                                        std::span<const double> from, std::span<const double> to) {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (index(links[i].link) >= chain.size())
      return core::problem(ErrorCode::bad_option, "link body",
                           "the chain has no link " + std::to_string(index(links[i].link)) + "; give one of its " +
                               std::to_string(chain.size()),
                           i);
  try {
    for (const LinkBody& link : links) chain.link_motion(link.link, from, to);
  } catch (const Error& error) {
    return error.detail();
  }
  return std::nullopt;
}

}  // namespace

void first_contacts(const Chain& chain, std::span<const LinkBody> links, std::span<const double> from,
                    std::span<const double> to, std::span<const MovingBody> environment,
                    const ChainContactsOptions& options, FirstContactsResult& result) {
  const core::FpGuard guard;
  result = FirstContactsResult{};
  core::clear(options.pair.method_counters);
  bool refused = core::refused(result, problem_with(chain, links, from, to)) || ask::refuses(options, result);
  for (std::size_t i = 0; i < links.size() && !refused; ++i)
    refused = ask::refuses_open(options, links[i].body, i, result);
  for (std::size_t i = 0; i < environment.size() && !refused; ++i)
    refused = ask::refuses_open(options, environment[i].body, links.size() + i, result);
  if (refused) return;
  ask::within_limits(options, result, [&] {
    const ChainQuestions questions(chain, links, from, to, environment, options);
    ask::ask_pairs(questions.ask(result.counters), options, result);
    if (result.earliest) questions.to_world(*result.earliest);
    for (PairContact& p : result.pairs) questions.to_world(p);
  });
}

FirstContactsResult first_contacts(const Chain& chain, std::span<const LinkBody> links, std::span<const double> from,
                                   std::span<const double> to, std::span<const MovingBody> environment,
                                   const ChainContactsOptions& options) {
  FirstContactsResult result;
  first_contacts(chain, links, from, to, environment, options, result);
  return result;
}

}  // namespace graze
