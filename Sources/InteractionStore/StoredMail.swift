/// E-mail to a person, with what has become of it. Its text is not stored: it is made when it is sent.
package struct StoredMail: Equatable, Sendable {
    package var id: Int64
    /// Number of the person in the register.
    package var number: String
    package var address: String
    package var kind: Kind
    package var state: State
    package var tries: Int
    /// When it is tried next, in seconds since 1970.
    package var next: Int64
    /// Why it was not sent; empty if it was, or was not tried yet.
    package var error: String
    /// When it was ordered, in seconds since 1970.
    package var created: Int64
    /// When it was sent, in seconds since 1970.
    package var sent: Int64?

    /// Who ordered the e-mail.
    package enum Kind: String, CaseIterable, Sendable {
        case officer
        /// The person, who wants news by e-mail until further notice. The stored word is older than this name.
        case preference = "wish"
    }

    package enum State: String, CaseIterable, Sendable {
        case queued, sent, failed
    }

    /// Columns in the order in which rows are read.
    static let columns = "id, number, address, kind, state, tries, next, error, created, sent"

    /// Reads a row with these columns; `nil` for one of another version of this program.
    init?(_ row: SQLRow) {
        guard let kind = Kind(rawValue: row.text(3) ?? ""), let state = State(rawValue: row.text(4) ?? "") else {
            return nil
        }
        id = row.integer(0)
        number = row.text(1) ?? ""
        address = row.text(2) ?? ""
        self.kind = kind
        self.state = state
        tries = Int(row.integer(5))
        next = row.integer(6)
        error = row.text(7) ?? ""
        created = row.integer(8)
        sent = row.optionalInteger(9)
    }
}
