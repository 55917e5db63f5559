/// Rows of test results that were sent in on the page.
extension SQLSession {
    /// Stores a draft or a result, in the place of a draft with its reference.
    ///
    /// - Returns: `false` if a result with this reference was already sent.
    func save(_ result: SubmittedResult) throws -> Bool {
        let picture = result.picture
        let read = picture?.read
        let columns = [
            "state", "at", "name", "number", "contact", "test_day", "onset", "order_number", "proof", "format",
            "width", "height", "byte_count", "was_read", "read_outcome", "read_day", "read_order", "read_codes",
        ]
        let places = (1...columns.count + 1).map { "$\($0)" }.joined(separator: ", ")
        let assignments = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let rows = try execute(
            "INSERT INTO submitted_result (reference, \(columns.joined(separator: ", "))) VALUES (\(places)) "
                + "ON CONFLICT (reference) DO UPDATE SET \(assignments) WHERE submitted_result.state = 'draft'",
            [
                .text(result.reference), .text(result.state.rawValue), .integer(result.at),
                .typed(result.sender.name), .typed(result.sender.number), .typed(result.sender.contact),
                .integer(result.testDay), .integer(result.onset), .typed(result.orderNumber),
                .text(picture == nil ? "code" : "picture"), .text(picture?.format ?? ""),
                .integer(Int64(picture?.width ?? 0)), .integer(Int64(picture?.height ?? 0)),
                .integer(Int64(picture?.byteCount ?? 0)), .integer(read == nil ? 0 : 1), .text(read?.outcome),
                .integer(read?.testDay), read?.orderNumber.map { SQLValue.typed($0) } ?? .text(nil),
                .text(read?.codes.joined(separator: "\n") ?? ""),
            ])
        return rows == 1
    }

    /// Lets a draft wait, with what was typed.
    ///
    /// - Parameter earliest: drafts of this time and before it have expired.
    /// - Returns: `false` if there is no such draft with a picture.
    func submit(_ result: SubmittedResult, draftAfter earliest: Int64) throws -> Bool {
        try execute(
            "UPDATE submitted_result SET state = $2, at = $3, name = $4, number = $5, contact = $6, test_day = $7, "
                + "onset = $8, order_number = $9 WHERE reference = $1 AND state = 'draft' AND proof = 'picture' "
                + "AND at > $10 AND EXISTS (SELECT 1 FROM submitted_picture p "
                + "WHERE p.reference = submitted_result.reference)",
            [
                .text(result.reference), .text(result.state.rawValue), .integer(result.at),
                .typed(result.sender.name), .typed(result.sender.number), .typed(result.sender.contact),
                .integer(result.testDay), .integer(result.onset), .typed(result.orderNumber), .integer(earliest),
            ]) == 1
    }

    func submittedResults(_ condition: String, _ arguments: [SQLValue]) throws -> [SubmittedResult] {
        var results: [SubmittedResult] = []
        try query(
            "SELECT reference, state, at, name, number, contact, test_day, onset, order_number, proof, format, width, "
                + "height, byte_count, was_read, read_outcome, read_day, read_order, read_codes "
                + "FROM submitted_result WHERE " + condition, arguments
        ) { row in
            guard let state = SubmittedResult.State(rawValue: row.text(1) ?? "") else { return }
            results.append(
                SubmittedResult(
                    reference: row.text(0) ?? "", state: state, at: row.integer(2),
                    sender: .init(name: row.text(3) ?? "", number: row.text(4) ?? "", contact: row.text(5) ?? ""),
                    testDay: row.day(6), onset: row.day(7), orderNumber: row.text(8) ?? "",
                    proof: row.text(9) == "code" ? .code : .picture(row.pictureFacts)))
        }
        return results
    }
}

extension SQLRow {
    /// Reads the columns from `format` on.
    fileprivate var pictureFacts: SubmittedResult.PictureFacts {
        var facts = SubmittedResult.PictureFacts(
            format: text(10) ?? "", width: Int(integer(11)), height: Int(integer(12)), byteCount: Int(integer(13)))
        if integer(14) == 1 {
            facts.read = SubmittedResult.ReadOff(
                outcome: text(15), testDay: day(16), orderNumber: text(17),
                codes: (text(18) ?? "").split(separator: "\n").map(String.init))
        }
        return facts
    }
}

extension SQLValue {
    /// Text that a sender has typed. The page refuses longer texts; the store has the bound also for other callers. No
    /// database keeps the character NUL in a text.
    fileprivate static func typed(_ text: String) -> SQLValue {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(500)))
        return .text(start.replacing("\0", with: " "))
    }
}
