import MatcherCore
import Testing

@Suite("What gateways say of themselves") struct GatewayFactsTests {
    private static let east = "campus/hb/2/east"

    private func take(_ facts: inout KnownFacts, _ topic: String, _ text: String) throws {
        facts.take(try #require(GatewayFacts.Topic("beacons/v1/\(topic)", prefix: "beacons")), Array(text.utf8))
    }

    @Test("The topics of information and of modules are read, and no others")
    func topics() {
        func topic(_ text: String) -> GatewayFacts.Topic? { GatewayFacts.Topic(text, prefix: "beacons") }
        #expect(topic("beacons/v1/\(Self.east)/info") == .info(gateway: Self.east))
        #expect(topic("beacons/v1/\(Self.east)/module/door/state") == .module(gateway: Self.east, name: "door"))
        for text in [
            "beacons/v1/\(Self.east)/module/door/event", "beacons/v1/\(Self.east)/info/x",
            "beacons/v1/campus/hb/2/info",
            "other/v1/\(Self.east)/info", "beacons/v2/\(Self.east)/info", "beacons/v1/\(Self.east)/module/Door/state",
            "beacons/v1/\(Self.east)/module/\(String(repeating: "d", count: 65))/state",
            "beacons/v1/\(Self.east)/health",
        ] {
            #expect(topic(text) == nil, "\(text)")
        }
    }

    @Test("The version and the states of modules are known, and what to do from the module's topic")
    func states() throws {
        var facts = KnownFacts()
        try take(
            &facts, "\(Self.east)/module/door/state",
            #"{"state":"failed","firmware":"2.10","error":"no answer","remedy":"plug it in again","new":1}"#)
        try take(
            &facts, "\(Self.east)/info",
            #"{"version":"1.4.0","modules":[{"name":"door","state":"failed","error":"no answer"},"#
                + #"{"name":"desk","state":"x"}]}"#
        )
        let east = try #require(facts.facts[Self.east])
        #expect(east.version == "1.4.0")
        #expect(
            east.modules["door"] == .init(condition: .failed, error: "no answer", remedy: "plug it in again"))
        #expect(east.modules["desk"] == .init(condition: nil))
        try take(&facts, "\(Self.east)/module/desk/state", "")
        #expect(facts.facts[Self.east]?.modules.keys.sorted() == ["door"])
    }

    @Test("When the version was told is known, and a later message of a module changes nothing of it")
    func told() throws {
        var facts = KnownFacts()
        let topic = try #require(GatewayFacts.Topic("beacons/v1/\(Self.east)/info", prefix: "beacons"))
        let told = GatewayFacts.Telling(at: 1_793_620_800, isRetained: true)
        facts.take(topic, Array(#"{"version":"1.4.0"}"#.utf8), told: told)
        try take(&facts, "\(Self.east)/module/door/state", #"{"state":"failed"}"#)
        #expect(facts.facts[Self.east]?.told == told)
    }

    @Test("What cannot be read, or is too large, changes nothing", arguments: ["", "{", "[]", #"{"modules":3}"#])
    func damaged(_ text: String) throws {
        var facts = KnownFacts()
        try take(&facts, "\(Self.east)/info", #"{"version":"1.4.0"}"#)
        let before = facts.facts
        try take(&facts, "\(Self.east)/info", text)
        #expect(facts.facts == before)
        let padding = String(repeating: " ", count: KnownFacts.mostBytes)
        try take(&facts, "\(Self.east)/info", #"{"version":"2"}"# + padding)
        #expect(facts.facts == before)
    }

    @Test("A gateway can invent neither long texts nor many modules")
    func limits() throws {
        var facts = KnownFacts()
        let long = String(repeating: "x", count: 500)
        try take(&facts, "\(Self.east)/info", #"{"version":"\#(long)"}"#)
        #expect((facts.facts[Self.east]?.version?.count ?? 500) < 60)
        for number in 0..<100 {
            try take(&facts, "\(Self.east)/module/m\(number)/state", #"{"state":"absent","error":"\#(long)"}"#)
        }
        let modules = try #require(facts.facts[Self.east]?.modules)
        #expect(modules.count == 64)
        #expect(modules.values.allSatisfy { ($0.error?.count ?? 500) < 210 })
        for gateway in 0..<400 {
            for number in 0..<64 {
                try take(&facts, "campus/hb/3/g\(gateway)/module/m\(number)/state", #"{"state":"absent"}"#)
            }
        }
        #expect(facts.facts.values.reduce(0) { $0 + $1.modules.count } <= 20_000)
    }
}
