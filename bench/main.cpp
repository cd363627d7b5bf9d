// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <stdexcept>

#include "rows/rows.hpp"

#ifndef GRAZE_BENCH_DATA
#define GRAZE_BENCH_DATA "bench/data"
#endif

namespace graze::bench {
namespace {

struct Options {
  const Suite* suite = nullptr;
  std::vector<std::string> rows, peers;  ///< none: all
  std::optional<std::size_t> poses;
  bool quick = false, help = false;
  std::filesystem::path data = GRAZE_BENCH_DATA;
  std::optional<std::filesystem::path> csv;
};

void print_help() {
  for (const Suite& suite : suites()) {
    fmt::print("graze-bench {} [--rows r1,r2] [--peers p1,p2] [{} N] [--quick] [--data DIR] [--csv FILE]\n", suite.name,
               suite.count_option);
  }
  fmt::print(
      "\nMeasures graze and the installed peers, query by query in one process (thread CPU time, best of three "
      "passes);\n"
      "answers are checked first. Exit status 1 if an answer of ours is wrong.\n");
  for (const Suite& suite : suites()) {
    fmt::print("\nrows of {} ({}):\n", suite.name, suite.summary);
    for (const Row& row : suite.rows) fmt::print("  {:<12} {}\n", row.name, row.summary);
  }
  fmt::print(
      "\nexamples: graze-bench discrete --rows yes-no,distance --poses 200\n"
      "          graze-bench rigid --rows peers --flights 20\n");
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    parts.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

std::size_t number(std::string_view option, std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) {
    throw std::invalid_argument(fmt::format("{} wants a whole number above 0, not '{}'", option, text));
  }
  return value;
}

const Suite& find_suite(std::string_view name) {
  std::string known;
  for (const Suite& suite : suites()) {
    if (suite.name == name) return suite;
    known += fmt::format("{}'{}'", known.empty() ? "" : " and ", suite.name);
  }
  throw std::invalid_argument(fmt::format("unknown benchmark '{}': there is {}", name, known));
}

void check_names(const Options& options) {
  for (const std::string& wanted : options.peers) {
    const auto known = peers();
    if (std::none_of(known.begin(), known.end(), [&](const Peer& peer) { return peer.name == wanted; })) {
      throw std::invalid_argument(fmt::format("unknown peer '{}': see the first line of the output", wanted));
    }
  }
  for (const std::string& wanted : options.rows) {
    const auto known = options.suite->rows;
    if (std::none_of(known.begin(), known.end(), [&](const Row& row) { return row.name == wanted; })) {
      throw std::invalid_argument(fmt::format("unknown row '{}': see --help", wanted));
    }
  }
}

Options parse(const std::vector<std::string_view>& arguments) {
  Options options;
  if (arguments.empty() || arguments[0] == "--help") {
    options.help = true;
    return options;
  }
  options.suite = &find_suite(arguments[0]);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    const auto value = [&] {
      if (++i >= arguments.size()) throw std::invalid_argument(fmt::format("{} wants a value", name));
      return arguments[i];
    };
    if (name == "--rows")
      options.rows = split(value());
    else if (name == "--peers")
      options.peers = split(value());
    else if (name == options.suite->count_option)
      options.poses = number(name, value());
    else if (name == "--quick")
      options.quick = true;
    else if (name == "--data")
      options.data = value();
    else if (name == "--csv")
      options.csv = value();
    else if (name == "--help")
      options.help = true;
    else
      throw std::invalid_argument(fmt::format("unknown option '{}': see --help", name));
  }
  check_names(options);
  return options;
}

int run(const Options& options) {
  Context context;
  context.quick = options.quick;
  const Suite& suite = *options.suite;
  context.poses = options.poses.value_or(options.quick ? suite.quick_count : suite.count);
  if (options.quick) context.patience = 0.2;
  context.table.name_ratio(std::string(suite.ratio));
  context.data = options.data;
  context.peers = options.peers;
  context.every_method = std::find(options.rows.begin(), options.rows.end(), "methods") != options.rows.end();
  fmt::print("peers:{}", suite.only_peer == "none" ? " none is packaged," : "");
  for (const Peer& peer : peers()) {
    if (!suite.only_peer.empty() && peer.name != suite.only_peer) continue;
    if (takes_part(context, peer))
      fmt::print(" {},", peer.name);
    else if (!peer.enter)
      fmt::print(" {} absent (install {}),", peer.name, peer.package);
  }
  fmt::print(" one thread, thread CPU time, {}{}\n",
             suite.name == "world" ? "broad phases: one pass, else best of two" : "best of three passes",
             suite.name == "discrete" ? " (methods: nine)" : "");
  for (const Row& row : suite.rows) {
    const bool wanted =
        options.rows.empty() || std::find(options.rows.begin(), options.rows.end(), row.name) != options.rows.end();
    if (wanted) row.run(context);
  }
  const auto csv = options.csv.value_or(fmt::format("build/bench/{}.csv", suite.name));
  context.table.write_csv(csv);
  fmt::print("\n{}; also in {}\n", context.table.summary(), csv.string());
  return context.table.any_wrong() ? 1 : 0;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
  try {
    const auto options = graze::bench::parse({argv + 1, argv + argc});
    if (options.help) {
      graze::bench::print_help();
      return 0;
    }
    return graze::bench::run(options);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "graze-bench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "\ngraze-bench: {}\n", error.what());
    return 1;
  }
}
