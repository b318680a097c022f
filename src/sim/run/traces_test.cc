#include "sim/run/traces.h"

#include <cstdlib>
#include <tuple>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "sim/run/archive.h"

namespace stoker::sim {
namespace {

std::string fault(TraceKind kind, std::string_view text) {
  const auto jobs = parse_trace(kind, text);
  return jobs ? "" : jobs.error().message;
}

TEST(Traces, itp_is_sorted_and_begins_at_0) {
  const auto jobs = parse_trace(TraceKind::Itp,
                                "job_id,submission_time,duration,num_gpu\nb,70,30,8\na,10,5.5,1\nc,80,0,1\n");
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 2U) << "what did not run is left out";
  EXPECT_EQ((*jobs)[0].submit, Duration{});
  EXPECT_EQ((*jobs)[0].run, milliseconds(5500));
  EXPECT_EQ((*jobs)[1].submit, minutes(1));
  EXPECT_EQ((*jobs)[1].gpus, 8);
}

TEST(Traces, philly_has_wall_times_and_tenants) {
  const auto jobs = parse_trace(TraceKind::Philly,
                                "timestamp,duration,num_gpus,gpu_time,cluster\n"
                                "2017-10-09 07:01:55,66.0,1,66.0,x\n2017-10-08 07:01:55,60,2,120,y\n");
  ASSERT_TRUE(jobs);
  EXPECT_EQ((*jobs)[0].tenant, "y");
  EXPECT_EQ((*jobs)[1].submit, days(1));
}

TEST(Traces, names_become_text) {
  const auto jobs =
      parse_trace(TraceKind::Philly, "timestamp,duration,num_gpus,cluster\n2017-10-09 07:01:55,66,1,a\xff\n");
  ASSERT_TRUE(jobs);
  EXPECT_EQ((*jobs)[0].tenant, "a\xEF\xBF\xBD");
}

TEST(Traces, shockwave_has_twelve_fields) {
  const auto jobs = parse_trace(TraceKind::Shockwave,
                                "LM (batch size 10)\tc\tw\t--steps\t1\t99\t4\tgns\t1\t-1\t1418\t55\n");
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 1U);
  EXPECT_EQ((*jobs)[0].tenant, "LM");
  EXPECT_EQ((*jobs)[0].gpus, 4);
  EXPECT_EQ((*jobs)[0].run, seconds(1418));
}

constexpr const char* kSpeeds =
    R"~({"v100":{"('LM (batch size 10)', 1)":{"null":2.5,"('LM (batch size 10)', 1)":[1,1]},
                 "('LM (batch size 10)', 4)":{"null":8},"('A3C', 1)":{"null":0}}})~";

TEST(Traces, gavel_has_steps_and_a_file_with_speeds) {
  const auto trace = parse_gavel(
      "LM (batch size 10)\tc\tw\t--steps\t1\t600\t4\t1\t-1.000000\t50\n"
      "LM (batch size 10)\tc\tw\t--steps\t1\t600\t2\t1\t-1.000000\t60\n"
      "\nLM (batch size 10)\tc\t--steps\t1\t100\t20.000000\t1\n",
      kSpeeds, "v100");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->unknown, 1) << "nobody measured it on two GPUs";
  ASSERT_EQ(trace->jobs.size(), 2U);
  EXPECT_EQ(trace->jobs[0].tenant, "LM");
  EXPECT_EQ(trace->jobs[0].gpus, 1);
  EXPECT_EQ(trace->jobs[0].submit, Duration{});
  EXPECT_EQ(trace->jobs[0].run, seconds(40));
  EXPECT_EQ(trace->jobs[1].gpus, 4);
  EXPECT_EQ(trace->jobs[1].submit, seconds(30));
  EXPECT_EQ(trace->jobs[1].run, seconds(75));
}

TEST(Traces, gavel_faults_name_the_line_or_the_speed) {
  const auto fault = [](const std::string& steps, const std::string& model = "LM (batch size 10)",
                        const char* gpu = "v100", const char* speeds = kSpeeds) {
    const auto trace = parse_gavel(model + "\tc\t-s\t1\t" + steps + "\t0\t1\n", speeds, gpu);
    return trace ? "" : trace.error().message;
  };
  EXPECT_EQ(fault("10"), "");
  EXPECT_EQ(fault("x"), "line 1: the number of steps makes no sense");
  EXPECT_EQ(fault("-1"), "line 1: the number of steps makes no sense");
  EXPECT_EQ(fault("1000000000000000"), "line 1: runs longer than ten years");
  EXPECT_EQ(fault("1\t2"), "line 1: has neither 7 nor 10 fields");
  EXPECT_EQ(fault("1", "A3C"), "('A3C', 1): its speed must be a number above 0");
  EXPECT_EQ(fault("1", "A3C", "k80"), "throughputs: there is no GPU model k80");
  EXPECT_EQ(fault("1", "A3C", "k80", "[]"), "throughputs: there is no GPU model k80");
  EXPECT_TRUE(fault("1", "A3C", "v100", "{").starts_with("throughputs: "));
}

TEST(Traces, tiresias_says_the_model) {
  const auto jobs = parse_trace(TraceKind::Tiresias,
                                "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
                                "0,1,30,606,vgg19,164,30\n1,8,0,133,vgg11,147,23\n");
  ASSERT_TRUE(jobs);
  EXPECT_EQ((*jobs)[0].gpus, 8);
  EXPECT_EQ((*jobs)[1].tenant, "vgg19");
  EXPECT_EQ((*jobs)[1].submit, seconds(30));
  EXPECT_EQ((*jobs)[1].run, seconds(164));
  EXPECT_EQ(fault(TraceKind::Tiresias, "job_id,num_gpu,submit_time,model_name,duration\n0,1,x,m,5\n"),
            "line 2: submit_time is no number of seconds");
  EXPECT_NE(fault(TraceKind::Tiresias, "job_id,num_gpu,submit_time\n0,1,5\n").find("duration"),
            std::string::npos);
}

TEST(Traces, published_ones_are_read) {
  const char* folder = std::getenv("STOKER_TRACES");
  if (folder == nullptr) GTEST_SKIP() << "no traces";
  const auto text = [&](const std::string& file) {
    const auto read = read_trace_text(std::string(folder) + "/" + file);
    return read ? *read : std::string();
  };
  const std::string speeds = text("gavel-2020/simulation_throughputs.json.gz");
  const std::string tiresias = text("tiresias-2019/60_job.csv");
  if (speeds.empty() || tiresias.empty()) GTEST_SKIP() << "no traces of Gavel and Tiresias";
  for (const auto& [file, known, unknown] : std::vector<std::tuple<std::string, std::size_t, std::int64_t>>{
           {"small_test.trace", 20, 0},
           {"max_min_fairness.trace", 96, 0},
           {"minimize_makespan.trace", 100, 0},
           {"msr-seed0/0e4a51.trace", 984, 197},
           {"msr-seed0/11cb48.trace.gz", 1819, 181}}) {
    const auto trace = parse_gavel(text("gavel-2020/" + file), speeds, "v100");
    ASSERT_TRUE(trace) << file << ": " << trace.error().message;
    EXPECT_EQ(trace->jobs.size(), known) << file;
    EXPECT_EQ(trace->unknown, unknown) << file;
  }
  EXPECT_EQ(parse_trace(TraceKind::Tiresias, tiresias)->size(), 60U);
}

TEST(Traces, openb_has_shares_and_models) {
  const auto jobs =
      parse_trace(TraceKind::Openb,
                  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time\n"
                  "a,6000,12288,1,460,V100|T4,100,160\nb,1000,10,2,1000,,90,95\n");
  ASSERT_TRUE(jobs);
  EXPECT_EQ((*jobs)[0].gpus, 2);
  EXPECT_EQ((*jobs)[1].gpus, 0);
  EXPECT_EQ((*jobs)[1].gpu_milli, 460);
  EXPECT_EQ((*jobs)[1].gpu_models, (std::vector<std::string>{"V100", "T4"}));
  EXPECT_EQ((*jobs)[1].run, minutes(1));
}

TEST(Traces, faults_name_the_line) {
  const std::string itp = "job_id,submission_time,duration,num_gpu\n";
  EXPECT_NE(fault(TraceKind::Itp, "a,b\n1,2\n").find("submission_time"), std::string::npos);
  EXPECT_EQ(fault(TraceKind::Itp, itp + "a,0,5,1\nb,x,5,1\n"),
            "line 3: submission_time is no number of seconds");
  EXPECT_EQ(fault(TraceKind::Itp, itp + "a,0,1e300,1\n"), "line 2: duration is no number of seconds");
  EXPECT_EQ(fault(TraceKind::Itp, itp + "a,0,5,-1\n"), "line 2: the number of GPUs makes no sense");
  EXPECT_EQ(fault(TraceKind::Philly, "timestamp,duration,num_gpus,cluster\n2017-13-09 07:01:55,1,1,x\n"),
            "line 2: timestamp is no date and time");
  EXPECT_EQ(fault(TraceKind::Shockwave, "a\tb\n"), "line 1: has fewer than 12 fields");
  EXPECT_EQ(fault(TraceKind::Shockwave, "\nx" + std::string(20'000, '\t')), "line 2: is too long");
  EXPECT_EQ(fault(TraceKind::Itp, itp + "a,0,5,1\nb,0,315360001,1\n"), "line 3: runs longer than ten years");
  EXPECT_EQ(fault(TraceKind::Itp, itp + "a,0,5,1\nb,315360001,5,1\n"),
            "its submissions lie more than ten years apart");
}

TEST(Traces, wall_times_are_utc) {
  EXPECT_EQ(parse_wall_time("1970-01-02 00:00:01"), 86'401'000);
  EXPECT_EQ(parse_wall_time("2026-01-05 00:00:00"), 1'767'571'200'000);
  for (const char* text :
       {"", "2026-02-30 00:00:00", "2026-01-05 24:00:00", "2026-01-05T00:00:00", "2026-01-05 00:00:0x"})
    EXPECT_FALSE(parse_wall_time(text)) << text;
}

TEST(Traces, demand_is_what_runs_and_what_waits) {
  const auto points = parse_demand_series(
      "time,running_gpu_num,pending_gpu_num\n2020-05-01 00:00:00,160,2\n2020-05-01 00:01:00,10,0\n");
  ASSERT_TRUE(points);
  EXPECT_EQ((*points)[0].wanted, 162);
  EXPECT_EQ((*points)[1].at, minutes(1));
}

TEST(Traces, spot_machines_come_and_go) {
  const auto events = parse_spot_events("0,add,node1\n5000,remove,node1\n\n");
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 2U);
  EXPECT_FALSE((*events)[1].added);
  EXPECT_EQ((*events)[1].at, seconds(5));
  EXPECT_FALSE(parse_spot_events("0,gone,node1\n"));
  EXPECT_FALSE(parse_spot_events("x,add,node1\n"));
  EXPECT_EQ(parse_spot_events("5,add,a\n4,add,b\n").error().message,
            "line 2: is earlier than the one before");
  EXPECT_EQ(parse_spot_events("9223372036854775807,add,a\n").error().message,
            "line 1: is later than ten years");
}

std::string tar_entry(const std::string& name, const std::string& content) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  std::string size;
  for (std::size_t left = content.size(), i = 0; i < 11; ++i, left /= 8)
    size.insert(0, 1, static_cast<char>('0' + left % 8));
  header.replace(124, 11, size);
  header[156] = '0';
  std::string body = content;
  body.resize((content.size() + 511) / 512 * 512, '\0');
  return header + body;
}

TEST(Archive, gives_one_file) {
  const std::string archive =
      tar_entry("./a.csv", std::string(700, 'a')) + tar_entry("b.csv", "bb") + std::string(1024, '\0');
  EXPECT_EQ(file_of_tar(archive, "b.csv"), "bb");
  EXPECT_EQ(file_of_tar(archive, "a.csv")->size(), 700U);
  EXPECT_EQ(file_of_tar(archive, "c.csv").error().code, Code::NotFound);
  EXPECT_EQ(file_of_tar(std::string(512, 'x'), "c").error().code, Code::InvalidArgument);
  EXPECT_EQ(file_of_tar(archive.substr(0, 900), "b.csv").error().code, Code::InvalidArgument);
}

TEST(Archive, survives_any_bytes) {
  Rng rng(4);
  const std::string good = tar_entry("a", std::string(600, 'a')) + tar_entry("b", "b");
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = good.substr(0, rng.below(good.size() + 1));
    for (std::uint64_t n = rng.below(8); n > 0 && !bytes.empty(); --n)
      bytes[rng.below(bytes.size())] = static_cast<char>(rng.next());
    const auto file = file_of_tar(bytes, "b");
    EXPECT_TRUE(!file || file->size() <= bytes.size());
  }
}

TEST(Traces, a_demand_curve_is_a_job_for_each_unit) {
  const auto jobs = parse_demand(
      "time,active,total\n2017-10-03 00:00:00,1,9\n2017-10-03 00:01:00,3,9\n"
      "2017-10-03 00:02:00,2,9\n2017-10-03 00:04:00,0,9\n",
      8);
  ASSERT_TRUE(jobs) << jobs.error().message;
  ASSERT_EQ(jobs->size(), 3u);
  EXPECT_EQ((*jobs)[0].submit, Duration{});
  EXPECT_EQ((*jobs)[0].run, minutes(4));
  EXPECT_EQ((*jobs)[0].gpus, 8);
  EXPECT_EQ((*jobs)[1].submit, minutes(1));
  EXPECT_EQ((*jobs)[1].run + (*jobs)[2].run, minutes(4)) << "what came last goes first: one minute and three";
}

TEST(Traces, of_a_spot_history_what_goes_at_once_is_one_loss) {
  const SpotHistory history = history_of({{{}, true, "a"},
                                          {{}, true, "b"},
                                          {minutes(5), false, "a"},
                                          {minutes(5), false, "b"},
                                          {minutes(6), false, "nobody"},
                                          {minutes(7), true, "c"},
                                          {minutes(9), false, "c"}});
  EXPECT_EQ(history.losses, (std::vector<SpotLoss>{{minutes(5), 2, 2}, {minutes(9), 1, 1}}));
  EXPECT_EQ(history.length, minutes(9));
}

}  // namespace
}  // namespace stoker::sim
