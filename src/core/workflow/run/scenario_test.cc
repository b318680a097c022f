// Scenario files: testdata/*.txt, each a story with its transcript. A block is commands, "----", and what
// happened: history events, effects, refusals, what `show` prints. STOKER_REWRITE=1 writes what happens now;
// the author reads the diff. Every story is told twice: the second time the execution is reloaded from its
// records after each turn, and must say the same.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "base/ids.h"
#include "base/text.h"
#include "core/workflow/run/testing/driver.h"

namespace stoker::workflow {
namespace {

using testing::Driver;

// The first word of a line, and the rest.
std::string take_word(std::string& line) {
  const auto blank = line.find(' ');
  std::string word = line.substr(0, blank);
  line = blank == std::string::npos ? "" : line.substr(blank + 1);
  return word;
}
std::optional<std::string> optional_word(std::string& line) {
  std::string word = take_word(line);
  return word.empty() ? std::nullopt : std::optional(std::move(word));
}
std::optional<std::string> optional_rest(const std::string& line) {
  return line.empty() ? std::nullopt : std::optional(line);
}

class Story {
 public:
  explicit Story(bool reloading) : reloading_(reloading) {}

  std::string run(std::string line) {
    out_.str({});
    if (!defining_.empty() || line.starts_with("define ")) {
      if (defining_.empty()) take_word(line);
      defining_ += line + "\n";
      if (auto whole = json::parse(defining_)) {
        definition_ = std::exchange(defining_, {});
        driver_.reset();
      }
      return out_.str();
    }
    const std::string verb = take_word(line);
    obey(verb, line);
    tell_history();
    tell_effects();
    return out_.str();
  }

 private:
  void obey(const std::string& verb, std::string& rest) {
    if (verb == "limit") {
      const std::string which = take_word(rest);
      set_limit(which, static_cast<std::size_t>(parse_int(rest).value()));
    } else if (verb == "start") {
      driver_ = std::make_unique<Driver>(definition_, limits_);
      driver_->reload_after_each_turn = reloading_;
      told_ = 0;
      tokens_.clear();
      driver_->start(rest.empty() ? "{}" : rest);
    } else if (verb == "advance") {
      driver_->advance(seconds(parse_int(rest).value()));
    } else if (verb == "started") {
      const TaskToken token = task(rest);
      tell(TaskStarted{token, optional_rest(rest)});
    } else if (verb == "submitted") {
      const TaskToken token = task(rest);
      tell(TaskSubmitted{token, Document::parse(rest).value()});
    } else if (verb == "succeed") {
      const TaskToken token = task(rest);
      tell(TaskSucceeded{token, Document::parse(rest).value()});
    } else if (verb == "fail" || verb == "reject" || verb == "refuse") {
      const TaskToken token = task(rest);
      TaskFailed news{.token = token, .error = optional_word(rest), .cause = optional_rest(rest)};
      if (verb == "reject") news.stage = TaskFailed::Stage::Submit;
      if (verb == "refuse") news.stage = TaskFailed::Stage::Data;
      tell(news);
    } else if (verb == "heartbeat") {
      tell(TaskHeartbeat{task(rest)});
    } else if (verb == "stop") {
      auto error = optional_word(rest);
      tell(Stop{std::move(error), optional_rest(rest)});
    } else if (verb == "redrive") {
      tell(Redrive{});
    } else if (verb == "items") {
      tell(ItemsRead{.token = driver_->reader.value().token,
                     .items = std::make_shared<const json::Value>(json::parse(rest).value()),
                     .keys = {},
                     .fault = {},
                     .source = "S3://b/k"});
    } else if (verb == "unreadable") {
      tell(ItemsRead{
          .token = driver_->reader.value().token, .items = {}, .keys = {}, .fault = rest, .source = {}});
    } else if (verb == "written") {
      tell(ResultsWritten{.token = driver_->writer.value().token,
                          .output = std::make_shared<const json::Value>(json::parse(rest).value()),
                          .fault = {}});
    } else if (verb == "unwritable") {
      tell(ResultsWritten{.token = driver_->writer.value().token, .output = {}, .fault = rest});
    } else if (verb == "child") {
      end_child(rest);
    } else if (verb == "update") {
      UpdateMapRun news{.run = 1};
      news.concurrency_max = parse_int(rest).value();
      tell(news);
    } else if (verb == "tolerate") {
      tell(UpdateMapRun{.run = 1, .tolerated_failure_count = parse_int(rest).value()});
    } else if (verb == "results") {
      for (const auto& [index, record] : driver_->results) {
        const auto result = read_map_result(record).value();
        out_ << "result " << index << ' ' << result.status << " of " << result.input << ": " << result.output
             << result.error.value_or("") << '\n';
      }
    } else if (verb == "late") {
      tell(TaskSucceeded{last_token_, Document()});
    } else if (verb == "owed") {
      driver_->effects = driver_->execution().owed();
    } else if (verb == "show") {
      show();
    } else {
      out_ << "unknown command " << verb << '\n';
    }
  }

  void set_limit(const std::string& name, std::size_t value) {
    if (name == "events") limits_.events_max = value;
    if (name == "bytes") limits_.payload_bytes_max = value;
    if (name == "steps") limits_.steps_per_turn = value;
    if (name == "threads") limits_.threads_max = value;
    if (name == "concurrency") limits_.inline_concurrency_max = value;
    if (name == "depth") limits_.payload_depth_max = value;
  }

  // "child 0 succeed JSON", "child 0 fail ERROR CAUSE", "child 0 abort"
  void end_child(std::string& rest) {
    const auto index = static_cast<std::uint64_t>(parse_int(take_word(rest)).value());
    ChildEnded news{.child = driver_->running_children[index].child};
    news.child.index = index;
    const std::string how = take_word(rest);
    news.status = how == "succeed" ? Status::Succeeded : how == "fail" ? Status::Failed : Status::Aborted;
    if (how == "succeed") news.output = rest;
    if (how == "fail") {
      news.error = optional_word(rest);
      news.cause = optional_rest(rest);
    }
    tell(news);
  }

  void tell(const News& news) {
    if (driver_->tell(news) == Heard::Stale) out_ << "stale\n";
    driver_->advance({});
  }

  // The oldest open task of the state; "STATE@2" the third.
  TaskToken task(std::string& rest) {
    std::string state = take_word(rest);
    std::size_t index = 0;
    if (const auto at = state.find('@'); at != std::string::npos) {
      index = static_cast<std::size_t>(parse_int(state.substr(at + 1)).value());
      state.resize(at);
    }
    const auto tasks = driver_->tasks(state);
    if (index >= tasks.size()) {
      out_ << "no open task of " << state << '\n';
      return {};
    }
    return last_token_ = tasks[index].token;
  }

  void tell_history() {
    if (!driver_) return;
    for (; told_ < driver_->history.size(); ++told_) {
      const HistoryEvent& event = driver_->history[told_];
      out_ << event.id << '<' << event.previous << ' ' << name(event.type);
      if (!event.details.empty()) {
        // The ...Details members say nothing here.
        json::Object details = json::parse(event.details).value().get_object();
        for (const char* member : {"inputDetails", "outputDetails", "assignedVariablesDetails"})
          details.erase(member);
        for (auto& [key, value] : details)
          if (value.is_string()) value = named(std::string(json::text(value)));
        out_ << ' ' << named(json::write(details));
      }
      out_ << '\n';
    }
  }

  void tell_effects() {
    if (!driver_) return;
    for (const Effect& effect : std::exchange(driver_->effects, {})) {
      if (const auto* start = std::get_if<StartTask>(&effect)) {
        out_ << "start " << start->state << ' ' << named(start->token.str()) << ' ' << start->service << ' '
             << start->api << ' ' << named(start->parameters.text());
        if (!start->role.empty()) out_ << " as " << start->role;
        if (start->again) out_ << (start->submitted ? " again, submitted" : " again");
      } else if (const auto* cancel = std::get_if<CancelTask>(&effect)) {
        out_ << "cancel " << named(cancel->token.str());
      } else if (const auto* read = std::get_if<ReadItems>(&effect)) {
        out_ << "read " << read->resource << ' ' << (read->arguments ? json::write(*read->arguments) : "-")
             << " most " << read->items_max;
      } else if (const auto* write = std::get_if<WriteResults>(&effect)) {
        out_ << "write run " << write->run << ' ' << json::write(*write->arguments);
        if (write->items) out_ << ", pending from item " << write->first_pending;
      } else if (const auto* child = std::get_if<StartChild>(&effect)) {
        out_ << "child " << child->child.index << ' ' << child->input << (child->again ? " again" : "");
      } else if (const auto* stop = std::get_if<StopChild>(&effect)) {
        out_ << "stop child " << stop->child.index;
      } else if (const auto* again = std::get_if<RedriveChild>(&effect)) {
        out_ << "redrive child " << again->child.index << (again->again ? " again" : "");
      } else if (const auto* ended = std::get_if<Ended>(&effect)) {
        out_ << "ended " << name(ended->status);
        if (const Document* output = driver_->execution().output()) out_ << ' ' << named(output->text());
      }
      out_ << '\n';
    }
  }

  void show() {
    for (const ThreadView& t : driver_->execution().threads()) {
      out_ << "thread " << t.thread << " in " << t.type << ' ' << t.state;
      if (!t.waits_for.empty()) out_ << " waits for " << t.waits_for;
      if (t.due) out_ << " until +" << (t.due - t.entered_at).ms << " ms";
      if (t.retry_count > 0) out_ << " after " << t.retry_count << " retries";
      out_ << '\n';
    }
    for (const MapRunView& r : driver_->execution().map_runs())
      out_ << "map run " << r.run << ' ' << name(r.status) << " items " << counts(r.items) << " executions "
           << counts(r.executions) << '\n';
    const std::string refusal = driver_->execution().redrive_refusal(driver_->now);
    out_ << name(driver_->execution().status()) << ", " << (refusal.empty() ? "can be redriven" : refusal)
         << '\n';
  }
  static std::string counts(const MapRunCounts& c) {
    return std::to_string(c.pending) + " pending " + std::to_string(c.running) + " running " +
           std::to_string(c.succeeded) + " succeeded " + std::to_string(c.failed + c.timed_out) + " failed " +
           std::to_string(c.aborted) + " aborted of " + std::to_string(c.total);
  }

  // Tokens and UUIDs by the order of their first appearance, so that a story does not hang on them.
  std::string named(std::string text) {
    const auto replace = [&](std::size_t length, auto is_one, const std::string& prefix) {
      for (std::size_t at = 0; at + length <= text.size(); ++at) {
        const std::string part = text.substr(at, length);
        if (!is_one(part)) continue;
        const auto [found, fresh] = tokens_.emplace(part, prefix + std::to_string(tokens_.size() + 1));
        text.replace(at, length, found->second);
      }
    };
    replace(64, [](const std::string& part) { return TaskToken::parse(part).has_value(); }, "token");
    replace(36, [](const std::string& part) { return Uuid::parse(part).has_value(); }, "uuid");
    return text;
  }

  bool reloading_;
  Limits limits_;
  std::string defining_;
  std::string definition_;
  std::unique_ptr<Driver> driver_;
  std::size_t told_ = 0;
  TaskToken last_token_;
  std::map<std::string, std::string> tokens_;
  std::ostringstream out_;
};

// The file with each block's output as it is now.
std::string replay(const std::string& text, bool reloading) {
  Story story(reloading);
  std::string result;
  std::string output;
  bool in_output = false;
  for (const std::string_view line : split(text, '\n')) {
    const bool comment = line.starts_with("#") || line.empty();
    if (line == "----") {
      in_output = true;
      result += "----\n" + output;
      output.clear();
      continue;
    }
    if (in_output && !line.empty()) continue;  // the old output
    in_output = false;
    result += std::string(line) + '\n';
    if (!comment) output += story.run(std::string(line));
  }
  result.pop_back();  // split gave one more line than there are
  return result;
}

TEST(WorkflowScenarios, happen_as_their_files_say_with_and_without_reloads) {
  const std::filesystem::path folder = std::string(STOKER_SOURCE_DIR) + "/src/core/workflow/run/testdata";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    SCOPED_TRACE(entry.path().string());
    ++count;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string now = replay(text.str(), false);
    EXPECT_EQ(now, replay(text.str(), true)) << "reloaded after each turn";
    if (std::getenv("STOKER_REWRITE") != nullptr)
      std::ofstream(entry.path()) << now;
    else
      EXPECT_EQ(now, text.str());
  }
  EXPECT_GE(count, 10);
}

}  // namespace
}  // namespace stoker::workflow
