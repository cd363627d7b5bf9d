// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <graze/ask/elementary.hpp>
#include <graze/core/error.hpp>
#include <graze/io/query_file.hpp>

#include "command.hpp"
#include "input/choices.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "output/json.hpp"
#include "output/print.hpp"
#include "output/progress.hpp"

namespace graze::app {
namespace {

struct QueriesCommand {
  std::vector<std::string> files;
  std::string kind, tolerance, method;
  bool exact = false, json = false;
  int threads = 1;
};

constexpr const char* queries_footer =
    "A query is 8 rows: the four points at t = 0 (vertex/face: v f0 f1 f2; edge/edge: a0 a1 b0 b1), then at t = 1; a "
    "row\n"
    "is x, y, z as numerator,denominator (they must be doubles exactly) and the known answer, 0 or 1. Gzipped or not.\n"
    "A false negative is a contact that the method calls free; a false positive the contrary. Within the tolerance is\n"
    "contact, so false positives are right answers to another question unless --exact is given.\n"
    "Exit status: 0 answered, 2 bad usage or input.\n\n"
    "Examples:\n"
    "  graze queries vertex-face/*.csv --kind vf\n"
    "  graze queries edge-edge/*.csv --kind ee --method interval --tolerance 1e-6 --json";

struct Score {
  std::size_t queries = 0, contacts = 0, false_negatives = 0, false_positives = 0, undecided = 0;
  double seconds = 0;  ///< of the queries alone

  void operator+=(const Score& s) {
    queries += s.queries;
    contacts += s.contacts;
    false_negatives += s.false_negatives;
    false_positives += s.false_positives;
    undecided += s.undecided;
    seconds += s.seconds;
  }
};

void count(const ElementaryResult& result, bool truth, Score& score) {
  switch (result.status) {
    case Status::free: score.false_negatives += truth; break;
    case Status::contact:
    case Status::touching_at_start:
      ++score.contacts;
      score.false_positives += !truth;
      break;
    case Status::undecided: ++score.undecided; break;
    case Status::invalid_request:
      refuse_option("--method", fmt::format("this method cannot answer the question ({})",
                                            result.error ? name(*result.error) : "no reason given"));
  }
}

Score ask_file(const std::string& file, ElementaryKind kind, const ElementaryOptions& options, int threads) {
  const QueryFile input = load_queries(file);
  std::vector<ElementaryResult> results(input.queries.size());
  Score score;
  const auto start = std::chrono::steady_clock::now();
  elementary_contacts(kind, input.queries, options, threads, results);
  score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  score.queries = results.size();
  for (std::size_t i = 0; i < results.size(); ++i) count(results[i], input.truth[i] != 0, score);
  return score;
}

/// Checks all options before any file is read.
ElementaryOptions options_of(const QueriesCommand& command) {
  ElementaryOptions options;
  options.exact = command.exact;
  if (!command.tolerance.empty()) {
    const double tolerance = parse_option_number(command.tolerance, "--tolerance");
    if (!(tolerance > 0 && std::isfinite(tolerance))) refuse_option("--tolerance", "must be a positive distance");
    options.tolerance = tolerance;
  }
  if (command.method.empty()) return options;
  std::string names;
  for (const ElementaryTraits& traits : elementary_methods()) {
    if (traits.name == command.method) options.method = traits.name;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", traits.name);
  }
  if (options.method != command.method)
    refuse_option("--method", fmt::format("unknown method '{}'; choose one of {}", command.method, names));
  return options;
}

Json score_json(const Score& score, Json out) {
  out["queries"] = score.queries;
  out["contacts"] = score.contacts;
  out["false_negatives"] = score.false_negatives;
  out["false_positives"] = score.false_positives;
  out["undecided"] = score.undecided;
  out["seconds"] = score.seconds;
  return out;
}

std::string text_of(const Score& score) {
  std::string text =
      fmt::format("{} queries, {} contacts: {} false negatives, {} false positives", count_text(score.queries),
                  count_text(score.contacts), count_text(score.false_negatives), count_text(score.false_positives));
  if (score.undecided > 0) text += fmt::format(", {} undecided", count_text(score.undecided));
  return text;
}

void print_text(const QueriesCommand& command, const ElementaryOptions& options, const Score& total,
                const std::vector<Score>& scores) {
  fmt::print("{}\n", coloured(text_of(total), total.false_negatives > 0 ? Status::contact : Status::free));
  print_field("method", options.method);
  print_field("time", fmt::format("{} in all, {} a query", time_text(total.seconds),
                                  time_text(total.seconds / static_cast<double>(total.queries))));
  if (scores.size() < 2) return;
  for (std::size_t i = 0; i < scores.size(); ++i)
    print_field("file", fmt::format("{}: {}", command.files[i], text_of(scores[i])));
}

int run_queries(const QueriesCommand& command) {
  const ElementaryOptions options = options_of(command);
  const bool faces = command.kind == "vf";
  std::vector<Score> scores;
  Score total;
  {
    Progress progress(command.files.size());
    for (const std::string& file : command.files) {
      scores.push_back(
          ask_file(file, faces ? ElementaryKind::vertex_face : ElementaryKind::edge_edge, options, command.threads));
      total += scores.back();
      progress.step();
    }
  }
  if (!command.json) {
    print_text(command, options, total, scores);
    return exit_answered;
  }
  Json out = new_object();
  out["kind"] = command.kind;
  out["method"] = options.method;
  out["tolerance"] = options.tolerance ? Json(*options.tolerance) : Json(nullptr);
  out["exact"] = options.exact;
  out = score_json(total, std::move(out));
  Json& files = out["files"] = Json::array();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Json entry = Json::object();
    entry["file"] = command.files[i];
    files.push_back(score_json(scores[i], std::move(entry)));
  }
  print_line(out);
  return exit_answered;
}

}  // namespace

void add_queries(CLI::App& graze, int& exit_status) {
  const auto command = std::make_shared<QueriesCommand>();
  CLI::App* app = graze.add_subcommand("queries", "Answer files of elementary queries and compare with known answers.");
  app->footer(queries_footer);
  app->add_option("FILES", command->files, "Files of queries")->type_name("FILE")->required();
  offer_only(app->add_option("--kind", command->kind, "vf: vertex against face; ee: edge against edge")
                 ->type_name("vf|ee")
                 ->required(),
             {"vf", "ee"});
  add_text(*app, "--tolerance", command->tolerance,
           "A distance; nearer is contact. Default: relative to each query's edges and motion", "T");
  offer(add_text(*app, "--method", command->method, "How to answer", "NAME"), names_in(elementary_methods()));
  app->add_flag("--exact", command->exact, "Settle what lies within the tolerance by exact arithmetic");
  app->add_option("--threads", command->threads, "Threads to use; answers do not depend on it (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app->add_flag("--json", command->json, "Print one JSON object instead of text");
  app->callback([command, &exit_status] { exit_status = run_queries(*command); });
}

}  // namespace graze::app
