/// Answers to the questionnaire, which only the person who gave them sees.
extension InteractionStore {
    /// Maximum number of days of one person.
    private static let mostDays = 100

    /// Stores a person's answers of a day, in the place of earlier ones of that day.
    ///
    /// - Parameter number: student or staff number.
    /// - Throws: `StoreError`.
    package func save(_ answered: StoredQuestionnaire, number: String) throws {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "INSERT INTO questionnaire (number, day, answers, result, at) VALUES ($1, $2, $3, $4, $5) "
                    + "ON CONFLICT (number, day) DO UPDATE SET answers = excluded.answers, result = excluded.result, "
                    + "at = excluded.at",
                [
                    .text(number), .integer(answered.day), .text(answered.answers), .text(answered.result),
                    .integer(answered.at),
                ])
        }
    }

    /// Returns a person's answers, the latest day first.
    ///
    /// - Throws: `StoreError`.
    package func questionnaires(of number: String) throws -> [StoredQuestionnaire] {
        try database.read { session in
            var found: [StoredQuestionnaire] = []
            try session.query(
                "SELECT day, answers, result, at FROM questionnaire WHERE number = $1 ORDER BY day DESC "
                    + "LIMIT \(Self.mostDays)", [.text(number)]
            ) { row in
                found.append(
                    StoredQuestionnaire(
                        day: row.integer(0), answers: row.text(1) ?? "", result: row.text(2) ?? "", at: row.integer(3)))
            }
            return found
        }
    }
}

extension SQLSession {
    /// Removes the answers of people, by the numbers of their rows in the register.
    func removeQuestionnaires(of ids: [Int64]) throws {
        try inParts(ids) { list, arguments in
            try execute(
                "DELETE FROM questionnaire WHERE number IN (SELECT number FROM person WHERE id IN (\(list)))", arguments
            )
        }
    }
}
