// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include <graze/clash/clash.hpp>

namespace graze::clash {
namespace {

TEST(ClashPatterns, AreComparedWithTheWholeName) {
  EXPECT_TRUE(matches("bolt", "bolt"));
  EXPECT_FALSE(matches("bolt", "bolt 1"));
  EXPECT_TRUE(matches("bolt*", "bolt 1"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("?", ""));
  EXPECT_TRUE(matches("*bolt*M8*", "steel bolt, M8 x 20"));
  EXPECT_FALSE(matches("*bolt*M8", "steel bolt, M8 x 20"));
  EXPECT_TRUE(matches("a*b*c", "abbc-bc"));
}

TEST(ClashPatterns, KnowSets) {
  EXPECT_TRUE(matches("pipe [0-9]", "pipe 7"));
  EXPECT_FALSE(matches("pipe [0-9]", "pipe x"));
  EXPECT_TRUE(matches("pipe [!0-9]", "pipe x"));
  EXPECT_TRUE(matches("[]x]", "]"));
  EXPECT_TRUE(matches("[a-]", "-"));
  EXPECT_TRUE(matches("*[", "an open ["));  // not closed: a plain bracket
  EXPECT_FALSE(matches("[ab", "a"));
}

TEST(ClashPatterns, AQuestionMarkIsOneCharacterOfUtf8) {
  EXPECT_TRUE(matches("Tr\xC3\xA4ger ?", "Tr\xC3\xA4ger 1"));
  EXPECT_TRUE(matches("Tr?ger", "Tr\xC3\xA4ger"));
  EXPECT_FALSE(matches("Tr??ger", "Tr\xC3\xA4ger"));
  EXPECT_TRUE(matches("?\n?", "a\nb"));
}

TEST(ClashPatterns, TakeTimeInProportionWhateverThePattern) {
  std::string pattern, text(20000, 'a');
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", text));
  EXPECT_TRUE(matches(pattern, text));
}

}  // namespace
}  // namespace graze::clash
