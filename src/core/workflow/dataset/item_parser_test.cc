#include "core/workflow/dataset/item_parser.h"

#include <gtest/gtest.h>

#include "core/workflow/definition/definition.h"

namespace stoker::dataset {
namespace {

// The items as JSON, or the fault, with the text cut in pieces of that many bytes.
std::string read(const asl::ItemReader& reader, std::string_view text, std::size_t piece,
                 std::int64_t items_max = 0) {
  ItemList items(items_max);
  auto parser = parser_for(reader, items);
  if (!parser) return "! " + parser.error().message;
  for (std::size_t i = 0; i < text.size(); i += piece)
    if (auto fed = (*parser)->feed(text.substr(i, piece)); !fed) return "! " + fed.error().message;
  if (auto done = (*parser)->finish(); !done) return "! " + done.error().message;
  return json::write(json::Value(items.take()));
}

struct Row {
  const char* rule;
  asl::ItemReader reader;
  std::string_view text;
  const char* items;
  std::int64_t items_max = 0;
};

asl::ItemReader csv(std::string delimiter = "", std::vector<std::string> headers = {}) {
  asl::ItemReader reader;
  reader.input_type = "CSV";
  reader.csv_header_location = headers.empty() ? "FIRST_ROW" : "GIVEN";
  reader.csv_headers = std::move(headers);
  reader.csv_delimiter = std::move(delimiter);
  return reader;
}
asl::ItemReader of_type(std::string type, std::string pointer = "") {
  asl::ItemReader reader;
  reader.input_type = std::move(type);
  reader.items_pointer = std::move(pointer);
  return reader;
}

// Every row is read whole and byte by byte.
void check(std::initializer_list<Row> rows) {
  for (const Row& row : rows)
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1} << 20})
      EXPECT_EQ(read(row.reader, row.text, piece, row.items_max), row.items) << row.rule << ", by " << piece;
}

TEST(ItemParser, Csv) {
  check({
      {"the first row has the headers", csv(), "a,b\n1,2\n3,4\n", R"([{"a":"1","b":"2"},{"a":"3","b":"4"}])"},
      {"the last row needs no line end", csv(), "a\n1", R"([{"a":"1"}])"},
      {"headers may be given", csv("", {"x"}), "1\n2\n", R"([{"x":"1"},{"x":"2"}])"},
      {"missing cells are empty, further ones are dropped", csv(), "a,b\n1\n1,2,3\n,,,\n",
       R"([{"a":"1","b":""},{"a":"1","b":"2"},{"a":"","b":""}])"},
      {"blanks stay, empty lines mean nothing", csv(), "a\n   \n\n\r\nx\n", R"([{"a":"   "},{"a":"x"}])"},
      {"a header may be empty", csv(), "a,\n1,2\n", R"([{"a":"1","":"2"}])"},
      {"rows may end with a carriage return", csv(), "a,b\r\n1,2\r3,4\r\n",
       R"([{"a":"1","b":"2"},{"a":"3","b":"4"}])"},
      {"quotes hold delimiters, line ends and doubled quotes", csv(), "a,b\n\"x,\"\"y\"\"\nz\",2\n",
       R"([{"a":"x,\"y\"\nz","b":"2"}])"},
      {"an empty field in quotes makes a row", csv(), "a\n\"\"\n", R"([{"a":""}])"},
      {"a quote inside of a plain field is plain", csv(), "a\nx\"y\n", R"([{"a":"x\"y"}])"},
      {"what follows a closing quote is added", csv(), "a,b\n\"x\"y,z\n", R"([{"a":"xy","b":"z"}])"},
      {"backslashes escape delimiters, quotes and backslashes", csv(),
       "a,b\nx\\,y,\\\\\n\\\"q\\\",\"\\\"\"\n", R"([{"a":"x,y","b":"\\"},{"a":"\"q\"","b":"\""}])"},
      {"other backslashes are dropped", csv(), "a\nx\\yz\n", R"([{"a":"xyz"}])"},
      {"a backslash escapes no line end", csv(), "a\nx\\\ny\n", R"([{"a":"x"},{"a":"y"}])"},
      {"pipes", csv("PIPE"), "a|b\n1,0|2\n", R"([{"a":"1,0","b":"2"}])"},
      {"semicolons", csv("SEMICOLON"), "a;b\n1;2\n", R"([{"a":"1","b":"2"}])"},
      {"spaces", csv("SPACE"), "a b\n1 2\n", R"([{"a":"1","b":"2"}])"},
      {"tabs", csv("TAB"), "a\tb\n1\t\n", R"([{"a":"1","b":""}])"},
      {"a byte order mark is no part of the first header", csv(),
       "\xEF\xBB\xBF"
       "a\n1\n",
       R"([{"a":"1"}])"},
      {"half a mark is text", csv(),
       "\xEF\xBB"
       "a\n1\n",
       "[{\"\uFFFD\uFFFD"
       "a\":\"1\"}]"},
      {"bytes that are no UTF-8 are replaced", csv(), "a\n\xFF\n", "[{\"a\":\"\uFFFD\"}]"},
      {"numbers stay texts", csv("", {"n"}), "1.50\n", R"([{"n":"1.50"}])"},
      {"an empty object has no items", csv(), "", "[]"},
      {"headers alone are no items", csv(), "a,b\n", "[]"},
      {"MaxItems ends the reading", csv(), "a\n1\n2\n3\n", R"([{"a":"1"},{"a":"2"}])", 2},
      {"MaxItems above what there is", csv(), "a\n1\n", R"([{"a":"1"}])", 5},
      {"headers must differ", csv(), "a,b,a\n1,2,3\n", "! CSV headers cannot contain duplicates."},
      {"given ones, too", csv("", {"a", "a"}), "1,2\n", "! CSV headers cannot contain duplicates."},
  });
  EXPECT_EQ(read(csv("", {std::string(10 * 1024 + 1, 'h')}), "1\n", 9),
            "! CSV headers may have at most 10240 bytes.");
  asl::ItemReader bare = of_type("CSV");
  EXPECT_EQ(read(bare, "a\n1\n", 9), "! The ReaderConfig of a CSV needs the field CSVHeaderLocation");
  bare.csv_header_location = "GIVEN";
  EXPECT_EQ(read(bare, "a\n1\n", 9), "! CSVHeaderLocation GIVEN needs the field CSVHeaders");
  EXPECT_EQ(read(csv(), "a\n" + std::string(kItemBytesMax + 1, 'x'), 1 << 20),
            "! Row 2 has more than 8388608 bytes");
}

TEST(ItemParser, JsonLines) {
  check({
      {"a value a line", of_type("JSONL"), "{\"a\":1}\n[2]\n\"x\"\nnull\n", R"([{"a":1},[2],"x",null])"},
      {"empty lines mean nothing", of_type("JSONL"), "\n1\r\n  \n2", "[1,2]"},
      {"nothing", of_type("JSONL"), "", "[]"},
      {"MaxItems ends the reading", of_type("JSONL"), "1\n2\nno json\n", "[1,2]", 2},
      {"a fault names its line", of_type("JSONL"), "1\n{]\n", "! Line 2: JSON: syntax error at byte 1"},
  });
  EXPECT_EQ(read(of_type("JSONL"), std::string(kItemBytesMax + 1, ' '), 1 << 20),
            "! Line 1 has more than 8388608 bytes");
}

TEST(ItemParser, Json) {
  constexpr const char* kNoArray = "! Attempting to map over non-iterable node.";
  constexpr std::string_view kDeep =
      R"( {"x":[{"list":[0]}], "a":{"b/c":[1,{"list":[9]},{"list":[{"q":[1.5,"\u00e9"]},[],{},true]}], "list":[7]}} )";
  check({
      {"the elements of the array", of_type("JSON"), R"([1,-2.5e3,"x",{"a":[1,2,{"b":null}]},[[]],false])",
       R"([1,-2500,"x",{"a":[1,2,{"b":null}]},[[]],false])"},
      {"none", of_type("JSON"), " [ ] ", "[]"},
      {"ItemsPointer names an array inside", of_type("JSON", "/a/b~1c/2/list"), kDeep,
       R"([{"q":[1.5,"é"]},[],{},true])"},
      {"a member of the same name elsewhere is not meant", of_type("JSON", "/a/list"), kDeep, "[7]"},
      {"an element of an array", of_type("JSON", "/x/0/list"), kDeep, "[0]"},
      {"an object is no list", of_type("JSON"), R"({"a":[1]})", kNoArray},
      {"nor is a number", of_type("JSON"), "12", kNoArray},
      {"nothing at the pointer", of_type("JSON", "/b"), R"({"a":[1]})", kNoArray},
      {"an object at the pointer", of_type("JSON", "/a"), R"({"a":{"b":[1]}})", kNoArray},
      {"no pointer", of_type("JSON", "a"), R"({"a":[1]})", kNoArray},
      {"MaxItems ends the reading", of_type("JSON"), "[1,2,no json", "[1,2]", 2},
      {"half a text", of_type("JSON"), "[1,2", "! JSON: incomplete JSON at byte 4"},
      {"more than one text", of_type("JSON"), "[1] [2]", "! JSON: extra data at byte 4"},
      {"an empty text", of_type("JSON"), "", "! JSON: incomplete JSON at byte 0"},
      {"a fault behind the array", of_type("JSON", "/a"), R"({"a":[1],]})", "! JSON: syntax error at byte 9"},
  });
  EXPECT_EQ(read(of_type("JSON"), "[\"" + std::string(kItemBytesMax + 1, 'x') + "\"]", 1 << 16),
            "! JSON: an element has more than 8388608 bytes");
}

TEST(ItemParser, OtherTypes) {
  EXPECT_EQ(read(of_type("PARQUET"), "", 1),
            "! This server reads CSV, JSON, JSONL and MANIFEST, not InputType PARQUET");
  EXPECT_EQ(read(of_type(""), "", 1), "! The ItemReader needs a ReaderConfig with the field InputType");
}

}  // namespace
}  // namespace stoker::dataset
