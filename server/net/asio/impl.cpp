// The one place where Asio and Beast are compiled (see fuhyo_asio in ../CMakeLists.txt).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
