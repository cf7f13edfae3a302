#include "report/page.h"

#include <zlib.h>

#include <map>

#include "base/whole_file.h"
#include "report/page_markup.h"
#include "report/page_template.h"

namespace diffram::report {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: +16 writes a gzip frame, which browsers inflate
constexpr int kSmallest = 9;

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, kSmallest, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string base64(const std::string& bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = static_cast<unsigned char>(bytes[i]) << 16;
    const bool has_second = i + 1 < bytes.size(), has_third = i + 2 < bytes.size();
    if (has_second)
      three |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + 1])) << 8;
    if (has_third) three |= static_cast<unsigned char>(bytes[i + 2]);
    out += digits[three >> 18];
    out += digits[(three >> 12) & 63];
    out += has_second ? digits[(three >> 6) & 63] : '=';
    out += has_third ? digits[three & 63] : '=';
  }
  return out;
}

}  // namespace

std::string page_html(const Model& model) {
  const std::map<std::string, std::string> slots = {
      {"title", escaped(model.run->workload)},
      {"run", escaped(model.run_title())},
      {"rail", rail_markup(model)},
      {"parts", verdict_part(model) + time_part(model) + evict_part(model) + banks_part(model) +
                    energy_part(model) + heat_part(model) + run_part(model)},
      {"data", base64(gzipped(page_data_json(model)))},
  };
  const std::string_view page = page_template();
  std::string html;
  std::size_t at = 0;
  while (at < page.size()) {
    const std::size_t open = page.find("{{", at);
    const std::size_t close = open == std::string_view::npos ? open : page.find("}}", open);
    if (close == std::string_view::npos) break;
    const auto slot = slots.find(std::string(page.substr(open + 2, close - open - 2)));
    // Braces in the page's own code are not slots.
    const std::size_t next = slot == slots.end() ? open + 2 : close + 2;
    html += page.substr(at, slot == slots.end() ? next - at : open - at);
    if (slot != slots.end()) html += slot->second;
    at = next;
  }
  html += page.substr(at);
  return html;
}

base::Result<void> write_html(const Model& model, const std::string& path) {
  return base::write_whole_file(path, page_html(model));
}

}  // namespace diffram::report
