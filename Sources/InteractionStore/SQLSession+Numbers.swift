import Matching

/// Numbers that stand for names.
extension SQLSession {
    /// Returns the number of a subject; `nil` if it has none.
    func number(of subject: SubjectIdentity) throws -> Int64? {
        try first("SELECT id FROM subject WHERE name = $1 AND kind = $2", [.text(subject.id), .text(subject.kind)]) {
            $0.integer(0)
        }
    }

    /// Returns the number of an origin of interactions; `nil` if it has none.
    func number(ofOrigin path: String) throws -> Int64? {
        try first("SELECT id FROM origin WHERE path = $1", [.text(path)]) { $0.integer(0) }
    }
}
