#pragma once
// One file out of a tar archive.
#include <string>
#include <string_view>

#include "base/result.h"

namespace stoker::sim {

// `archive` is an unpacked tar (ustar or GNU); `name` with or without "./". NotFound when there is no such
// file, InvalidArgument for what is no archive.
Result<std::string> file_of_tar(std::string_view archive, std::string_view name);

// A file, or with "archive.tar.gz:file" one out of an archive.
Result<std::string> read_trace_text(const std::string& path);

}  // namespace stoker::sim
