package import Matching

/// A request to exchange a verification code for a verification, as an app sends it.
package struct CodeExchange: Decodable, Sendable {
    package var code: String
    package var subjects: [Subject]

    package struct Subject: Decodable, Sendable {
        package var kind: String
        package var id: String
    }

    /// Returns the subjects that the verification will be for. Their secrets are checked when the report comes.
    package func identities() throws(APIError) -> [SubjectIdentity] {
        guard (1...CodeAuthority.mostSubjects).contains(subjects.count) else {
            throw .invalid(
                "subjects", "has \(subjects.count) entries", "must have 1 to \(CodeAuthority.mostSubjects)")
        }
        var identities: [SubjectIdentity] = []
        for (index, subject) in subjects.enumerated() {
            let identity = try SubjectIdentity.named(subject.kind, subject.id, at: index)
            if !identities.contains(identity) { identities.append(identity) }
        }
        return identities
    }
}
