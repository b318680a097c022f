#include "main/gpus_option.h"

#include "agent/inventory.h"
#include "core/placement/mig.h"

namespace stoker {
namespace {

Result<void> check(std::string_view setting) {
  if (!agent::is_pretended(setting)) return {};
  for (const agent::GpuDevice& device : TRY(agent::pretend_gpus(setting)))
    if (device.gpu.mig == wire::MigMode::Dynamic &&
        core::mig_table(device.gpu.model, device.gpu.memory_mib) == nullptr)
      return fail(Code::InvalidArgument, device.gpu.model + " has no MIG");
  return {};
}

}  // namespace

Result<void> check_gpus_option(std::string_view setting) {
  auto checked = check(setting);
  if (!checked) return std::unexpected(std::move(checked).error().within("option --gpus"));
  return {};
}

}  // namespace stoker
