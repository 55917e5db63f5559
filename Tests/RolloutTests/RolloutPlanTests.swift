import BeaconModel
import OperatorText
import RecordContract
import Testing

@testable import Rollout

@Suite struct RolloutPlanTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    private func state(
        _ document: PlannedConfiguration?, _ state: RolloutState.State = .accepted,
        revision: String? = "0123456789abcdef",
        works: Bool = true
    ) -> RolloutState {
        RolloutState(
            time: Self.now, boot: 1, version: "0.3.0", state: state,
            revision: revision.flatMap { ConfigurationRevision($0) },
            digest: document?.digest ?? ConfigurationDigest(of: [1]), since: Self.now, obeys: true, works: works,
            problem: works ? nil : "no adapter receives")
    }

    private func path(_ text: String) throws -> GatewayPath { try #require(GatewayPath(text)) }

    @Test func `A plan says for each gateway what it uses and what would change`() throws {
        let before = DirectoryFixture.read(DirectoryFixture.files)
        let after = DirectoryFixture.read(
            [
                RolloutFile(
                    path: "common.toml", text: DirectoryFixture.common.text.replacing("\"30s\"", with: "\"40s\""))
            ]
                + DirectoryFixture.files.dropFirst())
        let (east, west, hall) = (
            try path("campus/main/1/east"), try path("campus/main/1/west"), try path("campus/main/2/hall")
        )
        var heard = HeardFleet()
        heard.take(.status(HeardStatus(state: "online")), of: east)
        heard.take(.configuration(state(before[east])), of: east)
        heard.take(.configuration(state(after[west])), of: west)
        heard.take(.status(HeardStatus(state: "online")), of: try path("campus/old/1/x"))
        let plan = RolloutPlan(
            Array(after.documents.values), heard: heard, former: before.documents, known: Set(after.gateways))
        #expect(plan.changing == [east, hall])
        #expect(
            RolloutPlanText(plan, source: "commit abc").table.lines == [
                "GATEWAY             IN USE        STATE        CHANGE",
                "campus/main/1/east  0123456789ab  accepted     +1 -1",
                "campus/main/1/west  0123456789ab  accepted     none             not connected",
                "campus/main/2/hall  -             never heard  all of 17 lines",
                "campus/old/1/x                                                  not in the directory",
            ])
        #expect(
            RolloutPlanText(plan, source: "commit abc").differences == [
                "", "campus/main/1/east", "    ", "    [interactions]", "  - silence = \"30s\"",
                "  + silence = \"40s\"",
                "    ", "    [mqtt]",
            ])
        #expect(
            RolloutPlanText(plan, source: "commit abc").summary.first
                == "commit abc: 2 of 3 gateways would change, 1 never heard, 1 not connected, 1 not in the directory")
    }

    @Test func `What a gateway uses of an unknown revision is not compared`() throws {
        let all = DirectoryFixture.read(DirectoryFixture.files)
        let east = try path("campus/main/1/east")
        var heard = HeardFleet()
        heard.take(.configuration(state(nil)), of: east)
        let documents = [try #require(all[east])]
        #expect(
            RolloutPlan(documents, heard: heard, former: [:], known: []).rows.map(\.change) == [.unknown(lines: 18)])
        heard.take(.configuration(state(nil, .local, revision: nil)), of: east)
        #expect(RolloutPlan(documents, heard: heard, former: [:], known: []).rows.map(\.change) == [.whole(lines: 18)])
    }

    @Test func `The table of all gateways has a row for each, and counts`() throws {
        var heard = HeardFleet()
        let east = try path("campus/main/1/east")
        heard.take(.status(HeardStatus(state: "online", radio: "hearing")), of: east)
        heard.take(
            .info(
                HeardInfo(
                    version: "0.3.0", startedAt: (Self.now + (.zero - .seconds(7200))).rfc3339,
                    modules: [.init(state: "advertising"), .init(state: "failed")])), of: east)
        heard.take(.health(HeardHealth(outbox: .init(records: 12))), of: east)
        heard.take(.configuration(state(nil, works: false)), of: east)
        let west = try path("campus/main/1/west")
        heard.take(.status(HeardStatus(state: "lost")), of: west)
        let text = HeardFleetText(heard, known: [try path("campus/main/2/hall")], now: Self.now)
        #expect(
            text.table.lines == [
                "GATEWAY             STATE        CONFIGURATION  VERSION  UPTIME  WAITING  MODULES  PROBLEM",
                "campus/main/1/east  online       0123456789ab   0.3.0       2 h       12  1 of 2   no adapter receives",
                "campus/main/1/west  lost         -              -",
                "campus/main/2/hall  never heard",
            ])
        #expect(text.summary == "2 gateways, 1 online, 0 working, 1 never heard, 1 with version 0.3.0")
        #expect(!text.allWork)
    }

    @Test func `Messages of anybody are read within limits, and others are not`() throws {
        func read(_ topic: String, _ payload: String) -> HeardMessage? {
            HeardMessage.read(MQTTMessage(topic: topic, payload: Array(payload.utf8)), prefix: "beacons")?.message
        }
        #expect(
            read("beacons/v1/s/b/1/g/status", #"{"state":"online","boot":1}"#) == .status(HeardStatus(state: "online")))
        #expect(read("beacons/v1/s/b/1/g/status", "") == .forgotten(.status))
        #expect(
            read(
                "beacons/v1/s/b/1/g/reply/configure", #"{"correlation":"c","ok":true,"text":"t","command":"configure"}"#
            )
                == .reply(command: "configure", HeardReply(correlation: "c", ok: true, text: "t")))
        for topic in ["other/v1/s/b/1/g/status", "beacons/v1/s/b/1/G/status", "beacons/v1/s/b/1/g/x", "beacons/v1/s"] {
            #expect(read(topic, "{}") == nil)
        }
        #expect(read("beacons/v1/s/b/1/g/configuration", "{\"state\":\"trial\"}") == nil)
        #expect(read("beacons/v1/s/b/1/g/info", "[" + String(repeating: " ", count: 300_000) + "]") == nil)
    }
}
