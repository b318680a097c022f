// FilterLogEvents: lines of many streams in the order of their times. Streams are merged in batches, in the
// order in which their jobs were submitted; within a batch a page goes on exactly behind the last line of the
// page before.
#include <queue>

#include "aws/logs/filter_pattern.h"
#include "aws/logs/logs.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kEventsMax = 10'000;  // [M]
constexpr std::size_t kResponseBytesMax = 1u << 20;
constexpr std::size_t kScannedMax = 100'000;       // lines looked at in one call
constexpr std::size_t kBatchMax = 256;             // streams merged at once
constexpr std::size_t kNamesMax = 5'000;           // streams whose names are looked up in one call
constexpr std::size_t kReadBytesTotal = 4u << 20;  // buffered for all streams of a batch
constexpr std::size_t kReadBytesMin = 16u << 10;
constexpr std::size_t kStreamNamesMax = 100;  // [M]

// Where the page before ended. "FIRST,LAST,TIME,TOKEN,OFFSET" in base64; the last three are empty between
// batches.
struct Cursor {
  std::string first;  // the batch: tokens from here on
  std::string last;   // to here; empty while the batch is not chosen
  Instant time;       // of the last line given
  std::string token;
  joblog::Position next;  // behind it, in its stream

  static Result<Cursor> parse(std::string_view text) {
    Cursor out;
    if (text.empty()) return out;
    const auto plain = base64_decode(text);
    const auto parts = split(plain ? std::string_view(*plain) : std::string_view(), ',');
    const auto time = parts.size() == 5 ? parse_int(parts[2]) : std::nullopt;
    const auto next = parts.size() == 5 ? joblog::Position::parse(parts[4]) : std::nullopt;
    if (!time || !next) return fail(Code::InvalidArgument, "The specified nextToken is invalid.");
    return Cursor{std::string(parts[0]), std::string(parts[1]), Instant{*time}, std::string(parts[3]), *next};
  }
  [[nodiscard]] std::string str() const {
    return base64_encode(first + ',' + last + ',' + std::to_string(time.ms) + ',' + token + ',' + next.str());
  }
};

struct Stream {
  std::string token;
  std::string name;
};

// One call, from step to step.
struct Search {
  Search(Backend& to, Completion then) : backend(to), done(std::move(then)) {}
  Backend& backend;
  Completion done;
  std::string group;
  std::vector<std::string> names;
  std::string prefix;
  FilterPattern pattern;
  Instant start;
  std::optional<Instant> end;  // inclusive
  std::size_t limit = kEventsMax;
  Cursor cursor;

  std::vector<std::string> tokens;  // candidates in order
  bool more_tokens = false;         // there are candidates beyond those
  std::vector<Stream> batch;
  std::optional<Error> error;
};
using Shared = std::shared_ptr<Search>;

Result<void> read_input(const json::Value& input, Search& search) {
  search.group = TRY(read_group(input));
  for (const json::Value& name : json::get_array(input, "logStreamNames"))
    search.names.emplace_back(json::text(name));
  search.prefix = json::get_string(input, "logStreamNamePrefix");
  if (!search.names.empty() && !search.prefix.empty()) {
    return fail(Code::InvalidArgument, "logStreamNames and logStreamNamePrefix cannot be given together");
  }
  if (search.names.size() > kStreamNamesMax) {
    return fail(Code::InvalidArgument, "logStreamNames can have at most 100 entries");
  }
  search.pattern = TRY(FilterPattern::parse(json::get_string(input, "filterPattern")));
  search.start = Instant{json::get_int(input, "startTime")};
  if (json::find(input, "endTime") != nullptr) search.end = Instant{json::get_int(input, "endTime")};
  search.limit = static_cast<std::size_t>(json::get_int(input, "limit", kEventsMax));
  search.cursor = TRY(Cursor::parse(json::get_string(input, "nextToken")));
  return {};
}

// Step 1, log thread: the streams that may hold something, in order from the cursor on.
void collect_tokens(Search& search, const joblog::LogStore& store) {
  if (!search.names.empty()) {
    for (const std::string& name : search.names) {
      if (const auto token = token_in(name)) search.tokens.push_back(token->str());
    }
  } else {
    for (joblog::LogStore::StreamInfo& info : store.list(search.start))
      search.tokens.push_back(std::move(info.token));
  }
  std::ranges::sort(search.tokens);
  search.tokens.erase(std::unique(search.tokens.begin(), search.tokens.end()), search.tokens.end());
  std::erase_if(search.tokens, [&](const std::string& token) { return token < search.cursor.first; });
  search.more_tokens = search.tokens.size() > kNamesMax;
  if (search.more_tokens) search.tokens.resize(kNamesMax);
}

// Step 2, loop thread: which of them are asked for, as many as one batch takes.
void choose_batch(Search& search, const core::State& state) {
  if (!log_groups(state).contains(search.group)) {
    search.error = no_such_group();
    return;
  }
  const std::string fixed_last = search.cursor.last;
  for (std::size_t i = 0; i < search.tokens.size(); ++i) {
    const std::string& token = search.tokens[i];
    const bool beyond = fixed_last.empty() ? search.batch.size() == kBatchMax : token > fixed_last;
    if (beyond) {
      search.more_tokens = true;
      break;
    }
    search.cursor.last = token;
    const KnownStream found = find_stream(state, *core::RunToken::parse(token));
    if (found.kind != KnownStream::Kind::Known || found.place.group != search.group) continue;
    const std::string& name = found.place.stream;
    if (!name.starts_with(search.prefix)) continue;
    if (!search.names.empty() && std::ranges::find(search.names, name) == search.names.end()) continue;
    search.batch.push_back({token, name});
  }
  if (!fixed_last.empty()) search.cursor.last = fixed_last;
}

// Step 3, log thread: the merge.
class Merge {
 public:
  Merge(Search& search, const joblog::LogStore& store) : search_(search), store_(store) {}

  Result<json::Value> run() {
    TRY(open_all());
    const std::size_t read_bytes =
        std::max(kReadBytesMin, kReadBytesTotal / std::max<std::size_t>(1, sources_.size()));
    limits_ = {.events_max = search_.limit, .bytes_max = read_bytes};
    for (std::size_t i = 0; i < sources_.size(); ++i) TRY(push(i));
    bool ended = true;
    while (!heads_.empty()) {
      if (events_.size() >= search_.limit || bytes_ >= kResponseBytesMax || scanned_ >= kScannedMax) {
        ended = false;
        break;
      }
      const std::size_t index = heads_.top().index;
      heads_.pop();
      take(sources_[index]);
      TRY(push(index));
    }
    return finish(ended);
  }

 private:
  struct Source {
    const Stream* stream;
    joblog::StreamReader reader;
    joblog::Position next;
    std::vector<joblog::Event> events;
    std::size_t at = 0;
    bool at_end = false;
  };
  struct Head {
    Instant time;
    std::size_t index;  // of the source; sources are in the order of their tokens
    auto operator<=>(const Head&) const = default;
  };

  // Each source begins behind what the pages before gave: by the order (time, token), then place.
  Result<void> open_all() {
    const Cursor& cursor = search_.cursor;
    for (const Stream& stream : search_.batch) {
      Source source{.stream = &stream, .reader = store_.reader(stream.token), .next = {}, .events = {}};
      if (!cursor.token.empty() && stream.token == cursor.token) {
        source.next = cursor.next;
      } else if (!cursor.token.empty()) {
        const Instant from = stream.token < cursor.token ? cursor.time + milliseconds(1) : cursor.time;
        source.next = TRY(source.reader.at_time(std::max(search_.start, from)));
      } else if (search_.start) {
        source.next = TRY(source.reader.at_time(search_.start));
      }
      sources_.push_back(std::move(source));
    }
    return {};
  }

  // Puts the source's next line into the queue, reading on where needed.
  Result<void> push(std::size_t index) {
    Source& source = sources_[index];
    if (source.at == source.events.size()) {
      if (source.at_end) return {};
      joblog::Page page = TRY(source.reader.forward(source.next, limits_));
      source.events = std::move(page.events);
      source.at = 0;
      source.next = page.next;
      source.at_end = page.at_end || source.events.empty();
      if (source.events.empty()) return {};
    }
    const Instant time = source.events[source.at].time;
    if (!search_.end || time <= *search_.end) heads_.push({time, index});
    return {};
  }

  void take(Source& source) {
    const joblog::Event& event = source.events[source.at++];
    ++scanned_;
    search_.cursor.time = event.time;
    search_.cursor.token = source.stream->token;
    search_.cursor.next = source.at < source.events.size() ? source.events[source.at].at : source.next;
    if (event.time < search_.start || !search_.pattern.matches(event.text)) return;
    json::Object line{{"logStreamName", source.stream->name}};
    for (auto& [key, value] : event_json(event)) line[key] = value;
    line["eventId"] = source.stream->token + event.at.str();
    bytes_ += event.text.size();
    events_.push_back(std::move(line));
  }

  json::Value finish(bool ended) {
    json::Object out{{"events", std::move(events_)}, {"searchedLogStreams", json::Array{}}};
    if (!ended) {
      out["nextToken"] = search_.cursor.str();
    } else if (search_.more_tokens && !search_.cursor.last.empty()) {
      // The next batch begins behind the last token of this one.
      out["nextToken"] = Cursor{search_.cursor.last + '\x01', "", {}, "", {}}.str();
    }
    return out;
  }

  Search& search_;
  const joblog::LogStore& store_;
  joblog::ReadLimits limits_;
  std::vector<Source> sources_;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;  // the earliest first
  json::Array events_;
  std::size_t bytes_ = 0;
  std::size_t scanned_ = 0;
};

void merge(const Shared& search) {
  search->backend.read_logs([search](joblog::LogStore& store) { search->done(Merge(*search, store).run()); });
}

void name_streams(const Shared& search) {
  read_state<bool>(
      search->backend,
      [search](const core::State& state, Instant) {
        choose_batch(*search, state);
        return true;
      },
      [search](bool) {
        if (search->error) return search->done(std::unexpected(*search->error));
        merge(search);
      });
}

}  // namespace

void filter_log_events(const Place&, json::Value input, Backend& backend, Completion done) {
  auto search = std::make_shared<Search>(backend, std::move(done));
  if (auto read = read_input(input, *search); !read) return search->done(std::unexpected(read.error()));
  backend.read_logs([search](joblog::LogStore& store) {
    collect_tokens(*search, store);
    name_streams(search);
  });
}

}  // namespace stoker::aws
