// SPDX-License-Identifier: MIT
#include "rows/world/pairs.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace graze::bench {
namespace {

/// Runs one setting through the frames.
class Asker {
 public:
  Asker(const CageFlight& flight, const PairSetting& setting) : flight_(flight), options_(setting.options) {
    // Each run has its own bodies: a body keeps only the box-trees of the last few settings, so interleaved settings
    // would force each other to rebuild them.
    for (const Body& body : flight.bodies) bodies_.emplace_back(body.mesh());
    if (setting.warm) memories_.resize(flight.pairs.size());
  }

  Status ask(std::size_t frame, std::size_t pair) {
    const auto& [a, b] = flight_.pairs[pair];
    const std::vector<Pose>& poses = flight_.frames[frame];
    if (!memories_.empty()) options_.coherence = &memories_[pair];
    collide(bodies_[a], poses[a], bodies_[b], poses[b], options_, result_);
    return result_.status;
  }
  double ask_all(std::size_t frame) {
    std::size_t contacts = 0;
    for (std::size_t p = 0; p < flight_.pairs.size(); ++p) contacts += ask(frame, p) == Status::contact;
    return static_cast<double>(contacts);
  }
  /// From now on with the counters of the method, or without, as they take time.
  void count(bool wanted) { options_.method_counters = wanted ? &of_method_ : nullptr; }
  AllCounters counters() const { return {result_.counters, of_method_}; }

 private:
  const CageFlight& flight_;
  CollideOptions options_;
  std::vector<Body> bodies_;
  std::vector<CollideCoherence> memories_;
  CollideResult result_;
  MethodCounters of_method_;
};

/// By frame and pair: does it touch?
std::vector<std::vector<bool>> truth_of(const CageFlight& flight, bool solid) {
  Asker brute(flight, {"", {.method = "brute", .solid = solid}});
  std::vector<std::vector<bool>> truth(flight.frames.size());
  for (std::size_t f = 0; f < truth.size(); ++f)
    for (std::size_t p = 0; p < flight.pairs.size(); ++p) truth[f].push_back(brute.ask(f, p) == Status::contact);
  return truth;
}

void compare(const CageFlight& flight, const std::vector<std::vector<bool>>& truth, Asker& asker, PairOutcome& out) {
  asker.count(true);
  for (std::size_t f = 0; f < truth.size(); ++f) {
    for (std::size_t p = 0; p < flight.pairs.size(); ++p) {
      const Status status = asker.ask(f, p);
      const bool touches = truth[f][p];
      out.counters += asker.counters();
      ++out.asked;
      out.contacts += touches;
      if (status == Status::undecided)
        ++(touches ? out.missed : out.false_contacts);
      else
        out.wrong += status != (touches ? Status::contact : Status::free);
    }
  }
  asker.count(false);
}

}  // namespace

std::vector<PairOutcome> ask_cage(Context& context, const std::string& task, const CageFlight& flight,
                                  const std::vector<PairSetting>& settings, AskPlan plan) {
  std::vector<PairOutcome> out(settings.size());
  std::vector<Contestant> contestants;
  std::vector<std::size_t> timed;
  context.progress.begin(task + ": comparing answers");
  const auto truth = truth_of(flight, settings.front().options.solid);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    context.progress.show(static_cast<double>(s) / static_cast<double>(settings.size()));
    auto asker = std::make_shared<Asker>(flight, settings[s]);
    compare(flight, truth, *asker, out[s]);
    if (!settings[s].timed) continue;
    timed.push_back(s);
    contestants.push_back({settings[s].name, [asker](std::size_t f) { return asker->ask_all(f); }});
  }
  context.progress.begin(task + ": timing");
  // Reading the clock costs as much as a small pair.
  const std::size_t block = flight.pairs.size() < 10 ? std::min<std::size_t>(10, flight.frames.size()) : 1;
  const auto timings = time_interleaved(
      contestants,
      {.queries = flight.frames.size(), .block = block, .passes = plan.passes, .wall_clock = plan.wall_clock},
      context.progress);
  for (std::size_t i = 0; i < timed.size(); ++i) out[timed[i]].frame = timings[i];
  context.progress.clear();
  return out;
}

Line pair_line(std::string row, std::string task, const PairSetting& setting, const PairOutcome& outcome,
               std::optional<double> ratio, std::string note) {
  Line line{std::move(row), std::move(task), setting.name, {}, ratio, {}, Verdict::none, std::move(note)};
  if (setting.timed) line.timing = outcome.frame;
  if (outcome.wrong > 0) {
    line.verdict = Verdict::wrong;
    line.note += fmt::format("; {} answers are not those of brute", outcome.wrong);
  }
  return line;
}

std::string counts_note(const PairOutcome& outcome, const CageFlight& flight,
                        const std::vector<std::string_view>& names) {
  std::string note;
  for_each_counter(outcome.counters, [&](const char* name, const char*, std::uint64_t value) {
    if (value == 0 || std::find(names.begin(), names.end(), name) == names.end()) return;
    note += fmt::format("{}{} {:.0f}", note.empty() ? "a frame: " : ", ", name,
                        static_cast<double>(value) / static_cast<double>(flight.frames.size()));
  });
  return note;
}

std::string stated(std::optional<double> figure) {
  return figure ? fmt::format("stated: {:.3g}", *figure) : "not stated in the text";
}

}  // namespace graze::bench
