// What Windows tells a program of itself.
#include <array>
#include <filesystem>
#include <windows.h>

#include "engines/usi/process_self.h"

namespace fuhyo::usi {

std::string own_program() {
  std::wstring name(32'768, L'\0');  // the longest path there is
  name.resize(::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return std::filesystem::path(name).string();
}

std::string process_name() {
  std::array<char, MAX_COMPUTERNAME_LENGTH + 1> host{};
  DWORD size = host.size();
  const bool known = ::GetComputerNameA(host.data(), &size) != 0 && size > 0;
  return (known ? std::string(host.data(), size) : std::string("host")) + "-" + std::to_string(::GetCurrentProcessId());
}

}  // namespace fuhyo::usi
