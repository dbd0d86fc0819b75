#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/scene/view_names.h"
#include "core/session/session.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

Inputs odd_inputs() {
  Inputs inputs;
  inputs.sentence = "猫\t“sat” \\ \"here\"\n👩‍👩‍👧 مرحبا";
  inputs.key_sentence = "";
  inputs.d_model = 4;
  inputs.heads = 4;
  inputs.seed = std::numeric_limits<std::uint64_t>::max();
  inputs.vectors = VectorKind::embedding;
  inputs.positions = Positions::sinusoidal;
  inputs.mask = {parse_mask_part("window:3"), parse_mask_part("padding:1,2"),
                 parse_mask_part("bigbird:1,global=0,random=2,seed=9")};
  inputs.mask[1].on = false;
  inputs.mask_fill = MaskFill::minus_1e9;
  inputs.temperature = 0.1 + 0.2;
  inputs.scale = false;
  inputs.dropout = 1.0 / 3;
  inputs.dropout_seed = (std::uint64_t{1} << 53) + 1;
  inputs.gain_q = std::nextafter(1.0, 2.0);
  inputs.gain_k = -0.0;
  inputs.weights = WeightKind::manual;
  inputs.sigma = 1e-300;
  inputs.kv_heads = 2;
  inputs.layers = 12;
  inputs.share_layers = inputs.feed_forward = true;
  inputs.residual = inputs.layer_norm = false;
  inputs.manual_weights.w_q.assign(16, 1.0 / 7);
  inputs.manual_weights.w_k.assign(8, 5e-324);
  inputs.manual_weights.w_v.assign(8, -1e5);
  inputs.manual_weights.w_o.assign(16, 0);
  return inputs;
}

View odd_view() {
  View view;
  view.kind = ViewKind::layers;
  view.layer = 11;
  view.head = 63;
  view.colormap = Colormap::greys;
  view.range = Range::logarithm;
  view.numbers = Numbers::off;
  view.rows = 3;
  view.columns = 64;
  view.title = "标题 <&> \u0001";
  view.show_title = false;
  view.theme = Theme::dark;
  view.filter = {33.3, 0.01, {1, 5}, {4095}, false, TokenRange{0, 4}, TokenRange{2, 3}};
  view.sort = "entropy";
  view.sort_descending = false;
  view.groups = 5;
  view.hidden_heads = {0, 7};
  return view;
}

Session odd_session() {
  Session session;
  session.inputs = odd_inputs();
  session.view = odd_view();
  session.compare = Inputs{};
  session.bookmarks = {{"first", odd_inputs(), odd_view(), odd_inputs()}, {"", Inputs{}, View{}, {}}};
  session.labels = {{0, 3, "previous token", 0x1f77b4U}, {11, 63, "", std::nullopt}};
  return session;
}

std::string complaint(const std::string& json) {
  try {
    static_cast<void>(session_from_json(json, "s.json"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.rfind("s.json: ", 0), 0U) << message;
    return message;
  }
  return "no complaint";
}

TEST(Session, round_trip_is_exact) {
  for (const Session& session : {Session{}, odd_session()})
    for (const bool indent : {true, false})
      EXPECT_EQ(session_from_json(to_json(session, indent), "x"), session);
  EXPECT_TRUE(std::signbit(session_from_json(to_json(odd_session()), "x").inputs.gain_k));
}

TEST(Session, random_doubles_keep_every_bit) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-6, 6);
  for (int i = 0; i < 300; ++i) {
    Session session;
    session.inputs.temperature = std::pow(10.0, exponent(random));
    session.inputs.seed = random();
    EXPECT_EQ(session_from_json(to_json(session), "x").inputs, session.inputs);
  }
}

TEST(Session, fields_of_the_inputs_stand_at_the_top) {
  const Json json = Json::parse(to_json(Session{}));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["d_model"], 512);
  EXPECT_EQ(json["inputs"], "randn");
  EXPECT_EQ(json["mask_fill"], "-inf");
  EXPECT_TRUE(json["key_sentence"].is_null());
  EXPECT_EQ(json["mask"], Json::array());
}

TEST(Session, what_is_left_out_is_the_notebook) {
  EXPECT_EQ(session_from_json(R"({"version": 1})", "x"), Session{});
}

TEST(Session, masks_as_one_text_as_a_list_or_switched_off) {
  const auto mask = [](const std::string& json) {
    return session_from_json(R"({"version": 1, "mask": )" + json + "}", "x").inputs.mask;
  };
  EXPECT_EQ(mask(R"("causal")"), std::vector{parse_mask_part("causal")});
  EXPECT_TRUE(mask(R"("none")").empty());
  EXPECT_TRUE(mask(R"(["none", ""])").empty());
  const auto parts = mask(R"([{"spec": "causal", "on": false}, "window:1"])");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_FALSE(parts[0].on);
  EXPECT_TRUE(parts[1].on);
}

TEST(Session, complaints_name_the_field_what_was_found_and_what_was_expected) {
  const auto with = [](const std::string& fields) { return complaint("{\"version\": 1, " + fields + "}"); };
  EXPECT_EQ(with(R"("heads": "8")"), "s.json: heads is \"8\"; expected a whole number from 1 to 64");
  EXPECT_EQ(with(R"("heads": 8.0)"), "s.json: heads is 8.0; expected a whole number from 1 to 64");
  EXPECT_EQ(with(R"("d_model": 99999999999999999999)"),
            "s.json: d_model is 1e+20; expected a whole number from 1 to 4096");
  EXPECT_EQ(with(R"("seed": -1)"),
            "s.json: seed is -1; expected a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(with(R"("d_model": 510)"), "s.json: d_model 510 is not divisible by heads 8");
  EXPECT_EQ(with(R"("temperature": 0)"), "s.json: temperature is 0; expected a number from 1e-06 to 1000000");
  EXPECT_EQ(with(R"("temperature": true)"),
            "s.json: temperature is true; expected a number from 1e-06 to 1000000");
  EXPECT_EQ(with(R"("scale": 1)"), "s.json: scale is 1; expected true or false");
  EXPECT_EQ(with(R"("sentence": ["a"])"), "s.json: sentence is [\"a\"]; expected a text");
  EXPECT_EQ(with(R"("inputs": "rand")"), "s.json: inputs is \"rand\"; expected one of randn, embedding");
  EXPECT_EQ(with(R"("colour": 1)"), "s.json: colour is not a field of a session of version 1");
  EXPECT_EQ(with(R"("view": {"colour": 1})"), "s.json: view.colour is not a field of a session of version 1");
  EXPECT_EQ(with(R"("view": [])"), "s.json: view is []; expected an object");
  EXPECT_EQ(with(R"("mask": [{"on": true}])"),
            "s.json: mask[0] is {…}; expected a text such as \"causal\" or {\"spec\": …, \"on\": …}");
  EXPECT_EQ(with(R"("bookmarks": [{}, {}, {"inputs": {"heads": 0}}])"),
            "s.json: bookmarks[2].inputs.heads is 0; expected a whole number from 1 to 64");
  EXPECT_EQ(with(R"("bookmarks": [{"inputs": {"d_model": 7, "heads": 2}}])"),
            "s.json: bookmarks[0].inputs: d_model 7 is not divisible by heads 2");
  EXPECT_EQ(with(R"("compare": {"layers": 13})"),
            "s.json: compare.layers is 13; expected a whole number from 1 to 12");
  EXPECT_EQ(with(R"("labels": [{"color": "red"}])"),
            "s.json: labels[0].color is \"red\"; expected a colour such as \"#1f77b4\"");
  EXPECT_EQ(with(R"("view": {"filter": {"keys": [3, 3]}})"),
            "s.json: view.filter.keys[1] is 3; expected a whole number from 4 to 4096");
  EXPECT_NE(with(R"("mask": ["casual"])").find("s.json: mask[0]: "), std::string::npos);
  EXPECT_NE(with(R"("mask": 3)").find("s.json: mask is 3; expected"), std::string::npos);
  EXPECT_NE(with(R"("view": {"sort": "size"})").find("s.json: view.sort is \"size\""), std::string::npos);
}

TEST(Session, what_is_no_session) {
  EXPECT_EQ(complaint(""), "s.json: empty; expected JSON");
  EXPECT_EQ(complaint("[1]"), "s.json: [1]; expected the object that a session is");
  EXPECT_EQ(complaint("{}"), "s.json: not a session: it has no field version");
  EXPECT_EQ(complaint(R"({"version": 2})"), "s.json: version is 2; expected 1");
  EXPECT_EQ(complaint(R"({"version": "1"})"), "s.json: version is \"1\"; expected 1");
  EXPECT_EQ(complaint("{\"version\": 1,\n \"temperature\": NaN}"),
            "s.json: temperature: not JSON at line 2, column 17");
  EXPECT_EQ(complaint(R"({"version": 1, "view": {"title": "ab)"),
            "s.json: view.title: the file ends in the middle; expected more JSON");
  EXPECT_EQ(complaint(R"({"version": 1, "seed": 1, "seed": 2})"), "s.json: field seed is given twice");
  EXPECT_EQ(complaint(R"({"version": 1, "gain_q": 1e999})"), "s.json: gain_q: a number beyond 1.8e308");
  EXPECT_EQ(complaint("{\"version\": 1, \"sentence\": \"\xC3\"}"), "s.json: byte 28 is not valid UTF-8");
  EXPECT_NE(complaint(R"({"version": 1, "sentence": "\ud800"})").find("sentence"), std::string::npos);
}

TEST(Session, deep_and_huge_json_is_refused_quickly) {
  const std::string deep(1000000, '[');
  EXPECT_EQ(complaint("{\"version\": 1, \"mask\": " + deep), "s.json: nested more than 32 levels deep");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(complaint(objects), "s.json: nested more than 32 levels deep");
  EXPECT_EQ(complaint("{\"version\": " + std::string(100000, '1') + "}"),
            "s.json: version: a number beyond 1.8e308");
}

TEST(Session, random_damage_never_does_more_than_complain) {
  const std::string whole = to_json(odd_session());
  std::mt19937 random(7);
  for (int i = 0; i < 1500; ++i) {
    std::string damaged = whole;
    if (i % 3 == 0) damaged.resize(random() % whole.size());
    for (unsigned flips = random() % 4; flips > 0 && !damaged.empty(); --flips)
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    complaint(damaged);
  }
}

TEST(Session, every_value_of_a_wrong_type_is_named) {
  const Json whole = Json::parse(to_json(odd_session()));
  const Json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (const Json& wrong : {Json::array({Json::array()}), Json(-1e300), Json::object({{"x", 1}})}) {
      Json changed = whole;
      changed[Json::json_pointer(pointer)] = wrong;
      const std::string message = complaint(changed.dump());
      const std::string name = pointer.substr(pointer.rfind('/') + 1);
      if (name.find_first_not_of("0123456789") != std::string::npos) {
        EXPECT_NE(message.find(name), std::string::npos) << pointer << ": " << message;
      }
      EXPECT_NE(message, "no complaint") << pointer;
    }
  }
}

TEST(Session, saves_and_loads_and_finds_mask_files_beside_it) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("headscope-session-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  Session session;
  session.inputs.mask = {parse_mask_part("file:only-beside.npy")};
  save_session((folder / "s.json").string(), session);
  EXPECT_EQ(load_session((folder / "s.json").string()), session);
  std::ofstream(folder / "only-beside.npy") << "x";
  EXPECT_EQ(load_session((folder / "s.json").string()).inputs.mask[0].path,
            (folder / "only-beside.npy").string());
  std::filesystem::remove_all(folder);
}

TEST(Names, every_name_leads_back_to_its_value) {
  for (const auto& entry : enum_names(Range{})) EXPECT_EQ(from_name<Range>(entry.name), entry.value);
  for (const auto& entry : enum_names(MaskFill{})) EXPECT_EQ(from_name<MaskFill>(entry.name), entry.value);
  EXPECT_EQ(all_names<Numbers>(), "auto, off");
  EXPECT_EQ(from_name<Theme>("Light"), std::nullopt);
}

}  // namespace
}  // namespace headscope
