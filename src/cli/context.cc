#include "cli/context.h"

#include "cli/exit.h"

namespace stoker::cli {

void complain(Context& context, std::string_view text) {
  context.err.write("stoker: " + std::string(text) + "\n");
}

int complain(Context& context, const Error& error) {
  complain(context, error.message);
  return exit_status(error);
}

}  // namespace stoker::cli
