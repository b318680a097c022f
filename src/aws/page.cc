#include "aws/page.h"

#include "base/text.h"

namespace stoker::aws {

Result<Page> read_page(const json::Value& input, std::string_view list, std::size_t size_max) {
  Page page{.size = size_max, .after = {}};
  if (const json::Value* size = json::find(input, "maxResults")) {
    const std::int64_t wanted = size->get_int64();
    if (wanted < 1 || wanted > static_cast<std::int64_t>(size_max)) {
      return fail(Code::InvalidArgument, "maxResults must be between 1 and " + std::to_string(size_max));
    }
    page.size = static_cast<std::size_t>(wanted);
  }
  const std::string_view token = json::get_string(input, "nextToken");
  if (token.empty()) return page;
  const auto text = base64_decode(token);
  if (!text || text->size() < list.size() + 2 || !text->starts_with(list) || (*text)[list.size()] != ':') {
    return fail(Code::InvalidArgument, "Invalid nextToken");
  }
  page.after = text->substr(list.size() + 1);
  return page;
}

std::string page_token(std::string_view list, std::string_view key) {
  return base64_encode(std::string(list) + ':' + std::string(key));
}

bool name_matches(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return equal_ignoring_case(pattern, name);
  pattern.remove_suffix(1);
  return name.size() >= pattern.size() && equal_ignoring_case(pattern, name.substr(0, pattern.size()));
}

}  // namespace stoker::aws
