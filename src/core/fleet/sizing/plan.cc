#include "core/fleet/sizing/plan.h"

namespace stoker::fleet {

std::string_view name_of(LaunchReason reason) {
  switch (reason) {
    case LaunchReason::Demand:
      return "demand";
    case LaunchReason::Minimum:
      return "minimum";
    case LaunchReason::Desired:
      return "desired";
    case LaunchReason::Owned:
      return "owned";
  }
  return "";
}

std::string_view name_of(RetireReason reason) {
  switch (reason) {
    case RetireReason::IdleLonger:
      return "idle";
    case RetireReason::Drained:
      return "drained";
    case RetireReason::NeverJoined:
      return "never-joined";
    case RetireReason::Silent:
      return "silent";
    case RetireReason::TooOld:
      return "too-old";
    case RetireReason::Rebalance:
      return "rebalance";
    case RetireReason::Consolidate:
      return "consolidate";
    case RetireReason::Budget:
      return "budget";
    case RetireReason::MakesRoom:
      return "makes-room";
  }
  return "";
}

std::string_view name_of(HoldKind kind) {
  switch (kind) {
    case HoldKind::None:
      return "none";
    case HoldKind::NeverFits:
      return "never-fits";
    case HoldKind::BeyondLimits:
      return "beyond-limits";
    case HoldKind::Disabled:
      return "disabled";
    case HoldKind::Budget:
      return "budget";
    case HoldKind::Patience:
      return "patience";
    case HoldKind::Limit:
      return "limit";
    case HoldKind::NoCapacity:
      return "no-capacity";
    case HoldKind::NoSpot:
      return "no-spot";
    case HoldKind::NotForSpot:
      return "not-for-spot";
    case HoldKind::NoPrice:
      return "no-price";
  }
  return "";
}

}  // namespace stoker::fleet
