#include "supervisor/protocol.h"

#include <cstring>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "rt/file.h"

namespace stoker::supervisor {
namespace {

LaunchSpec a_launch() {
  LaunchSpec spec;
  spec.token = std::string(32, 'a');
  spec.run_dir = "/state/runs/a";
  spec.work_dir = "/state/runs/a/work";
  spec.arguments = {"python", "", "train.py"};
  spec.environment = {"A=1", "B="};
  spec.switch_user = true;
  spec.uid = 7;
  spec.gid = 8;
  spec.groups = {8, 9, 10};
  spec.limits = {{7, 100, 200}, {4, 0, 0}};
  spec.cgroups = {"/cgroup/a", "/cgroup/b"};
  spec.oom_file = "/cgroup/a/oom";
  spec.log_bytes_max = 1ULL << 40;
  return spec;
}

// Aligned as the supervisor's buffer is.
struct Message {
  explicit Message(const std::string& text) : words(text.size() / 8 + 1), bytes(text.size()) {
    std::memcpy(words.data(), text.data(), text.size());
  }
  [[nodiscard]] const char* data() const { return reinterpret_cast<const char*>(words.data()); }
  std::vector<std::uint64_t> words;
  std::size_t bytes;
};

TEST(Protocol, a_launch_request_is_read_in_place) {
  const Message message(encode_launch(a_launch()).value());
  LaunchView view;
  ASSERT_TRUE(read_launch(message.data(), message.bytes, view));
  EXPECT_FALSE(view.in_file);
  EXPECT_STREQ(view.token, a_launch().token.c_str());
  EXPECT_STREQ(view.run_dir, "/state/runs/a");
  EXPECT_STREQ(view.work_dir, "/state/runs/a/work");
  EXPECT_STREQ(view.oom_file, "/cgroup/a/oom");
  EXPECT_TRUE(view.switch_user);
  EXPECT_EQ(view.uid, 7u);
  EXPECT_EQ(view.gid, 8u);
  ASSERT_EQ(view.group_count, 3u);
  EXPECT_EQ(view.groups[2], 10u);
  ASSERT_EQ(view.limit_count, 2u);
  EXPECT_EQ(view.limits[0], a_launch().limits[0]);
  ASSERT_EQ(view.cgroup_count, 2u);
  EXPECT_STREQ(view.first_cgroup, "/cgroup/a");
  EXPECT_STREQ(view.first_cgroup + 10, "/cgroup/b");
  ASSERT_EQ(view.argument_count, 3u);
  EXPECT_STREQ(view.first_argument, "python");
  EXPECT_STREQ(view.first_argument + 7, "");
  EXPECT_STREQ(view.first_argument + 8, "train.py");
  ASSERT_EQ(view.variable_count, 2u);
  EXPECT_STREQ(view.first_variable, "A=1");
  EXPECT_EQ(view.log_bytes_max, 1ULL << 40);
}

TEST(Protocol, a_request_in_a_file_names_the_run_only) {
  const Message message(encode_launch_file(a_launch()));
  LaunchView view;
  ASSERT_TRUE(read_launch(message.data(), message.bytes, view));
  EXPECT_TRUE(view.in_file);
  EXPECT_STREQ(view.run_dir, "/state/runs/a");
  EXPECT_EQ(view.argument_count, 0u);
}

TEST(Protocol, zero_bytes_and_too_much_are_refused) {
  LaunchSpec spec = a_launch();
  spec.arguments.emplace_back("a\0b", 3);
  EXPECT_FALSE(encode_launch(spec));
  spec = a_launch();
  spec.environment.emplace_back("X=\0", 3);
  EXPECT_FALSE(encode_launch(spec));
  spec = a_launch();
  spec.environment.push_back("X=" + std::string(kLaunchBytesMax, 'x'));
  EXPECT_FALSE(encode_launch(spec));
}

TEST(Protocol, damaged_requests_are_refused_or_harmless) {
  const std::string good = encode_launch(a_launch()).value();
  LaunchView view;
  for (std::size_t bytes = 0; bytes < good.size(); ++bytes) {
    const Message cut(good.substr(0, bytes));
    EXPECT_FALSE(read_launch(cut.data(), cut.bytes, view));
  }
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bad = good;
    for (int n = 0; n < 3; ++n) bad[rng.below(bad.size())] = static_cast<char>(rng.next());
    const Message message(bad);
    LaunchView out;
    if (!read_launch(message.data(), message.bytes, out)) continue;
    // What is accepted lies within the message.
    EXPECT_LE(out.first_variable, message.data() + message.bytes);
    EXPECT_LE(reinterpret_cast<const char*>(out.limits + out.limit_count), message.data() + message.bytes);
  }
}

TEST(Protocol, records_come_back_from_the_state_file) {
  char line[kRecordBytesMax];
  std::string text(line, format_begun(line, 12, 345, 1'700'000'000'123));
  StateRecords records = parse_state(text);
  ASSERT_TRUE(records.begun);
  EXPECT_EQ(records.begun->supervisor_pid, 12);
  EXPECT_EQ(records.begun->job_pid, 345);
  EXPECT_EQ(records.begun->at, Instant{1'700'000'000'123});
  EXPECT_FALSE(records.ended);
  const std::string ended(line,
                          format_ended(line, 1'700'000'000'456, true, 137, false, "two words\nand a line"));
  for (std::size_t cut = 0; cut < ended.size(); ++cut)
    EXPECT_FALSE(parse_state(text + ended.substr(0, cut)).ended);
  records = parse_state(text + ended + "ended 1 1 0 0 later\n");
  ASSERT_TRUE(records.ended);
  EXPECT_EQ(records.ended->exit_code, 137);
  EXPECT_TRUE(records.ended->started);
  EXPECT_FALSE(records.ended->node_failure);
  EXPECT_EQ(records.ended->reason, "two words and a line");
  records =
      parse_state(std::string(line, format_ended(line, 5, false, -1, true, std::string(5000, 'r').c_str())));
  ASSERT_TRUE(records.ended);
  EXPECT_FALSE(records.ended->exit_code);
  EXPECT_TRUE(records.ended->node_failure);
  EXPECT_GT(records.ended->reason.size(), 900u);
  for (const char* odd :
       {"", "\n", "begun\n", "begun 1 2\n", "ended x 1 0 0 \n", "begun 1 2 3", "else 1 2 3\n"}) {
    EXPECT_FALSE(parse_state(odd).begun) << odd;
    EXPECT_FALSE(parse_state(odd).ended) << odd;
  }
}

TEST(Protocol, a_lock_goes_on_in_a_fork_and_ends_with_the_last_holder) {
  const std::string dir = rt::make_temporary_directory("/tmp/protocol_test.").value();
  rt::UniqueFd held = rt::open_file(dir + "/lock", O_RDWR | O_CREAT).value();
  const rt::UniqueFd other = rt::open_file(dir + "/lock", O_RDWR).value();
  EXPECT_FALSE(is_locked(other.get()));
  ASSERT_TRUE(take_lock(held.get()));
  EXPECT_TRUE(is_locked(other.get()));
  EXPECT_FALSE(take_lock(other.get()));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    ::close(ends[1]);
    ::_exit(::read(ends[0], &byte, 1) == 0 ? 0 : 1);
  }
  held.reset();
  EXPECT_TRUE(is_locked(other.get()));
  ::close(ends[1]);
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(is_locked(other.get()));
  ::close(ends[0]);
  (void)rt::remove_tree(dir);
}

}  // namespace
}  // namespace stoker::supervisor
