#pragma once
// What the server and the agent of a node say to each other: JSON texts over one WebSocket, and binary frames
// for log bytes. Both sides may repeat anything: every message carries the token of the run it is about, and
// acting twice on one changes nothing. The connection keeps order; a lost connection loses what was in
// flight, and the agent's Hello says all it has, so that the server repeats what is owed.
//
//   agent  → server   Hello, ImagesChanged, RunStarted, RunProgress, RunExited, LogChunk (binary)
//   server → agent    StartRun, StopRun, ForgetRun, LogAck
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/json.h"

namespace stoker::wire {

// A run is one attempt of a job on one node. The token names it for ever: 32 lower-case hex digits.
using Token = std::string;
bool is_token(std::string_view text);

// Off; Fixed: its MIG devices are those listed; Dynamic: the node makes the devices that StartRun names.
enum class MigMode : std::uint8_t { Off, Fixed, Dynamic };
struct MigDevice {
  std::string uuid;     // "MIG-..."
  std::string profile;  // "2g.20gb"
  int start = 0;        // its first memory slice, or its place in a list where that is not known
  bool operator==(const MigDevice&) const = default;
};

// Draining and Bad ones are to get no new runs, Suspect ones no multi-node jobs.
enum class GpuHealth : std::uint8_t { Ok, Suspect, Draining, Bad };

struct Gpu {
  std::string uuid;   // "GPU-..." from NVML; pretended GPUs: "GPU-pretended-0"
  std::string model;  // "NVIDIA H200", "A10G"
  std::int64_t memory_mib = 0;
  int numa_node = -1;     // -1: not known
  int nvlink_group = -1;  // GPUs of one group reach each other by NVLink; -1: not known, or none
  MigMode mig = MigMode::Off;
  std::vector<MigDevice> mig_devices = {};
  GpuHealth health = GpuHealth::Ok;
  bool operator==(const Gpu&) const = default;
};

// Names of images that a node tells; of more, those that its runs used last. Longer ones are told by nobody.
inline constexpr std::size_t kImagesMax = 128;
inline constexpr std::size_t kImageBytesMax = 640;

struct Inventory {
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;  // what jobs may have in all
  std::vector<Gpu> gpus;
  bool pretended_gpus = false;
  bool containers = false;            // a container engine answers
  std::vector<std::string> warnings;  // limits this node cannot enforce, in words for the user
  std::string address = {};           // IPv4, where other nodes reach it; "": not known
  std::string rack = {};              // nodes of one are near each other; "": not known
  // Container images that are there, by their full names (base/image_reference.h): tags and digests.
  std::vector<std::string> images = {};
  bool operator==(const Inventory&) const = default;
};

enum class RunPhase { Starting, Running, Exited };

// How a run ended. Without exit_code the program's end was never seen (it could not start, or its supervisor
// died).
struct RunEnd {
  Instant at;
  std::optional<int> exit_code;  // 128 + n after signal n, as shells and container engines say
  std::string reason;            // Batch's container.reason, e.g. "OutOfMemoryError: ..."; "" for a plain end
  bool started = true;           // false: could not start ("Task failed to start")
  bool node_failure = false;     // the node lost it (reboot, supervisor killed)
  bool operator==(const RunEnd&) const = default;
};

struct RunReport {
  Token token;
  RunPhase phase = RunPhase::Starting;
  Instant started_at;         // 0 while Starting
  std::optional<RunEnd> end;  // with Exited
  bool operator==(const RunReport&) const = default;
};

// The first message on every connection: who the agent is and every run it knows of.
struct Hello {
  std::string node;      // the node's name: "local"
  std::string instance;  // new for every boot of the node: what ran before is gone
  int protocol = 1;
  Inventory inventory;
  std::vector<RunReport> runs;
  bool operator==(const Hello&) const = default;
};
// The node holds these images now, in place of those that it told before.
struct ImagesChanged {
  std::vector<std::string> images;
  bool operator==(const ImagesChanged&) const = default;
};
struct RunStarted {
  Token token;
  Instant at;
  bool operator==(const RunStarted&) const = default;
};
// What a run that has not started yet is doing, for a person: "pulling busybox: 12 of 40 MiB".
struct RunProgress {
  Token token;
  std::string text;
  bool operator==(const RunProgress&) const = default;
};
// Repeated until ForgetRun. Sent after the last LogChunk of the run was acknowledged.
struct RunExited {
  Token token;
  Instant started_at;  // 0 when it never started
  RunEnd end;
  bool operator==(const RunExited&) const = default;
};
// Bytes of the run's log (joblog format) from `offset` of the whole stream on. When the node had to drop
// bytes that it could not deliver, `offset` lies beyond what the server has: the gap is lost, and the server
// goes on from there.
struct LogChunk {
  Token token;
  std::uint64_t offset = 0;
  std::string bytes;
  bool operator==(const LogChunk&) const = default;
};

struct StartRun {
  Token token;
  std::string job_id;  // for labels and messages
  std::string job_name;
  int attempt = 1;                                               // from 1
  std::string image;                                             // "host": a plain process of the node
  std::vector<std::string> command;                              // empty: the image's own
  std::vector<std::pair<std::string, std::string>> environment;  // complete but for what only the node knows
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  // UUIDs of GPUs or MIG devices out of the node's inventory; of GPUs of mode Dynamic: "GPU-1/2g.20gb@4", a
  // device to be made at that memory slice, unless it is there.
  std::vector<std::string> gpus;
  std::int64_t gpu_milli =
      0;                   // the share that the run has of the one GPU in `gpus`; 0: what it has is its own
  json::Shared container;  // Batch's containerProperties as resolved: mounts, ulimits, user, ...; or null
  std::uint64_t log_bytes_max = 256u << 20;
  [[nodiscard]] const json::Value& properties() const;  // `container`, or the null value
};
// SIGTERM to everything of the run, SIGKILL after the grace. Unknown or ended tokens: nothing happens.
// For a run that has not started yet: it never starts, and RunExited says so (started = false).
struct StopRun {
  Token token;
  Duration grace = seconds(30);
  bool operator==(const StopRun&) const = default;
};
// The end of the run is recorded: the agent deletes everything it keeps about it.
struct ForgetRun {
  Token token;
  bool operator==(const ForgetRun&) const = default;
};
// The server has all bytes below `next`.
struct LogAck {
  Token token;
  std::uint64_t next = 0;
  bool operator==(const LogAck&) const = default;
};

using FromAgent = std::variant<Hello, ImagesChanged, RunStarted, RunProgress, RunExited, LogChunk>;
using ToAgent = std::variant<StartRun, StopRun, ForgetRun, LogAck>;

struct Frame {
  bool binary = false;
  std::string bytes;
};
Frame encode(const FromAgent& message);
Frame encode(const ToAgent& message);
// InvalidArgument for what is no such message; never trusts the other side's sizes or types.
Result<FromAgent> decode_from_agent(bool binary, std::string_view bytes);
Result<ToAgent> decode_to_agent(bool binary, std::string_view bytes);

}  // namespace stoker::wire
