import MatcherCore
import OperatorText
import Pages
import RecordContract
import Testing

@testable import MatcherDaemon

@Suite("What pages say of receivers and modules") struct FloorStateWordsTests {
    private static let east = "campus/hb/2/east"

    private func state(
        isHeard: Bool = false, heardAt: String? = nil, receivers: [FloorStateDocument.Receiver] = [],
        modules: [FloorStateDocument.Module] = []
    ) -> FloorStateDocument {
        FloorStateDocument(
            asOf: "2026-11-02T12:00:00Z", isHeard: isHeard, heardAt: heardAt, receivers: receivers, modules: modules)
    }

    private func event(_ state: FloorStateDocument) -> String {
        "event: receivers\ndata: \(String(decoding: JSON.encode(state), as: UTF8.self))\n\n"
    }

    @Test("An event of receivers becomes one of states in words, and others stay as they are")
    func events() {
        let words = FloorStateWords(days: .utc)
        let told = words.prepared(
            event(
                state(
                    isHeard: true, receivers: [.init(path: Self.east, isHeard: true)],
                    modules: [.init(gateway: Self.east, name: "door", state: "advertising")])), now: 0)
        #expect(
            told
                == "event: states\ndata: {\"states\":{\"\(Self.east)\":{\"kind\":\"good\",\"words\":\"heard now\"},"
                + "\"module:\(Self.east)/door\":{\"kind\":\"good\",\"words\":\"advertising\"}}}\n\n")
        for other in ["event: left\ndata: {\"keys\":[]}\n\n", ": other\n\n", "event: receivers\ndata: {\n\n"] {
            #expect(words.prepared(other, now: 0) == other)
        }
    }

    @Test("A stream that goes on tells scripts of what time its positions are")
    func beat() {
        #expect(
            FloorStateWords(days: .utc).prepared(LiveStreams.heartbeat, now: 1_793_620_800)
                == "event: beat\ndata: {\"asOf\":\"2026-11-02T12:00:00Z\"}\n\n")
    }

    @Test("A floor that is not heard says since when, by whatever is known last")
    func doubt() {
        let silence = "The receivers of this floor are not heard: an empty map means nothing."
        let receivers = [FloorStateDocument.Receiver(path: Self.east, isHeard: false)]
        let silent = state(heardAt: "2026-11-02T11:30:00Z", receivers: receivers)
        #expect(FloorStateWords(days: .utc).doubt(silent) == "Stale since Mon 2026-11-02 11:30. " + silence)
        #expect(
            FloorStateWords(days: .utc, lastReport: 1_793_620_800).doubt(silent)
                == "Stale since Mon 2026-11-02 12:00. " + silence)
        #expect(FloorStateWords(days: .utc).doubt(state(receivers: receivers)) == silence)
        let partly = state(receivers: receivers + [.init(path: Self.east + "/hall", isHeard: true)])
        #expect(FloorStateWords(days: .utc).doubt(partly)?.hasPrefix("Not all rooms of this floor are heard") == true)
        #expect(FloorStateWords(days: .utc).doubt(state(isHeard: true)) == nil)
    }

    @Test("A state that is not known is never all well")
    func unknown() {
        let module = FloorStateDocument.Module(gateway: Self.east, name: "door", state: "a-state-of-the-future")
        let rows = FloorStateWords.rows(receivers: [(Self.east, true), (Self.east + "/door", true)], modules: [module])
        #expect(
            rows.map(\.tag.words) == [
                "heard now, module door not known", "heard now, module door not known", "not known",
            ])
        #expect(rows.map(\.tag.sign) == ["warn", "warn", "unknown"])
        let two = FloorStateWords.rows(
            receivers: [(Self.east, true)], modules: [module, .init(gateway: Self.east, name: "desk", state: "failed")])
        #expect(two.first?.tag.words == "heard now, 2 modules with problems")
    }

    @Test("What a gateway told of its modules is not shown as the present while it is not heard")
    func silentGateway() {
        let module = FloorStateDocument.Module(gateway: Self.east, name: "door", state: "advertising")
        func words(_ receivers: [(path: String, isHeard: Bool?)]) -> String? {
            FloorStateWords.rows(receivers: receivers, modules: [module]).last?.tag.words
        }
        let silent = "not known: its gateway is not heard"
        #expect(words([(Self.east, false)]) == silent)
        #expect(words([(Self.east, false), (Self.east + "/hall", false), (Self.east + "ern", true)]) == silent)
        #expect(words([(Self.east, false), (Self.east + "/hall", true)]) == "advertising")
        // While live positions are off, or for a gateway without receivers, nothing is known of that.
        #expect(words([(Self.east, nil)]) == "advertising")
        #expect(words([]) == "advertising")
    }

    @Test("The modules of a floor are those of its gateways, in the order of their names")
    func modules() {
        let facts = [
            "campus/hb/2/west": GatewayFacts(modules: ["b": .init(condition: .failed), "a": .init(condition: nil)]),
            Self.east: GatewayFacts(modules: ["c": .init(condition: .advertising)]),
            "campus/hb/20/other": GatewayFacts(modules: ["d": .init(condition: .failed)]),
        ]
        let modules = FloorStateDocument.Module.modules(on: "campus/hb/2", facts)
        #expect(
            modules.map(\.key) == [
                "module:campus/hb/2/east/c", "module:campus/hb/2/west/a", "module:campus/hb/2/west/b",
            ])
        #expect(modules.map(\.state) == ["advertising", nil, "failed"])
        #expect(state(modules: modules).differs(from: state()))
        var later = state(heardAt: "2026-11-02T11:30:00Z")
        later.asOf = "2026-11-02T13:00:00Z"
        #expect(!later.differs(from: state()))
    }
}
