// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise::guest_runner {
namespace {

template <typename Message>
Message back(const Message& message) {
    std::string line = encode(9, Reply{message});
    EXPECT_EQ(line.back(), '\n');
    line.pop_back();
    const auto decoded = decode_reply(line);
    EXPECT_TRUE(decoded) << line;
    EXPECT_EQ(decoded->number, 9U);
    return std::get<Message>(decoded->message);
}

TEST(Protocol, LinesBeginWithVersionNumberAndType) {
    EXPECT_EQ(encode(12, Reply{Started{7}}), "{\"v\":1,\"n\":12,\"type\":\"started\",\"job\":7}\n");
}

TEST(Protocol, CarriesARequestToRunWhole) {
    RunRequest run{.job = 7,
                   .serial = "pwabcdefgh01",
                   .path = "",
                   .size = Bytes{1ULL << 40U},
                   .block_size = Bytes{4096},
                   .time_limit = std::chrono::seconds{90},
                   .job_text = "[j]\nfilename=${POOLWISE_DISK}\n"};

    std::string line = encode(1, Request{run});
    line.pop_back();
    const auto got = std::get<RunRequest>(decode_request(line).value().message);

    EXPECT_EQ(got.job, run.job);
    EXPECT_EQ(got.serial, run.serial);
    EXPECT_EQ(got.size, run.size);
    EXPECT_EQ(got.block_size, run.block_size);
    EXPECT_EQ(got.time_limit, run.time_limit);
    EXPECT_EQ(got.job_text, run.job_text);
}

TEST(Protocol, CarriesAResultWhole) {
    ResultSummary result;
    result.job = 7;
    result.exit_status = 137;
    result.stopped = Stopped::time_limit;
    result.device = {1, 2, 3, Bytes{4}, Bytes{5}};
    result.cpu = {Seconds{0.5}, Seconds{1.5}, Seconds{0.25}};
    result.wall = Seconds{2.125};
    result.parts = {PartDigest{10, ~std::uint64_t{0}}, PartDigest{20, 1}, PartDigest{0, 2}};

    const ResultSummary got = back(result);

    EXPECT_EQ(got.exit_status, 137);
    EXPECT_EQ(got.stopped, Stopped::time_limit);
    EXPECT_EQ(got.device, result.device);
    EXPECT_EQ(got.cpu, result.cpu);
    EXPECT_EQ(got.wall, result.wall);
    EXPECT_EQ(got.parts[0].digest, ~std::uint64_t{0});
    EXPECT_EQ(got.parts[1].size, 20U);
}

TEST(Protocol, AFullChunkFitsALine) {
    const std::string bytes(kChunkSize, '\xfe');

    EXPECT_LE(
        encode(~std::uint64_t{0}, Reply{Chunk{~std::uint64_t{0}, Part::fio_messages, 182, bytes}})
            .size(),
        kMaxLine);
    EXPECT_EQ(back(Chunk{1, Part::fio_log, 3, bytes}).data, bytes);
}

TEST(Protocol, TextsFromAGuestLoseTheirControlCharacters) {
    HelloReply hello;
    hello.fio_version = "fio\x1b[31m-3\n";

    EXPECT_EQ(back(hello).fio_version, "fio?[31m-3?");
}

TEST(Protocol, ANewerTypeIsSkippedAndANewerVersionIsNot) {
    EXPECT_FALSE(decode_reply(R"({"v":1,"n":1,"type":"weather"})"));
    EXPECT_THAT(
        test::message_of([] { static_cast<void>(decode_reply(R"({"v":2,"n":1,"type":"pong"})")); }),
        testing::HasSubstr("version 2"));
}

std::string nested(std::size_t depth) {
    return R"({"v":1,"n":1,"type":"pong","x":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}";
}

TEST(Protocol, NoiseIsNoMessage) {
    const std::vector<std::string> noise{"",
                                         " ",
                                         "null",
                                         "42",
                                         "\"text\"",
                                         "[]",
                                         "[{}]",
                                         "{",
                                         "}",
                                         "{}",
                                         "{{}}",
                                         "nonsense",
                                         "[    0.000000] Linux version 6.1.0",
                                         std::string(1, '\0'),
                                         std::string(1000, '\xff'),
                                         R"({"v":1})",
                                         R"({"v":1,"n":1})",
                                         R"({"n":1,"type":"pong"})",
                                         R"({"v":1,"n":1,"type":"pong")",
                                         R"({"v":1,"n":1,"type":"pong"}})",
                                         R"(x{"v":1,"n":1,"type":"pong"})",
                                         "{\"v\":1,\"n\":1,\"type\":\"\xff\xfe\"}",
                                         R"({"v":1,"n":1,"type":"pong","x":1e999})",
                                         R"({"v":1,"n":1,"type":"pong","x":nan})",
                                         nested(5),
                                         nested(30'000),
                                         "{" + std::string(30'000, ' '),
                                         std::string(kMaxLine + 1, '{'),
                                         R"({"a":)" + std::string(60'000, '1') + "}"};

    for (const std::string& line : noise) EXPECT_FALSE(decode_reply(line)) << line.substr(0, 80);
}

TEST(Protocol, AMaliciousReplyIsMalformed) {
    constexpr std::string_view kHello =
        R"(,"engine_version":"","fio_version":"","fio_problem":"","kernel":"","clocksource":"",)";
    const auto hello = [&](const std::string& nonce, const std::string& rest) {
        return R"("type":"hello","nonce":)" + nonce + std::string{kHello} + rest;
    };
    const auto result = [](const std::string& exit, const std::string& stopped,
                           const std::string& requests, const std::string& busy,
                           const std::string& wall, const std::string& size) {
        return R"("type":"result","job":7,"exit_status":)" + exit + R"(,"stopped":)" + stopped +
               R"(,"device":{"read_requests":)" + requests +
               R"(,"write_requests":0,"flush_requests":0,"read_bytes":0,"write_bytes":0},)" +
               R"("cpu":{"busy_s":)" + busy + R"(,"idle_s":0,"steal_s":0},"wall_s":)" + wall +
               R"(,"parts":{"fio_json":{"size_bytes":)" + size +
               R"(,"fnv1a":1},"fio_messages":{"size_bytes":1,"fnv1a":1},)" +
               R"("fio_log":{"size_bytes":0,"fnv1a":1}})";
    };
    const std::string good_tail = R"("cpus":1,"memory_available_bytes":1,"job":0,"phase":"none")";
    ASSERT_TRUE(decode_reply(R"({"v":1,"n":1,)" + hello("1", good_tail) + "}"));
    ASSERT_TRUE(decode_reply(R"({"v":1,"n":1,)" + result("0", "\"no\"", "1", "1", "1", "1") + "}"));

    const std::vector<std::string> fields{
        // of every message
        R"("type":7)", R"("type":null)", R"("type":[])",
        R"("type":")" + std::string(300, 'x') + "\"", R"("type":"started")",
        R"("type":"started","job":-1)", R"("type":"started","job":1.5)",
        R"("type":"started","job":"7")", R"("type":"started","job":null)",
        R"("type":"started","job":18446744073709551616)", R"("type":"started","job":true)",
        R"("type":"started","job":{})", R"("type":"finished","job":[7])",
        R"("type":"refusal","job":7)", R"("type":"refusal","job":7,"reason":5)",
        R"("type":"refusal","job":7,"reason":")" + std::string(9000, 'x') + "\"",
        // hello
        hello("-1", good_tail), hello("\"1\"", good_tail), hello("1", R"("cpus":1)"),
        hello("1", R"("cpus":-1,"memory_available_bytes":1,"job":0,"phase":"none")"),
        hello("1", R"("cpus":4294967296,"memory_available_bytes":1,"job":0,"phase":"none")"),
        hello("1", R"("cpus":1,"memory_available_bytes":-5,"job":0,"phase":"none")"),
        hello("1", R"("cpus":1,"memory_available_bytes":1,"job":0,"phase":"asleep")"),
        hello("1", R"("cpus":1,"memory_available_bytes":1,"job":0,"phase":3)"),
        hello("1", R"("cpus":1,"memory_available_bytes":1,"phase":"none")"),
        // progress
        R"("type":"progress","job":7)",
        R"("type":"progress","job":7,"elapsed_s":-1,"iops":1,"bytes":1)",
        R"("type":"progress","job":7,"elapsed_s":"1","iops":1,"bytes":1)",
        R"("type":"progress","job":7,"elapsed_s":1e300,"iops":1,"bytes":1)",
        R"("type":"progress","job":7,"elapsed_s":1,"iops":-5,"bytes":1)",
        R"("type":"progress","job":7,"elapsed_s":1,"iops":1,"bytes":1.5)",
        R"("type":"progress","job":7,"elapsed_s":1,"iops":null,"bytes":1)",
        // result
        result("256", "\"no\"", "1", "1", "1", "1"), result("-9", "\"no\"", "1", "1", "1", "1"),
        result("0.5", "\"no\"", "1", "1", "1", "1"), result("0", "false", "1", "1", "1", "1"),
        result("0", "\"tired\"", "1", "1", "1", "1"), result("0", "\"no\"", "-1", "1", "1", "1"),
        result("0", "\"no\"", "\"1\"", "1", "1", "1"), result("0", "\"no\"", "1", "-1", "1", "1"),
        result("0", "\"no\"", "1", "1", "-1", "1"), result("0", "\"no\"", "1", "1", "1e200", "1"),
        result("0", "\"no\"", "1", "1", "1", "8388608"),
        result("0", "\"no\"", "1", "1", "1", "8388609"),
        result("0", "\"no\"", "1", "1", "1", "18446744073709551615"),
        result("0", "\"no\"", "1", "1", "1", "-1"), result("0", "\"no\"", "1", "1", "1", "null"),
        R"("type":"result","job":7,"exit_status":0,"stopped":"no","device":[])",
        R"("type":"result","job":7,"exit_status":0,"stopped":"no","device":{})",
        // chunk
        R"("type":"chunk","job":7)",
        R"("type":"chunk","job":7,"part":"kernel","sequence":0,"data":"")",
        R"("type":"chunk","job":7,"part":0,"sequence":0,"data":"")",
        R"("type":"chunk","job":7,"part":"fio_json","sequence":-1,"data":"")",
        R"("type":"chunk","job":7,"part":"fio_json","sequence":1000000,"data":"")",
        R"("type":"chunk","job":7,"part":"fio_json","sequence":18446744073709551615,"data":"")",
        R"("type":"chunk","job":7,"part":"fio_json","sequence":0,"data":"?")",
        R"("type":"chunk","job":7,"part":"fio_json","sequence":0,"data":"Zg=")",
        R"("type":"chunk","job":7,"part":"fio_json","sequence":0,"data":7)",
        R"("type":"chunk","job":7,"part":"fio_json","sequence":0,"data":")" +
            std::string(62'000, 'A') + "\""};
    ASSERT_GE(fields.size(), 50U);

    for (const std::string& rest : fields) {
        EXPECT_EQ(test::code_of(
                      [&] { static_cast<void>(decode_reply(R"({"v":1,"n":1,)" + rest + "}")); }),
                  ErrorCode::malformed_result)
            << rest.substr(0, 120);
    }
}

}  // namespace
}  // namespace poolwise::guest_runner
