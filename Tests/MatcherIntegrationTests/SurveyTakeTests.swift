import Glibc
import InteractionStore
import Localisation
import TestSupport
import Testing

/// A survey with a broker, and a gateway that says each second what it hears.
@Suite("Taking a survey", .timeLimit(.minutes(10))) struct SurveyTakeTests {
    private static func configuration(port: UInt16, in directory: TemporaryDirectory) throws -> String {
        _ = try directory.write("floors.toml", SurveyedFloor.plan)
        _ = try InteractionStore.open(.sqlite(directory.path + "/store.sqlite"))
        return try TestMatcher.configuration(
            .sqlite(directory.path + "/store.sqlite"), port: port,
            more: """
                [localisation]
                plan = "floors.toml"
                """, in: directory)
    }

    /// Starts a gateway that hears a badge until it is stopped.
    private static func gateway(port: UInt16) throws -> ChildProcess {
        let message = """
            {"boot":1,"clock":"synchronized","listenedSeconds":1,"number":$n,"place":{"building":"main","floor":"1",\
            "gateway":"west","position":{"x":3,"y":5,"z":2},"site":"campus"},"subjects":[{"counts":[3],\
            "kind":"beacon","major":1,"minors":[99],"rssi":[-61],"uuid":"\(BadgeRecords.uuid)"}],"time":"$t"}
            """.replacing("\"", with: "\\\"")
        return try ChildProcess(
            "sh",
            [
                "-c",
                "n=0; while :; do n=$((n + 1)); t=$(date -u -d '1 second ago' +%Y-%m-%dT%H:%M:%S.000Z); "
                    + "mosquitto_pub -h 127.0.0.1 -p \(port) -t beacons/v1/campus/main/1/west/signals -m \"\(message)\""
                    + "; sleep 0.5; done",
            ])
    }

    @Test func `A spot is measured by the signals of the gateways, and stored`() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let config = try Self.configuration(port: broker.port, in: directory)
            let gateway = try Self.gateway(port: broker.port)
            let taken = try await TestMatcher.run([
                "survey", "take", "main/1", "--badge", BadgeRecords.badge(99), "--at", "3,3", "--at", "9,3",
                "--seconds", "5", "--config", config,
            ])
            #expect(taken.status == 0, "\(taken.errorOutput)")
            #expect(taken.output.contains("spot 1: West, 3 m, 3 m, 1 receiver"), "\(taken.output)")
            #expect(taken.output.contains("spot 2: Hall, 9 m, 3 m, 1 receiver"), "\(taken.output)")
            let unheard = try await TestMatcher.run([
                "survey", "take", "1", "--badge", BadgeRecords.badge(98), "--at", "3,3", "--seconds", "5",
                "--config", config,
            ])
            #expect(unheard.status == 69)
            #expect(
                unheard.errorOutput.contains { $0.contains("was not heard, though 1 gateway sends signals") },
                "\(unheard.errorOutput)")
            gateway.send(signal: SIGKILL)
        }
        let spots = try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")).surveySpots()
        #expect(spots.map(\.number) == [1, 2])
        #expect(spots.first?.spot.signals.map(\.receiver) == ["campus/main/1/west"])
        #expect(spots.first?.spot.signals.first?.rssi == -61)
    }

    @Test func `Where no gateway sends signals, the error says what to switch on`() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let config = try Self.configuration(port: broker.port, in: directory)
            let taken = try await TestMatcher.run([
                "survey", "take", "1", "--badge", BadgeRecords.badge(99), "--at", "3,3", "--seconds", "5", "--config",
                config,
            ])
            #expect(taken.status == 69)
            #expect(taken.errorOutput.contains { $0.contains("[signals] enabled = true") }, "\(taken.errorOutput)")
            let unreached = try Self.configuration(port: 1, in: directory)
            let unheard = try await TestMatcher.run([
                "survey", "take", "1", "--badge", BadgeRecords.badge(99), "--at", "3,3", "--config", unreached,
            ])
            #expect(unheard.status == 69)
            #expect(unheard.errorOutput.contains { $0.contains("the broker was not reached") })
            let outside = try await TestMatcher.run([
                "survey", "take", "1", "--badge", BadgeRecords.badge(99), "--at", "99,3", "--config", config,
            ])
            #expect(outside.status == 64)
        }
    }
}
