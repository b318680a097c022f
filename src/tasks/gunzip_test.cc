#include "tasks/gunzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace stoker::tasks {
namespace {

std::string gzip(std::string_view text) {
  z_stream z{};
  EXPECT_EQ(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 1000, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// The text, or the fault.
std::string read(std::string_view bytes, std::size_t piece) {
  std::string out;
  Gunzip plain([&](std::string_view got) {
    out += got;
    return Result<void>();
  });
  for (std::size_t i = 0; i < bytes.size(); i += piece)
    if (auto fed = plain.feed(bytes.substr(i, piece)); !fed) return "! " + fed.error().message;
  if (auto done = plain.finish(); !done) return "! " + done.error().message;
  return out;
}

TEST(Gunzip, GivesTheTextWhateverItLiesIn) {
  std::string large;
  for (int i = 0; i < 100'000; ++i) large += std::to_string(i) + ",";
  for (const std::string& text : {std::string(), std::string("a"), std::string("abc,d\n"), large})
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
      EXPECT_EQ(read(text, piece), text);
      EXPECT_EQ(read(gzip(text), piece), text);
      EXPECT_EQ(read(gzip(text) + gzip("more"), piece), text + "more") << "two members";
    }
}

TEST(Gunzip, RefusesWhatIsBroken) {
  const std::string whole = gzip("some text that is long enough");
  EXPECT_EQ(read(whole.substr(0, whole.size() - 3), 5), "! The object ends in the middle of its gzip");
  EXPECT_EQ(read("\x1f\x8b no gzip at all", 5), "! The object is no valid gzip");
  EXPECT_EQ(read("\x28\xb5\x2f\xfd...", 2),
            "! The object is compressed with Zstandard; this server reads gzip");
}

TEST(Gunzip, StopsWhenNobodyWantsMore) {
  Gunzip plain([](std::string_view) { return Result<void>(fail(Code::LimitExceeded, "enough")); });
  EXPECT_EQ(plain.feed(gzip("abcdef")).error().message, "enough");
}

}  // namespace
}  // namespace stoker::tasks
