#pragma once
// The tables, and how a file of an older program becomes one of this program.
#include "base/result.h"
#include "store/database.h"

namespace stoker::store {

// Raised with every change of a table that an older program could not live with. A new kind of documents
// needs no step of its own: its table is made when it is missing, and a program that does not know it refuses
// the file.
inline constexpr int kSchemaVersion = 3;

// Makes or migrates everything in one transaction, so that a crash leaves the old schema or the new one.
// Conflict when the file is of a newer program, InvalidArgument when it is some other program's database.
Result<void> bring_up_to_date(Database& database);

}  // namespace stoker::store
