#pragma once
#include <string_view>

// Feeds bytes to one or more parsers. Must neither crash nor take long, and aborts when an answer breaks a
// promise.
void fuzz_one(std::string_view bytes);
