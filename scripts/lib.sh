# SPDX-License-Identifier: MIT
# Shared by the scripts in this folder; sourced, never run. Leaves the caller in the repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

JOBS=${GRAZE_JOBS:-$(nproc)}

die() {
  echo "error: $*" >&2
  exit 2
}

# Warnings are errors only with the compiler that the project is checked with: a newer compiler's new warnings must not
# stop anybody's build. All scripts compile alike in build/, so that none makes another compile everything again; what they
# do not need, and may have no packages for, they leave out.
configure_release() {  # tests, bench, robot (the benchmark of robots), python or nothing; the tests include those of Python
  local werror=OFF
  if [[ "$(${CXX:-c++} -dumpversion 2>/dev/null)" == 12 ]]; then werror=ON; fi
  local tests=OFF bench=OFF python=OFF robot=OFF assimp=OFF
  case "${1:-}" in
    tests) tests=ON python=ON robot=ON assimp=ON ;;
    robot) bench=ON robot=ON assimp=ON ;;
    bench) bench=ON ;;
    python) python=ON robot=ON ;;
  esac
  cmake --preset release "-DGRAZE_WERROR=$werror" "-DGRAZE_BUILD_TESTS=$tests" "-DGRAZE_WITH_ASSIMP=$assimp" \
    "-DGRAZE_WITH_ROBOT=$robot" "-DGRAZE_BUILD_BENCH=$bench" "-DGRAZE_WITH_PYTHON=$python"
}

# Every C++ file of the project: what git knows or could know, or without git whatever is not a build.
cpp_files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -co --exclude-standard -- '*.cpp' '*.hpp' | sort -u | while read -r file; do
      if [[ -f "$file" ]]; then echo "$file"; fi
    done
  else
    find . -path './build*' -prune -o \( -name '*.cpp' -o -name '*.hpp' \) -type f -printf '%P\n' | sort
  fi
}

# Sanitizers of these compilers' age cannot map their shadow memory where newer kernels randomise addresses more widely.
without_random_addresses() {
  if setarch "$(uname -m)" -R true 2>/dev/null; then
    setarch "$(uname -m)" -R "$@"
  else
    "$@"
  fi
}
