#pragma once
// The container driver with its patience open for tests; everybody else uses create_container_driver
// (driver.h).
#include <memory>

#include "agent/container_run.h"
#include "agent/driver.h"

namespace stoker::agent {

std::unique_ptr<Driver> create_container_driver(ContainerOptions options, NewsSink& news,
                                                const ContainerPatience& patience);

}  // namespace stoker::agent
