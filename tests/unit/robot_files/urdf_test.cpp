// SPDX-License-Identifier: MIT
// URDF and SRDF: what is read, and how wrong files are refused. The arms of ../shared/data are read where they are.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <graze/io/mesh_file.hpp>
#include <graze/mesh/make.hpp>
#include <graze/robot/robot.hpp>
#include <graze/robot/urdf.hpp>

namespace {

using namespace graze;
namespace fs = std::filesystem;

class Urdf : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_urdf_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  RobotModel read(const std::string& inside, const std::string& srdf = {}) {
    RobotFiles files;
    files.urdf = write("r.urdf", "<robot name=\"r\">\n" + inside + "</robot>\n");
    if (!srdf.empty()) files.srdf = write("r.srdf", "<robot name=\"r\">\n" + srdf + "</robot>\n");
    files.packages["pkg"] = folder_;
    return load_robot(files);
  }
  ErrorDetail refusal(const std::string& inside, const std::string& srdf = {}) {
    try {
      read(inside, srdf);
    } catch (const Error& error) {
      return error.detail();
    }
    ErrorDetail none;
    none.message = "it was read";
    return none;
  }

  fs::path folder_;
};

const std::string two_links =
    "<link name=\"a\"><collision><geometry><box size=\"1 2 3\"/></geometry></collision></link>\n"
    "<link name=\"b\">\n"
    "  <collision name=\"ball\"><origin xyz=\"1 0 0\" rpy=\"0 0 1.5\"/><geometry><sphere "
    "radius=\"0.5\"/></geometry></collision>\n"
    "  <collision><geometry><cylinder radius=\"0.5\" length=\"2\"/></geometry></collision>\n"
    "</link>\n"
    "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0 0 1\"/>\n"
    "  <axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"2\" effort=\"1\" velocity=\"1\"/></joint>\n";

TEST_F(Urdf, LinksJointsAndShapes) {
  const RobotModel model = read(two_links);
  EXPECT_EQ(model.name, "r");
  ASSERT_EQ(model.links.size(), 2u);
  EXPECT_EQ(model.links[0].name, "a");
  const Joint& joint = model.links[1].joint;
  EXPECT_EQ(joint.name, "j");
  EXPECT_EQ(joint.type, JointType::revolute);
  EXPECT_EQ(joint.origin, Pose({0, 0, 1}));
  EXPECT_EQ(joint.axis, (Vec3{0, 1, 0}));
  EXPECT_EQ(joint.limits->upper, 2);
  ASSERT_EQ(model.pieces.size(), 3u);
  EXPECT_EQ(model.pieces[1].name, "ball");
  EXPECT_EQ(model.pieces[1].pose.translation(), (Vec3{1, 0, 0}));
  EXPECT_EQ(shape::to_text(*model.pieces[0].body.shape()), "box:1,2,3");
  EXPECT_EQ(shape::to_text(*model.pieces[2].body.shape()), "cylinder:0.5,2");
}

TEST_F(Urdf, JointsHaveTheOrderOfTheFile) {
  std::string text = "<link name=\"base\"/>";
  for (const char* const link : {"z", "m", "a"})
    text += std::string("<link name=\"") + link + "\"/><joint name=\"to_" + link +
            "\" type=\"continuous\"><parent link=\"base\"/><child link=\"" + link + "\"/></joint>\n";
  const RobotModel model = read(text);
  EXPECT_EQ(model.links[1].name, "z");
  EXPECT_EQ(model.links[3].name, "a");
  EXPECT_EQ(model.links[3].joint.axis, (Vec3{1, 0, 0}));  // the default of URDF
}

TEST_F(Urdf, MimicPlanarAndFloating) {
  const std::string joint = "<parent link=\"base\"/>";
  const RobotModel model = read(
      "<link name=\"base\"/><link name=\"p\"/><link name=\"f\"/><link name=\"x\"/><link name=\"y\"/>\n"
      "<joint name=\"p\" type=\"planar\">" +
      joint +
      "<child link=\"p\"/><axis xyz=\"0 0 1\"/></joint>"
      "<joint name=\"f\" type=\"floating\">" +
      joint +
      "<child link=\"f\"/></joint>"
      "<joint name=\"x\" type=\"prismatic\">" +
      joint +
      "<child link=\"x\"/>"
      "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>"
      "<joint name=\"y\" type=\"prismatic\">" +
      joint +
      "<child link=\"y\"/><mimic joint=\"x\" multiplier=\"-2\" offset=\"0.5\"/>"
      "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>");
  const Chain chain(model.links);
  EXPECT_EQ(chain.coordinates(), 11u);
  ASSERT_TRUE(model.links[4].joint.mimic);
  EXPECT_EQ(model.links[4].joint.mimic->link, "x");
  EXPECT_EQ(model.links[4].joint.mimic->factor, -2);
}

TEST_F(Urdf, MeshesByPackageAndRelativeAddressWithScale) {
  save_mesh(make::box(), folder_ / "cube.obj");
  save_mesh(make::box(), folder_ / "cube.stl");
  const auto link = [](const std::string& mesh) {
    return "<link name=\"a\"><collision><geometry><mesh filename=" + mesh + "/></geometry></collision></link>\n";
  };
  EXPECT_EQ(read(link("\"package://pkg/cube.obj\" scale=\"1 2 3\"")).pieces[0].body.box().hi, (Vec3{0.5, 1, 1.5}));
  EXPECT_EQ(read(link("\"cube.obj\"")).pieces[0].body.mesh().polygon_count(), 6u);
  EXPECT_EQ(read(link("\"cube.stl\"")).pieces[0].body.mesh().polygon_count(), 12u);
  ErrorDetail error = refusal(link("\"package://other/cube.obj\""));
  EXPECT_EQ(error.line, 2u);
  EXPECT_NE(error.message.find("--package other="), std::string::npos);
  error = refusal(link("\"nothing.obj\""));
  EXPECT_EQ(error.code, ErrorCode::file_not_found);
  EXPECT_EQ(error.line, 2u);
  EXPECT_NE(error.message.find("nothing.obj"), std::string::npos);
}

TEST_F(Urdf, WrongFilesAreToldWithLineAndElement) {
  const auto expect = [&](const std::string& inside, std::uint64_t line, const std::string& element,
                          const std::string& part) {
    const ErrorDetail error = refusal(inside);
    EXPECT_EQ(error.line, line) << error.text();
    EXPECT_EQ(error.element, element) << error.text();
    EXPECT_NE(error.message.find(part), std::string::npos) << error.text();
  };
  expect("<link/>\n", 2, "<link>", "name");
  expect("<link name=\"a\"/>\n<link name=\"a\"/>", 3, "<link name=\"a\">", "rename");
  expect(two_links + "<joint name=\"k\" type=\"ball\"/>", 9, "<joint name=\"k\">", "no type");
  expect(two_links + "<link name=\"c\"/>", 1, "<robot name=\"r\">", "root");
  expect(two_links + "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/>\n<child link=\"c\"/></joint>", 10,
         "<child>", "no link \"c\"");
  expect("<link name=\"a\"><collision><geometry><box size=\"1 2\"/></geometry></collision></link>", 2, "<box>",
         "3 numbers");
  expect("<link name=\"a\"><collision><geometry><box size=\"1 2 x\"/></geometry></collision></link>", 2, "<box>",
         "\"x\"");
  expect("<link name=\"a\"><collision><geometry><ring/></geometry></collision></link>", 2, "<ring>", "sphere");
  expect("<link name=\"a\"/>\n<xacro:property name=\"w\" value=\"1\"/>", 3, "<xacro:property name=\"w\">",
         "expanded first");
  expect(
      "<link name=\"a\"/>\n<link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child "
      "link=\"b\"/></joint>",
      3, "<joint name=\"j\">", "limit");
  const ErrorDetail broken = refusal("<link name=\"a\">");
  EXPECT_EQ(broken.code, ErrorCode::bad_file);
  EXPECT_NE(broken.line, ErrorDetail::none);
  RobotFiles missing;
  missing.urdf = folder_ / "missing.urdf";
  EXPECT_THROW(load_robot(missing), Error);
}

TEST_F(Urdf, Srdf) {
  const RobotModel model =
      read(two_links,
           "<group name=\"arm\"><chain base_link=\"a\" tip_link=\"b\"/></group>\n"
           "<group name=\"all\"><group name=\"arm\"/><link name=\"a\"/></group>\n"
           "<group_state name=\"up\" group=\"arm\"><joint name=\"j\" value=\"0.5\"/></group_state>\n"
           "<passive_joint name=\"j\"/>\n"
           "<disable_collisions link1=\"b\" link2=\"a\" reason=\"Adjacent\"/>\n");
  ASSERT_EQ(model.groups.size(), 2u);
  EXPECT_EQ(model.groups[0].links, std::vector<std::string>{"b"});
  EXPECT_EQ(model.groups[1].links.size(), 2u);
  EXPECT_EQ(model.passive, std::vector<std::string>{"b"});
  const Robot robot(model);
  EXPECT_EQ(robot.allowed("a", "b"), "Adjacent");
  std::vector<double> q{0};
  robot.set_named_state("up", q);
  EXPECT_EQ(q[0], 0.5);
  EXPECT_THROW(robot.set_named_state("down", q), Error);
}

/// As MoveIt reads them: groups in any order, virtual joints, pairs of links that are not there.
TEST_F(Urdf, SrdfsThatMoveItReads) {
  const RobotModel model =
      read(two_links,
           "<virtual_joint name=\"fix\" type=\"floating\" parent_frame=\"world\" child_link=\"a\"/>\n"
           "<group name=\"all\"><joint name=\"fix\"/><group name=\"arm\"/></group>\n"
           "<group name=\"arm\"><chain base_link=\"b\" tip_link=\"a\"/></group>\n"
           "<group_state name=\"up\" group=\"all\"><joint name=\"fix\" value=\"0 0 0 1 0 0 0\"/>"
           "<joint name=\"j\" value=\"0.5\"/></group_state>\n"
           "<passive_joint name=\"fix\"/>\n"
           "<disable_collisions link1=\"b\"\n link2=\"c\"/>\n"
           "<disable_default_collisions link=\"a\"/><enable_collisions link1=\"a\" link2=\"b\"/>\n");
  ASSERT_EQ(model.groups.size(), 2u);
  for (const RobotGroup& group : model.groups) EXPECT_EQ(group.links, std::vector<std::string>{"b"}) << group.name;
  EXPECT_TRUE(model.passive.empty() && model.allowed.empty());
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_NE(model.notes[0].find("r.srdf:7: <disable_collisions>"), std::string::npos) << model.notes[0];
  EXPECT_NE(model.notes[0].find("no link \"c\""), std::string::npos) << model.notes[0];
  std::vector<double> q{0};
  Robot(model).set_named_state("up", q);
  EXPECT_EQ(q[0], 0.5);
}

TEST_F(Urdf, WrongSrdfsAreToldWithLineAndElement) {
  const auto expect = [&](const std::string& inside, std::uint64_t line, const std::string& part) {
    const ErrorDetail error = refusal(two_links, inside);
    EXPECT_EQ(error.line, line) << error.text();
    EXPECT_NE(error.file.find("r.srdf"), std::string::npos);
    EXPECT_NE(error.message.find(part), std::string::npos) << error.text();
  };
  expect("<group name=\"g\">\n<joint name=\"k\"/></group>", 3, "no joint \"k\"");
  expect("<group name=\"g\">\n<group name=\"h\"/></group>", 3, "no group \"h\"");
  expect("<group name=\"g\"><group name=\"h\"/></group>\n<group name=\"h\">\n<group name=\"g\"/></group>", 4,
         "contains itself");
  expect("<group name=\"g\">\n<chain base_link=\"a\" tip_link=\"c\"/></group>", 3, "no link \"c\"");
  expect("\n<group_state name=\"s\" group=\"g\"/>", 3, "no group \"g\"");
  const std::string group = "<group name=\"g\"><joint name=\"j\"/></group>\n";
  expect(group + "<group_state name=\"s\" group=\"g\"/>\n<group_state name=\"s\" group=\"g\"/>", 4, "rename");
  expect(group + "<group_state name=\"s\" group=\"g\"><joint name=\"j\" value=\"1 2\"/></group_state>", 3, "2 values");
  std::string deep;
  for (int i = 0; i < 3000; ++i)
    deep += "<group name=\"g" + std::to_string(i) + "\"><group name=\"g" + std::to_string(i + 1) + "\"/></group>";
  expect(deep, 2, "1000 levels");
  const std::string planar =
      "<link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"planar\"><parent "
      "link=\"a\"/><child link=\"b\"/>\n";
  for (const char* const axis : {"0 0 -1", "1 1 0"}) {
    const ErrorDetail error = refusal(planar + "<axis xyz=\"" + axis + "\"/></joint>");
    EXPECT_EQ(error.line, 3u);
    EXPECT_EQ(error.element, "<axis>");
  }
}

fs::path shared_data() {
  const char* const given = std::getenv("GRAZE_SHARED_DATA");
  return given ? fs::path(given) : fs::path(GRAZE_SOURCE_DIR) / "../shared/data";
}

TEST(Arms, NamedStatesAreFreeAndFoldedOnesAreNot) {
  const fs::path data = shared_data();
  if (!fs::is_directory(data / "robots")) GTEST_SKIP() << "no data in " << data;
  const fs::path robots = data / "robots";
  RobotFiles panda{robots / "panda_description/urdf/panda.urdf",
                   robots / "panda_description/srdf/panda.srdf",
                   {{"example-robot-data", data}}};
  const Robot arm(load_robot(panda));
  ASSERT_EQ(arm.coordinates(), 8u);  // the second finger follows the first
  std::vector<double> q(8);
  arm.set_named_state("default", q);
  EXPECT_EQ(arm.check(q).beyond_limits, std::nullopt);
  EXPECT_EQ(arm.check(q).status, Status::free);
  RobotFiles ur{robots / "ur_description/urdf/ur5_robot.urdf",
                robots / "ur_description/srdf/ur5.srdf",
                {{"example-robot-data", data}}};
  const Robot ur5(load_robot(ur));
  ASSERT_EQ(ur5.coordinates(), 6u);
  const std::vector<double> up{0, -1.57, 0, -1.57, 0, 0}, folded{0, -1.57, 3.1, 0, 0, 0};
  EXPECT_EQ(ur5.check(up).status, Status::free);
  EXPECT_EQ(ur5.check(folded).status, Status::contact);
  EXPECT_EQ(ur5.check_motion(up, folded).status, Status::contact);
}

/// Both parsers must read the same names: a joint that one of them lost would be fixed, and nobody would know.
TEST_F(Urdf, NamesThatParsersDecodeDifferentlyAreRefused) {
  const std::string joint =
      "<parent link=\"a\"/><child link=\"b\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\n";
  const std::string box = "<collision><geometry><box size=\"1 1 1\"/></geometry></collision></link>\n";
  EXPECT_EQ(read("<link name=\"a\">" + box + "<link name=\"b\">" + box + "<joint name=\"x\" type=\"revolute\">" + joint)
                .links.size(),
            2u);
  for (const std::string odd : {"x&y", "x&nbsp;y", "x\r\ny"}) {
    const std::string as_joint = "<link name=\"a\">" + box + "<link name=\"b\">" + box + "<joint name=\"" + odd +
                                 "\" type=\"revolute\">" + joint;
    EXPECT_NE(refusal(as_joint).message, "it was read") << odd;
    EXPECT_NE(refusal("<link name=\"" + odd + "\">" + box).message, "it was read") << odd;
  }
}

/// Scales were told apart by six decimals.
TEST_F(Urdf, EveryScaleOfAMeshIsItsOwn) {
  save_mesh(make::box(), folder_ / "box.obj");
  const auto link = [](const char* name, const char* scale) {
    return std::string("<link name=\"") + name +
           "\"><collision><geometry><mesh filename=\"package://pkg//box.obj\" scale=\"" + scale +
           " 1 1\"/></geometry></collision></link>\n";
  };
  const RobotModel model = read(link("a", "1e-7") + link("b", "4e-7") +
                                "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n");
  ASSERT_EQ(model.pieces.size(), 2u);
  const auto width = [&](std::size_t i) {
    double most = 0;
    for (const Vec3& p : model.pieces[i].body.mesh().positions()) most = std::max(most, p.x);
    return most;
  };
  EXPECT_EQ(width(0), 0.5 * 1e-7);
  EXPECT_EQ(width(1), 0.5 * 4e-7);
}

}  // namespace
