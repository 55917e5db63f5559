/// Labels of results, days and numbers, in English and German.
struct ResultLabels {
    private let labels: [FoldedText]
    /// Whether one character of a label can be wrong. Not for days: `Abnahme` is the sampling, `Annahme` the receipt.
    private let tolerant: Bool

    private static let shortestTolerant = 6

    private init(_ labels: [String], tolerant: Bool) {
        // The longest first: `Order number` before `Order`.
        self.labels = labels.map { FoldedText($0) }.sorted { $0.characters.count > $1.characters.count }
        self.tolerant = tolerant
    }

    static let outcome = ResultLabels(
        [
            "Result", "Test result", "Overall result", "Final result", "PCR result", "Ergebnis", "Testergebnis",
            "Gesamtergebnis", "PCR-Ergebnis", "Befund", "Resultat",
        ], tolerant: true)

    static let sampling = ResultLabels(
        [
            "Date of sampling", "Sampling date", "Date of sample", "Sample date", "Sample taken", "Sample taken on",
            "Sample collected", "Sample collected on", "Date of collection", "Collection date", "Specimen collected",
        ], tolerant: true)

    static let probenahme = ResultLabels(
        [
            "Abnahme", "Abnahme am", "Abnahmedatum", "Abgenommen am", "Entnahme", "Entnahme am", "Entnahmedatum",
            "Entnommen am", "Probenahme", "Probenahme am", "Probenahmedatum", "Probenentnahme", "Datum der Abnahme",
            "Datum der Entnahme", "Datum der Probenahme",
        ], tolerant: false)

    static let order = ResultLabels(
        [
            "Order", "Order number", "Order no", "Order id", "Sample id", "Sample number", "Sample no", "Specimen id",
            "Accession number", "Auftrag", "Auftragsnummer", "Auftrags-Nr", "Auftragsnr", "Proben-Nr", "Probennr",
            "Probennummer", "Proben-ID", "Labornummer",
        ], tolerant: false)

    /// Returns the values that follow the labels: in the row, or alone in the next one, below the label's beginning.
    func values(in rows: [LabelRow]) -> [LabelledValue] {
        rows.indices.compactMap { index in
            guard let value = self.value(in: rows[index]) else { return nil }
            guard value.text.isEmpty else { return value }
            guard index + 1 < rows.count, let start = rows[index].row.words.first?.start,
                abs(rows[index + 1].whole.start - start) <= 1
            else { return nil }
            return rows[index + 1].whole
        }
    }

    private func value(in row: LabelRow) -> LabelledValue? {
        for label in labels {
            let isTolerant = tolerant && label.characters.count >= Self.shortestTolerant
            if let value = row.value(after: label, tolerant: isTolerant) { return value }
        }
        return nil
    }
}
