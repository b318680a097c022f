#pragma once
// What runs a run: the narrow interface between the agent's core (one thread that owns all state, talks to
// the server and ships logs) and the two ways to run things, plain processes (process_driver.h) and
// containers (container_driver.h).
//
// The agent's core owns the run's directory `dir`: it makes it before start() and deletes it some time after
// forget(). A driver may keep files of its own in there, under names that begin with the driver's name
// ("container..."). The core itself writes:
//   dir/spec.json   the StartRun as the server sent it (wire's JSON); only for runs of the container driver,
//   before
//                   start(): what a later agent adopts from
//   dir/stop        once StopRun has come (content: the grace in ms)
//   dir/log/        the run's log in joblog format, written by the driver through joblog::Writer, made at the
//   first
//                   byte only; read and shipped by the core
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "wire/messages.h"

namespace stoker::agent {

// A GPU of this node with what only the node needs to know.
struct GpuDevice {
  wire::Gpu gpu;
  int minor = -1;               // /dev/nvidia<minor>; -1: pretended
  std::string pci_bus_id;       // "00000000:17:00.0"; "" for pretended ones
  std::string mig_device = {};  // the MIG device of it that a run has; "": all of it, or a share
  int gpu_instance = -1;        // of that device, once it is there; -1: pretended
  int compute_instance = -1;
  // As CUDA, NVIDIA's runtime and CDI name what the run has.
  [[nodiscard]] const std::string& visible_name() const { return mig_device.empty() ? gpu.uuid : mig_device; }
  // A real MIG device: it has to be found, or made, before a run can have it.
  [[nodiscard]] bool needs_preparing() const { return minor >= 0 && !mig_device.empty(); }
  bool operator==(const GpuDevice&) const = default;
};

struct RunSpec {
  wire::StartRun run;           // environment without what the node adds (CUDA_VISIBLE_DEVICES and so on)
  std::string dir;              // absolute
  std::vector<GpuDevice> gpus;  // those in run.gpus, in that order, MIG devices with the GPU they are of
};

// News of a driver about its runs. Any of them may be repeated; the core drops what it knows already.
struct RunBegan {  // the program runs
  wire::Token token;
  Instant at;
};
struct RunProgressed {  // for a person, while the run has not begun: "pulling busybox: 12 of 40 MiB"
  wire::Token token;
  std::string text;
};
struct LogGrew {  // bytes were appended to dir/log; a hint, at most a few a second and run
  wire::Token token;
};
// The last news of a run: after it nothing of the run's is alive, and its log is complete.
struct RunEnded {
  wire::Token token;
  Instant started_at;  // 0 when the program never ran
  wire::RunEnd end;
};
// Answer to adopt() only: nothing of that run was ever begun and nothing ever will be without another
// start(). The core forgets the run, so that the server, not finding it in the Hello, starts it again.
struct RunNeverBegan {
  wire::Token token;
};
// Answer of a DeviceMaker: what it was given with what only the driver knows, or why not. InvalidArgument is
// about the run, every other error about this node.
struct DevicesPrepared {
  wire::Token token;
  Result<std::vector<GpuDevice>> devices;
};
// Not about a run: the container engine holds other images than were said last. Their full names, sorted, at
// most wire::kImagesMax.
struct ImagesHeld {
  std::vector<std::string> images;
};
using DriverNews =
    std::variant<RunBegan, RunProgressed, LogGrew, RunEnded, RunNeverBegan, DevicesPrepared, ImagesHeld>;

// Thread-safe; never blocks.
class NewsSink {
 public:
  virtual ~NewsSink() = default;
  virtual void push(DriverNews news) = 0;
};

// Calls come from the core's thread only and must return soon (well below a millisecond for processes;
// containers hand their work to threads of their own). The destructor leaves everything that runs running:
// the next agent adopts it.
class Driver {
 public:
  virtual ~Driver() = default;

  // Runs it; all news go to the sink, ending with RunEnded whatever happens (could not start: end.started =
  // false with the reason in Batch's words, see wire::RunEnd). Called once per token, unless RunNeverBegan
  // came.
  virtual void start(RunSpec spec) = 0;

  // A run of an earlier agent, whose start() was called or was about to be called when that agent died,
  // perhaps in another boot of this node (then what was begun has ended as a node failure). Answers with
  // RunNeverBegan, or with RunBegan and later RunEnded with the true exit status. Also honours dir/stop when
  // that file exists.
  virtual void adopt(RunSpec spec) = 0;

  // SIGTERM to all of the run, SIGKILL after the grace. A run that has not begun never does: RunEnded with
  // started = false. Repeated calls may shorten the grace, never lengthen it. Unknown tokens: nothing.
  virtual void stop(const wire::Token& token, Duration grace) = 0;

  // The run has ended and the server has recorded it: free what is kept outside of dir (a stopped container).
  virtual void forget(const wire::Token& token) = 0;
};

// Sees to it that the MIG devices of runs exist. Calls return at once.
class DeviceMaker {
 public:
  virtual ~DeviceMaker() = default;
  // For a run that has not been started: answers with DevicesPrepared. The run holds its devices from now on,
  // unless the answer is an error.
  virtual void prepare(const wire::Token& token, std::vector<GpuDevice> devices) = 0;
  // A run of an earlier agent has these.
  virtual void hold(const wire::Token& token, std::vector<GpuDevice> devices) = 0;
  // The run has ended; also when it holds nothing.
  virtual void release(const wire::Token& token) = 0;
};

// The container driver's factory (container_driver.cc). `socket`: "/path/of/engine.sock"; the agent has
// resolved "auto" by probe_container_engine. `state_dir`: a directory of the driver's own for what is shared
// between runs.
enum class PullPolicy : std::uint8_t { IfMissing, Always, Never };
struct ContainerOptions {
  std::string socket;
  std::string state_dir;
  std::string node;  // for labels
  PullPolicy pull = PullPolicy::IfMissing;
  // Variables every job gets besides the StartRun's environment are built by node_environment()
  // (environment.h).
};
std::unique_ptr<Driver> create_container_driver(ContainerOptions options, NewsSink& news);

// What "auto" finds: the first socket that answers as a Docker Engine API, tried in the order DOCKER_HOST,
// /var/run/docker.sock, /run/podman/podman.sock, $XDG_RUNTIME_DIR/podman/podman.sock. Blocks for at most a
// second. NotFound when there is none (the text names what was tried).
Result<std::string> probe_container_engine(const std::string& setting);

}  // namespace stoker::agent
