#include "aws/face.h"

#include "aws/foreign_arns.h"
#include "aws/operation.h"
#include "aws/route.h"
#include "aws/sigv4.h"
#include "aws/validate.h"

namespace stoker::aws {
namespace {

// The last resort for what has no handler: the caller sees that it is not done, and is not told that it does
// not exist.
Error not_supported(const Operation& operation) {
  return {Code::NotSupported, std::string(operation.name) + " is not supported yet by this server"};
}

// Our own API is signed under Batch's name by clients that know no other.
bool scope_fits(const Scope& scope, Service service) {
  return scope.service == facts(service).signing_name ||
         (service == Service::Stoker && scope.service == facts(Service::Batch).signing_name);
}

Handlers make_handlers() {
  Handlers out;
  add_compute_environments(out);
  add_consumable_resources(out);
  add_job_definitions(out);
  add_job_queues(out);
  add_jobs(out);
  add_job_lists(out);
  add_quota_shares(out);
  add_scheduling_policies(out);
  add_tags(out);
  add_logs(out);
  add_own(out);
  add_states(out);
  return out;
}

// Step Functions look their ARNs up as a whole.
Result<void> check_names(const Operation& operation, const Place& place, const json::Value& input) {
  if (operation.service == Service::States) return {};
  return check_arns(place, input);
}

net::Response to_response(Service service, const Result<json::Value>& result, std::string_view request_id) {
  if (!result) return answer(service, fault_of(service, result.error()), request_id);
  return answer(service, *result, request_id);
}

}  // namespace

struct Face::Impl {
  FaceSettings settings;
  Place place;
  Backend& backend;
  Handlers handlers = make_handlers();

  Impl(FaceSettings from, Backend& to)
      : settings(std::move(from)), place{settings.region, settings.account}, backend(to) {
    compile_patterns();
  }

  // Who calls and what for, or the fault to answer.
  std::expected<const Operation*, Fault> admit(const net::Request& request) {
    std::optional<Caller> caller;
    if (settings.access_keys) {
      auto verified = verify(request, *settings.access_keys, backend.now());
      if (!verified) return std::unexpected(std::move(verified.error()));
      caller = std::move(*verified);
    }
    auto operation = find_operation(request);
    if (operation && caller && !scope_fits(caller->scope, (*operation)->service)) {
      const std::string wanted(facts((*operation)->service).signing_name);
      return std::unexpected(Fault{"InvalidSignatureException", 403,
                                   "Credential should be scoped to correct service: '" + wanted + "'."});
    }
    return operation;
  }

  void handle(net::Request request, net::Reply reply) {
    const std::string id = backend.new_uuid().str();
    const auto admitted = admit(request);
    if (!admitted) return reply(answer(dialect_of(request), admitted.error(), id));
    const Operation& operation = **admitted;
    const Handler& handler = handlers[operation.id];
    if (handler.body_bytes_max != 0 && request.body.size() > handler.body_bytes_max) {
      const Error error{Code::LimitExceeded, "The request has " + std::to_string(request.body.size()) +
                                                 " bytes; " + std::string(operation.name) +
                                                 " takes at most " + std::to_string(handler.body_bytes_max)};
      return reply(to_response(operation.service, std::unexpected(error), id));
    }
    auto input = read_input(operation, request);
    if (!input) return reply(answer(operation.service, input.error(), id));
    if (const auto names = check_names(operation, place, *input); !names)
      return reply(to_response(operation.service, std::unexpected(names.error()), id));
    if (handler.run != nullptr) return run(operation, handler, std::move(*input), id, std::move(reply));
    if (handler.prepare != nullptr)
      return change(operation, handler, std::move(*input), id, std::move(reply));
    if (handler.read != nullptr) return read(operation, handler, std::move(*input), id, std::move(reply));
    reply(to_response(operation.service, std::unexpected(not_supported(operation)), id));
  }

  void read(const Operation& operation, const Handler& handler, json::Value input, std::string id,
            net::Reply reply) {
    backend.read(
        [this, &operation, &handler, input = std::move(input), id = std::move(id)](const core::State& state,
                                                                                   Instant now) {
          return to_response(operation.service, handler.read(place, input, state, now), id);
        },
        std::move(reply));
  }

  void change(const Operation& operation, const Handler& handler, json::Value input, std::string id,
              net::Reply reply) {
    auto request = handler.prepare(place, input, backend);
    if (!request) return reply(to_response(operation.service, std::unexpected(request.error()), id));
    auto done = [this, &operation, &handler, input = std::move(input), id = std::move(id),
                 reply = std::move(reply)](Result<core::Answer> result) mutable {
      if (!result) return reply(to_response(operation.service, std::unexpected(result.error()), id));
      if (handler.finish == nullptr)
        return read(operation, handler, std::move(input), std::move(id), std::move(reply));
      reply(answer(operation.service, handler.finish(place, input, *result), id));
    };
    backend.request(std::move(*request), std::move(done));
  }

  void run(const Operation& operation, const Handler& handler, json::Value input, std::string id,
           net::Reply reply) {
    handler.run(
        place, std::move(input), backend,
        [&operation, id = std::move(id), reply = std::move(reply)](Result<json::Value> result) mutable {
          reply(to_response(operation.service, result, id));
        });
  }
};

void Face::call(const Operation& operation, json::Value input, Backend& backend, Completion done) {
  const Place& place = impl_->place;
  if (operation.input != kNoShape) {
    if (auto checked = validate(operation.input, input, kQuotedBytesMaxOfStates); !checked)
      return done(std::unexpected(checked.error()));
  }
  if (const auto names = check_names(operation, place, input); !names)
    return done(std::unexpected(names.error()));
  const Handler& handler = impl_->handlers[operation.id];
  if (handler.run != nullptr) return handler.run(place, std::move(input), backend, std::move(done));
  if (handler.prepare == nullptr && handler.read == nullptr)
    return done(std::unexpected(not_supported(operation)));
  auto look = [&place, &handler, &backend](json::Value asked, Completion then) {
    read_state<Result<json::Value>>(
        backend,
        [&place, &handler, asked = std::move(asked)](const core::State& state, Instant now) {
          return handler.read(place, asked, state, now);
        },
        std::move(then));
  };
  if (handler.prepare == nullptr) return look(std::move(input), std::move(done));
  auto request = handler.prepare(place, input, backend);
  if (!request) return done(std::unexpected(request.error()));
  backend.request(std::move(*request), [&place, &handler, look, input = std::move(input),
                                        done = std::move(done)](Result<core::Answer> answer) mutable {
    if (!answer) return done(std::unexpected(answer.error()));
    if (handler.finish == nullptr) return look(std::move(input), std::move(done));
    done(handler.finish(place, input, *answer));
  });
}

Face::Face(FaceSettings settings, Backend& backend)
    : impl_(std::make_unique<Impl>(std::move(settings), backend)) {}
Face::~Face() = default;

void Face::handle(net::Request request, net::Reply reply) {
  impl_->handle(std::move(request), std::move(reply));
}

net::Response Face::malformed(int status, std::string_view why) {
  return aws::malformed(status, why, "");
}

}  // namespace stoker::aws
