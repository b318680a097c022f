#pragma once
// Digests of text as the States Language names them.
#include <optional>
#include <string>
#include <string_view>

namespace stoker {

// Lower-case hex. `algorithm` is MD5, SHA-1, SHA-256, SHA-384 or SHA-512; nothing for any other name.
std::optional<std::string> hex_digest(std::string_view algorithm, std::string_view bytes);

}  // namespace stoker
