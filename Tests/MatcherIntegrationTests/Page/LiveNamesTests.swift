import Matching
import Testing

@testable import MatcherDaemon

@Suite("Names in streams of events") struct LiveNamesTests {
    private static let anna = SubjectIdentity(kind: "badge", id: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1")

    @Test("Names come before the first event that needs them, once")
    func names() async throws {
        let anna = try #require(Self.anna)
        let names = LiveNames { subjects in subjects.contains(anna) ? [anna: "Anna \"A\" Smith"] : [:] }
        let event = "event: positions\ndata: {\"positions\":[{\"key\":\"k1\",\"subject\":\"\(anna)\"}]}\n\n"
        #expect(
            await names.prepared(event)
                == "event: names\ndata: {\"names\":{\"k1\":\"Anna \\\"A\\\" Smith\"}}\n\n" + event)
        #expect(await names.prepared(event) == event)
        #expect(await names.prepared(": still here\n\n") == ": still here\n\n")
        #expect(await names.prepared("event: left\ndata: {\"keys\":[\"k1\"]}\n\n").hasPrefix("event: left"))
    }

    @Test("Without the register people are shown by their identities")
    func noRegister() async throws {
        struct Unavailable: Error {}
        let names = LiveNames { _ in throw Unavailable() }
        let anna = try #require(Self.anna)
        let event = "event: snapshot\ndata: {\"positions\":[{\"key\":\"k1\",\"subject\":\"\(anna)\"}]}\n\n"
        #expect(await names.prepared(event) == event)
    }
}
