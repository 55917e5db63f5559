import BeaconModel
import InteractionStore
import RecordContract
import SystemIO
import TestSupport
import Testing

/// Minutes together, by the program as people call it.
@Suite(.timeLimit(.minutes(10))) struct TogetherCommandTests {
    private struct Told: Decodable {
        struct Subject: Decodable { var id: String }
        struct Heard: Decodable, Equatable { var receiver: String, rssi: Double }
        struct Vector: Decodable {
            var minute: String
            var similarity: Double
            var positive: [Heard]
            var subject: [Heard]
        }
        struct Receiver: Decodable, Equatable { var receiver: String, room: String?, minutes: Int }
        struct Together: Decodable {
            var receivers: [Receiver]
            var deafReceivers: [String]
            var vectors: [Vector]
        }
        struct Explanation: Decodable {
            var summary: String
            var missing: [String]
            var together: Together
        }
        var subject: Subject
        var way: String
        var minutes: Double
        var explanation: Explanation
    }

    private let span = ["--from", "2026-11-02", "--to", "2026-11-03"]

    /// A store with these records.
    private func store(_ records: [Record], in directory: TemporaryDirectory) async throws -> [String] {
        let store = ["--store", directory.path + "/s.sqlite"]
        let file = try directory.write("records.jsonl", MinuteRecords.lines(records))
        #expect(try await TestMatcher.run(["import", file, "--as-of", "2026-11-02T12:00:00Z"] + store).status == 0)
        return store
    }

    @Test
    func `An exposure has the minutes, the receivers that heard both, their vectors, and who was deaf`() async throws {
        let directory = try TemporaryDirectory()
        let deaf = MinuteRecords.Deafness(gateway: "hall", minutes: 5..<8)
        let store = try await store(
            MinuteRecords.records(from: BadgeRecords.morning, minutes: 0..<20, deaf: deaf), in: directory)
        let result = try await TestMatcher.run(
            ["exposures", "--positive", BadgeRecords.badge(1), "--json"] + span + store)
        #expect(result.status == 0 && result.output.count == 1, "\(result.output)")
        let told = try JSON.decode(Told.self, from: Array(try #require(result.output.first).utf8))
        #expect(told.subject.id == "\(BadgeRecords.uuid)/1/2")
        #expect(told.way == "together" && told.minutes == 20)
        let explanation = told.explanation
        #expect(
            explanation.summary.hasPrefix("20 minutes together, mostly at 101, 20 of them close; received alike by "))
        #expect(explanation.missing == ["in some of these minutes corridor did not listen: not compared there"])
        #expect(
            explanation.together.receivers == [
                .init(receiver: "campus/main/1/east", room: "101", minutes: 20),
                .init(receiver: "campus/main/1/west", room: "102", minutes: 20),
                .init(receiver: "campus/main/1/hall", room: "corridor", minutes: 17),
            ])
        #expect(explanation.together.deafReceivers == ["campus/main/1/hall"])
        let vectors = explanation.together.vectors
        #expect(vectors.count == 20 && vectors.allSatisfy { $0.similarity > 0.92 })
        #expect(vectors[0].minute == "2026-11-02T08:00:00Z")
        #expect(vectors[0].positive.map(\.rssi) == [-55, -68, -80])
        #expect(vectors[0].subject.map(\.rssi) == [-57, -69, -83])
        #expect(vectors[5].positive.map(\.receiver) == ["campus/main/1/east", "campus/main/1/west"])
    }

    @Test func `Coverage counts badge minutes by the receivers in reach, and names the floor with one`() async throws {
        let directory = try TemporaryDirectory()
        let records = MinuteRecords.records(from: BadgeRecords.morning, minutes: 0..<20)
        let store = try await store(records, in: directory)
        let result = try await TestMatcher.run(["coverage"] + span + store)
        #expect(result.status == 0)
        let row = try #require(result.output.dropFirst().first)
        #expect(row.split(separator: " ").joined(separator: " ") == "campus/main/1 3 60 0 % 0 % 100 % 0 %")
        let other = try TemporaryDirectory()
        let one = try await self.store(
            MinuteRecords.records(
                from: BadgeRecords.morning, minutes: 0..<20, gateways: Array(MinuteRecords.gateways.prefix(1))),
            in: other)
        let thin = try await TestMatcher.run(["coverage"] + span + one)
        #expect(thin.output.contains { $0.hasPrefix("campus/main/1: one receiver. Contacts can be derived only") })
        let nobody = try await TestMatcher.run(["exposures", "--positive", BadgeRecords.badge(1)] + span + one)
        let notes = nobody.errorOutput.joined(separator: "\n")
        #expect(
            nobody.status == 0 && notes.contains("no exposures were found by six-metre-five-minute, version 2, from "))
        #expect(notes.contains("in 20 of the 20 minutes in which the positive was received, fewer than two receivers"))
        let document = try await TestMatcher.run(["coverage", "--json"] + span + one)
        #expect(document.output.first?.contains(#""badgeMinutesByReceivers":{"1":60,"2":0,"3":0,"4+":0}"#) == true)
    }

    @Test func `A gateway that never listened is named, in answers and in coverage`() async throws {
        let directory = try TemporaryDirectory()
        let deaf = MinuteRecords.Deafness(gateway: "hall", minutes: 0..<30)
        let store = try await store(
            MinuteRecords.records(from: BadgeRecords.morning, minutes: 0..<30, deaf: deaf), in: directory)
        let result = try await TestMatcher.run(
            ["exposures", "--positive", BadgeRecords.badge(1), "--json"] + span + store)
        let told = try JSON.decode(Told.self, from: Array(try #require(result.output.first).utf8))
        #expect(told.explanation.missing == ["in some of these minutes corridor did not listen: not compared there"])
        let coverage = try await TestMatcher.run(["coverage"] + span + store)
        #expect(coverage.output.contains { $0.hasPrefix("campus/main/1/hall: published readings but never scanned") })
        #expect(coverage.output.dropFirst().first?.contains(" 2 ") == true)
    }

    @Test func `Without readings coverage says so, and how to see whether gateways publish them`() async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite"]
        let file = try directory.write(
            "records.jsonl", BadgeRecords.lines([.init(badge: 1, minutes: 0...5, metres: 1)]))
        #expect(try await TestMatcher.run(["import", file, "--as-of", "2026-11-02T12:00:00Z"] + store).status == 0)
        let result = try await TestMatcher.run(["coverage"] + span + store)
        #expect(result.status == 69 && result.output.isEmpty)
        let text = result.errorOutput.joined(separator: "\n")
        #expect(text.contains("the store has no readings from 2026-11-02") && text.contains("beacon-gateway tail"))
    }

    // The west gateway was cut off for a day: what it heard comes when the quarter has long been settled.
    @Test(arguments: Backend.installed)
    func `The daemon settles what comes, and settles a quarter again when a gateway is late`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            try await TestBroker.with { broker in
                let file = try TestMatcher.configuration(location, port: broker.port, in: directory)
                let matcher = try TestMatcher(file)
                #expect(await matcher.waitUntilStoring())
                // In the middle of a day, since minutes on two days are two exposures.
                let day = WallClock.now().microseconds / 86_400_000_000
                let start = Timestamp(microseconds: ((day - 2) * 24 + 12) * 3_600_000_000)
                let all = MinuteRecords.records(from: start, minutes: 0..<20)
                try await publish(all.filter { !$0.topic.contains("west") }, to: broker)
                try await expectSettled(location, from: start, receivers: 2)
                try await publish(all.filter { $0.topic.contains("west") }, to: broker)
                try await expectSettled(location, from: start, receivers: 3)
                let result = try await TestMatcher.run(
                    ["exposures", "--positive", BadgeRecords.badge(1), "--json", "--config", file])
                let told = try #require(result.output.first, "\(result)")
                let exposure = try JSON.decode(Told.self, from: Array(told.utf8))
                #expect(result.output.count == 1 && exposure.subject.id == "\(BadgeRecords.uuid)/1/2")
                #expect(exposure.explanation.together.receivers.map(\.receiver).contains("campus/main/1/west"))
                #expect(await matcher.stop() == 0)
            }
        }
    }

    private func publish(_ records: [Record], to broker: TestBroker) async throws {
        for record in records {
            try await broker.publish(
                record.topic, String(decoding: record.encoded(historical: false), as: UTF8.self))
        }
    }

    /// Waits until so many receivers are known since `start`, and nothing of them waits to be settled.
    private func expectSettled(_ location: StoreLocation, from start: Timestamp, receivers: Int) async throws {
        let store = try InteractionStore.open(location)
        let now = WallClock.now().microseconds / 1_000_000
        let isSettled = try await eventually(within: .seconds(300)) {
            let known = try store.reach(from: start.microseconds / 1_000_000, to: now).reduce(0) { $0 + $1.receivers }
            return try known == receivers && !store.hasUnsettledReadings(before: now)
        }
        #expect(isSettled)
    }
}
