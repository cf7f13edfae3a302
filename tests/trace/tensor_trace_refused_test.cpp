// What the reader refuses, each with the line and the field that is wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "trace/written_trace.h"

namespace diffram::trace {
namespace {

struct Refusal {
  const char* what;
  std::size_t line;         ///< from 0
  const char* replacement;  ///< "" = the line is left out
  const char* code;
  const char* field;
};

class refused_linear_layer : public testing::TestWithParam<Refusal> {};

TEST_P(refused_linear_layer, names_line_and_field) {
  const Refusal& refusal = GetParam();
  const auto trace = read_lines(with_line(linear_layer(), refusal.line, refusal.replacement));
  ASSERT_FALSE(trace) << refusal.what;
  const base::Error& error = trace.error().front();
  EXPECT_EQ(error.code, refusal.code) << error.text();
  EXPECT_EQ(error.field, refusal.field) << error.text();
  EXPECT_EQ(error.file, "hand.dft");
  EXPECT_EQ(error.line, static_cast<int>(refusal.line) + 1) << error.text();
}

// Lines of linear_layer(): 0 header, 1-2 modules, 3 function, 4-6 storages, 7 phase, 8 alloc, 9 op,
// 10 free, 11 end.
INSTANTIATE_TEST_SUITE_P(
    trace, refused_linear_layer,
    testing::Values(
        Refusal{"another major version", 0, R"({"e":"trace","v":[2,0]})", "unsupported_version",
                "v"},
        Refusal{"no version", 0, R"({"e":"trace"})", "bad_version", "v"},
        Refusal{"no header", 0, R"({"e":"mod","id":0})", "not_a_trace", "e"},
        Refusal{"no JSON at all", 0, "0x1000 READ 5", "not_a_trace", ""},
        Refusal{"a module that skips an id", 2,
                R"({"e":"mod","id":2,"up":0,"path":"a","type":"A"})", "out_of_range", "id"},
        Refusal{"a module under a later one", 1,
                R"({"e":"mod","id":0,"up":1,"path":"a","type":"A"})", "out_of_range", "up"},
        Refusal{"a function without a kind", 3, R"({"e":"fn","id":0,"name":"aten.mm.default"})",
                "missing_field", "kind"},
        Refusal{"a storage of negative size", 4,
                R"({"e":"sto","id":0,"bytes":-1,"cls":"parameter","pre":1,"mod":1})",
                "out_of_range", "bytes"},
        Refusal{
            "a size beyond 64 bits", 4,
            R"({"e":"sto","id":0,"bytes":18446744073709551615,"cls":"parameter","pre":1,"mod":1})",
            "out_of_range", "bytes"},
        Refusal{"a size that is no whole number", 4,
                R"({"e":"sto","id":0,"bytes":64.0,"cls":"parameter","pre":1,"mod":1})",
                "out_of_range", "bytes"},
        Refusal{"a size that is no number", 4,
                R"({"e":"sto","id":0,"bytes":NaN,"cls":"parameter","pre":1,"mod":1})", "bad_json",
                ""},
        Refusal{"a class with a typing error", 4,
                R"({"e":"sto","id":0,"bytes":64,"cls":"paramter","pre":1,"mod":1})",
                "unknown_class", "cls"},
        Refusal{"a storage of a module that is not there", 4,
                R"({"e":"sto","id":0,"bytes":64,"cls":"parameter","pre":1,"mod":2})",
                "out_of_range", "mod"},
        Refusal{"an unknown kind of line", 8, R"({"e":"allocate","s":2})", "unknown_event", "e"},
        Refusal{"a line that is a list", 8, R"([1,2])", "bad_json", ""},
        Refusal{"an event outside a phase", 7, R"({"e":"alloc","s":2})", "no_phase", "e"},
        Refusal{"a step number that skips one", 7, R"({"e":"phase","n":"forward","step":1})",
                "out_of_range", "step"},
        Refusal{"a table after the events", 8,
                R"({"e":"sto","id":3,"bytes":64,"cls":"parameter","pre":0,"mod":1})", "late_table",
                "e"},
        Refusal{"an allocation of what is alive", 8, R"({"e":"alloc","s":0})", "storage_live", "s"},
        Refusal{"an allocation of what is not there", 8, R"({"e":"alloc","s":3})", "out_of_range",
                "s"},
        Refusal{"a release of what is not alive", 8, R"({"e":"free","s":2})", "storage_not_live",
                "s"},
        Refusal{"an op with another number", 9,
                R"({"e":"op","i":1,"f":0,"m":1,"x":"f","r":[],"w":[]})", "out_of_range", "i"},
        Refusal{"an op of no function", 9, R"({"e":"op","i":0,"f":1,"m":1,"x":"f","r":[],"w":[]})",
                "out_of_range", "f"},
        Refusal{"an op for no reason", 9, R"({"e":"op","i":0,"f":0,"m":1,"x":"z","r":[],"w":[]})",
                "out_of_range", "x"},
        Refusal{"an op whose forward op comes later", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"b","fw":0,"r":[],"w":[]})", "out_of_range",
                "fw"},
        Refusal{"negative multiply-accumulates", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[],"w":[],"mac":-1})", "out_of_range",
                "mac"},
        Refusal{"a view with fewer strides than sizes", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,0,0,[2,4],[4]]],"w":[]})",
                "bad_tensor_use", "r[0]"},
        Refusal{"an element type nobody knows", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,0,18,[2,4],[4,1]]],"w":[]})",
                "bad_tensor_use", "r[0]"},
        Refusal{"a view that ends behind its storage", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,4,0,[2,4],[4,1]]],"w":[]})",
                "outside_storage", "r[0]"},
        Refusal{"a view that starts before it", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[],"w":[[2,-4,0,[2,4],[4,1]]]})",
                "outside_storage", "w[0]"},
        Refusal{"a negative size", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,0,0,[-2,4],[4,1]]],"w":[]})",
                "outside_storage", "r[0]"},
        Refusal{"a negative stride", 9,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,0,0,[2,4],[-4,1]]],"w":[]})",
                "outside_storage", "r[0]"},
        Refusal{
            "sizes whose product leaves 64 bits", 9,
            R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,0,0,[4294967296,4294967296],[1,1]]],"w":[]})",
            "outside_storage", "r[0]"},
        Refusal{"a read of what is not alive", 8,
                R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[2,0,0,[2,4],[4,1]]],"w":[]})",
                "storage_not_live", "r[0]"},
        Refusal{"a sum of bytes read that is wrong", 11,
                R"({"e":"end","events":4,"read":97,"write":32,"mac":32})", "totals_differ", "read"},
        Refusal{"a sum of bytes written that is wrong", 11,
                R"({"e":"end","events":4,"read":96,"write":0,"mac":32})", "totals_differ", "write"},
        Refusal{"a sum of work that is wrong", 11,
                R"({"e":"end","events":4,"read":96,"write":32,"mac":0})", "totals_differ", "mac"},
        Refusal{"a number of events that is wrong", 11,
                R"({"e":"end","events":5,"read":96,"write":32,"mac":32})", "totals_differ",
                "events"},
        Refusal{"a number of ops that is wrong", 11,
                R"({"e":"end","events":4,"read":96,"write":32,"mac":32,"ops":2})", "totals_differ",
                "ops"}));

TEST(refused_trace, a_header_that_promises_more_than_comes_is_refused_when_the_tables_end) {
  auto lines = linear_layer();
  lines[0] = R"({"e":"trace","v":[1,0],"storages":4000000000})";
  const auto trace = read_lines(lines);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().front().code, "count_mismatch");
  EXPECT_EQ(trace.error().front().field, "storages");
}

TEST(refused_trace, a_file_that_was_cut_anywhere_is_called_truncated) {
  const std::string whole = lines_of(linear_layer());
  const std::size_t second_line = whole.find('\n') + 1;
  for (std::size_t kept = second_line; kept + 1 < whole.size(); ++kept) {
    const auto trace = parse_tensor_trace(whole.substr(0, kept), "cut.dft");
    ASSERT_FALSE(trace) << kept;
    EXPECT_EQ(trace.error().front().code, "truncated") << whole.substr(0, kept);
    EXPECT_EQ(trace.error().front().file, "cut.dft");
  }
}

TEST(refused_trace, an_empty_file_is_truncated_too) {
  EXPECT_EQ(parse_tensor_trace("", "empty.dft").error().front().code, "truncated");
}

TEST(refused_trace, a_line_after_the_end_is_refused) {
  auto lines = linear_layer();
  lines.push_back(lines[8]);
  EXPECT_EQ(read_lines(lines).error().front().code, "after_end");
}

TEST(refused_trace, every_complaint_of_a_line_is_given) {
  const auto trace = read_lines(with_line(
      linear_layer(), 4, R"({"e":"sto","id":9,"bytes":-1,"cls":"none","pre":2,"mod":7})"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().size(), 5u);
}

TEST(refused_trace, fields_nobody_knows_are_ignored) {
  auto lines = linear_layer();
  lines[8] = R"({"e":"alloc","s":2,"colour":{"deep":[[[]]]}})";
  EXPECT_TRUE(read_lines(lines));
}

TEST(refused_trace, deep_nesting_does_not_overflow_the_stack) {
  auto lines = linear_layer();
  const std::size_t depth = 1000000;
  lines[8] = R"({"e":"alloc","s":2,"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  EXPECT_TRUE(read_lines(lines));
}

// Lines of sampling_loop(): 2-3 storages, 4 phase, 5 alloc, 6 op, 7 free, 8 replay.
TEST(refused_replay, a_step_that_leaves_a_storage_behind_cannot_run_again) {
  const auto trace =
      read_lines(with_line(sampling_loop(), 8, R"({"e":"replay","step":1,"times":48})"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().front().code, "not_repeatable");
  EXPECT_EQ(trace.error().front().line, 9);
}

TEST(refused_replay, only_what_a_step_leaves_behind_is_carried_into_what_it_used_up) {
  for (const char* carry : {"[[0,1]]", "[[1,1]]", "[[1,0],[1,0]]", "[[2,0]]", "[[1]]", "[1,0]"}) {
    const auto trace = read_lines(
        with_line(sampling_loop(), 8,
                  std::string(R"({"e":"replay","step":1,"times":48,"carry":)") + carry + "}"));
    EXPECT_FALSE(trace) << carry;
  }
}

TEST(refused_replay, a_carried_storage_keeps_its_size) {
  const auto trace = read_lines(with_line(
      sampling_loop(), 2, R"({"e":"sto","id":0,"bytes":17,"cls":"input","pre":1,"mod":-1})"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().front().code, "bad_carry");
}

TEST(refused_replay, nothing_may_follow_in_the_same_step) {
  auto lines = sampling_loop();
  lines.insert(lines.begin() + 9, R"({"e":"free","s":1})");
  EXPECT_EQ(read_lines(lines).error().front().code, "no_phase");
}

TEST(refused_replay, runs_at_least_once_and_not_for_ever) {
  for (const char* times : {"0", "-1", "9223372036854775807", "1e3"}) {
    const auto trace = read_lines(
        with_line(sampling_loop(), 8,
                  std::string(R"({"e":"replay","step":1,"carry":[[1,0]],"times":)") + times + "}"));
    ASSERT_FALSE(trace) << times;
    EXPECT_EQ(trace.error().front().field, "times");
  }
}

}  // namespace
}  // namespace diffram::trace
