import BeaconModel
import Testing

@testable import RecordContract

@Suite struct RolloutMessageTests {
    private static let noon = Timestamp(microseconds: 1_793_620_800 * 1_000_000)
    private static let key = SiteKey(secret: Array(0..<32))?.gatewayKey("s/b/1/g")

    private func state() throws -> RolloutState {
        let revision = try #require(ConfigurationRevision("4f2c9a1"))
        let digest = ConfigurationDigest(of: Array("a = 1\n".utf8))
        return RolloutState(
            time: Self.noon, boot: 7, version: "0.2.0", state: .returned, digest: digest, since: Self.noon,
            returned: .init(revision: revision, digest: digest), reason: "because", obeys: true, works: true)
    }

    @Test func `The state is published in one line with sorted members`() throws {
        let digest = "cb78bd8a17f7b751fe0d4663366dcbc257204033ef7ddd64b1f2969573b5b2e2"
        let text = String(decoding: try state().encoded(key: nil), as: UTF8.self)
        let expected =
            #"{"boot":7,"digest":"DIGEST","obeys":true,"reason":"because","returned":{"digest":"DIGEST","#
            + #""revision":"4f2c9a1"},"schema":"1.0","since":"2026-11-02T12:00:00.000Z","state":"returned","#
            + #""time":"2026-11-02T12:00:00.000Z","version":"0.2.0","works":true}"#
        #expect(text == expected.replacing("DIGEST", with: digest))
    }

    @Test func `What is published is read again, with members of later versions, and nothing longer`() throws {
        let state = try state()
        #expect(RolloutState(state.encoded(key: nil)) == state)
        let later = Array(#"{"later":1,"#.utf8) + state.encoded(key: nil).dropFirst()
        #expect(RolloutState(later) == state)
        #expect(RolloutState(later + [UInt8](repeating: 0x20, count: RolloutState.longest)) == nil)
        #expect(RolloutState(Array(later.dropLast())) == nil)
        #expect(RolloutState([]) == nil)
    }

    @Test func `A signed state is genuine as a state only`() throws {
        let key = try #require(Self.key)
        let message = try state().encoded(key: key)
        #expect(MessageTag.verdict(on: message, keys: [key], for: .configuration) == .genuine)
        #expect(MessageTag.verdict(on: message, keys: [key], for: .health) == .forged)
        #expect(RolloutState(message) == (try state()))
    }

    @Test(
        "A revision is a word of at most 64 characters",
        arguments: [
            ("4f2c9a1", true), ("v1.0_b-2", true), ("", false), ("a/b", false), ("a b", false), ("\u{E9}", false),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
        ])
    func revision(text: String, isOne: Bool) { #expect((ConfigurationRevision(text) != nil) == isOne) }

    @Test(
        "A digest has 64 lower-case hexadecimal digits",
        arguments: [
            (String(repeating: "0f", count: 32), true), (String(repeating: "0F", count: 32), false),
            (String(repeating: "0f", count: 31), false), ("", false), (String(repeating: "0g", count: 32), false),
        ])
    func digest(text: String, isOne: Bool) { #expect((ConfigurationDigest(text) != nil) == isOne) }
}
