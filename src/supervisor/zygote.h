#pragma once
namespace stoker::supervisor {

// The loop of `stoker-supervisor`: launch requests come over the SEQPACKET socket, each becomes a forked
// supervisor. Ends at the socket's end, after everything that was queued in it has been forked. Returns the
// exit status.
int zygote(int socket, const char* state_dir);

}  // namespace stoker::supervisor
