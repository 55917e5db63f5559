import BeaconModel
import CommandSupport
import InteractionStore
import OperatorText
import RecordContract

extension EraseCommand {
    /// Erases what is kept under a student's number.
    ///
    /// - Throws: `StoreError`, and an error if something is left.
    func erase(number: String, in store: InteractionStore) async throws {
        // The number is not named: it would be kept with the entry.
        try store.noteCommand(.sawPerson, detail: "what erasing a number would delete")
        let holdings = try store.holdings(ofNumber: number)
        try show("number \(number.excerpt): \(Self.text(holdings))")
        if holdings.isEmpty {
            Terminal.note(
                "note: the store has nothing under the number \(number.excerpt); write it as the roster does")
        }
        try await ask(about: "the number \(number.excerpt)")
        let erasure = try store.erase(
            number: number, audit: CommandAudit.entry(.erasedData, detail: "under a number"))
        if json {
            try Terminal.print(JSON.encode(NumberErasureDocument(erasure, of: number)))
        } else {
            try Terminal.print("erased \(Self.text(erasure.erased))")
            try Terminal.print("rows that name it now: \(erasure.remaining.rows)")
        }
        guard erasure.isComplete else { throw IncompleteNumberErasure(number: number) }
    }

    private static func text(_ holdings: InteractionStore.NumberHoldings) -> String {
        [
            counted(holdings.checkIns, "check-in", "check-ins"),
            counted(holdings.corrections, "correction", "corrections"),
            counted(holdings.verdicts, "settled verdict", "settled verdicts"),
            counted(holdings.answers, "day of answers", "days of answers"),
            counted(holdings.submitted, "test result sent in", "test results sent in"),
        ].joined(separator: ", ")
    }
}

/// Erased data of a student's number, for programs.
struct NumberErasureDocument: Encodable, Sendable {
    var number: String
    var checkIns: Int
    var corrections: Int
    var settledVerdicts: Int
    /// Number of days with answers to the questionnaire.
    var answeredDays: Int
    /// Number of test results that were sent in with the number, and waited for an officer.
    var submittedResults: Int
    /// Number of rows that still name it.
    var remaining: Int
    var isComplete: Bool

    init(_ erasure: InteractionStore.NumberErasure, of number: String) {
        self.number = number
        checkIns = erasure.erased.checkIns
        corrections = erasure.erased.corrections
        settledVerdicts = erasure.erased.verdicts
        answeredDays = erasure.erased.answers
        submittedResults = erasure.erased.submitted
        remaining = erasure.remaining.rows
        isComplete = erasure.isComplete
    }
}

private struct IncompleteNumberErasure: OperatorError {
    var number: String

    var what: String { "some data under the number \(number.excerpt) is left" }
    var remedy: String? { "repeat the command when nothing else writes to the store" }
    var exitStatus: ExitStatus { .data }
}
