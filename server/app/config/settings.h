// The table of settings by subject, in two sources; settings() of config.h joins them. Any thread.
#pragma once

#include <vector>

#include "server/app/config/config.h"

namespace fuhyo::app {

std::vector<Setting> game_settings();
std::vector<Setting> engine_settings();
std::vector<Setting> spectator_settings();
std::vector<Setting> resume_settings();
std::vector<Setting> account_settings();
std::vector<Setting> tls_settings();
std::vector<Setting> place_settings();
std::vector<Setting> analysis_settings();
std::vector<Setting> web_settings();
std::vector<Setting> running_settings();
std::vector<Setting> log_settings();

}  // namespace fuhyo::app
