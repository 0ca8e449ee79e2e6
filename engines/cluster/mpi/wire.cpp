#include "engines/cluster/mpi/wire.h"

#include <chrono>
#include <deque>
#include <mpi.h>
#include <utility>

namespace fuhyo::cluster::mpi {
namespace {

// A receive that blocks would keep a core busy, which the engine of this rank needs.
constexpr std::chrono::milliseconds kLook{1};
constexpr int kKinds = 8;  // a tag is a process and a kind

struct Sending {
  std::string text;
  MPI_Request request = MPI_REQUEST_NULL;
};

void send(Message message, std::deque<Sending>& sending) {
  const int tag = message.process * kKinds + static_cast<int>(message.kind);
  Sending& sent = sending.emplace_back(std::move(message.text));
  MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_CHAR, message.rank, tag, MPI_COMM_WORLD,
            &sent.request);
}

bool is_sent(Sending& sending) {
  int done = 0;
  MPI_Test(&sending.request, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

void receive(const std::function<void(Message)>& take) {
  while (true) {
    int there = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Message message{.rank = status.MPI_SOURCE,
                    .process = status.MPI_TAG / kKinds,
                    .kind = static_cast<Kind>(status.MPI_TAG % kKinds),
                    .text = std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.text.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    take(std::move(message));
  }
}

}  // namespace

void Wire::post(Message message) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(message));
  }
  changed_.notify_all();
}

void Wire::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void Wire::run(const std::function<void(Message)>& take) {
  std::deque<Sending> sending;
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLook, [this] { return closed_ || !posted_.empty(); });
    std::vector<Message> posted = std::exchange(posted_, {});
    const bool closed = closed_;
    lock.unlock();
    for (Message& message : posted) send(std::move(message), sending);
    while (!sending.empty() && is_sent(sending.front())) sending.pop_front();
    if (closed && posted.empty() && sending.empty()) return;
    receive(take);
  }
}

}  // namespace fuhyo::cluster::mpi
