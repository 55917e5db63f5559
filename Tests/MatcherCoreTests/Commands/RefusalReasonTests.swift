import BeaconModel
import RecordContract
import Testing

@testable import GatewayCore
@testable import MatcherCore

/// The sentences are those of the gateway's own code.
@Suite("Reasons of gateways for refusing commands") struct RefusalReasonTests {
    private static let topics = Topics(
        prefix: "beacons", place: Place(site: "campus", building: "main", floor: "1", gateway: "east"))
    private static let noon = Timestamp(microseconds: 1_793_620_800 * 1_000_000)

    /// Returns what a gateway says of a command.
    ///
    /// - Parameters:
    ///   - age: time since the command was signed, by the gateway's clock.
    ///   - running: time since the gateway's start.
    private func refusal(
        secret: UInt8? = 1, age: Duration = .zero, running: Duration = .seconds(1000)
    ) throws -> String? {
        let key = try #require(SiteKey(secret: Array(repeating: 1, count: 32))).commandKey("campus/main/1/east")
        let own = try secret.map {
            try #require(SiteKey(secret: Array(repeating: $0, count: 32))).commandKey("campus/main/1/east")
        }
        let topic = Self.topics.command(named: "reset")
        let command = CommandMessage(module: "door", correlation: "c1", at: Self.noon + (.zero - age))
        let finding = CommandSignatures().check(
            MQTTMessage(topic: topic, payload: command.encoded(for: topic, key: own)), named: "reset", key: key,
            now: running, wall: Self.noon)
        guard case .refused(_, let text) = finding else { return nil }
        return text
    }

    @Test("A right command is not refused") func right() throws {
        #expect(try refusal() == nil)
    }

    @Test("Signatures, clocks and a fresh start are told apart") func signed() throws {
        #expect(try refusal(secret: nil).flatMap { RefusalReason($0) } == .unsigned)
        #expect(try refusal(secret: 2).flatMap { RefusalReason($0) } == .key)
        #expect(try refusal(age: .seconds(300)).flatMap { RefusalReason($0) } == .clock)
        #expect(try refusal(age: .seconds(-60)).flatMap { RefusalReason($0) } == .clock)
        #expect(try refusal(running: .seconds(3)).flatMap { RefusalReason($0) } == .start)
    }

    @Test("What the gateway says is shown with what to do, and an unknown reason without") func words() throws {
        let command = try #require(ModuleCommand(.reset, gateway: "campus/main/1/east", module: "door"))
        let clock = CommandAnswer.refused(try #require(try refusal(age: .seconds(300))))
        let words = clock.words(of: command, isSigned: true)
        #expect(words.hasPrefix("The gateway did not reset door. It says: the command is from 2026-11-02T"))
        #expect(words.contains("What to do: Compare the clocks"))
        #expect(
            CommandAnswer.refused("the module is not connected").words(of: command, isSigned: true)
                == "The gateway did not reset door. It says: the module is not connected.")
    }

    @Test("A missing signature is advised against where commands are not signed, and not where they are")
    func unsigned() {
        #expect(RefusalReason.unsigned.remedy(isSigned: false)?.contains("commands.key-file") == true)
        #expect(RefusalReason.unsigned.remedy(isSigned: true) == nil)
    }
}
