#include "core/placement/mig.h"

#include <algorithm>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace stoker::core {
namespace {

// A set of devices as the compute slices of its profiles, largest first: "421".
std::string text_of(const MigLayout& layout) {
  std::string text;
  for (const MigPlace& place : layout) text += static_cast<char>('0' + place.profile->compute);
  std::ranges::sort(text, std::greater<>());
  return text;
}

// Every legal layout, found by trying all of them: the slow twin of free_start() and layout_for().
void all_layouts(const MigTable& table, MigLayout& so_far, const std::function<void(const MigLayout&)>& use) {
  use(so_far);
  for (const MigProfile& profile : table.profiles)
    for (int start = 0; start < table.memory; ++start) {
      so_far.push_back({&profile, start});
      const bool ordered = so_far.size() < 2 || so_far[so_far.size() - 2].start < start;
      if (ordered && is_legal(table, so_far)) all_layouts(table, so_far, use);
      so_far.pop_back();
    }
}

bool is_full(const MigTable& table, const MigLayout& layout) {
  return std::ranges::none_of(table.profiles, [&](const MigProfile& profile) {
    return free_start(table, layout, profile).has_value();
  });
}

// Profiles without those of double memory and with media engines.
MigTable plain(const MigTable& table) {
  MigTable only = table;
  std::erase_if(only.profiles, [](const MigProfile& profile) {
    return profile.name.ends_with("+me") || (profile.compute == 1 && profile.memory == 2);
  });
  return only;
}

// A set of devices as the compute slices of its profiles, those of double memory marked: "42d1".
std::string text_with_doubles(const MigLayout& layout) {
  std::vector<std::string> words;
  for (const MigPlace& place : layout)
    words.push_back(std::to_string(place.profile->compute) +
                    (place.profile->memory == 2 * place.profile->compute ? "d" : ""));
  std::ranges::sort(words, std::greater<>());
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

// The rule of the guide, worked out from its table by another way than ours: counts of each profile first,
// then places for them, one after the other.
struct Rule {
  struct Profile {
    std::string word;
    int compute, memory, most;
    std::vector<int> starts;
  };
  const std::vector<Profile> profiles = {
      {"7", 7, 8, 1, {0}},       {"4", 4, 4, 1, {0}},           {"3", 3, 4, 2, {0, 4}},
      {"2", 2, 2, 3, {0, 2, 4}}, {"1d", 1, 2, 4, {0, 2, 4, 6}}, {"1", 1, 1, 7, {0, 1, 2, 3, 4, 5, 6}}};
  std::set<std::string> legal;    // but for the empty one
  std::set<std::string> largest;  // to which nothing can be added

  [[nodiscard]] bool have_places(const std::vector<int>& counts, std::size_t profile, int placed,
                                 int memory) const {
    if (profile == profiles.size()) return true;
    if (placed == counts[profile]) return have_places(counts, profile + 1, 0, memory);
    return std::ranges::any_of(profiles[profile].starts, [&](int start) {
      const int slices = ((1 << profiles[profile].memory) - 1) << start;
      return (slices & memory) == 0 && have_places(counts, profile, placed + 1, memory | slices);
    });
  }
  [[nodiscard]] bool is_legal(const std::vector<int>& counts) const {
    int compute = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      compute += counts[i] * profiles[i].compute;
      if (counts[i] > profiles[i].most) return false;
    }
    return compute <= 7 && have_places(counts, 0, 0, 0);
  }
  void enumerate(std::vector<int>& counts, std::size_t profile) {
    if (profile < profiles.size()) {
      for (counts[profile] = 0; counts[profile] <= profiles[profile].most; ++counts[profile])
        enumerate(counts, profile + 1);
      counts[profile] = 0;
      return;
    }
    if (std::ranges::count(counts, 0) == std::ssize(counts) || !is_legal(counts)) return;
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (int n = 0; n < counts[i]; ++n) text += profiles[i].word;
    legal.insert(text);
    bool more = false;
    for (int& count : counts) {
      ++count;
      more = more || is_legal(counts);
      --count;
    }
    if (!more) largest.insert(text);
  }
  Rule() {
    std::vector<int> counts(profiles.size(), 0);
    enumerate(counts, 0);
  }
};

TEST(Mig, the_legal_sets_are_those_that_the_rule_of_the_guide_enumerates) {
  const Rule rule;
  EXPECT_EQ(rule.legal.size(), 77U);
  EXPECT_EQ(rule.largest.size(), 28U);
  MigTable table = *mig_table("A100-80GB", 81'920);
  std::erase_if(table.profiles, [](const MigProfile& profile) { return profile.name.ends_with("+me"); });
  std::set<std::string> legal;
  std::set<std::string> full;  // as they lie: another way to lie may leave room for more
  MigLayout layout;
  all_layouts(table, layout, [&](const MigLayout& each) {
    if (each.empty()) return;
    legal.insert(text_with_doubles(each));
    if (is_full(table, each)) full.insert(text_with_doubles(each));
  });
  EXPECT_EQ(legal, rule.legal);
  EXPECT_TRUE(std::ranges::includes(full, rule.largest));
}

// NVIDIA's guide enumerates what an A100 can be split into.
TEST(Mig, the_largest_sets_of_plain_profiles_are_the_twelve_of_the_guide) {
  const MigTable table = plain(*mig_table("A100-80GB", 81'920));
  std::set<std::string> sets;
  MigLayout layout;
  all_layouts(table, layout, [&](const MigLayout& each) { sets.insert(text_of(each)); });
  std::set<std::string> largest = sets;
  std::erase_if(largest, [&](const std::string& set) {
    return std::ranges::any_of(sets, [&](const std::string& other) {
      return other.size() > set.size() && std::ranges::includes(other, set, std::greater<>());
    });
  });
  EXPECT_EQ(largest, (std::set<std::string>{"7", "43", "421", "4111", "33", "322", "3211", "31111", "2221",
                                            "22111", "211111", "1111111"}));
}

TEST(Mig, the_list_from_the_blog_post_is_illegal) {
  const MigTable& table = *mig_table("NVIDIA A100-SXM4-80GB", 81'920);
  const MigProfile* one = table.find("1g.10gb");
  const MigProfile* two = table.find("2g.20gb");
  const MigLayout wished = {{two, 0}, {two, 2}, {two, 4}, {two, 6}, {one, 0}, {one, 1}, {one, 2}};
  EXPECT_FALSE(is_legal(table, wished));
  const MigLayout nearest = {{two, 0}, {two, 2}, {two, 4}, {one, 6}};
  EXPECT_TRUE(is_legal(table, nearest));
}

TEST(Mig, what_is_planned_is_legal_whatever_comes_and_goes) {
  for (const auto& [model, memory] :
       {std::pair{"A100-40GB", 40'960}, {"H100", 81'920}, {"NVIDIA H200", 144'384}, {"A30", 24'576}}) {
    const MigTable& table = *mig_table(model, memory);
    Rng rng(7);
    MigLayout layout;
    int made = 0;
    for (int step = 0; step < 2000; ++step) {
      if (!layout.empty() && rng.chance(1, 3)) {
        layout.erase(layout.begin() + static_cast<std::ptrdiff_t>(rng.below(layout.size())));
      } else {
        const MigProfile& profile = table.profiles[rng.below(table.profiles.size())];
        if (const auto start = free_start(table, layout, profile)) {
          layout.push_back({&profile, *start});
          ++made;
        } else {
          // Really none: every start is refused.
          for (int other = 0; other < table.memory; ++other) {
            layout.push_back({&profile, other});
            EXPECT_FALSE(is_legal(table, layout)) << model << " " << profile.name << "@" << other;
            layout.pop_back();
          }
        }
      }
      ASSERT_TRUE(is_legal(table, layout)) << model << " step " << step;
    }
    EXPECT_GT(made, 100);
  }
}

TEST(Mig, a_layout_has_as_many_of_its_profile_as_any_legal_layout) {
  for (const auto& [model, memory] : {std::pair{"A100", 40'960}, {"B200", 183'359}, {"A30", 24'576}}) {
    const MigTable& table = *mig_table(model, memory);
    for (const MigProfile& profile : table.profiles) {
      const MigLayout layout = layout_for(table, profile);
      EXPECT_TRUE(is_legal(table, layout)) << profile.name;
      EXPECT_TRUE(is_full(table, layout)) << profile.name;
      EXPECT_EQ(std::ranges::count(layout, &profile, &MigPlace::profile), profile.most) << profile.name;
    }
  }
}

TEST(Mig, models_without_mig_have_no_table) {
  for (const std::string_view model : {"T4", "A10G", "L4", "V100", "NVIDIA L40S", ""})
    EXPECT_EQ(mig_table(model, 24'576), nullptr) << model;
  EXPECT_EQ(mig_table("NVIDIA H100 NVL", 95'830), nullptr) << "its profiles have other names";
  EXPECT_NE(mig_table("NVIDIA H100 80GB HBM3", 81'559), nullptr);
  EXPECT_EQ(mig_table("A100", 40'960)->find("1g.5gb")->most, 7);
  EXPECT_EQ(mig_table("A100", 81'920)->find("1g.5gb"), nullptr);
}

TEST(Mig, names_of_profiles_and_devices) {
  for (const std::string_view name : {"1g.5gb", "7g.141gb", "1g.10gb+me", "3g.135gb"})
    EXPECT_TRUE(is_mig_profile(name)) << name;
  for (const std::string_view name :
       {"", "8g.80gb", "0g.5gb", "2g", "2g.gb", "2g.020gb", "2g.20", "2g.20gb+", "g.5gb"})
    EXPECT_FALSE(is_mig_profile(name)) << name;
  EXPECT_EQ(mig_milli("7g.80gb"), 1000);
  EXPECT_EQ(mig_milli("2g.12gb"), 500);
  EXPECT_EQ(mig_memory_milli("A100", 81'920, "3g.40gb"), 500) << "four of eight slices of the memory";
  EXPECT_EQ(mig_memory_milli("A100", 40'960, "1g.10gb"), 250) << "the double one";
  EXPECT_EQ(mig_memory_milli("A30", 24'576, "2g.12gb"), 500);
  EXPECT_EQ(mig_memory_milli("H100 NVL", 95'830, "7g.94gb"), 1000) << "no known profile: by compute slices";
  const std::string name = mig_name("GPU-a/b@c", "2g.20gb", 4);
  EXPECT_EQ(parse_mig_name(name), (MigName{"GPU-a/b@c", "2g.20gb", 4}));
  for (const std::string_view odd :
       {"", "GPU-1", "GPU-1/2g.20gb", "/2g.20gb@0", "GPU-1/2g.20gb@9", "MIG-5@1/2g.20gb"})
    EXPECT_FALSE(parse_mig_name(odd)) << odd;
}

}  // namespace
}  // namespace stoker::core
