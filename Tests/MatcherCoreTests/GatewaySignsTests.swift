import BeaconModel
import Evidence
import Testing

@testable import MatcherCore

@Suite("Which gateways hear") struct GatewaySignsTests {
    private static let gateway = "campus/main/1/east"
    /// 2026-11-02T12:00:00Z, in seconds since 1970.
    private static let noon: Int64 = 1_793_620_800

    private func health(
        _ radio: String?, ears: String = "[]", listeners: String = "[]", boot: UInt64 = 1, at seconds: Int64 = noon
    ) throws -> GatewayHealth {
        let hearing = radio.map { #""radio":"\#($0)","# } ?? ""
        let time = Timestamp(microseconds: seconds * 1_000_000).rfc3339
        let text =
            #"{"boot":\#(boot),"time":"\#(time)",\#(hearing)"ears":\#(ears),"listeners":\#(listeners),"outbox":{}}"#
        return try #require(GatewayHealth(Array(text.utf8)))
    }

    private func known(
        _ signs: GatewaySigns, others: Set<String> = [], silent: Set<String> = [], after seconds: Int64 = 0
    )
        -> HeardReceivers
    {
        signs.receivers(others: others, silent: silent, now: Self.noon + seconds)
    }

    @Test("Who hears, or would if anything were on the air, says so for 90 seconds", arguments: ["hearing", "quiet"])
    func hearing(radio: String) throws {
        var signs = GatewaySigns()
        let said = try health(radio)
        #expect(signs.take(said, of: Self.gateway, isGenuine: false, now: Self.noon) == nil)
        #expect(signs.hearing(since: Self.noon) == [Self.gateway: Self.noon])
        #expect(known(signs, after: 90).contains(Self.gateway))
        #expect(known(signs, after: 90).contains(Self.gateway + "/kitchen"))
        #expect(!known(signs, after: 91).contains(Self.gateway))
    }

    @Test("Who is deaf, or doesn't say, isn't known to hear", arguments: ["deaf", "off", "starting", nil])
    func deaf(radio: String?) throws {
        var signs = GatewaySigns()
        signs.heard(Self.gateway, deaf: [], now: Self.noon)
        // Also when another matcher heard otherwise a moment ago.
        let said = try health(radio)
        #expect(signs.take(said, of: Self.gateway, isGenuine: false, now: Self.noon) == nil)
        #expect(signs.hearing(since: 0).isEmpty)
        #expect(!known(signs, others: [Self.gateway]).contains(Self.gateway))
    }

    @Test func `Of a gateway without radio of its own those count that look after theirs`() throws {
        var signs = GatewaySigns()
        let ears = #"[{"name":"kitchen","state":"hearing"},{"name":"hall","state":"offline"}]"#
        let listeners = #"[{"name":"door","state":"paused"},{"name":"desk","state":"silent"}]"#
        let said = try health("off", ears: ears, listeners: listeners)
        #expect(signs.take(said, of: Self.gateway, isGenuine: false, now: Self.noon) == nil)
        #expect(signs.hearing(since: 0) == [Self.gateway: Self.noon])
        let heard = known(signs)
        #expect(["kitchen", "door"].allSatisfy { heard.contains("\(Self.gateway)/\($0)") })
        #expect(!["hall", "desk"].contains { heard.contains("\(Self.gateway)/\($0)") })
        #expect(!heard.contains(Self.gateway))
    }

    @Test func `Where readings say that nobody listened, health isn't enough`() throws {
        var signs = GatewaySigns()
        let said = try health("hearing")
        #expect(signs.take(said, of: Self.gateway, isGenuine: true, now: Self.noon) == nil)
        let heard = known(signs, silent: [Self.gateway])
        #expect(!heard.contains(Self.gateway))
        #expect(heard.contains(Self.gateway + "/kitchen"))
    }

    @Test func `What a gateway signed is taken once, and nothing that it said before`() throws {
        var signs = GatewaySigns()
        func take(_ boot: UInt64, _ seconds: Int64) throws -> RecordReader.Defect? {
            signs.take(
                try health("hearing", boot: boot, at: Self.noon + seconds), of: Self.gateway, isGenuine: true,
                now: Self.noon)
        }
        #expect(try take(2, 0) == nil)
        #expect(try take(2, 0) == GatewayHealth.repeated)
        #expect(try take(2, -30) == GatewayHealth.repeated)
        #expect(try take(1, 30) == GatewayHealth.repeated)
        #expect(try take(2, 30) == nil)
        // After a restart, also with a clock that was set back.
        #expect(try take(3, -30) == nil)
        #expect(try take(4, -601) == GatewayHealth.old)
        #expect(try take(4, 601) == GatewayHealth.old)
    }

    @Test func `Without signatures whoever is believed once is believed again`() throws {
        var signs = GatewaySigns()
        let said = try health("quiet")
        for _ in 0..<2 {
            #expect(signs.take(said, of: Self.gateway, isGenuine: false, now: Self.noon) == nil)
        }
        #expect(signs.hearing(since: 0).count == 1)
    }

    @Test func `Gateways that somebody invents fill no memory, and make room`() {
        var signs = GatewaySigns()
        for number in 0..<10_010 { signs.heard("a/b/c/\(number)", deaf: [], now: Self.noon) }
        #expect(signs.hearing(since: 0).count == 10_000)
        signs.heard(Self.gateway, deaf: [], now: Self.noon + 91)
        #expect(signs.hearing(since: 0) == [Self.gateway: Self.noon + 91])
    }

    @Test func `A gateway with more deaf receivers than any has isn't known to hear`() {
        var signs = GatewaySigns()
        signs.heard(Self.gateway, deaf: Set((0..<129).map { "\(Self.gateway)/\($0)" }), now: Self.noon)
        #expect(signs.hearing(since: 0).isEmpty)
    }
}
