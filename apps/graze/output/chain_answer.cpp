// SPDX-License-Identifier: MIT
#include "output/chain_answer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "output/print.hpp"

namespace graze::app {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

bool is_ignored(const Robot& robot, LinkId a, LinkId b) {
  return std::any_of(robot.ignored.begin(), robot.ignored.end(), [&](const std::array<LinkId, 2>& pair) {
    return pair == std::array{a, b} || pair == std::array{b, a};
  });
}

bool touches(const FirstContactResult& result) {
  return result.status == Status::contact || result.status == Status::touching_at_start;
}

/// Two links are tested in the frame of their nearest common ancestor: transforms the answer to world coordinates.
void take_to_world(const ChainScene& scene, const LinkPair& pair, std::span<const double> from,
                   std::span<const double> to, FirstContactResult& result) {
  if (!pair.b || !touches(result)) return;
  const Chain& chain = scene.robot.chain;
  const std::optional<LinkId> ancestor = chain.common_ancestor(pair.a, *pair.b);
  const Motion motion = ancestor ? chain.link_motion(*ancestor, from, to) : chain.base();
  const Placement place = motion.at(result.time.touch);
  if (result.points)
    for (Vec3& point : *result.points) point = place.apply(point);
  if (result.normal) result.normal = place.apply(*result.normal) - place.t;
}

FirstContactResult ask_pair(const ChainScene& scene, const LinkPair& pair, std::span<const double> from,
                            std::span<const double> to, const FirstContactOptions& options) {
  const Chain& chain = scene.robot.chain;
  FirstContactResult result;
  if (pair.b) {
    const auto [motion_a, motion_b] = chain.pair_motions(pair.a, *pair.b, from, to);
    first_contact(scene.body_a(pair), motion_a, scene.body_b(pair), motion_b, options, result);
  } else {
    first_contact(scene.body_a(pair), chain.link_motion(pair.a, from, to), scene.body_b(pair),
                  Still{scene.environment_pose}, options, result);
  }
  take_to_world(scene, pair, from, to, result);
  return result;
}

/// The smallest clearance of all pairs. The smallest lower bound is a lower bound for all pairs.
std::optional<Clearance> least_clearance(const std::vector<FirstContactResult>& answers) {
  std::optional<Clearance> least;
  for (const FirstContactResult& answer : answers) {
    if (!answer.clearance) return std::nullopt;
    const double lower = least ? std::min(least->lower, answer.clearance->lower) : answer.clearance->lower;
    if (!least || answer.clearance->upper < least->upper) least = answer.clearance;
    least->lower = lower;
  }
  return least;
}

std::optional<std::size_t> earliest(const std::vector<FirstContactResult>& answers) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (touches(answers[i]) && (!first || answers[i].time.touch < answers[*first].time.touch)) first = i;
  return first;
}

/// The motion is certified free before the smallest t_safe of all pairs. A contact is the first of all only if every
/// undecided pair is certified free up to it.
void merge(ChainAnswer& answer) {
  FirstContactResult& whole = answer.whole;
  const std::vector<FirstContactResult>& all = answer.pair_answers;
  answer.first = earliest(all);
  const double touch = answer.first ? all[*answer.first].time.touch : 2;
  double safe = 1, tolerance = 0;
  bool undecided = false;
  for (const FirstContactResult& one : all) {
    safe = std::min(safe, one.time.safe);
    tolerance = std::max(tolerance, one.tolerance);
    undecided |= one.status == Status::undecided && one.time.safe < touch;
  }
  if (undecided) answer.first.reset();
  if (answer.first) {
    whole = all[*answer.first];
    whole.time.safe = safe;
  } else {
    whole.method = all.front().method;
    whole.status = undecided ? Status::undecided : Status::free;
    whole.time = {safe, not_a_number};
    whole.gap = not_a_number;
    whole.tolerance = tolerance;
  }
  whole.clearance = least_clearance(all);
  whole.counters = {};
  whole.seconds = 0;
  for (const FirstContactResult& one : all) {
    whole.counters += one.counters;
    whole.seconds += one.seconds;
  }
}

std::string links_text(const ChainScene& scene, const LinkPair& pair) {
  const Chain& chain = scene.robot.chain;
  return fmt::format("A is link {}, B is {}", chain.link(pair.a).name,
                     pair.b ? "link " + chain.link(*pair.b).name : std::string("the environment"));
}

/// All contacts of all pairs with their links, in order of time.
Json contacts_json(const ChainAnswer& answer, const ChainScene& scene, const std::vector<Json>& pair_answers) {
  std::vector<Json> contacts;
  for (std::size_t i = 0; i < scene.pairs.size(); ++i)
    for (const Json& contact : pair_answers[i]["contacts"]) {
      Json with_links{{"links", links_json(scene, scene.pairs[i])}};
      with_links.update(contact);
      contacts.push_back(std::move(with_links));
    }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const Json& a, const Json& b) { return a["time"][1] < b["time"][1]; });
  return answer.whole.status == Status::invalid_request ? Json() : Json(contacts);
}

}  // namespace

Json links_json(const ChainScene& scene, const LinkPair& pair) {
  const Chain& chain = scene.robot.chain;
  return Json::array({chain.link(pair.a).name, pair.b ? Json(chain.link(*pair.b).name) : Json()});
}

std::vector<LinkPair> pairs_to_ask(const ChainScene& scene, bool neighbours) {
  const Robot& robot = scene.robot;
  std::vector<LinkId> links;
  for (std::uint32_t i = 0; i < robot.chain.size(); ++i)
    if (robot.bodies[i]) links.push_back(LinkId{i});
  std::vector<LinkPair> pairs;
  if (scene.environment)
    for (const LinkId link : links) pairs.push_back({link, {}});
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t j = i + 1; j < links.size(); ++j)
      if ((neighbours || !robot.chain.neighbours(links[i], links[j])) && !is_ignored(robot, links[i], links[j]))
        pairs.push_back({links[i], links[j]});
  return pairs;
}

ChainAnswer ask(const ChainScene& scene, std::span<const double> from, std::span<const double> to,
                const FirstContactOptions& options) {
  ChainAnswer answer;
  MethodCounters of_pair;
  FirstContactOptions counting = options;
  counting.method_counters = &of_pair;
  for (const LinkPair& pair : scene.pairs) {
    answer.pair_answers.push_back(ask_pair(scene, pair, from, to, counting));
    answer.of_method += of_pair;
    if (answer.pair_answers.back().status == Status::invalid_request) {
      answer.whole = std::move(answer.pair_answers.back());
      answer.pair_answers.clear();
      return answer;
    }
  }
  merge(answer);
  return answer;
}

Json to_json(const ChainAnswer& answer, const ChainScene& scene, const FirstContactOptions& options) {
  const auto meshes_json = [&](const FirstContactResult& result, const LinkPair& pair) {
    return to_json(result, options, scene.body_a(pair), scene.body_b(pair));
  };
  std::vector<Json> pair_answers;
  Json link_pairs = Json::array();
  for (std::size_t i = 0; i < answer.pair_answers.size(); ++i) {
    pair_answers.push_back(meshes_json(answer.pair_answers[i], scene.pairs[i]));
    Json entry{{"links", links_json(scene, scene.pairs[i])}};
    for (const char* key : {"status", "time", "gap", "tolerance", "clearance", "seconds"})
      entry[key] = pair_answers.back()[key];
    link_pairs.push_back(std::move(entry));
  }
  Json out = new_object();
  Json whole = meshes_json(answer.whole, scene.pairs[answer.first.value_or(0)]);
  whole["counters"] = to_json(answer.whole.counters, &answer.of_method);
  out["status"] = whole["status"];
  out["links"] = answer.first ? links_json(scene, scene.pairs[*answer.first]) : Json();
  out.update(whole);
  if (options.all_contacts) out["contacts"] = contacts_json(answer, scene, pair_answers);
  out["link_pairs"] = std::move(link_pairs);
  return out;
}

void print(const ChainAnswer& answer, const ChainScene& scene, const FirstContactOptions& options) {
  const LinkPair& pair = scene.pairs[answer.first.value_or(0)];
  FirstContactOptions without_contacts = options;  // contacts are printed separately, with their links
  without_contacts.all_contacts = false;
  MethodCounters of_method = answer.of_method;
  without_contacts.method_counters = &of_method;
  FirstContactResult whole = answer.whole;
  whole.contacts.clear();
  print(whole, without_contacts, scene.body_a(pair), scene.body_b(pair));
  if (answer.first) print_field("links", links_text(scene, pair));
  const auto touching = std::count_if(answer.pair_answers.begin(), answer.pair_answers.end(), touches);
  print_field("link pairs", fmt::format("{} asked, {} come into contact", scene.pairs.size(), touching));
  if (options.all_contacts) {
    for (std::size_t i = 0; i < scene.pairs.size(); ++i)
      if (const std::size_t count = answer.pair_answers[i].contacts.size())
        print_field("", fmt::format("{} contacts: {}; --json lists them", count, links_text(scene, scene.pairs[i])));
  }
}

}  // namespace graze::app
