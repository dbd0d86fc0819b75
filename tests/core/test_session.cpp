#include "core/scene/view_kinds.h"
#include "core/session/session.h"
#include "tests/support/traces.h"

namespace headscope::tests {

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
  inputs.mask = mask_parts({"window:3", "padding:1,2", "bigbird:1,global=0,random=2,seed=9"});
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
  inputs.typed.w_q.assign(16, 1.0 / 7);
  inputs.typed.w_k.assign(8, 5e-324);
  inputs.typed.w_v.assign(8, -1e5);
  inputs.typed.w_o.assign(16, 0);
  inputs.typed.order = MatrixOrder::in_out;
  inputs.typed.x.assign(3, 0.1);
  inputs.typed.key_x = {1e6};
  return inputs;
}

View odd_view() {
  return {.kind = ViewKind::layers,
          .layer = 11,
          .head = 63,
          .zoom = {2.5, 1 / 3.0, 7},
          .colormap = Colormap::greys,
          .range = {Range::fixed, {-0.5, 1.0 / 3}},
          .cells = CellValue::logit,
          .rollout = {Rollout::norms, false},
          .numbers = Numbers::off,
          .rows = 3,
          .columns = 64,
          .title = "标题 <&> \u0001",
          .show_title = false,
          .theme = Theme::dark,
          .filter = {33.3, 0.01, {1, 5}, {4095}, false, TokenRange{0, 4}, TokenRange{2, 3}},
          .sort = {"entropy", false},
          .hidden_heads = {0, 7},
          .table = {TableHalf::similarity, 5, "entropy", "previous", ScatterColor::group},
          .predictions = {"it", "is", 3},
          .causes = {CauseChange::pattern, CausePlaces::position, true},
          .circuits = {CircuitPart::composition, "fox", Composition::v, 3},
          .steps = {StepsPage::streaming, "softmax"},
          .words = true};
}

Session odd_session() {
  Session session;
  session.inputs = odd_inputs();
  session.view = odd_view();
  session.compare = Inputs{};
  session.bookmarks = {{"first", odd_inputs(), odd_view(), odd_inputs()}, {"", Inputs{}, View{}, {}}};
  session.labels = {{0, 3, "previous token", 0x1f77b4U}, {11, 63, "", std::nullopt, LabelPlace{-0.25, 1.5}}};
  session.marks = {{MarkKind::arrow, TokenRange{1, 2}, TokenRange{3, 4}, 0, 7, "看 this"},
                   {MarkKind::box, TokenRange{0, 65536}, {}, {}, {}, "", LabelPlace{0.1, 0.75}}};
  return session;
}

/// The message for a file s.json with this text, without its name in front.
std::string refused(const std::string& json) {
  const std::string message = complaint([&] { static_cast<void>(session_from_json(json, "s.json")); });
  if (message == "no complaint") return message;
  EXPECT_THAT(message, StartsWith("s.json: "));
  return message.substr(std::string("s.json: ").size());
}

TEST(Session, round_trip_is_exact) {
  for (const Session& session : {Session{}, odd_session()})
    for (const bool indent : {true, false})
      EXPECT_EQ(session_from_json(to_json(session, indent), "x"), session);
  EXPECT_TRUE(std::signbit(session_from_json(to_json(odd_session()), "x").inputs.gain_k));
}

TEST(Session, marks_are_read_strictly) {
  const auto with = [](const std::string& marks) {
    return refused(R"({"version": 1, "marks": )" + marks + "}");
  };
  EXPECT_EQ(with(R"([{"kind": "ring"}])"), "marks[0].kind is \"ring\"; expected one of: box, arrow");
  EXPECT_EQ(with(R"([{"queries": [2, 2]}])"),
            "marks[0].queries[1] is 2; expected a whole number from 3 to 65536");
  EXPECT_THAT(with(R"([{}, {"keys": 3}])"), StartsWith("marks[1].keys is 3; expected [begin, end]"));
  EXPECT_THAT(with(R"([{"head": 1000}])"), StartsWith("marks[0].head is 1000; expected"));
  EXPECT_EQ(with(R"([{"color": "red"}])"), "marks[0].color is not a field of a session of version 1");
  const auto text = [&](const std::string& words) { return with(R"([{"text": ")" + words + "\"}]"); };
  std::string chinese;
  for (int i = 0; i < 80; ++i) chinese += "\u4e2d";
  EXPECT_EQ(text(chinese), "no complaint");
  EXPECT_THAT(text(chinese + "x"), HasSubstr("expected at most 80 characters"));
  std::string many = "[{}";
  for (int i = 0; i < 99; ++i) many += ", {}";
  EXPECT_EQ(with(many + "]"), "no complaint");
  EXPECT_EQ(with(many + ", {}]"), "marks has 101 marks; expected at most 100");
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

TEST(Session, fields_of_the_inputs_are_at_the_top) {
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
  const std::pair<const char*, const char*> cases[] = {
      {R"("heads": "8")", R"(heads is "8"; expected a whole number from 1 to 64)"},
      {R"("heads": 8.0)", "heads is 8.0; expected a whole number from 1 to 64"},
      {R"("d_model": 99999999999999999999)", "d_model is 1e+20; expected a whole number from 1 to 4096"},
      {R"("seed": -1)", "seed is -1; expected a whole number from 0 to 18446744073709551615"},
      {R"("d_model": 510)", "d_model 510 is not divisible by heads 8"},
      {R"("temperature": 0)", "temperature is 0; expected a number from 1e-06 to 1000000"},
      {R"("temperature": true)", "temperature is true; expected a number from 1e-06 to 1000000"},
      {R"("scale": 1)", "scale is 1; expected true or false"},
      {R"("sentence": ["a"])", R"(sentence is ["a"]; expected a string)"},
      {R"("inputs": "rand")", R"(inputs is "rand"; expected one of: randn, embedding, typed)"},
      {R"("colour": 1)", "colour is not a field of a session of version 1"},
      {R"("view": {"colour": 1})", "view.colour is not a field of a session of version 1"},
      {R"("view": [])", "view is []; expected an object"},
      {R"("view": {"zoom": 3})", "view.zoom is 3; expected an object"},
      {R"("view": {"zoom": {"factor": 0.5}})", "view.zoom.factor is 0.5; expected a number from 1 to 65536"},
      {R"("view": {"stage": "zzz"})",
       "view.stage is \"zzz\"; expected one of: made, x, input_norm, latent, projections, clamp, head_norm, "
       "rotation, "
       "products, scale, cap, linear_bias, position_terms, repeats, relative_bias, sink, mask, temperature, "
       "softmax, "
       "dropout, state, values, gate, "
       "concat, "
       "output, output_norm, output_scale, residual, norm"},
      {R"("view": {"zoom": {"query": -1}})", "view.zoom.query is -1; expected a number from 0 to 65536"},
      {R"("view": {"zoom": {"key": 1e9}})",
       "view.zoom.key is 1000000000.0; expected a number from 0 to 65536"},
      {R"("mask": [{"on": true}])",
       R"(mask[0] is {…}; expected a string such as "causal" or {"spec": …, "on": …})"},
      {R"("bookmarks": [{}, {}, {"inputs": {"heads": 0}}])",
       "bookmarks[2].inputs.heads is 0; expected a whole number from 1 to 64"},
      {R"("bookmarks": [{"inputs": {"d_model": 7, "heads": 2}}])",
       "bookmarks[0].inputs: d_model 7 is not divisible by heads 2"},
      {R"("compare": {"layers": 13})", "compare.layers is 13; expected a whole number from 1 to 12"},
      {R"("view": {"limits": [0.5, 0.5]})",
       "view.limits is [0.5,0.5]; expected [low, high] with -1000000 ≤ low < high ≤ 1000000"},
      {R"("view": {"limits": [0]})",
       "view.limits is [0]; expected [low, high] with -1000000 ≤ low < high ≤ 1000000"},
      {R"("labels": [{"color": "red"}])", R"(labels[0].color is "red"; expected a colour such as "#1f77b4")"},
      {R"("model_weights": {"m": "xyz"})", R"(model_weights["m"] is "xyz"; expected 16 hexadecimal digits)"},
      {R"("view": {"filter": {"keys": [3, 3]}})",
       "view.filter.keys[1] is 3; expected a whole number from 4 to 65536"}};
  const auto with = [](const std::string& fields) { return refused("{\"version\": 1, " + fields + "}"); };
  for (const auto& [fields, message] : cases) EXPECT_EQ(with(fields), message);
  EXPECT_THAT(with(R"("mask": ["casual"])"), HasSubstr("mask[0]: "));
  EXPECT_THAT(with(R"("mask": 3)"), HasSubstr("mask is 3; expected"));
  EXPECT_THAT(with(R"("view": {"sort": "size"})"), HasSubstr(R"(view.sort is "size")"));
}

TEST(Session, typed_matrices_are_lists_of_numbers_or_of_rows) {
  const auto read = [](const std::string& typed) {
    return session_from_json(R"({"version": 1, "d_model": 2, "heads": 1, "typed": )" + typed + "}", "s")
        .inputs;
  };
  const Inputs flat = read(R"({"x": [1, 2, 3, 4], "order": "in_out"})");
  EXPECT_EQ(flat, read(R"({"x": [[1, 2], [3, 4]], "order": "in_out"})"));
  EXPECT_EQ(flat.typed.x, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(flat.typed.order, MatrixOrder::in_out);
  EXPECT_EQ(flat.vectors, VectorKind::typed) << "it is there to be used";
  EXPECT_EQ(read(R"({"w_q": [1]})").vectors, VectorKind::randn);
  EXPECT_EQ(
      session_from_json(R"({"version": 1, "inputs": "embedding", "typed": {"x": [1]}})", "s").inputs.vectors,
      VectorKind::embedding);
  EXPECT_THAT(complaint([&] { read(R"({"x": [[1, 2], [3]]})"); }),
              HasSubstr("typed.x[1] is [3]; expected a list as"));
  EXPECT_THAT(complaint([&] { read(R"({"x": [1, [3]]})"); }), HasSubstr("typed.x[1]"));
  EXPECT_THAT(complaint([&] { read(R"({"order": "transposed"})"); }), HasSubstr("typed.order"));
}

TEST(Session, what_is_no_session) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty; expected JSON"},
      {"[1]", "[1]; expected a session object"},
      {"{}", "not a session: the field version is missing"},
      {R"({"version": 2})", "version is 2; expected 1"},
      {R"({"version": "1"})", R"(version is "1"; expected 1)"},
      {"{\"version\": 1,\n \"temperature\": NaN}", "temperature: not JSON at line 2, column 17"},
      {R"({"version": 1, "view": {"title": "ab)", "view.title: the file is cut short; expected more JSON"},
      {R"({"version": 1, "seed": 1, "seed": 2})", "field seed is given twice"},
      {R"({"version": 1, "gain_q": 1e999})", "gain_q: the number is beyond 1.8e308"},
      {"[1e999]", "the number is beyond 1.8e308"},
      {"{\"version\": 1, \"sentence\": \"\xC3\"}", "byte 28 is not valid UTF-8"}};
  for (const auto& [json, message] : cases) EXPECT_EQ(refused(json), message);
  EXPECT_THAT(refused(R"({"version": 1, "sentence": "\ud800"})"), HasSubstr("sentence"));
}

TEST(Session, deep_and_huge_json_is_refused_quickly) {
  const std::string deep(1000000, '[');
  EXPECT_EQ(refused("{\"version\": 1, \"mask\": " + deep), "nested more than 32 levels deep");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refused(objects), "nested more than 32 levels deep");
  EXPECT_EQ(refused("{\"version\": " + std::string(100000, '1') + "}"),
            "version: the number is beyond 1.8e308");
}

TEST(Session, random_damage_never_does_more_than_complain) {
  const std::string whole = to_json(odd_session());
  std::mt19937 random(7);
  for (int i = 0; i < 1500; ++i) {
    std::string damaged = whole;
    if (i % 3 == 0) damaged.resize(random() % whole.size());
    for (unsigned flips = random() % 4; flips > 0 && !damaged.empty(); --flips)
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    refused(damaged);
  }
}

TEST(Session, every_value_of_a_wrong_type_is_named) {
  const Json whole = Json::parse(to_json(odd_session()));
  const Json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (const Json& wrong : {Json::array({Json::array()}), Json(-1e300), Json::object({{"x", 1}})}) {
      Json changed = whole;
      changed[Json::json_pointer(pointer)] = wrong;
      const std::string message = refused(changed.dump());
      const std::string name = pointer.substr(pointer.rfind('/') + 1);
      if (name.find_first_not_of("0123456789") != std::string::npos) {
        EXPECT_THAT(message, HasSubstr(name)) << pointer;
      }
      EXPECT_NE(message, "no complaint") << pointer;
    }
  }
}

TEST(Session, saves_and_loads_and_finds_mask_files_next_to_it) {
  const TempFolder folder;
  Session session;
  session.inputs.mask = {parse_mask_part("file:only-beside.npy")};
  save_session(folder.at("s.json"), session);
  EXPECT_EQ(load_session(folder.at("s.json")), session);
  write_file(folder.at("only-beside.npy"), "x");
  EXPECT_EQ(load_session(folder.at("s.json")).inputs.mask[0].path, folder.at("only-beside.npy"));
}

TEST(Session, a_recovery_file_opens_as_the_session_in_it) {
  const Json wrapped{
      {"path", "/a.json"}, {"lesson", {{"step", 2}}}, {"session", Json::parse(to_json(odd_session()))}};
  EXPECT_EQ(session_from_json(wrapped.dump(), "x"), odd_session());
  EXPECT_EQ(refused(R"({"session": {"version": 2}})"), "version is 2; expected 1");
  EXPECT_EQ(refused(R"({"session": 3})"), "3; expected a session object");
}

TEST(Session, every_view_and_field_of_one_is_documented) {
  const std::string documented = read_file(SOURCE_DIR "/core/session/SESSION.md");
  const auto view = nlohmann::json::parse(to_json(Session{}))["view"];
  for (const auto& [name, value] : view.items()) EXPECT_THAT(documented, HasSubstr("`" + name + "`"));
  for (const ViewKindRow& row : view_kinds)
    EXPECT_THAT(documented, HasSubstr(fmt::format("`\"{}\"`", row.name)));
}

TEST(Names, every_name_leads_back_to_its_value) {
  for (const auto& entry : enum_names(Range{})) EXPECT_EQ(from_name<Range>(entry.name), entry.value);
  for (const auto& entry : enum_names(MaskFill{})) EXPECT_EQ(from_name<MaskFill>(entry.name), entry.value);
  EXPECT_EQ(all_names<Numbers>(), "auto, off");
  EXPECT_EQ(from_name<Theme>("Light"), std::nullopt);
}

}  // namespace headscope::tests
