#pragma once
// Document records: bodies as JSON, one function there and one back for each kind. Readers accept every
// version that a released program wrote.
#include "base/result.h"
#include "core/records.h"
#include "core/world.h"

namespace stoker::core {

DocumentRecord to_record(const JobDefinition& definition);  // key "name:revision"
DocumentRecord to_record(const JobSpec& spec);              // key: its number
DocumentRecord to_record(const JobQueue& queue);            // key: its number
DocumentRecord to_record(const ComputeEnvironment& environment);
DocumentRecord to_record(const SchedulingPolicy& policy);
DocumentRecord to_record(const ConsumableResource& resource);

// The record of the document with that key as it is in the state now; nothing when it is no longer there.
std::optional<DocumentRecord> document_record(const State& state, DocumentKind kind, const std::string& key);
// Puts one document into the state (specs need their definition first). Internal when it cannot be read.
Result<void> load_document(World& world, const DocumentRecord& record);

}  // namespace stoker::core
