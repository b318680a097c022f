// The agent as a program of its own for the tests: agent_for_tests SERVER STATE_DIR SUPERVISOR [GPUS]
#include <cstdlib>

#include "agent/agent.h"

int main(int count, char** arguments) {
  if (count < 4) return 64;
  stoker::agent::Options options;
  options.server = arguments[1];
  options.state_dir = arguments[2];
  options.supervisor = arguments[3];
  options.gpus = count > 4 ? arguments[4] : "none";
  options.container_engine = "none";
  options.log_destination = options.state_dir + ".log";
  options.lock_patience = stoker::milliseconds(500);
  if (const char* level = std::getenv("STOKER_TEST_LOG_LEVEL")) options.log_level = level;
  return stoker::agent::run(options);
}
