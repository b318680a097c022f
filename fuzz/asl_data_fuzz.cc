// A line that is a path, an intrinsic call, a template or a choice rule, then the document it is used on.
// Whatever comes, reading ends, gives the same twice, and what is put at a path is found there.
#include "base/assert.h"
#include "base/text.h"
#include "core/workflow/data/choice.h"
#include "core/workflow/data/payload.h"
#include "core/workflow/data/values.h"
#include "fuzz.h"

namespace {

using namespace stoker;
using namespace stoker::asl;

struct World {
  json::Value document;
  Variables variables;
  std::uint64_t randoms = 0;

  Scope scope() {
    randoms = 0;
    return {.input = &document, .context = &document, .variables = &variables, .random = [this] {
              return ++randoms * 0x9e3779b97f4a7c15ULL;
            }};
  }
};

template <class T>
void check_same(const Evaluated<T>& once, const Evaluated<T>& twice) {
  ASSERT(once == twice);
  if (!once) ASSERT(once.error().cause.size() <= kCauseBytesMax && is_valid_utf8(once.error().cause));
}

void check_value(const json::Value& value) {
  const auto again =
      json::parse(json::write(value), {.depth_max = 2 * kValueDepthMax, .bytes_max = 64u << 20});
  ASSERT(again.has_value() && again->kind() == value.kind(), json::write(value));
}

void check_path(std::string_view text, World& world) {
  const auto path = Path::parse(text);
  if (!path) return;
  ASSERT(path->text() == text);
  ASSERT(!path->reference() || path->definite());
  const auto found = path->read(world.scope());
  ASSERT(found.has_value() || !found.error().text.empty());
  ASSERT(found.has_value() || is_valid_utf8(invalid_path(*path, found.error()).cause));
  if (found) check_value(*found);
  if (path->reference()) {
    const json::Value* place = path->find(world.scope());
    ASSERT((place != nullptr) == found.has_value());
    ASSERT(place == nullptr || *place == *found);
  }
  json::Value target = world.document;
  const json::Value mark = json::Value("mark");
  if (!put_at(target, *path, mark)) return;
  ASSERT(*path->find({.input = &target}) == mark);
}

void check_intrinsic(std::string_view text, World& world) {
  const auto call = Intrinsic::parse(text);
  if (!call) return;
  ASSERT(call->text() == text && call->function().starts_with("States."));
  const auto value = call->evaluate(world.scope());
  check_same(value, call->evaluate(world.scope()));
  if (value) check_value(*value);
}

void check_tree(const json::Value& tree, World& world) {
  std::vector<TemplateFault> faults;
  if (const auto payload = Payload::parse(tree, Language::JsonPath, faults)) {
    const auto value = payload->evaluate("Parameters", world.scope());
    check_same(value, payload->evaluate("Parameters", world.scope()));
    if (value) check_value(*value);
    std::size_t paths = 0;
    payload->visit_paths([&](const Path&) { ++paths; });
    if (paths == 0 && value && !json::write(tree).contains(".$")) ASSERT(*value == tree);
  } else {
    ASSERT(!faults.empty());
  }
  faults.clear();
  if (const auto condition = Condition::parse(tree, faults))
    check_same(condition->holds(world.scope()), condition->holds(world.scope()));
  else
    ASSERT(!faults.empty());
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  const std::size_t cut = std::min(bytes.find('\n'), bytes.size());
  const std::string_view line = bytes.substr(0, cut);
  if (!is_valid_utf8(line)) return;
  World world;
  auto document = json::parse(bytes.substr(std::min(cut + 1, bytes.size())));
  // Written once, it has no numbers that JSON cannot write.
  if (document) world.document = *json::parse(json::write(*document));
  world.variables["v"] = std::make_shared<const json::Value>(world.document);
  check_path(line, world);
  check_intrinsic(line, world);
  if (const auto tree = json::parse(line)) check_tree(*json::parse(json::write(*tree)), world);
  (void)parse_timestamp(line);
}
