#include "server/net/web_socket.h"

#include <algorithm>
#include <array>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <utility>

#include "engines/record/encoding.h"

namespace fuhyo::net {
namespace {

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // section 1.3

std::string base64(const unsigned char* bytes, std::size_t size) {
  std::string text(4 * ((size + 2) / 3) + 1, '\0');
  text.resize(static_cast<std::size_t>(
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size))));
  return text;
}

bool is_key(std::string_view key) {
  constexpr std::size_t kDigits = 22, kLength = 24;  // 16 bytes
  const auto is_digit = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  };
  return key.size() == kLength && key.ends_with("==") && std::ranges::all_of(key.substr(0, kDigits), is_digit);
}

// In the order of the network.
std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

}  // namespace

std::string web_socket_accept(std::string_view key) {
  if (!is_key(key)) return {};
  const std::string both = std::string(key) + std::string(kGuid);
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
  EVP_Digest(both.data(), both.size(), digest.data(), nullptr, EVP_sha1(), nullptr);
  return base64(digest.data(), digest.size());
}

WebSocket::Status WebSocket::take(std::string_view bytes, const std::function<void(std::string_view text)>& text,
                                  std::string& answer) {
  while (ended_ == Status::none && (!bytes.empty() || (!mask_.empty() && left_ == 0))) {
    if (mask_.empty()) {
      head_ += bytes.front();
      bytes.remove_prefix(1);
      if (!begin_frame()) {
        ended_ = Status::protocol_error;
        answer += close(ended_);
      }
      continue;
    }
    std::string payload(bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()))));
    bytes.remove_prefix(payload.size());
    left_ -= payload.size();
    for (char& c : payload) c = static_cast<char>(c ^ mask_[masked_at_++ % 4]);
    if (is_control()) {
      control_ += payload;
    } else if (!payload.empty()) {
      last_ = payload.back();
      text(payload);
    }
    if (left_ == 0) end_frame(text, answer);
  }
  return ended_;
}

// Reads the head as far as it is there (section 5.2). False: no client may send such a one.
bool WebSocket::begin_frame() {
  if (head_.size() < 2) return true;
  const auto first = static_cast<unsigned char>(head_[0]), second = static_cast<unsigned char>(head_[1]);
  opcode_ = static_cast<Opcode>(first & 0x0F);
  final_ = (first & 0x80) != 0;
  const std::size_t told = second & 0x7F;
  const bool known = opcode_ <= Opcode::binary || (opcode_ >= Opcode::close && opcode_ <= Opcode::pong);
  const bool reserved = (first & 0x70) != 0, masked = (second & 0x80) != 0;
  if (reserved || !masked || !known) return false;
  if (is_control() && (!final_ || told > kLongestControl)) return false;
  if (!is_control() && within_ != (opcode_ == Opcode::continuation)) return false;
  const std::size_t more = told == 126 ? 2 : told == 127 ? 8 : 0;
  if (head_.size() < 2 + more + 4) return true;
  left_ = more == 0 ? told : number_of(std::string_view(head_).substr(2, more));
  if (left_ >> 63 != 0) return false;
  mask_ = head_.substr(2 + more);
  masked_at_ = 0;
  head_.clear();
  if (!is_control()) within_ = true;
  return true;
}

void WebSocket::end_frame(const std::function<void(std::string_view text)>& text, std::string& answer) {
  mask_.clear();
  if (!is_control()) {
    if (!final_) return;
    within_ = false;
    if (std::exchange(last_, '\0') != '\n') text("\n");
    return;
  }
  if (opcode_ == Opcode::ping) answer += frame(Opcode::pong, control_);
  if (opcode_ == Opcode::close) {
    ended_ = Status::normal;
    answer += close(ended_);
  }
  control_.clear();
}

std::string WebSocket::frame(Opcode opcode, std::string_view payload) {
  std::string bytes{static_cast<char>(0x80 | static_cast<unsigned>(opcode))};
  const std::size_t size = payload.size();
  const int more = size <= kLongestControl ? 0 : size <= 0xFFFF ? 2 : 8;
  bytes += static_cast<char>(more == 0 ? size : more == 2 ? 126 : 127);
  for (int i = more - 1; i >= 0; --i) bytes += static_cast<char>(size >> (8 * i) & 0xFF);
  return bytes.append(payload);
}

std::string WebSocket::message(std::string_view bytes) {
  return frame(record::is_utf8(bytes) ? Opcode::text : Opcode::binary, bytes);
}

std::string WebSocket::close(Status status) {
  const auto number = static_cast<unsigned>(status);
  return frame(Opcode::close, std::string{static_cast<char>(number >> 8), static_cast<char>(number & 0xFF)});
}

}  // namespace fuhyo::net
