// SPDX-License-Identifier: MIT
#include <graze/io/assimp.hpp>

#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <graze/core/error.hpp>

namespace graze {
namespace {

/// An affine map in double precision: a node's transform in the scene.
struct Placement {
  double rows[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

  Vec3 operator()(const aiVector3D& p) const {
    Vec3 out;
    for (int i = 0; i < 3; ++i)
      out[i] = rows[i][0] * double{p.x} + rows[i][1] * double{p.y} + rows[i][2] * double{p.z} + rows[i][3];
    return out;
  }
  Placement operator*(const aiMatrix4x4& local) const {
    Placement out;
    for (int i = 0; i < 3; ++i)
      for (unsigned k = 0; k < 4; ++k) {
        out.rows[i][k] = k == 3 ? rows[i][3] : 0.0;
        for (unsigned j = 0; j < 3; ++j) out.rows[i][k] += rows[i][j] * double{local[j][k]};
      }
    return out;
  }
};

class SceneReader {
 public:
  SceneReader(const aiScene& scene, std::string file) : scene_(scene), file_(std::move(file)) {}

  Mesh read() {
    struct Visit {
      const aiNode* node;
      Placement parent;
    };
    // An explicit stack instead of recursion: a file may nest its nodes to any depth.
    std::vector<Visit> open = {{scene_.mRootNode, {}}};
    while (!open.empty()) {
      const auto [node, parent] = open.back();
      open.pop_back();
      if (!node) continue;
      const Placement placement = parent * node->mTransformation;
      for (unsigned i = 0; i < node->mNumMeshes; ++i) add(*scene_.mMeshes[node->mMeshes[i]], placement);
      for (unsigned i = node->mNumChildren; i-- > 0;) open.push_back({node->mChildren[i], placement});
    }
    try {
      return Mesh(std::move(positions_), std::move(polygons_));
    } catch (const Error& error) {
      ErrorDetail detail = error.detail();
      detail.file = file_;
      throw Error(std::move(detail));
    }
  }

 private:
  void add(const aiMesh& mesh, const Placement& placement) {
    const std::uint64_t base = positions_.size();
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (base + mesh.mNumVertices > most) fail_too_large();
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) positions_.push_back(placement(mesh.mVertices[i]));
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices < 3) continue;  // skips points and lines
      if (polygons_.corners.size() + face.mNumIndices > most) fail_too_large();
      corners_.clear();
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices) fail_index(face.mIndices[k]);
        corners_.push_back(static_cast<std::uint32_t>(base + face.mIndices[k]));
      }
      polygons_.add(corners_);
    }
  }

  [[noreturn]] void fail_index(unsigned vertex) const {
    fail(ErrorCode::index_out_of_range, "uses vertex " + std::to_string(vertex) + ", which its mesh does not have");
  }
  [[noreturn]] void fail_too_large() const {
    fail(ErrorCode::too_large, "more vertices or corners than 32-bit ids can name; split the model");
  }
  [[noreturn]] void fail(ErrorCode code, std::string message) const {
    ErrorDetail detail;
    detail.code = code;
    detail.element = "polygon";
    detail.id = polygons_.size();
    detail.file = file_;
    detail.message = std::move(message);
    throw Error(std::move(detail));
  }

  const aiScene& scene_;
  std::string file_;
  std::vector<Vec3> positions_;
  PolygonList polygons_;
  std::vector<std::uint32_t> corners_;
};

[[noreturn]] void fail_with_file(ErrorCode code, const std::string& file, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.element = "file";
  detail.file = file;
  detail.message = std::move(message);
  throw Error(std::move(detail));
}

}  // namespace

Mesh load_with_assimp(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    fail_with_file(ErrorCode::file_not_found, name,
                   "cannot read the file: it is not there, or is not a plain file; check the path");
  Assimp::Importer importer;
  const aiScene* scene = nullptr;
  std::string reason;
  try {
    scene = importer.ReadFile(name, 0);  // no flags: no merging, no splitting, no triangulation
    if (!scene) reason = importer.GetErrorString();
  } catch (const std::exception& exception) {
    scene = nullptr;
    reason = exception.what();
  }
  if (!scene)
    fail_with_file(ErrorCode::bad_file, name,
                   "assimp cannot read it (" + reason + "); export the model as OBJ, PLY or STL");
  return SceneReader(*scene, name).read();
}

}  // namespace graze
