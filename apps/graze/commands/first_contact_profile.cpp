// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <graze/ask/clearance_profile.hpp>

#include "command.hpp"
#include "commands/first_contact_question.hpp"
#include "output/answer.hpp"
#include "output/json.hpp"

namespace graze::app {

int answer_profile(const FirstContactQuestion& question, std::uint32_t intervals) {
  const FirstContactOptions given = question.library_options();
  const std::pair<bool, const char*> of_first_contact[] = {
      {given.certificate, "--certificate"},
      {given.all_contacts, "--all-contacts"},
      {given.clearance, "--clearance"},
      {given.min_separation > 0, "--min-separation"},
      {given.solid, "--solid"},
      {given.ignore_start_if_separating, "--ignore-start-if-separating"},
      {given.all_features, "--all-features"},
      {!question.options.method.empty(), "--method"},
      {given.tolerance.has_value(), "--tolerance"}};
  for (const auto& [is_given, option] : of_first_contact)
    if (is_given)
      refuse_option("--profile",
                    fmt::format("asks for distances only: leave out {}, which is about the first contact", option));
  std::vector<double> times;
  for (std::uint32_t i = 0; i <= intervals; ++i) times.push_back(static_cast<double>(i) / intervals);
  std::vector<ClearanceSample> samples(times.size());
  ClearanceProfileOptions options;
  options.threads = given.threads;
  options.work = given.work;
  options.budget = given.budget;
  const BodyPair bodies = load_bodies(question.file_a, question.file_b, question.options.input);
  const ClearanceProfileResult result =
      clearance_profile(bodies.a, to_motion(question.a, question.motion), bodies.b,
                        to_motion(question.b, question.motion), times, samples, options);
  const bool answered = result.status != Status::invalid_request;
  if (question.options.json) {
    Json out = new_object();
    out["status"] = graze::name(result.status);
    Json list = Json::array();
    for (const ClearanceSample& s : samples)
      if (answered)
        list.push_back(Json{{"time", s.time},
                            {"lower", s.lower},
                            {"upper", std::isfinite(s.upper) ? Json(s.upper) : Json()},
                            {"lower_until_next", s.lower_until_next}});
    out["profile"] = std::move(list);
    out["seconds"] = result.seconds;
    if (result.error) out["error"] = to_json(*result.error);
    print_line(out);
  } else if (answered) {
    fmt::print("{}\n{:>10} {:>14} {:>14} {:>22}\n", graze::name(result.status), "time", "at least", "at most",
               "at least until the next");
    for (const ClearanceSample& s : samples)
      fmt::print("{:>10.6g} {:>14.9g} {:>14.9g} {:>22.9g}\n", s.time, s.lower, s.upper, s.lower_until_next);
  }
  return exit_status_of(result.status, result.error, question.options.exit_code);
}

}  // namespace graze::app
