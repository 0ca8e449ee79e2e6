// The file of --commentator: who speaks, by which endpoint, and what that may cost. Values.
#pragma once

#include <chrono>
#include <expected>
#include <filesystem>
#include <string>

#include "server/core/commentary/budget.h"

namespace fuhyo::app {

struct Persona {
  std::string name, character, speech, never;
  bool english = false;  // else it speaks Japanese

  std::string host, port, path, ca_file;  // of the endpoint
  bool tls = false;
  std::string model, key;  // key: empty, or what stands behind "Bearer"
  bool stream = false;
  std::chrono::seconds patience{20};
  int max_tokens = 200;  // of one answer
  core::Budget::Limits limits;
  int questions_a_day = 100;  // that it is asked in chats, of `limits`
};

// An error names the file, the line and what is wrong. The key is read, too.
std::expected<Persona, std::string> read_persona(const std::filesystem::path& file);

}  // namespace fuhyo::app
