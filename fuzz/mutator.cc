// Runs fuzz_one on the files of a corpus and on mutations of them.
// usage: FOLDER_fuzz CORPUS_DIR [ROUNDS [SEED]]; on a crash the seed of the round is the last line of the
// output.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/rng.h"
#include "fuzz.h"

namespace {

constexpr std::size_t kBytesMax = 64 << 10;
constexpr std::string_view kPieces[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        "\"",
                                        "\\",
                                        ":",
                                        ",",
                                        "null",
                                        "true",
                                        "-",
                                        "0",
                                        "1e999",
                                        "18446744073709551616",
                                        "\\u0000",
                                        "\\ud800",
                                        "%",
                                        "%00",
                                        "%zz",
                                        "/",
                                        "?",
                                        "&",
                                        "=",
                                        "\r\n",
                                        "\xff",
                                        "\xc3\xbc",
                                        std::string_view("\0", 1),
                                        "..",
                                        "*",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "2147483648",
                                        "1.5",
                                        "\"\":",
                                        "a"};

std::vector<std::string> read_corpus(const char* folder) {
  std::vector<std::filesystem::path> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path());
  std::sort(names.begin(), names.end());
  std::vector<std::string> out;
  for (const auto& name : names) {
    std::ifstream in(name, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

// One change: flip, drop, double, move, insert a piece, or splice with another file.
void mutate(std::string& text, const std::vector<std::string>& corpus, stoker::Rng& rng) {
  const std::size_t at = rng.below(text.size() + 1);
  const std::size_t size = rng.below(rng.chance(1, 4) ? text.size() + 1 : 9);
  switch (rng.below(7)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(rng.next());
      break;
    case 1:
      text.erase(at, size);
      break;
    case 2:
      text.insert(at, text.substr(at, size));
      break;
    case 3:
      text.insert(rng.below(text.size() + 1), text.substr(at, size));
      break;
    case 4:
      text.insert(at, kPieces[rng.below(std::size(kPieces))]);
      break;
    case 5: {
      const std::string& other = corpus[rng.below(corpus.size())];
      text = text.substr(0, at) + other.substr(rng.below(other.size() + 1));
      break;
    }
    default: {
      const std::string_view piece = kPieces[rng.below(std::size(kPieces))];
      for (std::uint64_t i = rng.below(200); i > 0; --i) text.insert(at, piece);
    }
  }
  if (text.size() > kBytesMax) text.resize(kBytesMax);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS_DIR [ROUNDS [SEED]]\n", argv[0]);
    return 2;
  }
  const std::vector<std::string> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s is empty\n", argv[1]);
    return 2;
  }
  for (const std::string& text : corpus) fuzz_one(text);
  const auto rounds = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  const auto first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  constexpr unsigned kRoundsPerLine = 1000;
  for (auto seed = first; seed < first + rounds; ++seed) {
    if (seed % kRoundsPerLine == 1) {
      std::printf("seed %llu\n", seed);
      std::fflush(stdout);
    }
    stoker::Rng rng(seed);
    std::string text = corpus[rng.below(corpus.size())];
    for (std::uint64_t changes = 1 + rng.below(6); changes > 0; --changes) mutate(text, corpus, rng);
    fuzz_one(text);
  }
  return 0;
}
