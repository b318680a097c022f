#pragma once
// The rules of the registry. Each function does all of its request and notes the changed documents, or fails
// and changes nothing. Step Functions API Reference; texts as AWS says them.
#include "core/requests.h"
#include "core/world.h"

namespace stoker::core {

Result<Answer> create_state_machine(World& world, Instant now, const CreateStateMachine& request);
Result<Answer> update_state_machine(World& world, Instant now, const UpdateStateMachine& request);
Result<Answer> delete_state_machine(World& world, Instant now, const DeleteStateMachine& request);

Result<Answer> publish_version(World& world, Instant now, const PublishStateMachineVersion& request);
Result<Answer> delete_version(World& world, Instant now, const DeleteStateMachineVersion& request);

Result<Answer> create_alias(World& world, Instant now, const CreateStateMachineAlias& request);
Result<Answer> update_alias(World& world, Instant now, const UpdateStateMachineAlias& request);
Result<Answer> delete_alias(World& world, Instant now, const DeleteStateMachineAlias& request);

Result<Answer> create_activity(World& world, Instant now, const CreateActivity& request);
Result<Answer> delete_activity(World& world, Instant now, const DeleteActivity& request);

Result<Answer> tag_machine_resource(World& world, Instant now, const TagMachineResource& request);
Result<Answer> untag_machine_resource(World& world, Instant now, const UntagMachineResource& request);

// ---- shared by these ----

// No white space, brackets, wildcards, special or control characters (API Reference, CreateActivity.name).
Result<void> check_states_name(std::string_view name);
// encryptionConfiguration with its default; InvalidEncryptionConfiguration.
Result<json::Shared> complete_encryption(const json::Shared& given);

// TooManyTags for more than a resource can have, ValidationException for tags of this server: they mean
// nothing here.
Result<void> check_machine_tags(const std::string& arn, const Tags& tags);

// Makes a version of the current revision, or gives the newest one when it is of that revision already.
Result<int> publish(World& world, StateMachine& machine, const std::string& description, Instant now);

void note_machine(World& world, const StateMachine& machine);
void note_activity(World& world, const Activity& activity);
// A revision is kept while somebody uses it.
void use_revision(World& world, const RevisionRef& revision);
void release_revision(World& world, const RevisionRef& revision);
// The machine is gone: with its aliases, versions and name.
void forget_machine(World& world, StateMachine& machine);

}  // namespace stoker::core
