#pragma once
// What the readers of requests share: how a broken rule is told, and rules that many members have.
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/requests.h"
#include "json/json.h"

namespace stoker::core {

// InvalidArgument "PLACE: RULE". A place is a path such as "containerProperties.volumes[2].name".
std::unexpected<Error> refuse(std::string_view place, std::string_view rule);
// "PLACE[3]" and "PLACE.name".
std::string item_of(std::string_view place, std::size_t index);
std::string member_of(std::string_view place, std::string_view name);

// Names of definitions, queues, environments, policies and consumable resources; `what` begins the text.
Result<void> check_name(std::string_view what, std::string_view name);
// A number member, when it is there, lies between the bounds.
Result<void> check_range(const json::Value& holder, std::string_view member, std::string_view place,
                         std::int64_t least, std::int64_t most);
// A string member, when it is there, is one of the values.
Result<void> check_one_of(const json::Value& holder, std::string_view member, std::string_view place,
                          std::initializer_list<std::string_view> values);
// No string anywhere below holds a NUL: it would end a C string early, in a command line for example.
Result<void> check_no_nul(const json::Value& value, std::string_view place);

// The member is there and says something: not null, not an empty string, list or object.
bool is_given(const json::Value& holder, std::string_view member);
// Letters and digits of ASCII.
bool is_alphanumeric(char c);
bool all_of_set(std::string_view text, std::string_view punctuation);  // letters, digits and these
// How many characters a UTF-8 text has.
std::size_t character_count(std::string_view text);
// "name" or an ARN that ends in "/name".
std::string_view name_from_arn(std::string_view text);

}  // namespace stoker::core
