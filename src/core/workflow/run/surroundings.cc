#include "base/ids.h"
#include "base/rng.h"
#include "core/workflow/digest/digest.h"
#include "core/workflow/run/interpreter.h"

namespace stoker::workflow {
namespace {

// RECORDED: the context of the other kinds has no RetryCount.
bool can_retry(const asl::State& state) {
  return std::holds_alternative<asl::Task>(state.kind) || std::holds_alternative<asl::Parallel>(state.kind) ||
         std::holds_alternative<asl::Map>(state.kind);
}

}  // namespace

// The numbers of an execution come from its seed and a counter in its record, so that a reload goes on with
// the same ones.
std::uint64_t Interpreter::random() {
  s_.changed = true;
  Rng mixed(s_.start.seed ^ (++s_.random_count * 0x9e3779b97f4a7c15ULL));
  return mixed.next();
}

// Tokens open tasks to whoever holds them: one must not tell the next. So they are digests of the secret
// seeds, not numbers of the plain sequence.
TaskToken Interpreter::new_token(const Thread& thread) {
  s_.changed = true;
  const std::string material = "token " + std::to_string(s_.start.seed) + ' ' +
                               std::to_string(s_.start.seed2) + ' ' + std::to_string(s_.start.no) + ' ' +
                               std::to_string(++s_.random_count);
  const std::string digest = hex_digest("SHA-256", material).value_or(std::string(64, '0'));
  TaskToken token = TaskToken::parse(digest).value_or(TaskToken{});
  token.execution = s_.start.no;
  token.thread = thread.no;
  return token;
}

std::string Interpreter::new_uuid() {
  const TaskToken secret = new_token({});
  return Uuid::from_random(secret.secret_high, secret.secret_low).str();
}

const asl::Variables* Interpreter::visible(const Thread& thread) {
  // Inner scopes read outer variables. Names are unique along the way up (the reader sees to that), so the
  // order of adding does not matter.
  if (thread.parent == 0) return &thread.variables;
  visible_ = thread.variables;
  for (ThreadNo no = thread.parent; no != 0;) {
    const Thread& outer = s_.threads.at(no);
    visible_.insert(outer.variables.begin(), outer.variables.end());
    no = outer.parent;
  }
  return &visible_;
}

std::optional<MapItem> Interpreter::map_item(const Thread& thread) {
  // That of the innermost iteration around it.
  for (const Thread* at = &thread; at->parent != 0;) {
    const Thread& parent = s_.threads.at(at->parent);
    if (parent.children && parent.children->items) {
      const json::Array& items = parent.children->items->get_array();
      MapItem item{.index = static_cast<std::int64_t>(at->index)};
      if (at->index < items.size()) item.value = &items[at->index];
      if (at->index < parent.children->keys.size()) item.key = &parent.children->keys[at->index];
      return item;
    }
    at = &parent;
  }
  return std::nullopt;
}

const json::Value* Interpreter::context(const Thread& thread, std::string_view token, const MapItem* item) {
  const ContextParts parts{
      .execution = &s_.start,
      .started_at = s_.started_at,
      .redriven_at = s_.redriven_at,
      .redrive_count = s_.redrive_count,
      .state = thread.state->name,
      .entered_at = thread.entered_at,
      .retry_count = can_retry(*thread.state) ? std::optional(thread.retry_count) : std::nullopt,
      .token = token,
      .item = item};
  if (!s_.context)
    s_.context = context_object(parts);
  else
    set_state_parts(s_.context->get_object(), parts);
  return &*s_.context;
}

Surroundings Interpreter::around(Thread& thread, std::string_view token) {
  const Program::Needs needs = s_.program->needs(*thread.state);
  Surroundings around{.state = *thread.state, .input = thread.input};
  if (needs.context) {
    const auto item = map_item(thread);
    around.context = context(thread, token, item ? &*item : nullptr);
  }
  if (needs.variables) around.variables = visible(thread);
  around.now = now_;
  around.random = [this] { return random(); };
  around.limits = &s_.limits;
  around.effort = &effort_;
  return around;
}

Surroundings Interpreter::around_item(Thread& map_thread, const MapItem& item) {
  Surroundings surroundings{.state = *map_thread.state, .input = map_thread.input};
  surroundings.context = context(map_thread, {}, &item);
  surroundings.variables = visible(map_thread);
  surroundings.now = now_;
  surroundings.random = [this] { return random(); };
  surroundings.limits = &s_.limits;
  surroundings.effort = &effort_;
  return surroundings;
}

}  // namespace stoker::workflow
