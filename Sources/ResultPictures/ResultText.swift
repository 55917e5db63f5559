/// Finds result, day and number in the text of a test result.
///
/// Only what follows a known label is looked at, and only if it is one of the known forms as a whole. Whatever is
/// ambiguous, or contradicts itself, is left out.
package enum ResultText {
    private static let mostRows = 500
    /// Least confidence in each word of a day, because a wrong digit gives another day. In 168 drawn pictures
    /// one day was misread as another one, with 83.
    private static let dayConfidence = 88.0
    static let orderLengths = 5...32
    /// Least confidence in each group of a number: stains that are read as letters have less.
    private static let groupConfidence = 80.0
    /// Largest space between groups of a number, in heights of letters; two spaces are wider.
    private static let widestSpace = 1.0

    /// - Parameters:
    ///   - rows: rows of the page, from top to bottom.
    ///   - latest: the latest day, in days since 1970, on which the sample can have been taken; `nil` for any.
    package static func suggestion(_ rows: [TextRow], latest: Int64? = nil) -> ResultSuggestion {
        let rows = rows.prefix(mostRows).filter { !$0.words.isEmpty }.map { LabelRow($0) }
        let days = ResultLabels.sampling.values(in: rows) + ResultLabels.probenahme.values(in: rows)
        let orders = ResultLabels.order.values(in: rows)
        return ResultSuggestion(
            outcome: OutcomeReading.outcome(in: rows, others: days + orders), testDay: day(days, latest),
            orderNumber: order(orders))
    }

    private static func day(_ values: [LabelledValue], _ latest: Int64?) -> Int64? {
        var found: Set<Int64> = []
        for value in values {
            // Names and places of those who took the sample have no such number of digits.
            guard value.text.count(where: \.isNumber) >= 4 else { continue }
            guard value.confidence >= dayConfidence, let day = ResultDate.day(value.text), day <= latest ?? .max else {
                return nil
            }
            found.insert(day)
        }
        return found.count == 1 ? found.first : nil
    }

    private static func order(_ values: [LabelledValue]) -> OrderNumber? {
        let numbers = Set(
            values.compactMap { orderNumber($0.text) ?? (isOneText($0) ? NumberGroups.number($0.text) : nil) })
        return numbers.count == 1 ? numbers.first : nil
    }

    /// Whether the words of a value can be groups of one number: they are well read, nothing but single spaces is
    /// between them up to the end of the row, and the label is apart from them.
    private static func isOneText(_ value: LabelledValue) -> Bool {
        value.confidence >= groupConfidence && value.widestGap <= widestSpace
            && (value.hasSeparator || value.isBelow || value.gap > OutcomeReading.widestSpace)
    }

    /// Returns the number that a text is: ASCII letters, digits and hyphens, with a digit, and not a day.
    static func orderNumber(_ text: String) -> OrderNumber? {
        let isNumber = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber) || "-/".contains(character)
        }
        guard orderLengths.contains(text.count), text.allSatisfy(isNumber), text.contains(where: \.isNumber),
            ResultDate.day(text) == nil
        else { return nil }
        return OrderNumber(text)
    }
}
