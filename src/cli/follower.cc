#include "cli/follower.h"

#include "base/text.h"
#include "cli/exit.h"
#include "cli/find_job.h"
#include "cli/quantity.h"

namespace stoker::cli {
namespace {

// A job that waits shorter than this is not called waiting: most start at once.
constexpr Duration kQuietWait = milliseconds(700);
// Between two lines about the same state, whose reason may change with every look.
constexpr Duration kRemarkPause = seconds(3);

std::string_view stream_of(const json::Value& holder) {
  const json::Value* container = json::find(holder, "container");
  return container == nullptr ? std::string_view{} : json::get_string(*container, "logStreamName");
}

}  // namespace

int exit_status_of(const JobView& job) {
  if (job.status == "SUCCEEDED") return kOk;
  if (job.exit_code && *job.exit_code > 0 && *job.exit_code < 256) return static_cast<int>(*job.exit_code);
  return kFailed;
}

Result<bool> Follower::step() {
  news_ = false;
  job_ = TRY(describe_job(api_, id_));
  view_ = view_of(job_);
  if (view_.main_node)
    output_ = TRY(describe_job(api_, id_ + "#" + std::to_string(*view_.main_node)));
  else
    output_ = job_;
  const bool ended = view_.ended();
  // A finished program is told after its last words, a starting one before its first.
  if (!ended) tell_state();
  if (options_.log) TRY(print_output());
  if (ended) tell_state();
  return ended;
}

Result<void> Follower::end() {
  TRY(api_.batch("TerminateJob", json::Object{{"jobId", id_}, {"reason", "Interrupted by its user"}}));
  return {};
}

Result<void> Follower::print_output() {
  const json::Array& attempts = json::get_array(output_, "attempts");
  for (; attempts_done_ < attempts.size(); ++attempts_done_) {
    const std::string stream(stream_of(attempts[attempts_done_]));
    if (!stream.empty()) TRY(print_stream(stream));
    tail_ = nullptr;
  }
  const std::string stream(stream_of(output_));
  const bool known = !attempts.empty() && stream == stream_of(attempts.back());
  if (!stream.empty() && !known) TRY(print_stream(stream));
  return {};
}

Result<void> Follower::print_stream(const std::string& stream) {
  if (!tail_ || tail_->stream() != stream) {
    tail_ = std::make_unique<LogTail>(api_, stream);
    if (options_.last) tail_->start_at_last(*options_.last);
  }
  if (options_.last && *options_.last == 0) options_.last.reset();
  if (TRY(tail_->pump([&](const json::Value& event) { print_event(event); })) > 0) news_ = true;
  return {};
}

void Follower::print_event(const json::Value& event) {
  if (options_.json) {
    context_.out.write(json::write(event) + "\n");
    return;
  }
  std::string line;
  if (options_.timestamps) line = iso_time(json::get_int(event, "timestamp"), true) + " ";
  line += json::get_string(event, "message");
  line += '\n';
  context_.out.write(line);
}

void Follower::tell(std::string_view text, Colour colour) {
  context_.err.write(paint("stoker: " + std::string(text), colour, context_.err.colours) + "\n");
}

void Follower::tell_state() {
  const Instant now = context_.now();
  if (!first_seen_) first_seen_ = now;
  const std::string remark = view_.remark();
  const bool changed = view_.status != told_status_;
  if (changed) news_ = true;
  if (!options_.states || (!changed && remark == told_remark_)) return;
  const bool waits = !view_.ended() && view_.status != "RUNNING";
  if (waits && !view_.array_size && now - *first_seen_ < kQuietWait) return;
  if (!changed && now - told_at_ < kRemarkPause) return;
  std::string text = view_.array_size && !view_.ended() ? "array" : view_.status;
  if (view_.started && !view_.array_size) {
    if (view_.ended())
      text += " after " + duration_text(view_.ran(now));
    else if (const Duration waited = view_.waited(now); waited >= kQuietWait && changed)
      text += " after waiting " + duration_text(waited);
  }
  if (view_.attempts > 0 && !view_.ended()) text += " (attempt " + std::to_string(view_.attempts + 1) + ")";
  if (!remark.empty() && (view_.status != "RUNNING" || view_.array_size)) text += ": " + remark;
  tell(text, view_.status == "FAILED" ? Colour::Red : Colour::Dim);
  told_status_ = view_.status;
  told_remark_ = remark;
  told_at_ = now;
}

}  // namespace stoker::cli
