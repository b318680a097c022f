#include "agent/device_program.h"

#include <cstring>

#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kDeniedMax = 1000;  // two instructions each; a program may have 4096

bpf_insn instruction(int code, int destination, int source, int offset, int immediate) {
  bpf_insn it{};
  it.code = static_cast<__u8>(code);
  it.dst_reg = static_cast<__u8>(destination) & 0xf;
  it.src_reg = static_cast<__u8>(source) & 0xf;
  it.off = static_cast<__s16>(offset);
  it.imm = immediate;
  return it;
}

// The program's context: struct bpf_cgroup_dev_ctx in register 1. Result 0 forbids.
std::vector<bpf_insn> deny_list(const std::vector<DeviceNumber>& denied) {
  std::vector<bpf_insn> program;
  program.push_back(
      instruction(BPF_LDX | BPF_W | BPF_MEM, 4, 1, offsetof(bpf_cgroup_dev_ctx, access_type), 0));
  program.push_back(instruction(BPF_LDX | BPF_W | BPF_MEM, 2, 1, offsetof(bpf_cgroup_dev_ctx, major), 0));
  program.push_back(instruction(BPF_LDX | BPF_W | BPF_MEM, 3, 1, offsetof(bpf_cgroup_dev_ctx, minor), 0));
  // Only character devices; the kind is in the low half.
  program.push_back(instruction(BPF_ALU | BPF_AND | BPF_K, 4, 0, 0, 0xffff));
  const auto to_allow = static_cast<int>(denied.size() * 2 + 2);
  program.push_back(instruction(BPF_JMP | BPF_JNE | BPF_K, 4, 0, to_allow, BPF_DEVCG_DEV_CHAR));
  std::size_t left = denied.size();
  for (const DeviceNumber& device : denied) {
    --left;
    const auto to_forbid = static_cast<int>(left * 2 + 2);  // behind the jump over it
    program.push_back(instruction(BPF_JMP | BPF_JNE | BPF_K, 2, 0, 1, static_cast<int>(device.major)));
    program.push_back(
        instruction(BPF_JMP | BPF_JEQ | BPF_K, 3, 0, to_forbid, static_cast<int>(device.minor)));
  }
  program.push_back(instruction(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1));
  program.push_back(instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));
  program.push_back(instruction(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
  program.push_back(instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));
  return program;
}

long bpf(int command, bpf_attr& attributes) {
  return ::syscall(SYS_bpf, command, &attributes, sizeof attributes);
}

}  // namespace

Result<rt::UniqueFd> attach_device_program(const std::string& cgroup, const std::vector<DeviceNumber>& denied,
                                           const rt::UniqueFd& replaced) {
  if (denied.size() > kDeniedMax) return fail(Code::LimitExceeded, "too many devices to forbid");
  const std::vector<bpf_insn> program = deny_list(denied);
  static constexpr char kLicense[] = "GPL";
  bpf_attr load{};
  load.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
  load.insns = reinterpret_cast<std::uintptr_t>(program.data());
  load.insn_cnt = static_cast<__u32>(program.size());
  load.license = reinterpret_cast<std::uintptr_t>(&kLicense);
  rt::UniqueFd loaded(static_cast<int>(bpf(BPF_PROG_LOAD, load)));
  if (!loaded) return fail_errno("loading a device program");

  const rt::UniqueFd directory = TRY(rt::open_file(cgroup, O_RDONLY | O_DIRECTORY));
  bpf_attr attach{};
  attach.target_fd = static_cast<__u32>(directory.get());
  attach.attach_bpf_fd = static_cast<__u32>(loaded.get());
  attach.attach_type = BPF_CGROUP_DEVICE;
  attach.attach_flags = BPF_F_ALLOW_MULTI;  // programs of the groups above go on to count
  if (bpf(BPF_PROG_ATTACH, attach) != 0) return fail_errno("attaching a device program to " + cgroup);
  if (replaced) {
    attach.attach_bpf_fd = static_cast<__u32>(replaced.get());
    attach.attach_flags = 0;
    (void)bpf(BPF_PROG_DETACH, attach);
  }
  return loaded;
}

}  // namespace stoker::agent
