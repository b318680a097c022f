// Rows of executions: what comes back at a start, what only on demand, and how all of it goes.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "rt/file.h"
#include "store/store.h"

namespace stoker::store {
namespace {

using core::ExecutionRow;
using core::Records;

ExecutionRow row(std::uint64_t no, workflow::Status status) {
  ExecutionRow out;
  out.record.no = no;
  out.record.arn = "arn:" + std::to_string(no);
  out.record.name = "run-" + std::to_string(no);
  out.record.machine_arn = "arn:machine";
  out.record.status = status;
  out.record.started_at = 1'700'000'000'000;
  out.record.body = R"({"at":1})";
  out.revision = 7;
  out.extra = R"({"machine":"m"})";
  return out;
}

// An execution with one of everything.
Records whole(std::uint64_t no, workflow::Status status) {
  Records out;
  out.executions = {row(no, status)};
  out.payloads = {{no, 0, R"({"in":1})"}, {no, 1, "[1,2]"}};
  out.threads = {{no, 1, "{}"}, {no, 2, "{}"}};
  out.map_runs = {{no, 1, "arn:run:" + std::to_string(no), workflow::Status::Running, 5, 0, "{}"}};
  out.map_children = {{no, 1, 0, "{}"}, {no, 1, 1, "{}"}};
  for (std::uint64_t id = 1; id <= 10; ++id)
    out.history.push_back({no, id, id - 1, workflow::EventType::PassStateEntered, {1'000}, "{}"});
  return out;
}

std::vector<std::uint64_t> ids(const core::HistoryPage& page) {
  std::vector<std::uint64_t> out;
  for (const auto& event : page.events) out.push_back(event.id);
  return out;
}

TEST(ExecutionRows, ARunningOneComesBackWhole) {
  const auto store = open_memory();
  const Records written = whole(3, workflow::Status::Running);
  ASSERT_TRUE(store->commit(written));
  const auto loaded = store->load();
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->executions, written.executions);
  EXPECT_EQ(loaded->payloads, written.payloads);
  EXPECT_EQ(loaded->threads, written.threads);
  EXPECT_EQ(loaded->map_runs, written.map_runs);
  EXPECT_EQ(loaded->map_children, written.map_children);
  EXPECT_TRUE(loaded->history.empty());
}

TEST(ExecutionRows, OfAnEndedOneOnlyWhatListsShow) {
  const auto store = open_memory();
  const Records written = whole(3, workflow::Status::Failed);
  ASSERT_TRUE(store->commit(written));
  const auto loaded = store->load();
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->executions.size(), 1U);
  EXPECT_EQ(loaded->executions[0].record.body, "");
  EXPECT_EQ(loaded->executions[0].extra, written.executions[0].extra);
  EXPECT_TRUE(loaded->payloads.empty() && loaded->threads.empty() && loaded->map_children.empty());
  EXPECT_EQ(loaded->map_runs.size(), 1U);
  const auto snapshot = store->execution(3);
  ASSERT_TRUE(snapshot && *snapshot);
  EXPECT_EQ((*snapshot)->execution, written.executions[0].record);
  EXPECT_EQ((*snapshot)->map_children, written.map_children);
  EXPECT_EQ(*store->execution(4), std::nullopt);
}

TEST(ExecutionRows, HistoryIsReadFromBothEndsPageByPage) {
  const auto store = open_memory();
  ASSERT_TRUE(store->commit(whole(3, workflow::Status::Running)));
  ASSERT_TRUE(store->commit(whole(4, workflow::Status::Running)));
  const auto page = [&](core::HistoryRange range) { return *store->history(range); };
  EXPECT_EQ(ids(page({.execution = 3, .after = 0, .count = 3})), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(ids(page({.execution = 3, .after = 8, .count = 3})), (std::vector<std::uint64_t>{9, 10}));
  EXPECT_FALSE(page({.execution = 3, .after = 8, .count = 2}).more);
  EXPECT_TRUE(page({.execution = 3, .after = 7, .count = 2}).more);
  EXPECT_EQ(ids(page({.execution = 3, .after = 0, .count = 2, .reverse = true})),
            (std::vector<std::uint64_t>{10, 9}));
  EXPECT_EQ(ids(page({.execution = 3, .after = 3, .count = 9, .reverse = true})),
            (std::vector<std::uint64_t>{2, 1}));
  const auto cut = page({.execution = 3, .after = 0, .count = 9, .bytes_max = 3});
  EXPECT_EQ(cut.events.size(), 2U);
  EXPECT_TRUE(cut.more);
}

TEST(ExecutionRows, ResultsOfAMapRunAreReadInOrderPageByPageAndGoWithIt) {
  const auto store = open_memory();
  Records results = whole(3, workflow::Status::Running);
  for (std::uint64_t index = 0; index < 5; ++index) results.map_results.push_back({3, 1, index, "first"});
  results.map_results.push_back({3, 2, 0, "of another run"});
  ASSERT_TRUE(store->commit(results));
  Records again;
  again.map_results = {{3, 1, 1, "again"}};
  ASSERT_TRUE(store->commit(again));
  const auto page = [&](std::uint64_t from, std::size_t bytes_max) {
    std::string out;
    const auto results_read =
        store->map_results({.execution = 3, .run = 1, .from = from, .bytes_max = bytes_max});
    for (const auto& result : *results_read) out += std::to_string(result.index) + ':' + result.body + ' ';
    return out;
  };
  EXPECT_EQ(page(0, 100), "0:first 1:again 2:first 3:first 4:first ");
  EXPECT_EQ(page(3, 1), "3:first ");
  EXPECT_EQ(page(1, 9), "1:again 2:first ");
  EXPECT_EQ(page(5, 100), "");
  EXPECT_TRUE(store->load()->map_results.empty());
  Records settled;
  settled.settled_runs = {{3, 1}};
  ASSERT_TRUE(store->commit(settled));
  EXPECT_EQ(page(0, 100), "");
  EXPECT_EQ(store->map_results({.execution = 3, .run = 2})->size(), 1U);
  Records removal;
  removal.removed_executions = {3};
  ASSERT_TRUE(store->commit(removal));
  EXPECT_TRUE(store->map_results({.execution = 3, .run = 2})->empty());
}

TEST(ExecutionRows, RemovalTakesEverythingOfOne) {
  const auto store = open_memory();
  ASSERT_TRUE(store->commit(whole(3, workflow::Status::Failed)));
  ASSERT_TRUE(store->commit(whole(4, workflow::Status::Running)));
  Records removal;
  removal.removed_executions = {3};
  removal.removed_threads = {{4, 2}};
  removal.settled_runs = {{4, 1}};
  ASSERT_TRUE(store->commit(removal));
  EXPECT_EQ(*store->execution(3), std::nullopt);
  EXPECT_TRUE(store->history({.execution = 3, .after = 0, .count = 9})->events.empty());
  const auto left = **store->execution(4);
  EXPECT_EQ(left.threads.size(), 1U);
  EXPECT_EQ(left.payloads.size(), 1U);
  EXPECT_TRUE(left.map_children.empty());
  EXPECT_EQ(left.map_runs.size(), 1U);
  EXPECT_EQ(store->history({.execution = 4, .after = 0, .count = 20})->events.size(), 10U);
}

// The file of a program that knew no executions.
TEST(ExecutionRows, AnOlderStoreGetsTheTables) {
  const std::string folder = rt::make_temporary_directory("/tmp/stoker-store-").value();
  const std::string file = folder + "/state.db";
  {
    ASSERT_TRUE(open_sqlite(file));
  }
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle,
                         "DROP VIEW execution_list; DROP TABLE executions; DROP TABLE execution_payloads;"
                         "DROP TABLE execution_threads; DROP TABLE map_runs; DROP TABLE map_children;"
                         "DROP TABLE map_results; DROP TABLE history_events; UPDATE meta SET value = '1' "
                         "WHERE key = 'schema';",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(handle);
  auto store = open_sqlite(file);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->commit(whole(3, workflow::Status::Running)));
  EXPECT_EQ((*store)->load()->executions.size(), 1U);
  store->reset();
  (void)rt::remove_tree(folder);
}

}  // namespace
}  // namespace stoker::store
