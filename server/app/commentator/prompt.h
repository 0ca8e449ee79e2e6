// What a language model is asked, and its answer, as the bodies of OpenAI-compatible /v1/chat/completions. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/app/commentator/persona.h"
#include "server/core/commentary/commentator.h"

namespace fuhyo::app {

// The persona and the rules as the system's words; what it said last of this game, oldest first; and the facts of the
// turn as JSON, in which names of players are strings like any other, and so is a question (null: there is none).
std::string chat_request(const Persona& persona, const std::vector<std::string>& former, const core::Turn& turn,
                         const core::Question* question = nullptr);

struct ChatReply {
  std::string text;
  std::int64_t tokens = 0;  // that were paid for, as far as the endpoint tells; 0: it does not
};
// Of one JSON, or of a stream of events. An error says what is wrong with it.
std::expected<ChatReply, std::string> read_chat_reply(std::string_view body);

}  // namespace fuhyo::app
