import Matching
import OperatorText

extension SubjectIdentity {
    /// Reads the name of a phone or badge in the list `subjects` of a request.
    ///
    /// - Parameter index: place in the list, from 0.
    /// - Throws: `APIError` if it is neither.
    static func named(_ kind: String, _ id: String, at index: Int) throws(APIError) -> SubjectIdentity {
        guard let identity = SubjectIdentity(writtenKind: kind, id: id), [phone, badge].contains(identity.kind) else {
            throw .invalid(
                "subjects[\(index)]", "found \("\(kind):\(id)".excerpt)",
                "must be a phone, or a badge: its id is UUID/MAJOR/MINOR")
        }
        return identity
    }
}
