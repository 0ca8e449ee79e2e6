// Nothing of its own: the headers that most tests include, compiled once (fuhyo_test_headers in cmake/Tests.cmake).
