// Steps, predicates, sequences, variables along the way, parents, order and groups.
#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

constexpr std::string_view kFleet = R"({
  "region": "north",
  "queues": [
    {"name": "short", "gpus": 4, "jobs": [{"id": 1, "user": "ann"}, {"id": 2, "user": "bob"}]},
    {"name": "long", "gpus": 1, "jobs": [{"id": 3, "user": "ann"}]},
    {"name": "idle", "gpus": 2, "jobs": []}
  ],
  "owners": [{"user": "ann", "team": "vision"}, {"user": "bob", "team": "speech"}],
  "matrix": [[1, 2], [3, [4, 5]]],
  "labels": {"zone": "a", "tags": ["x", "y"], "sub": {"zone": "b"}},
  "empty": {}, "none": null, "big name": 1
})";

TEST(PathTest, WalksThroughMembersAndArrays) {
  check(
      {
          {"a member", "region", R"("north")"},
          {"a member of a member", "labels.sub.zone", R"("b")"},
          {"a name in quotes", "[`big name`, $.'big name', \"big name\".1]",
           "S0213: The literal value 1 cannot be used as a step within a path expression"},
          {"a name in quotes or backticks", "[`big name`, $.'big name']", "[1,1]"},
          {"each item of an array", "queues.name", R"(["short","long","idle"])"},
          {"arrays of arrays become one", "queues.jobs.id", "[1,2,3]"},
          {"one item stands for itself", "queues[1].jobs.id", "3"},
          {"unless brackets keep it an array", "queues[1].jobs.id[]", "[3]"},
          {"no item is nothing", "queues[2].jobs.id", "undefined"},
          {"what is not there is nothing", "queues.missing.deeper", "undefined"},
          {"null is something", "none", "null"},
          {"an array at the end stays as it is", "labels.tags", R"(["x","y"])"},
          {"arrays in arrays are kept at the end", "matrix", "[[1,2],[3,[4,5]]]"},
          {"and opened by one step", "matrix.$", "[1,2,3,[4,5]]"},
          {"all members", "labels.*", R"(["a","x","y",{"zone":"b"}])"},
          {"all below", "labels.**.zone", R"(["a","b"])"},
          {"an expression as a step", "queues.(gpus * 10)", "[40,10,20]"},
          {"an array for each item", "queues.[name, gpus]", R"([["short",4],["long",1],["idle",2]])"},
          {"an object for each item", "queues[gpus > 1].{'n': name}", R"([{"n":"short"},{"n":"idle"}])"},
          {"functions as steps have the item as context", "queues.name.$uppercase()",
           R"(["SHORT","LONG","IDLE"])"},
          {"the input from anywhere", "queues[0].jobs.($$.region & id)", R"(["north1","north2"])"},
      },
      kFleet);
}

TEST(PathTest, FiltersWithPredicates) {
  check(
      {
          {"by position", "queues[0].name", R"("short")"},
          {"from the end", "queues[-1].name", R"("idle")"},
          {"positions are rounded down", "queues[1.9].name", R"("long")"},
          {"beyond the end is nothing", "queues[9]", "undefined"},
          {"a list of positions", "queues[[0, 2]].name", R"(["short","idle"])"},
          {"a range of positions", "queues[[0..1]].name", R"(["short","long"])"},
          {"by condition", "queues[gpus >= 2].name", R"(["short","idle"])"},
          {"by what is there", "queues[jobs].name", R"(["short","long"])"},
          {"in a row", "queues[gpus >= 2][1].name", R"("idle")"},
          {"for each item of the step before", "queues.jobs[0].id", "[1,3]"},
          {"for all of them in brackets", "(queues.jobs)[0].id", "1"},
          {"on single values too", "region[0]", R"("north")"},
          {"which have no second item", "region[1]", "undefined"},
      },
      kFleet);
}

TEST(PathTest, BindsVariablesAlongTheWay) {
  check(
      {
          {"the position", "queues#$i.{'at': $i, 'n': name}",
           R"([{"at":0,"n":"short"},{"at":1,"n":"long"},{"at":2,"n":"idle"}])"},
          {"positions behind a predicate", "queues[gpus > 1]#$i.$i", "[0,1]"},
          {"the item, with the context unchanged", "queues@$q.region", R"(["north","north","north"])"},
          {"two lists joined", "queues.jobs@$j.owners", "undefined"},
          {"two lists joined from the top",
           "$.queues.jobs@$j.$$.owners@$o[$j.user = $o.user].{'id': $j.id, 't': $o.team}",
           R"([{"id":1,"t":"vision"},{"id":2,"t":"speech"},{"id":3,"t":"vision"}])"},
      },
      kFleet);
}

TEST(PathTest, FindsParents) {
  check(
      {
          {"the object that a step came from", "queues.jobs.{'id': id, 'q': %.name}",
           R"([{"id":1,"q":"short"},{"id":2,"q":"short"},{"id":3,"q":"long"}])"},
          {"its parent in turn", "queues.jobs.(id & %.%.region)", R"(["1north","2north","3north"])"},
          {"in a predicate", "queues.jobs[%.gpus > 1].id", "[1,2]"},
          {"in an order", "queues.jobs^(>%.gpus, >id).id", "[2,1,3]"},
      },
      kFleet);
}

TEST(PathTest, SortsAndGroups) {
  check(
      {
          {"ascending", "queues^(gpus).name", R"(["long","idle","short"])"},
          {"descending", "queues^(>gpus).name", R"(["short","idle","long"])"},
          {"by several terms", "queues.jobs^(user, >id).id", "[3,1,2]"},
          {"what lacks the term comes last", "[{'n': 1}, {'k': 2, 'n': 2}, {'k': 1, 'n': 3}]^(k).n",
           "[3,2,1]"},
          {"only numbers and texts", "queues^(jobs)",
           "T2008: The expressions within an order-by clause must evaluate to numeric or string values"},
          {"not both", "[{'k': 1}, {'k': 'a'}]^(k)",
           R"(T2007: Type mismatch when comparing values 1 and "a" in order-by clause)"},
          {"groups by key", "queues.jobs{user: id}", R"({"ann":[1,3],"bob":2})"},
          {"with any expression for the group", "queues.jobs{user: $sum(id)}", R"({"ann":4,"bob":2})"},
          {"keys are texts", "queues{gpus: name}",
           "T1003: Key in object structure must evaluate to a string; got: 4"},
          {"a key has one expression", "{'a': 1, 'a': 2}",
           R"(D1009: Multiple key definitions evaluate to same key: "a")"},
          {"what gives nothing is left out", "{'a': 1, 'b': nothing}", R"({"a":1})"},
      },
      kFleet);
}

TEST(PathTest, TakesAnInputArrayAsOneValue) {
  check(
      {
          {"its items by name", "a", "[1,2]"},
          {"its items by position", "$[1].a", "2"},
          {"as a whole", "$count($)", "2"},
      },
      R"([{"a":1},{"a":2}])");
}

}  // namespace
}  // namespace stoker::jsonata
