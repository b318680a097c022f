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
DocumentRecord to_record(const QuotaShare& share);          // key "queue number/name"
DocumentRecord to_record(const MachineRevision& revision);  // key: its number
DocumentRecord to_record(const StateMachine& machine);      // key: its number
DocumentRecord to_record(const Activity& activity);         // key: its number
DocumentRecord to_record(const Fleet& fleet);               // key: its environment
DocumentRecord to_record(const LaunchedNode& launched);     // key: its name
DocumentRecord to_record(const CostDay& day);               // key "day in ms/environment"
std::string cost_day_key(Instant day, const std::string& environment);

DocumentRecord to_record(QueueNo queue, const std::string& share, const ShareUse& use);
// "7/team": the queue's number and the share.
std::string share_key(QueueNo queue, const std::string& share);

// The kinds of provision/, for load_document.
Result<void> load_fleet(World& world, const json::Value& body);
Result<void> load_launched_node(World& world, const json::Value& body);
Result<void> load_cost_day(World& world, const json::Value& body);
// The kinds of machines/, for load_document.
Result<void> load_machine_revision(World& world, const json::Value& body);
Result<void> load_state_machine(World& world, const json::Value& body);
Result<void> load_activity(World& world, const json::Value& body);
// {"kind", "key", version 1, the body as text}
DocumentRecord document(DocumentKind kind, std::string key, json::Object body);

// The record of the document with that key as it is in the state now; nothing when it is no longer there.
std::optional<DocumentRecord> document_record(const State& state, DocumentKind kind, const std::string& key);
// Puts one document into the state (specs need their definition first). Internal when it cannot be read.
Result<void> load_document(World& world, const DocumentRecord& record);

}  // namespace stoker::core
