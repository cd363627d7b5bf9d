#include <cstdio>
#include <cstring>
#include <string>
#include "rows/cliffs.hpp"
using namespace graze::bench;
int main(int argc, char** argv) {
  Context c; c.poses = argc > 2 ? std::stoul(argv[2]) : 5;
  c.table.name_ratio("hard/ord");
  for (const Row& r : cliff_rows()) {
    if (argc > 1 && std::strcmp(argv[1], "all") && !std::strstr(argv[1], std::string(r.name).c_str())) continue;
    r.run(c);
  }
  std::printf("%s\n", c.table.summary().c_str());
}
