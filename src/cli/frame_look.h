#pragma once
// How large a picture of the terminal may be.
#include <cstddef>

namespace stoker::cli {

struct FrameLook {
  std::size_t columns = 80;
  std::size_t rows = 0;  // 0: as many as it takes
  bool colours = false;
};

}  // namespace stoker::cli
