#pragma once
// Changing a job that waits: its priority, its share, its queue (our own operation; AWS Batch has none).
#include "base/result.h"
#include "core/requests.h"
#include "core/world.h"

namespace stoker::core {

// The order changes at once. What is left out stays, but a job that moves to a FIFO queue leaves its share
// and priority behind. An array: itself and its children that wait; those that run keep what they have until
// they end. One child alone can be given another priority or share. Conflict when the job runs or has ended,
// or when an array of which children run would move to another queue.
Result<Answer> update_job(World& world, Instant now, const UpdateJob& request);

}  // namespace stoker::core
