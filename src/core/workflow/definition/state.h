#pragma once
// One state of any type, and the machines inside Parallel and Map.
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/workflow/definition/definition.h"
#include "core/workflow/definition/fields.h"

namespace stoker::asl {

// Nothing when there is no state to speak of; diagnosis has the reason. `transitions` gets the ways out, an
// empty `to` for an end.
std::optional<State> read_state(const json::Value& value, std::string_view name, const Where& where,
                                Reading& reading, std::vector<Transition>& transitions);

// A machine in a Parallel branch or a Map: the object of `fields` has StartAt and States.
std::shared_ptr<const Machine> read_machine(const Fields& fields, Reading& reading);

// The same one level deeper, bounded by kMachineNestingMax.
std::shared_ptr<const Machine> read_inner_machine(const Fields& fields, Reading& reading);

// By type of state: each reads the members that only its type has.
Kind read_task(const Fields& fields, Reading& reading);
Kind read_pass(const Fields& fields, Reading& reading);
Kind read_wait(const Fields& fields, Reading& reading);
Kind read_fail(const Fields& fields, Reading& reading);
Kind read_choice(const Fields& fields, std::string_view name, Reading& reading,
                 std::vector<Transition>& transitions);
Kind read_parallel(const Fields& fields, Reading& reading);
Kind read_map(const Fields& fields, Reading& reading);

}  // namespace stoker::asl
