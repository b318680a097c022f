#pragma once
// The members of objects that hold a machine.
#include "core/workflow/definition/fields.h"

namespace stoker::asl {

inline constexpr Field kDocumentFields[] = {
    {.name = "States", .forms = kObject, .required = true},
    {.name = "StartAt", .forms = kString, .required = true},
    {.name = "Comment", .forms = kString},
    {.name = "Version", .forms = kString},
    {.name = "TimeoutSeconds", .forms = kInteger},
    {.name = "QueryLanguage", .forms = kString},
};
inline constexpr Field kBranchFields[] = {
    {.name = "States", .forms = kObject, .required = true},
    {.name = "StartAt", .forms = kString, .required = true},
    {.name = "Comment", .forms = kString},
};
inline constexpr Field kProcessorFields[] = {
    {.name = "States", .forms = kObject, .required = true},
    {.name = "StartAt", .forms = kString, .required = true},
    {.name = "Comment", .forms = kString},
    {.name = "ProcessorConfig", .forms = kObject},
};

}  // namespace stoker::asl
