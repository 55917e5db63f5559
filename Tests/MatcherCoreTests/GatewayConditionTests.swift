import Testing

@testable import MatcherCore

@Suite("States of gateways") struct GatewayConditionTests {
    private static let path = "campus/main/1/east"
    private static let now: Int64 = 1_793_620_800

    private func condition(
        isRevoked: Bool = false, heard ago: Int64? = 30, deaf: [String] = [], works: Bool = true
    ) -> GatewayCondition {
        GatewayCondition(
            Self.path, isRevoked: isRevoked, heardAt: ago.map { Self.now - $0 }, deaf: deaf,
            working: HeardReceivers(gateways: works ? [Self.path] : []), now: Self.now)
    }

    @Test("Each state follows from what is known of the gateway")
    func judgement() {
        #expect(condition() == .receiving)
        #expect(condition(heard: 90) == .receiving)
        #expect(condition(heard: 91) == .silent)
        #expect(condition(works: false) == .deaf)
        #expect(condition(deaf: [Self.path + "/hall"]) == .partlyDeaf)
        #expect(condition(heard: nil) == .neverHeard)
        #expect(condition(isRevoked: true, heard: nil) == .revoked)
    }

    @Test("A report from the future, of a clock that was ahead, says nothing of the present")
    func ahead() {
        #expect(condition(heard: -90) == .receiving)
        #expect(condition(heard: -91) == .silent)
    }

    @Test("A receiver has the state of its gateway, unless the gateway works")
    func receivers() {
        #expect(GatewayCondition.silent.ofReceiver(isDeaf: false) == .silent)
        #expect(GatewayCondition.partlyDeaf.ofReceiver(isDeaf: false) == .receiving)
        #expect(GatewayCondition.partlyDeaf.ofReceiver(isDeaf: true) == .deaf)
    }

    @Test("Problems come first")
    func order() {
        #expect(
            [GatewayCondition.receiving, .revoked, .silent, .deaf].sorted() == [.silent, .deaf, .revoked, .receiving])
    }

    @Test("A health message tells what waits in the outbox, and which receivers hear")
    func report() throws {
        let text = #"""
            {"radio":"off","ears":[{"name":"hall","state":"offline"},{"name":"door","state":"hearing"}],
            "outbox":{"records":3,"bytes":1200,"capacityBytes":9000,"oldestAgeSeconds":61.5,"trouble":"the disk is full"}}
            """#
        let health = try #require(GatewayHealth(Array(text.utf8)))
        let report = GatewayReport(health, at: Self.now)
        #expect(
            report
                == GatewayReport(
                    at: Self.now, hasRadio: false,
                    receivers: [.init(name: "door", hears: true), .init(name: "hall", hears: false)],
                    outbox: .init(records: 3, bytes: 1200, capacity: 9000, age: 61, trouble: "the disk is full")))
    }
}
