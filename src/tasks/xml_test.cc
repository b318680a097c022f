#include "tasks/xml.h"

#include <gtest/gtest.h>

namespace stoker::tasks {
namespace {

std::string shown(const XmlElement& element) {
  std::string out = element.name + "(" + element.text;
  for (const XmlElement& child : element.children) out += " " + shown(child);
  return out + ")";
}
std::string read(std::string_view text) {
  const auto element = parse_xml(text);
  return element ? shown(*element) : "none";
}

TEST(Xml, ReadsElementsAndText) {
  EXPECT_EQ(read("<a/>"), "a()");
  EXPECT_EQ(read("<a>x<b c='d'>y</b ><e /></a>"), "a(x b(y) e())");
  EXPECT_EQ(read("<?xml version='1.0'?><!-- c --> <a>1<!-- d -->2</a>\n"), "a(12)");
  EXPECT_EQ(read("<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x20ac;</a>"), "a(<&>\"'A\xe2\x82\xac)");
  EXPECT_EQ((*parse_xml("<a><b>1</b><b>2</b></a>"))["b"], "1");
  EXPECT_EQ((*parse_xml("<a/>"))["b"], "");
}

TEST(Xml, RefusesEverythingElse) {
  for (const std::string_view text : {"", "x", "<", "<a", "<a>", "<a></b>", "<a><b></a></b>", "<a/><b/>",
                                      "<a>&x;</a>", "<a>&#0;</a>", "<a>&#xd800;</a>", "<a>&amp</a>",
                                      "<!DOCTYPE a><a/>", "<a/>x", "<a><![CDATA[x]]></a>", "<a><!-- </a>"})
    EXPECT_EQ(read(text), "none") << text;
}

TEST(Xml, IsBounded) {
  std::string deep, wide = "<a>";
  for (std::size_t i = 0; i <= kXmlDepthMax; ++i) deep += "<a>";
  for (std::size_t i = 0; i <= kXmlDepthMax; ++i) deep += "</a>";
  EXPECT_EQ(parse_xml(deep), std::nullopt);
  for (std::size_t i = 0; i <= kXmlElementsMax; ++i) wide += "<b/>";
  EXPECT_EQ(parse_xml(wide + "</a>"), std::nullopt);
}

}  // namespace
}  // namespace stoker::tasks
