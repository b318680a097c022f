// DescribeLogStreams: by name, or by the time of the last event.
#include "aws/logs/logs.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kPageMax = 50;  // [M] DescribeLimit
constexpr std::size_t kStreamsMax =
    10'000;  // the latest grown; older ones can be read by name but are not listed

struct Entry {
  joblog::LogStore::StreamInfo info;
  std::string name;
};

// One call, from step to step.
struct Listing {
  Listing(Backend& to, Completion then, const Place& where)
      : backend(to), done(std::move(then)), place(where) {}
  Backend& backend;
  Completion done;
  const Place& place;  // the face's
  std::string group;
  std::string prefix;
  bool by_time = false;
  bool descending = false;
  std::size_t limit = kPageMax;
  std::string after;  // the key of the last entry of the page before

  std::vector<Entry> entries;
  std::optional<Error> error;

  // What entries are ordered and pages continued by; times have fixed width, so that texts sort as they do.
  [[nodiscard]] std::string key(const Entry& entry) const {
    if (!by_time) return entry.name;
    std::string time = std::to_string(entry.info.grew_at.ms);
    return std::string(20 - std::min<std::size_t>(20, time.size()), '0') + time + ' ' + entry.info.token;
  }
};
using Shared = std::shared_ptr<Listing>;

Result<void> read_input(const json::Value& input, Listing& listing) {
  listing.group = TRY(read_group(input));
  listing.prefix = json::get_string(input, "logStreamNamePrefix");
  listing.by_time = json::get_string(input, "orderBy") == "LastEventTime";
  if (listing.by_time && !listing.prefix.empty()) {
    return fail(Code::InvalidArgument, "Cannot order by LastEventTime with a logStreamNamePrefix.");
  }
  listing.descending = json::get_bool(input, "descending");
  listing.limit = static_cast<std::size_t>(json::get_int(input, "limit", kPageMax));
  if (const auto token = json::get_string(input, "nextToken"); !token.empty()) {
    const auto plain = base64_decode(token);
    if (!plain || plain->empty()) return fail(Code::InvalidArgument, "The specified nextToken is invalid.");
    listing.after = *plain;
  }
  return {};
}

// Step 1, log thread.
void collect(Listing& listing, const joblog::LogStore& store) {
  auto all = store.list();
  if (all.size() > kStreamsMax) {
    std::ranges::nth_element(all, all.begin() + kStreamsMax,
                             [](const auto& a, const auto& b) { return a.grew_at > b.grew_at; });
    all.resize(kStreamsMax);
  }
  for (auto& info : all) listing.entries.push_back({std::move(info), {}});
}

// Step 2, loop thread: names, and what belongs to the group.
void give_names(Listing& listing, const core::State& state) {
  if (!log_groups(state).contains(listing.group)) listing.error = no_such_group();
  for (Entry& entry : listing.entries) {
    const auto token = core::RunToken::parse(entry.info.token);
    if (!token) continue;
    KnownStream found = find_stream(state, *token);
    if (found.kind == KnownStream::Kind::Known && found.place.group == listing.group) {
      entry.name = std::move(found.place.stream);
    }
  }
}

// Step 3, log thread: the page, with what only the files know.
Result<json::Value> make_page(Listing& listing, const joblog::LogStore& store) {
  std::erase_if(listing.entries, [&](const Entry& entry) {
    return entry.name.empty() || !entry.name.starts_with(listing.prefix);
  });
  std::vector<std::pair<std::string, const Entry*>> order;
  for (const Entry& entry : listing.entries) order.emplace_back(listing.key(entry), &entry);
  std::ranges::sort(order);
  if (listing.descending) std::ranges::reverse(order);
  if (!listing.after.empty()) {
    std::erase_if(order, [&](const auto& one) {
      return listing.descending ? one.first >= listing.after : one.first <= listing.after;
    });
  }
  json::Array streams;
  for (std::size_t i = 0; i < order.size() && i < listing.limit; ++i) {
    const Entry& entry = *order[i].second;
    const joblog::StreamReader reader = store.reader(entry.info.token);
    const Instant first = TRY(reader.first_time());
    const Instant last = TRY(reader.last_time());
    streams.push_back(
        json::Object{{"logStreamName", entry.name},
                     {"creationTime", first.ms},
                     {"firstEventTimestamp", first.ms},
                     {"lastEventTimestamp", last.ms},
                     {"lastIngestionTime", entry.info.grew_at.ms},
                     {"arn", log_group_arn(listing.place, listing.group) + ":log-stream:" + entry.name},
                     {"storedBytes", entry.info.bytes}});
  }
  json::Object out{{"logStreams", std::move(streams)}};
  if (order.size() > listing.limit) out["nextToken"] = base64_encode(order[listing.limit - 1].first);
  return out;
}

void finish(const Shared& listing) {
  if (listing->error) return listing->done(std::unexpected(*listing->error));
  listing->backend.read_logs(
      [listing](joblog::LogStore& store) { listing->done(make_page(*listing, store)); });
}

}  // namespace

void describe_log_streams(const Place& place, json::Value input, Backend& backend, Completion done) {
  auto listing = std::make_shared<Listing>(backend, std::move(done), place);
  if (auto read = read_input(input, *listing); !read) return listing->done(std::unexpected(read.error()));
  backend.read_logs([listing](joblog::LogStore& store) {
    collect(*listing, store);
    read_state<bool>(
        listing->backend,
        [listing](const core::State& state, Instant) {
          give_names(*listing, state);
          return true;
        },
        [listing](bool) { finish(listing); });
  });
}

}  // namespace stoker::aws
