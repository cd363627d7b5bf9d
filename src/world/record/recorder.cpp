// SPDX-License-Identifier: MIT
#include "world/record/recorder.hpp"

#include <cstdlib>
#include <sstream>

#include "body/body_data.hpp"
#include "motion/description.hpp"
#include "motion/path.hpp"

namespace graze::world {

Recorder::Recorder(const std::string& file, const WorldOptions& options) : file_(file), out_(file, std::ios::binary) {
  line("graze-world", std::uint64_t{5});
  line("options", options.broad, std::uint64_t(options.threads), options.solid, std::uint64_t{options.coherent_pairs},
       std::string(name(options.boxes)));
  flush();
}

void Recorder::write() {
  text_ += '\n';
  out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  check();
}

void Recorder::flush() {
  out_.flush();
  check();
}

void Recorder::check() const {
  if (out_) return;
  throw Error(
      {.code = ErrorCode::cannot_write,
       .message = "the recording could not be written; is the folder there and writable, and the disk not full?",
       .element = {},
       .id = ErrorDetail::none,
       .file = file_,
       .line = ErrorDetail::none});
}

void Recorder::add(const std::string& s) {
  text_ += " \"";
  for (const char c : s) {
    if (c == '\n') {
      text_ += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

void Recorder::add(const Chain& chain) {
  add(std::uint64_t{chain.size()});
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const Link& l = chain.link(LinkId{i});
    add(l.name), add(l.parent), add(std::string(name(l.joint.type)));
    add(l.joint.origin), add(l.joint.axis), add(l.joint.pitch);
  }
}

/// Polynomials are not recorded.
bool Recorder::knows(const Motion& motion) {
  const std::string description = motion.path().description();
  return !description.empty() && !motion::states_courses(description);
}

/// Of a surface only those that words describe.
bool Recorder::knows(const Body& body) { return !body.surface() || !body.data().surface_text.empty(); }

/// The words of a certificate (docs/certificates.md), its numbers as all others are written here.
void Recorder::add(const Motion& motion) {
  std::istringstream words(motion.path().description());
  for (std::string w; words >> w;) {
    const bool is_number = w.find("0x") != std::string::npos;
    if (is_number)
      add(std::strtod(w.c_str(), nullptr));
    else
      word(w);
  }
}

std::size_t Recorder::mesh(const Body& body) {
  const auto [at, is_new] = meshes_.try_emplace(&body.data(), 0);
  if (!is_new) return at->second;
  bodies_.push_back(body);
  const std::string begun = std::move(text_);  // the line that refers to the mesh
  if (!body.pieces().empty()) {
    write_compound(body);
    text_ = begun;
    return meshes_[&body.data()] = written_ - 1;
  }
  if (body.surface()) {
    text_ = "surface";
    add(body.data().surface_text);
    write();
    text_ = begun;
    return meshes_[&body.data()] = written_++;
  }
  if (body.shape()) {
    write_shape(*body.shape());
    if (const auto& at = body.data().placed_at) {  // a piece that was taken from a compound
      text_ = "piece";
      add(std::uint64_t{written_ - 1});
      add(*at);
      write();
      ++written_;
    }
    text_ = begun;
    return at->second = written_ - 1;
  }
  const Mesh& m = body.mesh();
  if (const auto& built_at = body.data().built_at) {
    // A tree that was built for other positions may find other witnesses first. So record both: the replay builds the
    // tree for the old positions and then deforms.
    write_mesh(*built_at, m);
    text_ = "deformed_mesh";
    add(std::uint64_t{written_ - 1});
    add(m.positions());
    write();
    ++written_;
  } else {
    write_mesh(m.positions(), m);
  }
  text_ = begun;
  return at->second = written_ - 1;
}

void Recorder::write_shape(const shape::Shape& s) {
  const auto* hull = std::get_if<shape::Hull>(&s.kind);
  text_ = "shape";
  add(hull ? std::string("hull") : shape::to_text({s.kind}));
  add(s.rounding);
  add(hull ? std::span<const Vec3>(hull->points) : std::span<const Vec3>());
  write();
  ++written_;
}

void Recorder::write_compound(const Body& body) {
  std::vector<std::uint64_t> of_piece;
  for (const Piece& p : body.pieces()) of_piece.push_back(mesh(p.body));
  text_ = "compound";
  add(std::uint64_t{of_piece.size()});
  for (std::size_t i = 0; i < of_piece.size(); ++i)
    add(of_piece[i]), add(body.pieces()[i].pose), add(body.pieces()[i].name);
  write();
  ++written_;
}

void Recorder::write_mesh(std::span<const Vec3> positions, const Mesh& m) {
  text_ = "mesh";
  add(positions);
  add(std::uint64_t{m.polygon_count()});
  for (std::uint32_t p = 0; p < m.polygon_count(); ++p) add(m.polygon(PolygonId{p}));
  write();
  ++written_;
}

}  // namespace graze::world
