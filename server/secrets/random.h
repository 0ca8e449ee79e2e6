// What nobody can guess, from the random numbers of OpenSSL. Any thread. Without randomness the process ends: there is
// no second best.
#pragma once

#include <span>
#include <string>

namespace fuhyo::secrets {

void fill_random(std::span<unsigned char> bytes);

// 192 bits as 32 characters of A-Z a-z 0-9 - _: fits a CSA password, which has 32 bytes and no comma or blank.
std::string random_token();

// 128 bits as 32 hex digits: a name that nobody else has.
std::string random_id();

}  // namespace fuhyo::secrets
