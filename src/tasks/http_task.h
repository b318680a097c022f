#pragma once
// arn:aws:states:::http:invoke: a call of an HTTP API on one of the hosts that are allowed. Redirects are not
// followed, so that an allowed host cannot send us to another.
#include "tasks/caller.h"

namespace stoker::tasks {

TaskResult invoke_http(const TaskRequest& request, const Options& options, Caller& caller);

// Whether one of `hosts` is this one: "host" (the port of the scheme), "host:port" or "*.domain".
bool is_allowed(const std::vector<std::string>& hosts, std::string_view host, std::string_view port);

// {"a": [1, 2], "b": {"c": "x y"}} as a form: "a%5B0%5D=1&a%5B1%5D=2&b%5Bc%5D=x%20y". How arrays are written:
// INDICES a[0]=1, BRACKETS a[]=1, REPEAT a=1&a=2, COMMAS a=1,2, NONE a=[1,2].
enum class ArrayFormat : std::uint8_t { Indices, Brackets, Repeat, Commas, None };
std::optional<ArrayFormat> read_array_format(std::string_view name);
std::string url_encode(const json::Value& object, ArrayFormat format);

}  // namespace stoker::tasks
