import BeaconModel
import Proximity
import Testing

@testable import GatewayCore
@testable import Publishing

extension ConfigurationTests {
    @Test(
        "What is wrong about presence, distance and alerts is said by key",
        arguments: [
            (
                "[interactions]\nshortest-silence = \"2m\"\nlongest-silence = \"1m\"",
                "interactions.shortest-silence: is longer"
            ),
            ("[interactions]\nfalse-end-probability = 1.5", "interactions.false-end-probability: found 1.5"),
            ("[interactions]\nlongest = \"31m\"", "interactions.longest: found \"31m\""),
            ("[interactions]\nlongest = \"59s\"", "interactions.longest: found \"59s\""),
            ("[[interactions.beacon]]\nsilence = \"5s\"", "interactions.beacon[0].uuid: is missing"),
            ("[distance]\npreset = \"moon\"", "distance.preset: found \"moon\"; must be one of general, open-office"),
            ("[distance]\nexponent = 9", "distance.exponent: found 9.0; must be from 1.0 to 6.0"),
            ("[distance]\nautomatic-calibration = \"yes\"", "distance.automatic-calibration: found a string"),
            ("[distance]\ncalibration = \"/none\"", "distance.calibration: cannot open /none"),
            ("[distance.phones]\nshadow = 1", "distance.phones.shadow: is unknown"),
            ("[readings]\ninterval = \"29s\"", "readings.interval: found \"29s\""),
            ("[readings]\ninterval = \"3m\"", "readings.interval: found \"3m\""),
            ("[readings]\ninterval = \"70s\"", "readings.interval: found 70s; must divide an hour"),
            ("[readings]\nenabled = 1", "readings.enabled: found a whole number"),
            ("[readings]\nevery = \"60s\"", "readings.every: is unknown"),
            ("[signals]\nenabled = \"yes\"", "signals.enabled: found a string"),
            ("[signals]\ninterval = \"1s\"", "signals.interval: is unknown"),
            ("[social-distance]\nprobability = 0", "social-distance.probability: found 0.0"),
            ("[social-distance]", "place.beacon: is missing"),
        ])
    func presenceProblems(tables: String, problem: String) {
        let found = problems(Self.minimal + "\n" + tables)
        #expect(found.contains { $0.contains(problem) }, "\(found)")
    }

    @Test("A silence that is longer than the longest makes it longer; all three equal are a fixed one")
    func silences() throws {
        let long = try parse(Self.minimal + "\n[interactions]\nsilence = \"30m\"").rules.silence
        #expect((long.assumed, long.longest, long.shortest) == (.seconds(1800), .seconds(1800), .seconds(10)))
        let fixed = try parse(
            Self.minimal
                + "\n[interactions]\nsilence = \"7s\"\nshortest-silence = \"7s\"\nlongest-silence = \"7s\""
        ).rules.silence
        #expect(fixed == .fixed(.seconds(7)))
    }

    @Test("Readings are given every minute, or as the configuration says, or not at all")
    func readings() throws {
        #expect(try parse(Self.minimal).rules.readingsInterval == .seconds(60))
        #expect(try parse(Self.minimal + "\n[readings]").rules.readingsInterval == .seconds(60))
        let quick = try parse(Self.minimal + "\n[readings]\ninterval = \"30s\"")
        #expect(quick.rules.readingsInterval == .seconds(30))
        let off = try parse(Self.minimal + "\n[readings]\nenabled = false")
        #expect(off.rules.readingsInterval == nil)
    }

    @Test("Signals are published only if the configuration says so")
    func signals() throws {
        #expect(try !parse(Self.minimal).rules.hasSignals)
        #expect(try !parse(Self.minimal + "\n[signals]").rules.hasSignals)
        #expect(try !parse(Self.minimal + "\n[signals]\nenabled = false").rules.hasSignals)
        #expect(try parse(Self.minimal + "\n[signals]\nenabled = true").rules.hasSignals)
    }

    @Test("An interaction is cut when the configuration says so")
    func longest() throws {
        #expect(try parse(Self.minimal).rules.longest == .seconds(1800))
        #expect(try parse(Self.minimal + "\n[interactions]\nlongest = \"5m\"").rules.longest == .seconds(300))
    }
}
