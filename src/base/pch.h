// The precompiled header: the standard library only, so that it never rebuilds with our code.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
