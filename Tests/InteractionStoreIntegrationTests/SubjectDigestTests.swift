import Matching
import Testing

@testable import Evidence
@testable import InteractionStore

@Suite("SubjectDigest")
struct SubjectDigestTests {
    private func digest(_ kind: String, _ id: String) throws -> SubjectDigest {
        SubjectDigest(try #require(SubjectIdentity(kind: kind, id: id)))
    }

    @Test("A subject has one digest, and another kind of the same id another one")
    func kinds() throws {
        #expect(try digest("phone", "7") == digest("phone", "7"))
        #expect(try digest("phone", "7") != digest("badge", "7"))
        #expect(try digest("phone", "17") != digest("phone1", "7"))
    }

    @Test("Of a hundred thousand subjects no two have the same")
    func many() throws {
        let digests = try Set((0..<100_000).map { try digest("phone", "\($0)") })
        #expect(digests.count == 100_000)
    }
}
