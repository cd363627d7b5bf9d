// SPDX-License-Identifier: MIT
#include "rows/check.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace graze::bench {
namespace {

/// The answer more than half of the contestants give.
std::optional<double> majority(const std::vector<double>& answers) {
  std::map<double, std::size_t> votes;
  for (const double answer : answers) ++votes[answer];
  for (const auto& [answer, count] : votes) {
    if (2 * count > answers.size()) return answer;
  }
  return std::nullopt;
}

/// Is a disputed "yes" true? It is if one of the pairs reported for it meets; otherwise no contestant is known to
/// answer "no" wrongly.
std::optional<double> settle_yes_no(const Scene& scene, std::size_t query, const std::vector<Contestant>& contestants,
                                    const std::vector<double>& answers) {
  bool judged = false;
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    if (answers[c] != 1 || !contestants[c].pairs) continue;
    for (const IdPair& pair : contestants[c].pairs(query)) {
      const auto meet = exactly_meet(scene, query, pair);
      if (!meet) return majority(answers);
      if (*meet) return 1;
      judged = true;
    }
  }
  return judged ? 0 : majority(answers);
}

void count_against(const std::vector<double>& answers, const std::optional<double>& truth,
                   std::vector<Standing>& standings) {
  for (std::size_t c = 0; c < answers.size(); ++c) {
    standings[c].wrong += truth && answers[c] != *truth;
    standings[c].unsettled += !truth;
  }
}

void check_lists(const Scene& scene, std::size_t query, const std::vector<Contestant>& contestants,
                 std::vector<Standing>& standings) {
  std::vector<std::set<IdPair>> lists;
  std::set<IdPair> everything;
  for (const Contestant& contestant : contestants) {
    const auto pairs = contestant.pairs(query);
    lists.emplace_back(pairs.begin(), pairs.end());
    if (!contestant.candidates_only) everything.insert(pairs.begin(), pairs.end());
  }
  std::vector<bool> wrong(contestants.size()), unsettled(contestants.size());
  std::size_t meeting = 0;
  for (const IdPair& pair : everything) {
    std::vector<double> votes;
    for (std::size_t c = 0; c < contestants.size(); ++c)
      if (!contestants[c].candidates_only) votes.push_back(lists[c].contains(pair) ? 1 : 0);
    std::optional<double> truth = 1;
    if (std::count(votes.begin(), votes.end(), 1.0) != std::ssize(votes)) {
      const auto meet = exactly_meet(scene, query, pair);
      truth = meet ? std::optional<double>(*meet) : majority(votes);
    }
    meeting += truth == 1;
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      const bool listed = lists[c].contains(pair), too_many_allowed = contestants[c].candidates_only;
      if (!truth && !too_many_allowed) unsettled[c] = true;
      if (truth && listed != (*truth == 1) && !(listed && too_many_allowed)) wrong[c] = true;
    }
  }
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    standings[c].wrong += wrong[c];
    standings[c].unsettled += unsettled[c];
    if (!contestants[c].candidates_only) continue;
    standings[c].candidates += lists[c].size();
    standings[c].true_pairs += meeting;
  }
}

constexpr double kRounding = 1e-7;  // relative; far above the rounding error of a distance, far below the error of an
                                    // iteration that did not converge

void check_distances(const std::vector<double>& answers, std::optional<double> truth,
                     std::vector<Standing>& standings) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= kRounding * b + 1e-12; };
  if (!truth) {
    std::vector<double> sorted = answers;
    std::sort(sorted.begin(), sorted.end());
    // With three answers, the median; two must agree.
    if (sorted.size() > 2 || near(sorted[0], sorted[1])) truth = sorted[sorted.size() / 2];
  }
  for (std::size_t c = 0; c < answers.size(); ++c) {
    standings[c].wrong += truth && !near(answers[c], *truth);
    standings[c].unsettled += !truth;
  }
}

/// The distance of separate convex bodies equals that of their surfaces: the tree method, which is not iterative, is
/// the reference.
std::function<std::optional<double>(std::size_t)> distance_reference(Question question, const Scene& scene) {
  for (const Peer& peer : peers()) {
    if (question != Question::convex_distance || peer.name != "FCL" || !peer.enter) continue;
    return [tree = peer.enter(Question::distance, scene).front()](std::size_t query) { return tree.ask(query); };
  }
  return [](std::size_t) { return std::nullopt; };
}

}  // namespace

std::vector<Standing> check_answers(Question question, const Scene& scene, const std::vector<Contestant>& contestants,
                                    std::size_t queries, Progress& progress) {
  std::vector<Standing> standings(contestants.size());
  if (question == Question::build || contestants.size() < 2) return standings;
  const auto reference = distance_reference(question, scene);
  for (std::size_t query = 0; query < queries; ++query) {
    progress.show(static_cast<double>(query) / static_cast<double>(queries));
    if (question == Question::all_pairs) {
      check_lists(scene, query, contestants, standings);
      continue;
    }
    std::vector<double> answers;
    for (const Contestant& contestant : contestants) answers.push_back(contestant.ask(query));
    if (question == Question::distance || question == Question::convex_distance) {
      check_distances(answers, reference(query), standings);
    } else if (std::adjacent_find(answers.begin(), answers.end(), std::not_equal_to<>()) != answers.end()) {
      const bool shown = question == Question::yes_no;
      count_against(answers, shown ? settle_yes_no(scene, query, contestants, answers) : majority(answers), standings);
    }
  }
  return standings;
}

}  // namespace graze::bench
