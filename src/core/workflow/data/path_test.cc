#include "core/workflow/data/path.h"

#include <gtest/gtest.h>

#include "core/workflow/data/path_steps.h"
#include "core/workflow/data/values.h"

namespace stoker::asl {
namespace {

json::Value parse(std::string_view text) {
  auto value = json::parse(text, {.depth_max = 4000});
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *std::move(value) : json::Value{};
}

constexpr std::string_view kNode = R"({
  "name": "n1", "none": null, "my key": 7, "quo'te": 8, "a\\n\"b": 10, "c\\d": 11, "größe": 9, "@type": "host",
  "gpus": [
    {"kind": "a10", "mib": 24000, "tags": ["x", "y"]},
    {"kind": "h100", "mib": 80000, "tags": [], "mig": true},
    {"kind": "t4", "mib": 16000, "price": {"spot": 0.2, "kind": "usd"}}
  ],
  "numbers": [10, 20, 30, 40, 50, 60],
  "zones": {"a": {"free": 1}, "b": {"free": 2}},
  "limit": 20000
})";

// What a path finds in `input`, or the sentence that says why nothing.
std::string read(std::string_view text, std::string_view input = kNode) {
  const auto path = Path::parse(text);
  if (!path) return "refused: " + path.error().message;
  const json::Value value = parse(input);
  const auto found = path->read({.input = &value});
  return found ? json::write(*found) : found.error().text;
}

struct Read {
  std::string_view what, path, expected;
};

TEST(Path, FindsWhatItNames) {
  const Read kCases[] = {
      {"a name", "$.name", R"("n1")"},
      {"a name in quotes", "$['name']", R"("n1")"},
      {"a name in double quotes", R"($["name"])", R"("n1")"},
      {"a bracket after a dot", "$.['name']", R"("n1")"},
      {"null is a value", "$.none", "null"},
      {"a blank in a name", "$['my key']", "7"},
      {"an escaped quote in a name", R"($['quo\'te'])", "8"},
      {"a backslash before anything else", R"($['a\n"b'])", "10"},
      {"two backslashes", R"($['c\\d'])", "11"},
      {"letters beyond ASCII", "$.größe", "9"},
      {"an at sign in a name", "$.@type", R"("host")"},
      {"an index", "$.numbers[0]", "10"},
      {"an index after a dot", "$.numbers.[1]", "20"},
      {"an index from the end", "$.numbers[-1]", "60"},
      {"names and indexes in turn", "$.gpus[2].price.spot", "0.2"},
      {"blanks in brackets", "$.gpus[ 2 ][ 'price' ]['spot']", "0.2"},
      {"a union of names at the end is an object", "$.gpus[0]['kind','mib']",
       R"({"kind":"a10","mib":24000})"},
      {"of what is there", "$.gpus[0]['kind','no']", R"({"kind":"a10"})"},
      {"a union of names on the way is a list", "$.zones['b','a'].free", "[2,1]"},
      {"a union of indexes", "$.numbers[0,-1,9]", "[10,60]"},
      {"a slice", "$.numbers[1:3]", "[20,30]"},
      {"a slice to the end", "$.numbers[4:]", "[50,60]"},
      {"a slice from the start", "$.numbers[:2]", "[10,20]"},
      {"a slice from the end", "$.numbers[-2:]", "[50,60]"},
      {"a slice up to one from the end", "$.numbers[3:-1]", "[40,50]"},
      {"a slice past the end", "$.numbers[5:99]", "[60]"},
      {"an empty slice", "$.numbers[3:1]", "[]"},
      {"all elements", "$.numbers[*]", "[10,20,30,40,50,60]"},
      {"all members", "$.zones.*", R"([{"free":1},{"free":2}])"},
      {"a member of all elements", "$.gpus[*].kind", R"(["a10","h100","t4"])"},
      {"those that have it", "$.gpus[*].mig", "[true]"},
      {"nothing of a scalar", "$.name[*]", "[]"},
      {"nothing below a name that is not there", "$.no.such[*].name", "[]"},
      {"no slice of a number", "$.limit[0:1]", "[]"},
      {"no filter of a number", "$.limit[?(@.x)]", "[]"},
      {"nothing below an index past the end", "$.numbers[9]..x", "[]"},
      {"a deep scan", "$..kind", R"(["a10","h100","t4","usd"])"},
      {"a deep scan below a name", "$.zones..free", "[1,2]"},
      {"a deep scan for an index", "$..tags[0]", R"(["x"])"},
      {"a deep scan for nothing", "$..nothing", "[]"},
      {"a deep scan for everything", "$.zones..*", R"([{"free":1},{"free":2},1,2])"},
      {"an index after a deep scan is tried in each match", "$..tags[-1]", R"(["y"])"},
  };
  for (const Read& c : kCases) EXPECT_EQ(read(c.path), c.expected) << c.what << ": " << c.path;
}

TEST(Path, FiltersElements) {
  const Read kCases[] = {
      {"equal text", "$.gpus[?(@.kind == 't4')].mib", "[16000]"},
      {"equal text in double quotes", R"($.gpus[?(@.kind == "t4")].mib)", "[16000]"},
      {"the value may come first", "$.gpus[?('t4' == @.kind)].mib", "[16000]"},
      {"no blanks", "$.gpus[?(@.kind=='t4')].mib", "[16000]"},
      {"not equal, also where there is none", "$.gpus[?(@.mig != true)].kind", R"(["a10","t4"])"},
      {"less", "$.gpus[?(@.mib < 24000)].kind", R"(["t4"])"},
      {"at most", "$.gpus[?(@.mib <= 24000)].kind", R"(["a10","t4"])"},
      {"more", "$.gpus[?(@.mib > 24000)].kind", R"(["h100"])"},
      {"at least", "$.gpus[?(@.mib >= 24000)].kind", R"(["a10","h100"])"},
      {"numbers by value", "$.gpus[?(@.mib == 16000.0)].kind", R"(["t4"])"},
      {"a number and its text", "$.gpus[?(@.mib == '16000')].kind", R"(["t4"])"},
      {"texts in order", "$.gpus[?(@.kind < 'b')].kind", R"(["a10"])"},
      {"types that differ are never less", "$.gpus[?(@.kind < 5)].kind", "[]"},
      {"existence", "$.gpus[?(@.price)].kind", R"(["t4"])"},
      {"no existence", "$.gpus[?(!@.price)].kind", R"(["a10","h100"])"},
      {"existence of what is below", "$.gpus[?(@.price.spot)].kind", R"(["t4"])"},
      {"an indefinite path that finds something", "$.gpus[?(@.tags[*])].kind", R"(["a10"])"},
      {"in a list", "$.gpus[?(@.kind in ['t4', 'a10'])].kind", R"(["a10","t4"])"},
      {"not in a list", "$.gpus[?(@.kind nin ['t4','a10'])].kind", R"(["h100"])"},
      {"a value in a list of the document", "$.gpus[?('y' in @.tags)].kind", R"(["a10"])"},
      {"both", "$.gpus[?(@.mib > 20000 && @.mig)].kind", R"(["h100"])"},
      {"either", "$.gpus[?(@.mib < 20000 || @.mig)].kind", R"(["h100","t4"])"},
      {"and before or", "$.gpus[?(@.kind=='t4' || @.kind=='a10' && @.mig)].kind", R"(["t4"])"},
      {"parentheses", "$.gpus[?((@.kind=='t4' || @.kind=='a10') && !(@.mib < 20000))].kind", R"(["a10"])"},
      {"a value elsewhere in the document", "$.gpus[?(@.mib > $.limit)].kind", R"(["a10","h100"])"},
      {"the element itself", "$.numbers[?(@ > 40)]", "[50,60]"},
      {"null is a value", "$.gpus[?(@.none == null)].kind", "[]"},
      {"an object is tried itself", "$.zones.a[?(@.free == 1)]", R"([{"free":1}])"},
      {"an index after a filter is tried in each match", "$.gpus[?(@.kind=='a10')][0]", "[]"},
      {"a filter in a filter", "$.gpus[?(@.tags[?(@ == 'x')])].kind", R"(["a10"])"},
      {"a deep filter", "$..[?(@.spot)].kind", R"(["usd"])"},
  };
  for (const Read& c : kCases) EXPECT_EQ(read(c.path), c.expected) << c.what << ": " << c.path;
}

TEST(Path, SaysWhyThereIsNothing) {
  const Read kCases[] = {
      {"a name", "$.X", "No results for path: $['X']"},
      {"a name below another", "$.zones.X", "No results for path: $['zones']['X']"},
      {"a name on the way", "$.no.such", "Missing property in path $['no']"},
      {"a name of a text", "$.name.X",
       "Expected to find an object with property ['X'] in path $['name'] but found "
       "'com.fasterxml.jackson.databind.node.TextNode'. This is not a json object according to the "
       "JsonProvider: 'com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider'."},
      {"an index of a text", "$.name[0]",
       R"(Filter: [0] can only be applied to arrays. Current context is: "n1")"},
      {"a union of names of a number", "$.limit['a','b']",
       "Expected to find an object with property ['a','b'] in path $['limit'] but found "
       "'com.fasterxml.jackson.databind.node.IntNode'. This is not a json object according to the "
       "JsonProvider: 'com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider'."},
      {"an index past the end", "$.numbers[6]", "No results for path: $['numbers'][6]"},
      {"an index before the start", "$.numbers[-7]", "No results for path: $['numbers'][-7]"},
  };
  for (const Read& c : kCases) EXPECT_EQ(read(c.path), c.expected) << c.what << ": " << c.path;
}

TEST(Path, MarksAnIndexPastTheEnd) {
  const json::Value value = parse(kNode);
  EXPECT_TRUE(Path::parse("$.numbers[6]")->read({.input = &value}).error().past_end);
  EXPECT_FALSE(Path::parse("$.numbers[6].x")->read({.input = &value}).error().past_end);
  EXPECT_FALSE(Path::parse("$.X")->read({.input = &value}).error().past_end);
}

TEST(Path, RefusesWhatIsNoPath) {
  for (const std::string_view text : {"",
                                      "a",
                                      ".a",
                                      "$.",
                                      "$..",
                                      "$...a",
                                      "$.a.",
                                      "$a b",
                                      "$.a b",
                                      "$[",
                                      "$[]",
                                      "$['a'",
                                      "$['a",
                                      "$['a',]",
                                      "$[1",
                                      "$[1,]",
                                      "$[:]",
                                      "$[1:2:3]",
                                      "$[a]",
                                      "$[99999999999]",
                                      "$.a]",
                                      "$.length()",
                                      "$.a.min()",
                                      "$[(@.x)]",
                                      "$[?]",
                                      "$[?()]",
                                      "$[?(@.a]",
                                      "$[?(@.a =~ /x/)]",
                                      "$[?(@.a = 1)]",
                                      "$[?(@.a == )]",
                                      "$[?(1)]",
                                      "$[?(@.a == 1 &&)]",
                                      "$[?(@.a == 1e)]",
                                      "$[?(@.a == 1e999)]",
                                      "$states.input",
                                      "$$$",
                                      "$.a,b",
                                      "$ "})
    EXPECT_FALSE(Path::parse(text).has_value()) << text;
}

TEST(Path, KnowsItsKind) {
  struct Case {
    std::string_view path;
    bool definite, reference;
  };
  for (const Case& c :
       {Case{"$", true, true}, Case{"$.a['b'][0]", true, true}, Case{"$.a[-1]", true, false},
        Case{"$['a','b']", true, false}, Case{"$['a','b'].c", false, false}, Case{"$.a[0,1]", false, false},
        Case{"$.a[0:1]", false, false}, Case{"$..a", false, false}, Case{"$.*", false, false},
        Case{"$.a[?(@.b)]", false, false}, Case{"$$.a", true, true}, Case{"$v.a", true, true}}) {
    EXPECT_EQ(Path::parse(c.path)->definite(), c.definite) << c.path;
    EXPECT_EQ(Path::parse(c.path)->reference(), c.reference) << c.path;
  }
}

TEST(Path, ReadsInputContextAndVariables) {
  const json::Value input = parse(R"({"a":1})");
  const json::Value context = parse(R"({"a":2})");
  const Variables variables{{"a", std::make_shared<const json::Value>(parse(R"({"a":3})"))}};
  const Scope scope{.input = &input, .context = &context, .variables = &variables};
  EXPECT_EQ(*Path::parse("$.a")->read(scope), 1);
  EXPECT_EQ(*Path::parse("$$.a")->read(scope), 2);
  EXPECT_EQ(*Path::parse("$a.a")->read(scope), 3);
  EXPECT_EQ(*Path::parse("$$")->read(scope), context);
  EXPECT_EQ(Path::parse("$b.a")->read(scope).error().text, "No results for path: $b");
  EXPECT_EQ(Path::parse("$$.X")->read(scope).error().text, "No results for path: $['X']");
  EXPECT_EQ(Path::parse("$v1.a")->variable(), "v1");
  EXPECT_EQ(Path::parse("$$.a")->root(), Path::Root::Context);
  EXPECT_EQ(Path::parse("$a.a")->text(), "$a.a");
}

TEST(Path, FindsWithoutCopying) {
  const json::Value value = parse(kNode);
  const Scope scope{.input = &value};
  EXPECT_EQ(Path::parse("$.gpus[1].kind")->find(scope), &value.at("gpus").at(1).at("kind"));
  EXPECT_EQ(Path::parse("$")->find(scope), &value);
  EXPECT_EQ(Path::parse("$.gpus[3].kind")->find(scope), nullptr);
  EXPECT_EQ(Path::parse("$.gpus[*]")->find(scope), nullptr);
  EXPECT_EQ(Path::parse("$$.a")->find(scope), nullptr);
}

TEST(Path, IsBounded) {
  std::string steps = "$";
  for (std::size_t i = 0; i <= path::kStepsMax; ++i) steps += "[0]";
  EXPECT_EQ(Path::parse(steps).error().code, Code::LimitExceeded);

  std::string nested = "@.a";
  for (std::size_t i = 0; i <= path::kFilterDepthMax; ++i) nested = "@[?(" + nested + ")]";
  EXPECT_EQ(Path::parse("$[?(" + nested + ")]").error().code, Code::LimitExceeded);
  EXPECT_EQ(Path::parse("$[?(" + std::string(5000, '(')).error().code, Code::LimitExceeded);
  EXPECT_EQ(Path::parse("$[?(" + std::string(5000, '!')).error().code, Code::LimitExceeded);
  EXPECT_FALSE(Path::parse("$[?(@ in " + std::string(5000, '[')).has_value());

  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  EXPECT_EQ(read("$..a", deep), "The path selects or visits more than 1000000 values");
  const std::string wide = "[" + std::string(60, '[') + "1" + std::string(60, ']') + "]";
  EXPECT_EQ(read("$..*..*..*..*", wide), "The path selects or visits more than 1000000 values");
}

std::string put(std::string_view target, std::string_view path, std::string_view value) {
  json::Value out = parse(target);
  const auto done = put_at(out, *Path::parse(path), parse(value));
  return done ? json::write(out) : done.error().error + ": " + done.error().cause;
}

TEST(PutAt, PutsResultsIntoInputs) {
  struct Case {
    std::string_view what, target, path, value, expected;
  };
  const Case kCases[] = {
      {"the root is replaced", R"({"a":1})", "$", "[2]", "[2]"},
      {"a new member", R"({"a":1})", "$.b", "2", R"({"a":1,"b":2})"},
      {"an old member in its place", R"({"a":1,"b":2})", "$.a", "[]", R"({"a":[],"b":2})"},
      {"parents are made", "{}", "$.a.b['c d']", "1", R"({"a":{"b":{"c d":1}}})"},
      {"siblings stay", R"({"a":{"x":1}})", "$.a.b", "2", R"({"a":{"x":1,"b":2}})"},
      {"an element", R"({"a":[1,2]})", "$.a[1]", "9", R"({"a":[1,9]})"},
      {"a member of an element", "[{}]", "$[0].a", "9", R"([{"a":9}])"},
      {"the input is no object", "5", "$.a", "1",
       "States.ResultPathMatchFailure: Unable to apply ReferencePath $.a to input 5"},
      {"a parent is no object", R"({"a":"x"})", "$.a.b", "1",
       R"(States.ResultPathMatchFailure: Unable to apply ReferencePath $.a.b to input {"a":"x"})"},
      {"no such element", R"({"a":[1]})", "$.a[1]", "1",
       R"(States.ResultPathMatchFailure: Unable to apply ReferencePath $.a[1] to input {"a":[1]})"},
      {"no reference path", "{}", "$.a[*]", "1",
       "States.ResultPathMatchFailure: Unable to apply ReferencePath $.a[*] to input {}"},
      {"not into the context", "{}", "$$.a", "1",
       "States.ResultPathMatchFailure: Unable to apply ReferencePath $$.a to input {}"},
  };
  for (const Case& c : kCases) EXPECT_EQ(put(c.target, c.path, c.value), c.expected) << c.what;
}

TEST(PutAt, KeepsTheDepthOfValues) {
  const std::string most = std::string(kValueDepthMax - 1, '[') + std::string(kValueDepthMax - 1, ']');
  EXPECT_EQ(put("{}", "$.a", most), R"({"a":)" + most + "}");
  EXPECT_EQ(put("{}", "$.a", "[" + most + "]"),
            "States.DataLimitExceeded: The result nests too deeply to be put at $.a");
}

TEST(PathFaults, HaveTheWordsOfAws) {
  const json::Value input = parse(R"({"b":[1, "x"]})");
  const auto path = *Path::parse("$.no.such");
  EXPECT_EQ(invalid_path(path, path.read({.input = &input}).error()),
            (Fault{.error = "States.Runtime",
                   .cause = "Invalid path '$.no.such' : Missing property in path $['no']"}));
  EXPECT_EQ(
      missing_in_field("$.x", "value.$", input),
      (Fault{.error = "States.Runtime",
             .cause = R"(The JSONPath '$.x' specified for the field 'value.$' could not be found in the )"
                      R"(input '{"b":[1,"x"]}')"}));
}

TEST(PathFaults, AreNoLongerThanACauseMayBe) {
  const json::Value input = json::Value(std::string(100'000, 'x'));
  EXPECT_EQ(missing_in_field("$.x", "value.$", input).cause.size(), kCauseBytesMax);
}

}  // namespace
}  // namespace stoker::asl
