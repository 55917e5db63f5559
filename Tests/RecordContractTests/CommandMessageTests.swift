import BeaconModel
import Testing

@testable import RecordContract

@Suite("Commands as they are published") struct CommandMessageTests {
    private static let gateway = "mcgill/trottier/3/gw-3a"
    private static let topic = "beacons/v1/\(gateway)/command/reset"
    private let command = CommandMessage(
        module: "door", correlation: "c1", at: Timestamp(microseconds: 1_793_606_400 * 1_000_000))

    /// The tag is that of Python's `hmac`.
    @Test("A signed command is the one that anybody can compute who has the secret") func signed() throws {
        let key = try #require(SiteKey(secret: Array(0..<32))).commandKey(Self.gateway)
        let expected =
            #"{"at":"2026-11-02T08:00:00.000Z","correlation":"c1","module":"door","tag":"zTAyuKnn7bQDtQi1WGwHvA"}"#
        #expect(String(decoding: command.encoded(for: Self.topic, key: key), as: UTF8.self) == expected)
    }

    @Test("A command of a site without keys has no tag") func unsigned() {
        let expected = #"{"at":"2026-11-02T08:00:00.000Z","correlation":"c1","module":"door"}"#
        #expect(String(decoding: command.encoded(for: Self.topic, key: nil), as: UTF8.self) == expected)
    }
}
