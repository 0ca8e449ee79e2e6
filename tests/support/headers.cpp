// The headers that most tests include are compiled once, as those of this program, which does nothing
// (fuhyo_test_headers in cmake/Tests.cmake).
int main() {}
