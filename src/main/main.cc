// The program: everything is a command.
#include "cli/command.h"
#include "main/process.h"
#include "main/serve.h"
#include "main/simulate.h"

int main(int count, char** arguments) {
  stoker::cli::Context context = stoker::process_context();
  const std::vector<std::string> given(arguments + (count > 0 ? 1 : 0), arguments + count);
  return stoker::cli::run(context, given,
                          {stoker::serve_command(), stoker::node_command(), stoker::simulate_command()});
}
