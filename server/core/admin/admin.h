// Admin commands: checks who may give one, carries it out or passes it to the shell, and writes the audit log.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/admin/caller.h"
#include "server/core/part.h"
#include "server/core/sessions/session.h"

namespace fuhyo::core {

class Admin : Part {
 public:
  explicit Admin(const Parts& parts) : Part(parts) {}

  void on(const AdminLine& e);
  void on(const AccountsRead& e);
  void on(const HostDone& e);
  void on(const HostCounter& e) { host_counters_.insert_or_assign(e.name, e.value); }
  void on(const StopFile& e);

  void admin(Session& s, const ClientLine& e, std::string_view text, std::string_view word = "ADMIN");
  void answer(const AdminCaller& caller, AdminResult result);
  // Who gave the command of this HostRequest, which is done now; the token is forgotten with that.
  std::optional<AdminCaller> caller_of(std::uint64_t token);
  const std::map<std::string, std::string>& host_counters() const { return host_counters_; }

 private:
  void admin(const AdminCaller& caller, std::string_view line);
  bool unlock_commands(Session& s, std::string_view text);
  void ask_host(const AdminCaller& caller, const AdminVerb& verb, std::string_view text, std::string_view rest);
  void write_down(const AdminCaller& caller, std::string_view act, std::string_view why, std::string_view outcome);

  std::map<std::string, std::string> host_counters_;    // what the shell knows, for `counters`
  std::map<std::uint64_t, AdminCaller> asked_of_host_;  // by token of the HostRequest
  std::uint64_t host_tokens_ = 0;
};

}  // namespace fuhyo::core
