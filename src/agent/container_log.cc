#include "agent/container_log.h"

#include <utility>

#include "agent/container_engine.h"
#include "joblog/reader.h"
#include "json/json.h"
#include "log/log.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kHeaderBytes = 8;
// The place is saved once the log has grown by so much: what the next agent has to read to find it.
constexpr std::uint64_t kSaveEveryBytes = 128u << 10;
// How far behind our clock a whole-second timestamp may be to be given the milliseconds of our clock.
constexpr Duration kLive = milliseconds(1500);

std::string place_file(const std::string& dir) {
  return dir + "/container-log.json";
}

// Bytes of text that an event of the log stands for in the engine's log.
std::uint64_t cost_of(const joblog::Event& event) {
  if (event.dropped) return 0;
  return event.text.size() + (event.continues ? 0 : 1);
}

}  // namespace

void FrameDecoder::feed(std::string_view bytes) {
  if (at_ > 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  buffer_ += bytes;
}

Result<std::optional<FrameDecoder::Frame>> FrameDecoder::next() {
  const std::string_view rest = std::string_view(buffer_).substr(at_);
  if (rest.size() < kHeaderBytes) return std::nullopt;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const std::size_t length =
      (std::size_t{byte(4)} << 24) | (std::size_t{byte(5)} << 16) | (std::size_t{byte(6)} << 8) | byte(7);
  if (byte(0) > 3 || byte(1) != 0 || byte(2) != 0 || byte(3) != 0 || length > kFrameBytesMax)
    return fail(Code::InvalidArgument, "the container engine's log is not in frames");
  if (rest.size() < kHeaderBytes + length) return std::nullopt;
  at_ += kHeaderBytes + length;
  return Frame{.stream = byte(0), .payload = rest.substr(kHeaderBytes, length)};
}

void ContainerLog::Place::count(std::int64_t second, std::uint64_t bytes) {
  total += bytes;
  if (!everything && second < anchor) {
    everything = true;
    anchor = 0;
    taken = total - bytes;
  } else if (!everything && second > newest) {
    taken = newest == second - 1 ? taken_newest : 0;
    taken_newest = 0;
    newest = second;
    anchor = second - 1;
  }
  taken += bytes;
  if (second >= newest) taken_newest += bytes;
}

Result<std::unique_ptr<ContainerLog>> ContainerLog::open(std::string dir, std::uint64_t log_bytes_max) {
  auto writer = TRY(joblog::Writer::open(dir + "/log", log_bytes_max));
  std::unique_ptr<ContainerLog> log(new ContainerLog(std::move(dir), std::move(writer)));
  TRY(log->find_place());
  return log;
}

// The saved place, and what was written since: the log itself knows.
Result<void> ContainerLog::find_place() {
  joblog::Position at;
  if (const auto text = rt::read_file(place_file(dir_), 64u << 10)) {
    if (const auto saved = json::parse(*text)) {
      const auto number = [&](std::string_view key) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(0, json::get_int(*saved, key)));
      };
      place_ = {.anchor = json::get_int(*saved, "anchor"),
                .taken = number("taken"),
                .newest = json::get_int(*saved, "newest"),
                .taken_newest = number("taken_newest"),
                .total = number("total"),
                .everything = json::get_bool(*saved, "everything")};
      at.offset = number("end");
    }
  }
  const joblog::StreamReader reader(dir_ + "/log");
  while (at.offset < writer_.end()) {
    const auto page = TRY(reader.forward(at));
    for (const auto& event : page.events) {
      place_.taken += cost_of(event);
      place_.total += cost_of(event);
    }
    if (page.events.empty() || page.next <= at) break;
    at = page.next;
  }
  saved_end_ = writer_.end();
  return {};
}

// One second more than the anchor, since some engines leave out what bears exactly the time asked for.
std::int64_t ContainerLog::since() const {
  return std::max<std::int64_t>(0, place_.anchor - 1);
}

void ContainerLog::begin() {
  decoder_ = {};
  skip_ = place_.taken;
  scan_ = Place{.anchor = place_.anchor, .newest = place_.anchor, .total = place_.total - place_.taken};
  if (place_.everything || skip_ == 0) scan_ = place_;
}

Result<bool> ContainerLog::feed(Instant now, std::string_view bytes) {
  const auto before = writer_.end() + writer_.lost_bytes();
  const bool counted_everything = place_.everything;
  decoder_.feed(bytes);
  Result<void> read;
  for (;;) {
    auto frame = decoder_.next();
    if (!frame) read = std::unexpected(std::move(frame).error());
    if (!frame || !*frame) break;
    take(now, (*frame)->payload);
  }
  flush();
  if (!read) return std::unexpected(std::move(read).error());
  if (writer_.end() - saved_end_ >= kSaveEveryBytes || place_.everything != counted_everything) save();
  return writer_.end() + writer_.lost_bytes() != before;
}

void ContainerLog::take(Instant now, std::string_view payload) {
  const auto space = payload.find(' ');
  std::optional<Instant> stamped;
  if (space != std::string_view::npos) stamped = parse_engine_time(payload.substr(0, space));
  std::string_view text = stamped ? payload.substr(space + 1) : payload;
  const std::int64_t second = stamped ? stamped->ms / 1000 : place_.newest;

  // Older than what is counted, and followed by something that we have: taken long ago.
  if (skip_ > 0 && !place_.everything && second < place_.anchor) return;
  // The engine has dropped what we would skip (it turned its log over): what is newer than our log is new.
  if (skip_ > 0 && stamped && second > writer_.last_time().ms / 1000 + 1) {
    skip_ = 0;
    place_ = place_.everything ? place_ : scan_;
  }
  if (skip_ > 0) {
    const auto known = std::min<std::uint64_t>(skip_, text.size());
    if (!place_.everything) scan_.count(second, known);
    skip_ -= known;
    if (skip_ == 0) place_ = place_.everything ? place_ : scan_;
    text.remove_prefix(known);
  }
  if (text.empty()) return;
  place_.count(second, text.size());
  Instant time = stamped.value_or(now);
  if (time.ms % 1000 == 0 && now >= time && now - time < kLive) time = now;
  add(time, text);
}

void ContainerLog::add(Instant time, std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    for (; line.size() > joblog::kEventBytesMax; line.remove_prefix(joblog::kEventBytesMax))
      writer_.add(time, line.substr(0, joblog::kEventBytesMax), joblog::kFlagContinues);
    if (end == std::string_view::npos) {
      writer_.add(time, line, joblog::kFlagContinues);
      return;
    }
    writer_.add(time, line);
    text.remove_prefix(end + 1);
  }
}

void ContainerLog::note(Instant now, std::string_view text) {
  writer_.add(now, text);
  flush();
  save();  // or it would count as the container's
}

void ContainerLog::flush() {
  const auto flushed = writer_.flush();
  if (!flushed && !io_failed_)
    log::warning("container_log_lost", {{"dir", dir_}, {"error", flushed.error().message}});
  io_failed_ = !flushed;
}

void ContainerLog::save() {
  const auto signed_ = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  const json::Value place =
      json::Object{{"anchor", place_.anchor},        {"taken", signed_(place_.taken)},
                   {"newest", place_.newest},        {"taken_newest", signed_(place_.taken_newest)},
                   {"total", signed_(place_.total)}, {"everything", place_.everything},
                   {"end", signed_(writer_.end())}};
  rt::WriteOptions options;
  options.durable = false;  // after a power failure the container is gone anyway
  if (rt::write_file_atomically(place_file(dir_), json::write(place), options)) saved_end_ = writer_.end();
}

}  // namespace stoker::agent
