#include "wire/messages.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text.h"

namespace stoker::wire {
namespace {

constexpr std::size_t kTokenBytes = 32;
// A LogChunk: 'L', the token, the offset in 8 bytes (least first), then the log's bytes.
constexpr char kLogChunkMark = 'L';
constexpr std::size_t kLogChunkHeaderBytes = 1 + kTokenBytes + 8;
constexpr std::size_t kTextBytesMax = 32u << 20;
constexpr std::size_t kGpusMax = 4096;
constexpr std::size_t kMigDevicesMax = 64;                 // of one GPU; today's have at most seven
constexpr std::int64_t kSeatMax = 30'000;                  // NUMA nodes, NVLink groups, memory slices
constexpr std::int64_t kInstantMax = 253'402'300'800'000;  // the year 10000
constexpr std::int64_t kGraceMax = 7 * 86'400'000LL;
constexpr std::int64_t kCountMax = 1'000'000'000'000;  // of milli-CPUs, MiB

// ---- writing: appended directly, since a run costs several messages and values would be built for nothing
// ----

class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectWriter() { out_ += '}'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  std::string& key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += '"';
    out_ += name;
    out_ += "\":";
    return out_;
  }
  void text(std::string_view name, std::string_view value) {
    if (is_valid_utf8(value))
      json::write_string(key(name), value);
    else  // one stray byte must not make the whole message unreadable
      json::write_string(key(name), to_valid_utf8(value));
  }
  void number(std::string_view name, std::int64_t value) { key(name) += std::to_string(value); }
  void flag(std::string_view name, bool value) { key(name) += value ? "true" : "false"; }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    std::string& out = key(name);
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ',';
      json::write_string(out, is_valid_utf8(values[i]) ? values[i] : to_valid_utf8(values[i]));
    }
    out += ']';
  }

 private:
  std::string& out_;
  bool first_ = true;
};

std::string_view phase_name(RunPhase phase) {
  switch (phase) {
    case RunPhase::Starting:
      return "starting";
    case RunPhase::Running:
      return "running";
    case RunPhase::Exited:
      return "exited";
  }
  return "starting";
}

void write_end(std::string& out, const RunEnd& end) {
  ObjectWriter object(out);
  object.number("at", end.at.ms);
  if (end.exit_code) object.number("exitCode", *end.exit_code);
  if (!end.reason.empty()) object.text("reason", end.reason);
  if (!end.started) object.flag("started", false);
  if (end.node_failure) object.flag("nodeFailure", true);
}

constexpr std::array<std::string_view, 3> kMigModeNames = {"off", "fixed", "dynamic"};

constexpr std::array<std::string_view, 4> kHealthNames = {"ok", "suspect", "draining", "bad"};

// Members that most GPUs do not have are left out.
void write_seat(ObjectWriter& out, const Gpu& gpu) {
  if (gpu.health != GpuHealth::Ok) out.text("health", kHealthNames[static_cast<std::size_t>(gpu.health)]);
  if (gpu.numa_node >= 0) out.number("numaNode", gpu.numa_node);
  if (gpu.nvlink_group >= 0) out.number("nvlinkGroup", gpu.nvlink_group);
  if (gpu.mig == MigMode::Off) return;
  out.text("mig", kMigModeNames[static_cast<std::size_t>(gpu.mig)]);
  std::string& devices = out.key("migDevices");
  devices += '[';
  for (std::size_t i = 0; i < gpu.mig_devices.size(); ++i) {
    if (i > 0) devices += ',';
    ObjectWriter device(devices);
    device.text("uuid", gpu.mig_devices[i].uuid);
    device.text("profile", gpu.mig_devices[i].profile);
    device.number("start", gpu.mig_devices[i].start);
  }
  devices += ']';
}

void write_inventory(std::string& out, const Inventory& inventory) {
  ObjectWriter object(out);
  object.number("cpusMilli", inventory.cpus_milli);
  object.number("memoryMib", inventory.memory_mib);
  std::string& gpus = object.key("gpus");
  gpus += '[';
  for (std::size_t i = 0; i < inventory.gpus.size(); ++i) {
    if (i > 0) gpus += ',';
    ObjectWriter gpu(gpus);
    gpu.text("uuid", inventory.gpus[i].uuid);
    gpu.text("model", inventory.gpus[i].model);
    gpu.number("memoryMib", inventory.gpus[i].memory_mib);
    write_seat(gpu, inventory.gpus[i]);
  }
  gpus += ']';
  object.flag("pretendedGpus", inventory.pretended_gpus);
  object.flag("containers", inventory.containers);
  object.texts("warnings", inventory.warnings);
  if (!inventory.address.empty()) object.text("address", inventory.address);
  if (!inventory.rack.empty()) object.text("rack", inventory.rack);
  if (!inventory.images.empty()) object.texts("images", inventory.images);
}

void write_message(std::string& out, const Hello& hello) {
  ObjectWriter object(out);
  object.text("type", "Hello");
  object.text("node", hello.node);
  object.text("instance", hello.instance);
  object.number("protocol", hello.protocol);
  write_inventory(object.key("inventory"), hello.inventory);
  std::string& runs = object.key("runs");
  runs += '[';
  for (std::size_t i = 0; i < hello.runs.size(); ++i) {
    const RunReport& report = hello.runs[i];
    if (i > 0) runs += ',';
    ObjectWriter run(runs);
    run.text("token", report.token);
    run.text("phase", phase_name(report.phase));
    run.number("startedAt", report.started_at.ms);
    if (report.end) write_end(run.key("end"), *report.end);
  }
  runs += ']';
}

void write_message(std::string& out, const ImagesChanged& message) {
  ObjectWriter object(out);
  object.text("type", "ImagesChanged");
  object.texts("images", message.images);
}

void write_message(std::string& out, const RunStarted& message) {
  ObjectWriter object(out);
  object.text("type", "RunStarted");
  object.text("token", message.token);
  object.number("at", message.at.ms);
}

void write_message(std::string& out, const RunProgress& message) {
  ObjectWriter object(out);
  object.text("type", "RunProgress");
  object.text("token", message.token);
  object.text("text", message.text);
}

void write_message(std::string& out, const RunExited& message) {
  ObjectWriter object(out);
  object.text("type", "RunExited");
  object.text("token", message.token);
  object.number("startedAt", message.started_at.ms);
  write_end(object.key("end"), message.end);
}

void write_message(std::string& out, const StartRun& message) {
  ObjectWriter object(out);
  object.text("type", "StartRun");
  object.text("token", message.token);
  object.text("jobId", message.job_id);
  object.text("jobName", message.job_name);
  object.number("attempt", message.attempt);
  object.text("image", message.image);
  object.texts("command", message.command);
  std::string& environment = object.key("environment");
  environment += '[';
  for (std::size_t i = 0; i < message.environment.size(); ++i) {
    if (i > 0) environment += ',';
    ObjectWriter pair(environment);
    pair.text("name", message.environment[i].first);
    pair.text("value", message.environment[i].second);
  }
  environment += ']';
  object.number("cpusMilli", message.cpus_milli);
  object.number("memoryMib", message.memory_mib);
  object.texts("gpus", message.gpus);
  if (message.gpu_milli != 0) object.number("gpuMilli", message.gpu_milli);
  json::write(object.key("container"), message.properties());
  object.number("logBytesMax", static_cast<std::int64_t>(message.log_bytes_max));
}

void write_message(std::string& out, const StopRun& message) {
  ObjectWriter object(out);
  object.text("type", "StopRun");
  object.text("token", message.token);
  object.number("graceMs", message.grace.ms);
}

void write_message(std::string& out, const ForgetRun& message) {
  ObjectWriter object(out);
  object.text("type", "ForgetRun");
  object.text("token", message.token);
}

void write_message(std::string& out, const LogAck& message) {
  ObjectWriter object(out);
  object.text("type", "LogAck");
  object.text("token", message.token);
  object.number("next", static_cast<std::int64_t>(message.next));
}

// ---- reading ----

std::unexpected<Error> bad(const std::string& what) {
  return fail(Code::InvalidArgument, "message: " + what);
}

// Members of one object with the rules every message shares. The first breach is kept; the values read after
// it are defaults, so that the callers read straight on and ask once, at the end.
class Reader {
 public:
  explicit Reader(const json::Value& value) : value_(value) {}

  Token token() {
    const std::string_view text = json::get_string(value_, "token");
    if (!is_token(text)) breach("token");
    return Token(text);
  }
  std::string text(std::string_view key, bool required = false) {
    const json::Value* member = json::find(value_, key);
    if (member == nullptr ? required : !member->is_string()) breach(key);
    return std::string(json::get_string(value_, key));
  }
  std::int64_t number(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t otherwise) {
    const json::Value* member = json::find(value_, key);
    if (member == nullptr) return otherwise;
    if (!member->is_int64() || member->get_int64() < low || member->get_int64() > high) {
      breach(key);
      return otherwise;
    }
    return member->get_int64();
  }
  Instant instant(std::string_view key) { return Instant{number(key, 0, kInstantMax, 0)}; }
  bool flag(std::string_view key, bool otherwise) {
    const json::Value* member = json::find(value_, key);
    if (member == nullptr) return otherwise;
    if (!member->is_bool()) {
      breach(key);
      return otherwise;
    }
    return member->get_bool();
  }
  const json::Array& array(std::string_view key) {
    const json::Value* member = json::find(value_, key);
    if (member != nullptr && !member->is_array()) breach(key);
    return json::get_array(value_, key);
  }
  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> out;
    const json::Array& items = array(key);
    out.reserve(items.size());
    for (const json::Value& item : items) {
      if (!item.is_string()) breach(key);
      out.emplace_back(json::text(item));
    }
    return out;
  }
  void breach(std::string_view key) {
    if (breach_.empty()) breach_ = key;
  }
  void adopt_breach(const Reader& inner) {
    if (!inner.breach_.empty()) breach(inner.breach_);
  }
  template <class Message>
  Result<Message> done(Message message) {
    if (!breach_.empty()) return bad("member \"" + breach_ + "\" is missing or of the wrong kind");
    return message;
  }

 private:
  const json::Value& value_;
  std::string breach_;
};

RunEnd read_end(const json::Value& value, Reader& outer) {
  Reader in(value);
  RunEnd end;
  if (!value.is_object()) outer.breach("end");
  end.at = in.instant("at");
  if (json::find(value, "exitCode") != nullptr)
    end.exit_code = static_cast<int>(in.number("exitCode", 0, 255, 255));
  end.reason = in.text("reason");
  end.started = in.flag("started", true);
  end.node_failure = in.flag("nodeFailure", false);
  outer.adopt_breach(in);
  return end;
}

Gpu read_gpu(Reader& in) {
  Gpu gpu;
  gpu.uuid = in.text("uuid", true);
  gpu.model = in.text("model");
  gpu.memory_mib = in.number("memoryMib", 0, kCountMax, 0);
  gpu.numa_node = static_cast<int>(in.number("numaNode", 0, kSeatMax, -1));
  gpu.nvlink_group = static_cast<int>(in.number("nvlinkGroup", 0, kSeatMax, -1));
  const std::string health = in.text("health");
  const auto well = std::ranges::find(kHealthNames, health.empty() ? "ok" : health);
  if (well == kHealthNames.end())
    in.breach("health");
  else
    gpu.health = static_cast<GpuHealth>(well - kHealthNames.begin());
  const std::string mode = in.text("mig");
  const auto known = std::ranges::find(kMigModeNames, mode.empty() ? "off" : mode);
  if (known == kMigModeNames.end())
    in.breach("mig");
  else
    gpu.mig = static_cast<MigMode>(known - kMigModeNames.begin());
  const json::Array& devices = in.array("migDevices");
  if (devices.size() > kMigDevicesMax) in.breach("migDevices");
  for (const json::Value& item : devices) {
    Reader device(item);
    MigDevice read;
    read.uuid = device.text("uuid", true);
    read.profile = device.text("profile", true);
    read.start = static_cast<int>(device.number("start", 0, kSeatMax, 0));
    gpu.mig_devices.push_back(std::move(read));
    in.adopt_breach(device);
  }
  return gpu;
}

std::vector<std::string> read_images(Reader& in) {
  std::vector<std::string> images = in.texts("images");
  if (images.size() > kImagesMax ||
      std::ranges::any_of(images, [](const std::string& it) { return it.size() > kImageBytesMax; }))
    in.breach("images");
  return images;
}

Inventory read_inventory(const json::Value& value, Reader& outer) {
  Reader in(value);
  Inventory inventory;
  if (!value.is_object()) outer.breach("inventory");
  inventory.cpus_milli = in.number("cpusMilli", 0, kCountMax, 0);
  inventory.memory_mib = in.number("memoryMib", 0, kCountMax, 0);
  const json::Array& gpus = in.array("gpus");
  if (gpus.size() > kGpusMax) in.breach("gpus");
  for (const json::Value& item : gpus) {
    Reader gpu(item);
    inventory.gpus.push_back(read_gpu(gpu));
    in.adopt_breach(gpu);
  }
  inventory.pretended_gpus = in.flag("pretendedGpus", false);
  inventory.containers = in.flag("containers", false);
  inventory.warnings = in.texts("warnings");
  inventory.address = in.text("address", false);
  inventory.rack = in.text("rack", false);
  inventory.images = read_images(in);
  outer.adopt_breach(in);
  return inventory;
}

RunReport read_report(const json::Value& value, Reader& outer) {
  Reader in(value);
  RunReport report;
  report.token = in.token();
  const std::string phase = in.text("phase", true);
  if (phase == "starting")
    report.phase = RunPhase::Starting;
  else if (phase == "running")
    report.phase = RunPhase::Running;
  else if (phase == "exited")
    report.phase = RunPhase::Exited;
  else
    in.breach("phase");
  report.started_at = in.instant("startedAt");
  if (const json::Value* end = json::find(value, "end")) report.end = read_end(*end, in);
  if ((report.phase == RunPhase::Exited) != report.end.has_value()) in.breach("end");
  outer.adopt_breach(in);
  return report;
}

Result<Hello> read_hello(const json::Value& value) {
  Reader in(value);
  Hello hello;
  hello.node = in.text("node", true);
  hello.instance = in.text("instance", true);
  hello.protocol = static_cast<int>(in.number("protocol", 1, 1'000'000, 1));
  if (const json::Value* inventory = json::find(value, "inventory"))
    hello.inventory = read_inventory(*inventory, in);
  else
    in.breach("inventory");
  for (const json::Value& item : in.array("runs")) hello.runs.push_back(read_report(item, in));
  return in.done(std::move(hello));
}

Result<RunExited> read_exited(const json::Value& value) {
  Reader in(value);
  RunExited message;
  message.token = in.token();
  message.started_at = in.instant("startedAt");
  if (const json::Value* end = json::find(value, "end"))
    message.end = read_end(*end, in);
  else
    in.breach("end");
  return in.done(std::move(message));
}

Result<StartRun> read_start(const json::Value& value) {
  Reader in(value);
  StartRun message;
  message.token = in.token();
  message.job_id = in.text("jobId");
  message.job_name = in.text("jobName");
  message.attempt = static_cast<int>(in.number("attempt", 1, 1'000'000, 1));
  message.image = in.text("image", true);
  message.command = in.texts("command");
  for (const json::Value& item : in.array("environment")) {
    Reader pair(item);
    std::string name = pair.text("name", true);
    std::string text = pair.text("value");
    in.adopt_breach(pair);
    message.environment.emplace_back(std::move(name), std::move(text));
  }
  message.cpus_milli = in.number("cpusMilli", 0, kCountMax, 0);
  message.memory_mib = in.number("memoryMib", 0, kCountMax, 0);
  message.gpus = in.texts("gpus");
  if (message.gpus.size() > kGpusMax) in.breach("gpus");
  message.gpu_milli = in.number("gpuMilli", 0, 1000, 0);
  if (const json::Value* container = json::find(value, "container"))
    message.container = std::make_shared<const json::Value>(*container);
  message.log_bytes_max = static_cast<std::uint64_t>(
      in.number("logBytesMax", 0, std::int64_t{1} << 50, static_cast<std::int64_t>(message.log_bytes_max)));
  return in.done(std::move(message));
}

Result<FromAgent> read_from_agent(const json::Value& value) {
  const std::string_view type = json::get_string(value, "type");
  Reader in(value);
  if (type == "Hello") return TRY(read_hello(value));
  if (type == "RunExited") return TRY(read_exited(value));
  if (type == "ImagesChanged") {
    if (json::find(value, "images") == nullptr) in.breach("images");
    ImagesChanged message{read_images(in)};
    return TRY(in.done(std::move(message)));
  }
  if (type == "RunStarted") {
    RunStarted message{in.token(), in.instant("at")};
    return TRY(in.done(std::move(message)));
  }
  if (type == "RunProgress") {
    RunProgress message{in.token(), in.text("text", true)};
    return TRY(in.done(std::move(message)));
  }
  return bad("unknown type from an agent");
}

Result<ToAgent> read_to_agent(const json::Value& value) {
  const std::string_view type = json::get_string(value, "type");
  Reader in(value);
  if (type == "StartRun") return TRY(read_start(value));
  if (type == "StopRun") {
    StopRun message;
    message.token = in.token();
    message.grace = milliseconds(in.number("graceMs", 0, kGraceMax, message.grace.ms));
    return TRY(in.done(std::move(message)));
  }
  if (type == "ForgetRun") return TRY(in.done(ForgetRun{in.token()}));
  if (type == "LogAck") {
    LogAck message;
    message.token = in.token();
    message.next = static_cast<std::uint64_t>(in.number("next", 0, INT64_MAX, 0));
    return TRY(in.done(std::move(message)));
  }
  return bad("unknown type to an agent");
}

Result<FromAgent> read_log_chunk(std::string_view bytes) {
  if (bytes.size() < kLogChunkHeaderBytes || bytes[0] != kLogChunkMark) return bad("no log chunk");
  LogChunk chunk;
  if (!is_token(bytes.substr(1, kTokenBytes))) return bad("log chunk without a token");
  chunk.token = bytes.substr(1, kTokenBytes);
  for (std::size_t i = 0; i < 8; ++i)
    chunk.offset |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[1 + kTokenBytes + i]))
                    << (8 * i);
  chunk.bytes = bytes.substr(kLogChunkHeaderBytes);
  if (chunk.offset > static_cast<std::uint64_t>(INT64_MAX) - chunk.bytes.size())
    return bad("log chunk beyond the end of numbers");
  return chunk;
}

std::string write_log_chunk(const LogChunk& chunk) {
  std::string out;
  out.reserve(kLogChunkHeaderBytes + chunk.bytes.size());
  out += kLogChunkMark;
  out += chunk.token;
  for (int i = 0; i < 8; ++i) out += static_cast<char>((chunk.offset >> (8 * i)) & 0xff);
  out += chunk.bytes;
  return out;
}

}  // namespace

const json::Value& StartRun::properties() const {
  static const json::Value kNone;
  return container ? *container : kNone;
}

bool is_token(std::string_view text) {
  if (text.size() != kTokenBytes) return false;
  for (const char c : text)
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  return true;
}

Frame encode(const FromAgent& message) {
  if (const auto* chunk = std::get_if<LogChunk>(&message)) return {true, write_log_chunk(*chunk)};
  Frame frame;
  std::visit(
      [&](const auto& it) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(it)>, LogChunk>) write_message(frame.bytes, it);
      },
      message);
  return frame;
}

Frame encode(const ToAgent& message) {
  Frame frame;
  std::visit([&](const auto& it) { write_message(frame.bytes, it); }, message);
  return frame;
}

Result<FromAgent> decode_from_agent(bool binary, std::string_view bytes) {
  if (binary) return read_log_chunk(bytes);
  const json::Value value = TRY(json::parse(bytes, {.bytes_max = kTextBytesMax}));
  return read_from_agent(value);
}

Result<ToAgent> decode_to_agent(bool binary, std::string_view bytes) {
  if (binary) return bad("no binary message goes to an agent");
  const json::Value value = TRY(json::parse(bytes, {.bytes_max = kTextBytesMax}));
  return read_to_agent(value);
}

}  // namespace stoker::wire
