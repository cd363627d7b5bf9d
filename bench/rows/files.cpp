// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <graze/io/mesh_file.hpp>

#include "harness/clock.hpp"
#include "rows/rows.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {
namespace {

constexpr double kAllowed = 1;  // one second for the mesh of 870 thousand triangles

struct File {
  const char* name;
  SaveOptions::Encoding encoding;
};

/// A temporary folder, removed at the end of the row.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("graze-bench-{}", thread_seconds())) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace

void row_files(Context& context) {
  using E = SaveOptions::Encoding;
  const NamedMesh body = context.quick ? bunny(context.data) : huge();
  const std::string task = fmt::format("reading {}, one thread", body.name);
  const Folder folder;
  for (const File& file :
       {File{"mesh.obj", E::text}, File{"mesh.off", E::text}, File{"text.ply", E::text},
        File{"binary.ply", E::binary_little_endian}, File{"big_endian.ply", E::binary_big_endian},
        File{"text.stl", E::text}, File{"binary.stl", E::binary_little_endian}, File{"mesh.obj.gz", E::text}}) {
    save_mesh(body.mesh, folder / file.name, {.encoding = file.encoding});
    double seconds = 1e9;
    bool same = true;
    for (int pass = 0; pass < 3; ++pass) {
      const double start = thread_seconds();
      const Mesh mesh = load_mesh(folder / file.name);
      seconds = std::min(seconds, thread_seconds() - start);
      same = same && mesh.triangle_count() == body.mesh.triangle_count();
    }
    const Verdict verdict = !same ? Verdict::wrong : context.quick ? Verdict::none : judge_ratio(seconds, kAllowed);
    context.table.add({"files", task, file.name, Timing{seconds, seconds, seconds}, std::nullopt, std::nullopt, verdict,
                       context.quick ? "" : fmt::format("limit {:g} s", kAllowed)});
  }
}

}  // namespace graze::bench
