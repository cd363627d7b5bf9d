// SPDX-License-Identifier: MIT
#include "robot/urdf/mesh_files.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <graze/io/mesh_file.hpp>
#include <graze/mesh/weld.hpp>
#ifdef GRAZE_ROBOT_HAS_ASSIMP
#include <graze/io/assimp.hpp>
#endif

namespace graze::robot {

namespace {

bool starts_with(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

std::string lower_extension(const std::filesystem::path& file) {
  std::string e = file.extension().string();
  std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return e;
}

Mesh load_with_other_readers(const std::filesystem::path& file) {
#ifdef GRAZE_ROBOT_HAS_ASSIMP
  return load_with_assimp(file);
#else
  ErrorDetail detail;
  detail.code = ErrorCode::unknown_format;
  detail.message =
      "this graze reads meshes as OBJ, STL, PLY and OFF only; build it with GRAZE_WITH_ASSIMP=ON to read " +
      file.extension().string() + ", or export the mesh as STL";
  throw Error(std::move(detail));
#endif
}

Mesh load(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".stl") return weld(load_mesh(file));  // every triangle of an STL file has vertices of its own
  for (const char* const own : {".obj", ".ply", ".off", ".gz"})
    if (extension == own) return load_mesh(file);
  return load_with_other_readers(file);
}

Mesh scaled(const Mesh& mesh, const Vec3& scale) {
  std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& p : positions) p = {p.x * scale.x, p.y * scale.y, p.z * scale.z};
  return Mesh(std::move(positions), mesh.polygons());
}

}  // namespace

std::filesystem::path MeshFiles::find(const std::string& address, const Element& at) const {
  const std::string package = "package://", file = "file://";
  if (starts_with(address, package)) {
    const std::string rest = address.substr(package.size());
    const std::string name = rest.substr(0, rest.find('/'));
    const auto folder = files_.packages.find(name);
    if (folder == files_.packages.end())
      urdf_.fail(at,
                 "the folder of the package \"" + name + "\" is not known; give it: --package " + name +
                     "=FOLDER (RobotFiles::packages)",
                 ErrorCode::file_not_found);
    // Of several slashes after the name all are dropped: an absolute path would replace the folder.
    return folder->second / std::filesystem::path(rest.substr(name.size())).relative_path();
  }
  if (starts_with(address, file)) return address.substr(file.size());
  if (address.find("://") != std::string::npos)
    urdf_.fail(at, "addresses are package://NAME/..., file://... or relative to the URDF, not " + address);
  return files_.urdf.parent_path() / address;
}

Mesh MeshFiles::read(const std::filesystem::path& file, const Vec3& scale, const Element& at) const {
  try {
    const Mesh mesh = load(file);
    return scale == Vec3{1, 1, 1} ? mesh : scaled(mesh, scale);
  } catch (const Error& error) {
    ErrorDetail inner = error.detail();
    if (inner.file.empty()) inner.file = file.string();
    urdf_.fail(at, inner.text(), inner.code);
  }
}

Body MeshFiles::body(const std::string& address, const Vec3& scale, const Element& at) {
  const std::pair key(address, std::array{scale.x, scale.y, scale.z});
  const auto found = read_.find(key);
  if (found != read_.end()) return found->second;
  return read_.emplace(key, Body(read(find(address, at), scale, at))).first->second;
}

}  // namespace graze::robot
