// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace verify {

/// One option: the parser, --help, the manual page and the shell completion are all made from these rows. (`graze`
/// reads them for the last two; this program includes nothing of graze.)
struct OptionRow {
  const char* name;
  const char* value;    ///< what it takes, as the help shows it; empty: nothing
  const char* choices;  ///< words that may be typed there, separated by blanks; empty: anything
  const char* help;
  bool expects;  ///< is it about the question that the caller asked?
};

inline constexpr OptionRow option_rows[] = {
    {"--expect", "all|pieces|files|bodies=WHAT", "all pieces files bodies=",
     "of a step, the pairs that count: all; those of different connected pieces; of different files of a frame; of "
     "different bodies. WHAT is a file with a number for each polygon, or the first polygon of each body: 0,1200",
     true},
    {"--expect-separation", "D", "", "nothing comes as near as D (or as a larger distance)", true},
    {"--expect-motion-a", "TEXT", "", "of moving bodies: line 2 of FILE after \"motion a\", numbers compared by value",
     true},
    {"--expect-motion-b", "TEXT", "", "and line 3", true},
    {"--expect-until", "T", "",
     "the proof reaches at least to this time. Of a step about which anything is expected: else to its end", true},
    {"--expect-solid", "", "",
     "of moving bodies: both are closed, and neither starts inside the other, nor a part of it (checked here; with the "
     "surfaces apart it then stays outside)",
     true},
    {"--most-instants", "N", "",
     "of moving bodies: reject what is not confirmed within N points in time, of all separations together (else 2^20 "
     "of each): bounds the time",
     false},
    {"--json", "", "",
     "print one JSON object: version, verified, until, separations, instants, motions (of a step: pairs, until, "
     "separation, separations, patches, features), question, compared; or verified, reason",
     false},
    {"--help", "", "", "print this", false},
    {"--version", "", "", "print the version", false},
};

inline const OptionRow* find_option(std::string_view name) {
  for (const OptionRow& row : option_rows)
    if (name == row.name) return &row;
  return nullptr;
}

inline constexpr const char* summary =
    "Checks a proof that two moving bodies, or the parts of a deforming mesh, do not touch, sharing no code with the\n"
    "library that wrote it.";
inline constexpr const char* synopsis[] = {"graze-verify [options] FILE A B",
                                           "graze-verify [options] FILE FRAME0 FRAME1"};
inline constexpr const char* arguments_text =
    "FILE            a certificate, as `graze first-contact A B ... --certificate FILE` or `graze deform FRAME0 FRAME1 "
    "...\n"
    "                --certificate FILE` writes it\n"
    "A, B            the bodies it is about: meshes (.obj, .off, .ply or .stl), shapes (sphere:R, capsule:R,L, "
    "box:X,Y,Z,\n"
    "                cylinder:R,H, cone:R,H, ellipsoid:X,Y,Z, halfspace, each rounded by +R; hull:FILE), or "
    "compound:FILE\n"
    "FRAME0, FRAME1  the mesh before and after the step; one of several files: cloth.obj+ball.obj";
inline constexpr const char* expectations_text =
    "A certificate states its question itself: who altered it may have proved another one. Say what you asked, and a "
    "proof of\n"
    "anything else is rejected:";
inline constexpr const char* verdict_text =
    "It prints the verdict in its first line, and below it the question that was verified and which parts of it were "
    "compared\n"
    "with what you expected. Exit status: 0 verified, 1 rejected, 2 wrong usage or a file that cannot be read.";
inline constexpr const char* examples[] = {
    ("graze first-contact knot.obj board.obj --a-from \"0 0 0 1 0 0 0\" --a-to \"2 0 0 0 0 0 1\" --certificate "
     "proof.txt"),
    "graze-verify proof.txt knot.obj board.obj",
    "graze-verify --expect-separation 0.1 proof.txt sphere:0.5 board.obj",
    "graze deform before.obj after.obj --self --certificate proof.txt",
    "graze-verify --expect all proof.txt before.obj after.obj",
};

/// "  --option VALUE   what it means", broken into lines.
inline std::string option_help(const OptionRow& row) {
  constexpr std::size_t column = 27, width = 119;
  std::string out = std::string("  ") + row.name + (*row.value ? " " : "") + row.value + " ";
  std::size_t at = out.size();
  const auto start_line = [&] { out += '\n' + std::string(column, ' '), at = column; };
  if (at <= column)
    out.resize(at = column, ' ');
  else
    start_line();
  std::string_view rest = row.help;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (at > column && at + 1 + word.size() > width) start_line();
    if (at > column) out += ' ', ++at;
    out += word;
    at += word.size();
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return out + '\n';
}

inline std::string help() {
  std::string out = std::string(summary) + "\n\n";
  for (const char* line : synopsis) out += std::string("  ") + line + '\n';
  out += std::string("\n") + arguments_text + "\n\n" + expectations_text + '\n';
  for (const OptionRow& row : option_rows)
    if (row.expects) out += option_help(row);
  out += '\n';
  for (const OptionRow& row : option_rows)
    if (!row.expects) out += option_help(row);
  out += std::string("\n") + verdict_text + "\n\nExamples:\n";
  for (const char* line : examples) out += std::string("  ") + line + '\n';
  return out;
}

}  // namespace verify
