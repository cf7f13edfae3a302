# Writes SOURCE, a C++ file that holds the bytes of PAGE (cmake -P).
file(READ ${PAGE} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
file(WRITE ${SOURCE} "#include \"report/page_template.h\"

namespace diffram::report {
namespace {
constexpr unsigned char kPage[] = {
${bytes}
};
}  // namespace

std::string_view page_template() {
  return {reinterpret_cast<const char*>(kPage), sizeof kPage};
}

}  // namespace diffram::report
")
