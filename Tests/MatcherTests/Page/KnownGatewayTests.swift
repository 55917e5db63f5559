import OperatorText
import Pages
import RecordContract
import Testing

@testable import InteractionStore
@testable import MatcherCore
@testable import MatcherDaemon

@Suite("What pages say of gateways") struct KnownGatewayTests {
    private static let now: Int64 = 1_793_620_800
    private static let east = "campus/hb/2/east"

    private func known(
        heard: Int64? = now, report: GatewayReport? = nil, deaf: Set<String> = [],
        positions: [InteractionStore.ReceiverPosition] = []
    ) -> KnownGateways {
        KnownGateways(
            states: [.init(path: Self.east, heard: heard, stored: nil, revocation: nil)], positions: positions,
            offsets: [Self.east: -1.25], working: HeardReceivers(gateways: [Self.east], deaf: deaf),
            reports: report.map { [Self.east: $0] } ?? [:])
    }

    @Test("A gateway is listed with its own radio and its receivers")
    func receivers() throws {
        let report = GatewayReport(
            at: Self.now, receivers: [.init(name: "hall", hears: false)],
            outbox: .init(records: 3, bytes: 1200, age: 300))
        let all = known(report: report, deaf: [Self.east + "/hall"]).statuses(now: Self.now)
        let gateway = try #require(all.first)
        #expect(all.count == 1)
        #expect(gateway.condition == .partlyDeaf)
        #expect(gateway.receivers.map(\.path) == [Self.east, Self.east + "/hall"])
        #expect(gateway.receivers.map(\.condition) == [.receiving, .deaf])
        let words = GatewayWords(days: .utc)
        #expect(words.explanation(of: gateway).what == "Some of its receivers do not receive: east/hall.")
        #expect(words.outbox(of: gateway) == "1.2 kB, the oldest for 5 min")
        #expect(words.offset(gateway.receivers.first?.offset) == "−1.3 dB")
    }

    @Test("A gateway without adapters has no radio of its own that could fail")
    func noRadio() throws {
        let report = GatewayReport(at: Self.now, hasRadio: false, receivers: [.init(name: "hall", hears: true)])
        let gateway = try #require(known(report: report, deaf: [Self.east]).statuses(now: Self.now).first)
        #expect(gateway.condition == .receiving)
        #expect(gateway.receivers.map(\.path) == [Self.east + "/hall"])
    }

    @Test("A silent gateway says since when, and what to do")
    func silent() throws {
        let gateway = try #require(known(heard: Self.now - 3600).statuses(now: Self.now).first)
        let explanation = GatewayWords(days: .utc).explanation(of: gateway)
        #expect(gateway.condition == .silent)
        #expect(explanation.what.hasPrefix("It has not reported since Mon 2026-11-02 11:00"))
        #expect(explanation.remedy?.contains("beacon-gateway doctor") == true)
    }

    @Test("A report of now counts, and not one from a clock that was ahead")
    func ahead() throws {
        let future = Self.now + 86_400
        let dead = try #require(known(heard: future).statuses(now: Self.now).first)
        #expect(dead.condition == .silent)
        let report = GatewayReport(at: Self.now)
        let alive = try #require(known(heard: future, report: report).statuses(now: Self.now).first)
        #expect(alive.condition == .receiving && alive.heardAt == Self.now)
    }

    @Test("A revoked gateway says since when, by whom and why") func revoked() throws {
        var gateway = try #require(known().statuses(now: Self.now).first)
        let words = GatewayWords(days: .utc)
        #expect(words.revocation(of: gateway) == nil)
        gateway.revocation = .init(since: Self.now, reason: "stolen", name: "Olga")
        #expect(words.revocation(of: gateway) == "since Mon 2026-11-02 12:00, by Olga: stolen")
        gateway.condition = .revoked
        #expect(
            words.explanation(of: gateway).what
                == "Its records are not accepted since Mon 2026-11-02 12:00, by Olga: stolen.")
    }

    @Test("Keys are not shown, and the line for one is there only where records are signed") func keys() throws {
        let lines = GatewayWords.trustLines(Self.east, signs: true).map(\.line)
        #expect(lines.first == "beacon-matcher gateway-key \(Self.east) --config matcher.toml")
        #expect(GatewayWords.trustLines(Self.east, signs: false).map(\.line) == Array(lines.dropFirst()))
        #expect(GatewayWords.acceptedRecords(nil) == "signed or not: the configuration has no [signing]")
        let verifier = MessageVerifier(keys: [], isRequired: true)
        #expect(GatewayWords.acceptedRecords(verifier) == "those that it signed with its key")
    }

    @Test("A version is shown with the time at which it was told, or before which if the broker had kept it")
    func version() throws {
        var gateway = try #require(known().statuses(now: Self.now).first)
        let words = GatewayWords(days: .utc)
        #expect(words.toldVersion(of: gateway) == "not known")
        gateway.facts = GatewayFacts(version: "1.4.0", told: GatewayFacts.Telling(at: Self.now, isRetained: false))
        #expect(words.toldVersion(of: gateway) == "1.4.0, as reported at Mon 2026-11-02 12:00")
        gateway.facts?.told?.isRetained = true
        #expect(words.toldVersion(of: gateway) == "1.4.0, as reported before Mon 2026-11-02 12:00")
    }

    @Test("States that a silent or revoked gateway told of its modules are those of then")
    func modules() throws {
        var gateway = try #require(known().statuses(now: Self.now).first)
        gateway.facts = GatewayFacts(modules: ["door": .init(condition: .advertising), "hall": .init(condition: nil)])
        let words = GatewayWords(days: .utc)
        #expect(words.modules(of: gateway).map(\.tag.words) == ["advertising", "not known"])
        #expect(words.moduleTags(of: gateway).map(\.words) == ["1 working", "1 not known"])
        for condition in [GatewayCondition.silent, .revoked] {
            gateway.condition = condition
            #expect(words.modules(of: gateway).map(\.tag.words) == ["not known, last: advertising", "not known"])
            #expect(words.moduleTags(of: gateway).map(\.words) == ["2 not known"])
        }
    }

    @Test("Gateways with problems come first, and a state can be chosen")
    func order() {
        func gateway(_ name: String, _ condition: GatewayCondition) -> KnownGateway {
            KnownGateway(
                path: "campus/hb/2/\(name)", condition: condition,
                receivers: [.init(path: "campus/hb/2/\(name)", condition: condition)])
        }
        let all = [gateway("a", .receiving), gateway("b", .revoked), gateway("c", .silent), gateway("d", .receiving)]
        #expect(GatewayRow.rows(of: all, state: nil).map(\.receiver.name) == ["c", "b", "a", "d"])
        #expect(GatewayRow.rows(of: all, state: .receiving).map(\.receiver.name) == ["a", "d"])
        #expect(GatewayRow.extent(TablePart(asked: nil, of: 4, most: 100)) == "All 4 gateways and receivers.")
        #expect(
            GatewayRow.extent(TablePart(asked: "100", of: 250, most: 100))
                == "Gateways and receivers 101 to 200 of 250.")
    }
}
