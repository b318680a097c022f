// The contract of store.h, over SQLite files and in memory.
#include "store/store.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "rt/file.h"

namespace stoker::store {
namespace {

using core::DocumentKind;
using core::JobRecord;
using core::Records;
using testing::HasSubstr;

class Folder {
 public:
  Folder() : path_(rt::make_temporary_directory("/tmp/stoker-store-").value()) {}
  ~Folder() { (void)rt::remove_tree(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file() const { return path_ + "/state.db"; }

 private:
  std::string path_;
};

std::unique_ptr<Store> open_or_die(const std::string& file) {
  auto store = open_sqlite(file);
  EXPECT_TRUE(store.has_value()) << store.error().message;
  return store ? *std::move(store) : nullptr;
}

JobRecord job(std::uint64_t no, std::int64_t status = 2) {
  JobRecord record;
  record.no = no;
  record.id = std::string("\0\xff\x01\x80", 4) + std::string(12, static_cast<char>(no));
  record.queue = 3;
  record.status = status;
  record.name = "train-" + std::to_string(no);
  record.spec = 9;
  record.created_at = 1'764'500'000'000 + static_cast<std::int64_t>(no);
  return record;
}

Records records_of(std::vector<JobRecord> jobs, std::vector<core::DocumentRecord> documents = {}) {
  Records records;
  records.jobs = std::move(jobs);
  records.documents = std::move(documents);
  return records;
}

// A second look at a file, as a person with sqlite3 has it.
std::string look(const std::string& file, const std::string& sql) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr),
            SQLITE_OK);
  std::string out;
  const auto row = [](void* text, int count, char** values, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(text) += std::string(i > 0 ? "|" : "") + (values[i] ? values[i] : "NULL");
    *static_cast<std::string*>(text) += '\n';
    return 0;
  };
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), row, &out, &error), SQLITE_OK) << (error ? error : "");
  sqlite3_free(error);
  sqlite3_close(handle);
  return out;
}

class EveryStore : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Store> open() { return GetParam() ? open_memory() : open_or_die(folder_.file()); }
  // The records after a restart; in memory there is none.
  std::unique_ptr<Store> reopen(std::unique_ptr<Store> store) {
    if (GetParam()) return store;
    store.reset();
    return open();
  }

 private:
  Folder folder_;
};
INSTANTIATE_TEST_SUITE_P(Store, EveryStore, testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Memory" : "File"; });

TEST_P(EveryStore, StartsEmpty) {
  auto store = open();
  EXPECT_EQ(store->load(), Records{});
  EXPECT_TRUE(store->commit({}).has_value());
}

TEST_P(EveryStore, GivesBackEveryFieldInOrder) {
  Records written;
  for (std::size_t kind = 0; kind < core::kDocumentKindCount; ++kind) {
    written.documents.push_back({static_cast<DocumentKind>(kind), "a:1", 1, R"({"name":"a"})"});
    written.documents.push_back({static_cast<DocumentKind>(kind), "b:1", 7, "{\"text\":\"\u00fc \u5b57\"}"});
  }
  JobRecord full = job(1);
  full.parent = 2;
  full.index = 3;
  full.name = std::string("nul\0inside", 10);
  full.runnable_at = 8;
  full.started_at = 9;
  full.stopped_at = 10;
  full.flags = 7;
  full.extra = R"({"attempts":[]})";
  JobRecord bare;  // all texts empty
  bare.no = 2;
  JobRecord extreme;
  extreme.no = 1ull << 62;
  extreme.parent = extreme.queue = extreme.spec = ~0ull;
  extreme.index = INT64_MIN;
  extreme.created_at = INT64_MAX;
  written.jobs = {full, bare, extreme};
  auto store = open();
  auto shuffled = written;
  std::reverse(shuffled.jobs.begin(), shuffled.jobs.end());
  std::reverse(shuffled.documents.begin(), shuffled.documents.end());
  ASSERT_TRUE(store->commit(shuffled).has_value());
  store = reopen(std::move(store));
  EXPECT_EQ(store->load(), written);
}

TEST_P(EveryStore, AnUpsertReplacesTheWholeRow) {
  auto store = open();
  ASSERT_TRUE(store->commit(records_of({job(1), job(2)}, {{DocumentKind::JobQueue, "1", 1, "{}"}})));
  auto changed = job(1, 5);
  changed.name.clear();
  changed.extra = std::string(100'000, 'x');
  const auto expected = records_of({changed, job(2)}, {{DocumentKind::JobQueue, "1", 2, R"({"a":1})"}});
  ASSERT_TRUE(store->commit(records_of({changed}, expected.documents)));
  store = reopen(std::move(store));
  EXPECT_EQ(store->load(), expected);
}

TEST_P(EveryStore, RemovesAfterTheUpsertsOfTheSameCommit) {
  auto store = open();
  ASSERT_TRUE(store->commit(records_of(
      {job(1), job(2)}, {{DocumentKind::JobQueue, "1", 1, "{}"}, {DocumentKind::JobSpec, "1", 1, "{}"}})));
  auto changes = records_of({job(2), job(3)}, {{DocumentKind::JobQueue, "1", 1, "{}"}});
  changes.removed_documents = {{DocumentKind::JobQueue, "1"}, {DocumentKind::JobQueue, "unknown"}};
  changes.removed_jobs = {2, 77};
  ASSERT_TRUE(store->commit(changes).has_value());
  store = reopen(std::move(store));
  EXPECT_EQ(store->load(), records_of({job(1), job(3)}, {{DocumentKind::JobSpec, "1", 1, "{}"}}));
}

// A slow twin: the same random commits into a map and into the store.
TEST_P(EveryStore, FollowsATwinThroughRandomCommits) {
  auto store = open();
  std::map<std::uint64_t, JobRecord> twin;
  Rng rng(17);
  for (int turn = 0; turn < 60; ++turn) {
    Records changes;
    for (auto n = rng.below(30); n > 0; --n) {
      auto record = job(1 + rng.below(50), static_cast<std::int64_t>(rng.below(7)));
      record.extra = std::string(rng.below(3000), 'e');
      changes.jobs.push_back(record);
      twin[record.no] = record;
    }
    for (auto n = rng.below(5); n > 0; --n) {
      changes.removed_jobs.push_back(1 + rng.below(50));
      twin.erase(changes.removed_jobs.back());
    }
    ASSERT_TRUE(store->commit(changes).has_value());
    if (turn % 20 == 19) store = reopen(std::move(store));
    Records expected;
    for (const auto& [no, record] : twin) expected.jobs.push_back(record);
    ASSERT_EQ(store->load(), expected) << "turn " << turn;
  }
}

TEST(SqliteStore, TellsPeopleWhatItHolds) {
  const Folder folder;
  auto store = open_or_die(folder.file());
  auto child = job(2, 4);
  child.id = job(1).id;
  child.index = 7;
  child.started_at = 1'764'500'001'999;
  ASSERT_TRUE(store->commit(
      records_of({job(1), child}, {{DocumentKind::JobQueue, "3", 1, R"({"name":"default"})"}})));
  // While the server has it open.
  EXPECT_EQ(look(folder.file(), "SELECT id, name, queue, status, created, started FROM job_list ORDER BY no"),
            "00ff0180-0101-0101-0101-010101010101|train-1|default|RUNNABLE|2025-11-30 10:53:20|NULL\n"
            "00ff0180-0101-0101-0101-010101010101:7|train-2|default|RUNNING|2025-11-30 10:53:20|2025-11-30 "
            "10:53:21\n");
}

TEST(SqliteStore, ASecondServerIsRefusedUntilTheFirstEnds) {
  const Folder folder;
  auto first = open_or_die(folder.file());
  const auto second = open_sqlite(folder.file());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, Code::Conflict);
  EXPECT_THAT(second.error().message, HasSubstr("another server"));
  first.reset();
  EXPECT_TRUE(open_sqlite(folder.file()).has_value());
}

TEST(SqliteStore, AMissingFolderIsAnError) {
  const Folder folder;
  EXPECT_FALSE(open_sqlite(folder.file() + "/no/such").has_value());
}

void expect_refused(const std::string& file, Code code, const std::string& text) {
  const auto store = open_sqlite(file);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, code) << store.error().message;
  EXPECT_THAT(store.error().message, HasSubstr(text));
}

TEST(SqliteStore, AFileOfANewerProgramIsRefusedAndUnchanged) {
  const Folder folder;
  open_or_die(folder.file()).reset();
  look(folder.file(), "UPDATE meta SET value = '999' WHERE key = 'schema'");
  expect_refused(folder.file(), Code::Conflict, "newer program");
  EXPECT_EQ(look(folder.file(), "SELECT value FROM meta"), "999\n");
}

TEST(SqliteStore, AKindOfDocumentsThatIsUnknownIsRefused) {
  const Folder folder;
  open_or_die(folder.file()).reset();
  look(folder.file(), "CREATE TABLE dragons (key TEXT)");
  expect_refused(folder.file(), Code::Conflict, "dragons");
}

TEST(SqliteStore, AKindOfDocumentsThatIsMissingIsMade) {
  const Folder folder;
  open_or_die(folder.file()).reset();
  look(folder.file(), "DROP TABLE consumable_resources");
  EXPECT_TRUE(
      open_or_die(folder.file())->commit(records_of({}, {{DocumentKind::ConsumableResource, "a", 1, "{}"}})));
}

TEST(SqliteStore, AnotherProgramsDatabaseIsRefused) {
  const Folder folder;
  look(folder.file(), "CREATE TABLE songs (title)");
  expect_refused(folder.file(), Code::InvalidArgument, "other program");
}

TEST(SqliteStore, AFileThatIsNoDatabaseIsAnError) {
  const Folder folder;
  std::ofstream(folder.file()) << std::string(10'000, 'x');
  expect_refused(folder.file(), Code::Io, "not a database");
}

// Each damage must give an error or some records, never a crash: run under the sanitizers.
TEST(SqliteStore, DamagedPagesAreAnErrorAtMost) {
  Rng rng(5);
  int refused = 0;
  for (int round = 0; round < 24; ++round) {
    const Folder folder;
    Records records;
    for (std::uint64_t no = 1; no <= 300; ++no) records.jobs.push_back(job(no));
    records.documents.push_back({DocumentKind::JobSpec, "1", 1, std::string(9000, 'b')});
    {
      auto store = open_or_die(folder.file());
      ASSERT_TRUE(store->commit(records).has_value());
    }
    auto bytes = rt::read_file(folder.file()).value();
    for (int n = 0; n < 40; ++n) bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
    if (round % 3 == 0) bytes.resize(bytes.size() / 2);
    ASSERT_TRUE(rt::write_file_atomically(folder.file(), bytes).has_value());
    auto store = open_sqlite(folder.file());
    if (!store || !(*store)->load() || !(*store)->commit(records)) ++refused;
  }
  EXPECT_GT(refused, 8);
}

// A write that would make any file larger than this fails, as on a full disk.
void limit_file_size(rlim_t bytes) {
  const rlimit limit{.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(SqliteStore, AFullDiskIsAnErrorThatLeavesNothingBehind) {
  const Folder folder;
  auto store = open_or_die(folder.file());
  ASSERT_TRUE(store->commit(records_of({job(1)})).has_value());
  Records large;
  for (std::uint64_t no = 2; no < 2000; ++no) {
    large.jobs.push_back(job(no));
    large.jobs.back().extra = std::string(2000, 'x');
  }
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  limit_file_size(200'000);
  const auto refused = store->commit(large);
  limit_file_size(RLIM_INFINITY);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::Io);
  EXPECT_THAT(refused.error().message, HasSubstr("writing the store"));
  EXPECT_EQ(store->load(), records_of({job(1)}));
  EXPECT_TRUE(store->commit(records_of({job(2)})).has_value());
  store.reset();
  EXPECT_EQ(open_or_die(folder.file())->load(), records_of({job(1), job(2)}));
}

// The child of the crash test: commit after commit, each of 200 rows with the turn in them and one document,
// and the number of each turn that was acknowledged into the pipe, until it is killed.
[[noreturn]] void commit_for_ever(const std::string& file, int acknowledged) {
  auto store = open_sqlite(file);
  if (!store) _exit(3);
  for (std::int64_t turn = 1;; ++turn) {
    Records changes;
    for (std::uint64_t no = 1; no <= 200; ++no) {
      changes.jobs.push_back(job(no));
      changes.jobs.back().created_at = turn;
      changes.jobs.back().extra = std::string(static_cast<std::size_t>(turn * 37 % 900), 'x');
    }
    changes.documents.push_back({DocumentKind::JobQueue, "turn", 1, std::to_string(turn)});
    if (!(*store)->commit(changes)) _exit(4);
    if (write(acknowledged, &turn, sizeof turn) != sizeof turn) _exit(5);
  }
}

// Waits for the acknowledgement of a turn, kills, and returns the last turn acknowledged.
std::int64_t kill_after(pid_t child, int acknowledged, std::int64_t turn, int microseconds) {
  std::int64_t last = 0;
  std::int64_t read_turn = 0;
  while (last < turn && read(acknowledged, &read_turn, sizeof read_turn) == sizeof read_turn)
    last = read_turn;
  usleep(static_cast<useconds_t>(microseconds));  // not a wait for anything: the moment is what varies
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << status;
  while (read(acknowledged, &read_turn, sizeof read_turn) == sizeof read_turn) last = read_turn;
  return last;
}

TEST(SqliteStore, KilledAtAnyMomentItKeepsWholeCommitsAndEveryAcknowledgedOne) {
  Rng rng(23);
  for (int round = 0; round < 15; ++round) {
    const Folder folder;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) commit_for_ever(folder.file(), ends[1]);
    close(ends[1]);
    const auto last = kill_after(child, ends[0], 1 + static_cast<std::int64_t>(rng.below(20)),
                                 static_cast<int>(rng.below(4000)));
    close(ends[0]);

    auto store = open_or_die(folder.file());
    const auto records = store->load();
    ASSERT_TRUE(records.has_value()) << records.error().message;
    ASSERT_EQ(records->jobs.size(), 200u);
    const auto turn = records->jobs[0].created_at;
    EXPECT_TRUE(turn == last || turn == last + 1) << turn << " after " << last;
    for (const auto& row : records->jobs) ASSERT_EQ(row.created_at, turn);
    EXPECT_EQ(records->documents.at(0).body, std::to_string(turn));
  }
}

}  // namespace
}  // namespace stoker::store
