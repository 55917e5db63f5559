import OperatorText
import ResultPictures
import Testing

@Suite("What the text of a test result suggests") struct ResultTextTests {
    private func read(_ lines: String...) -> ResultSuggestion { ResultText.suggestion(lines.map { TextRow($0) }) }

    private func day(_ text: String) throws -> Int64 { try #require(DayText.parse(text)) }

    @Test("An English report is read") func english() throws {
        let expected = try day("2025-11-10")
        let found = read(
            "City Laboratory", "Name: Anna Smith", "Date of birth: 1965-07-12", "Order: LC1VLNBF6K",
            "Date of sampling: 10 Nov 2025", "Test: SARS-CoV-2 PCR", "Result: POSITIVE", "Report date: 2025-11-11",
            "This report is valid without signature. A negative result does not", "rule out an infection.")
        #expect(
            found
                == ResultSuggestion(
                    outcome: .positive, testDay: expected, orderNumber: OrderNumber("LC1VLNBF6K")))
    }

    @Test("A German report is read, with an umlaut that was read as two letters") func german() throws {
        let expected = try day("2025-11-27")
        let found = read(
            "Universitatsklinik - Befundbericht", "| Name: Jörg Müller", "Geburtsdatum: 12.07.1957",
            "| Auftragsnummer: YLT8MPA8PE", "Entnahme: 27.11.2025", "Test: SARS-CoV-2 Antigentest",
            "Testergebnis: nicht nachgewiesen", "| Berichtsdatum: 28.11.2025",
            "Dieser Befund ist ohne Unterschrift giiltig. Ein negatives Ergebnis sch")
        #expect(
            found
                == ResultSuggestion(
                    outcome: .negative, testDay: expected, orderNumber: OrderNumber("YLT8MPA8PE")))
    }

    @Test(
        "Words of results are told apart",
        arguments: [
            ("Result: Detected", TestOutcome.positive), ("Result: Not detected", .negative),
            ("Test result: not detected.", .negative), ("Ergebnis nachgewiesen", .positive),
            ("Befund: NICHT NACHGEWIESEN", .negative), ("Ergebnis: nicht nachweisbar", .negative),
            ("Result: reactive", .positive), ("Result: Non-reactive", .negative), ("Result: inconclusive", .unclear),
            ("Ergebnis: nicht auswertbar", .unclear), ("Resuit: P0SlTIVE", .positive), ("Ergebnis; NEGAT1V", .negative),
            ("Ergebnis: Positiy", .positive), ("Befund: Degativ", .negative), ("| RESULT = negative", .negative),
        ])
    func outcomes(line: String, outcome: TestOutcome) {
        #expect(read(line).outcome == outcome)
    }

    @Test(
        "What is no known result as a whole is none",
        arguments: [
            "Result:", "Result: n1t detected", "Result: Mot detected", "Result: nicht", "Result: positive / negative",
            "Result: O positive X negative", "Result: not positive", "Ergebnis: mcht nachgewiesen",
            "Result: positive (reference: negative)", "Result: positive?", "Previous result: positive",
            "Reference: negative", "positive", "A negative result does not rule out an infection", "Result: pos",
            "Results of other tests: positive", "Befundbericht: positiv", "Result: previously detected",
        ])
    func noOutcome(line: String) {
        #expect(read(line).outcome == nil)
    }

    @Test("Results that contradict each other are none") func contradictions() {
        #expect(read("Result: positive", "Result: negative").outcome == nil)
        #expect(read("Result: positive", "Result: positive").outcome == .positive)
        #expect(read("Result: positive", "Result: inconclusive").outcome == nil)
        #expect(read("Result: positive", "Test result: nct detected").outcome == nil)
    }

    @Test("A box of a form that may not be ticked is no result") func boxes() {
        #expect(read("Result:", "positive", "negative").outcome == nil)
        #expect(read("Result: positive", "        negative").outcome == nil)
        #expect(read("Result:", "X positive").outcome == nil)
    }

    @Test("A result below its label is read, one in another column is not") func below() {
        #expect(read("  Result", "  NEGATIVE").outcome == .negative)
        #expect(read("  Result", "                 NEGATIVE").outcome == nil)
    }

    @Test("A negation that is in another row is not overlooked") func brokenNegation() {
        #expect(read("not", "Result: detected").outcome == nil)
        #expect(read("Result: detected", "not").outcome == nil)
        #expect(read("SARS-CoV-2 RNA: nicht", "Ergebnis: nachgewiesen").outcome == nil)
    }

    @Test("Of a negation that could not be read the rest is no result") func missingNegation() {
        let order = "Order:              AB12345"
        #expect(read(order, "Result:             detected").outcome == .positive)
        #expect(read(order, "Result:             not detected").outcome == .negative)
        #expect(read(order, "Result:                 detected").outcome == nil)
        #expect(read("Result:             detected").outcome == nil)
        #expect(read("Result:             positive").outcome == .positive)
    }

    @Test(
        "Days are read in the forms that have one meaning",
        arguments: [
            ("2025-11-02", "2025-11-02"), ("02.11.2025", "2025-11-02"), ("2.11.2025", "2025-11-02"),
            ("26. 03.2023", "2023-03-26"), ("2 Nov 2025", "2025-11-02"), ("2. November 2025", "2025-11-02"),
            ("12 Mär 2025", "2025-03-12"), ("1. Dez. 2025", "2025-12-01"), ("13/11/2025", "2025-11-13"),
            ("11/13/2025", "2025-11-13"), ("5/5/2025", "2025-05-05"), ("02.11.2025 14:30 Uhr", "2025-11-02"),
            ("2025-11-02T14:30:00", "2025-11-02"), ("02.11.2025, 08.15", "2025-11-02"), ("29.02.2024", "2024-02-29"),
        ])
    func days(text: String, day: String) throws {
        let expected = try self.day(day)
        #expect(read("Date of sampling: \(text)").testDay == expected)
        #expect(read("Abnahme am: \(text)").testDay == expected)
    }

    @Test(
        "What can be two days, or is none, is not read",
        arguments: [
            "02/11/2025", "29.02.2025", "31.11.2025", "2025-13-01", "00.11.2025", "O2.11.2025", "03.052023", "2.11.25",
            "12.03.1990", "02.11.2100", "02.11.2025 Anna", "02.11.2025 / 12.03.1990", "2 Now 2025", "2025-11-2",
            "02.11.2025 Date of birth: 12.03.1990", "1 2.11.2025", "99999999999999999999.11.2025", "",
        ])
    func noDays(text: String) {
        #expect(read("Date of sampling: \(text)").testDay == nil)
    }

    @Test(
        "Days of birth, of the report and of the receipt are not taken",
        arguments: [
            "Date of birth: 02.11.2020", "Geburtsdatum: 02.11.2020", "Geburtsdatum / Abnahme: 02.11.2020",
            "Report date: 2025-11-02", "Berichtsdatum: 02.11.2025", "Annahme: 02.11.2025", "Eingang: 02.11.2025",
            "Born: 2 Nov 2020", "02.11.2025", "Abnahmestelle: 02.11.2025", "Date: 2025-11-02",
        ])
    func otherDays(line: String) {
        #expect(read(line).testDay == nil)
    }

    @Test("A day after the latest, two days, and a day that is hard to read are not taken") func doubtfulDays() throws {
        let latest = try day("2025-11-02")
        #expect(ResultText.suggestion([TextRow("Abnahme: 02.11.2025")], latest: latest).testDay == latest)
        #expect(ResultText.suggestion([TextRow("Abnahme: 03.11.2025")], latest: latest).testDay == nil)
        #expect(read("Abnahme: 02.11.2025", "Entnahme: 03.11.2025").testDay == nil)
        #expect(read("Abnahme: 02.11.2025", "Entnahme: 02.11.2025").testDay == latest)
        #expect(read("Abnahme durch: Dr. Wei", "Abnahme am: 02.11.2025").testDay == latest)
        var row = TextRow("Abnahme: 02.11.2025")
        row.words[1].confidence = 80
        #expect(ResultText.suggestion([row]).testDay == nil)
    }

    @Test(
        "Numbers of orders are read",
        arguments: [
            ("Order: LC1VLNBF6K", "LC1VLNBF6K"), ("Order no.: 12-34567", "12-34567"),
            ("Sample id 5LV2C71XK9", "5LV2C71XK9"),
            ("Proben-Nr: AG6R8E8VVQ1", "AG6R8E8VVQ1"), ("Auftragsnummer: 2026/12345", "2026/12345"),
            ("Auftrag: UNKNOWN", nil), ("Order: 12", nil), ("Order: two words 1", nil), ("Order: 2025-11-02", nil),
            ("Ordered by: DR12345", nil), ("Order: AB12\u{1B}[31m", nil),
        ] as [(String, String?)])
    func orders(line: String, number: String?) {
        #expect(read(line).orderNumber?.text == number)
    }

    @Test(
        "A number in groups is read up to the end of its row",
        arguments: ["QX 7734 1129", "7734 1129", "A1B2 C3D4 E5F6", "LAB 77341129", "1234 567890"])
    func groups(number: String) {
        #expect(read("Order: \(number)").orderNumber?.text == number)
        #expect(read("Sample id     \(number)").orderNumber?.text == number)
        #expect(read("Order", number).orderNumber?.text == number)
        #expect(read("Order: \(number) |").orderNumber?.text == number)
    }

    @Test(
        "What can be more than a number in groups is not read",
        arguments: [
            "QX 7734  1129", "QX 7734     1129", "QX 7734 Anna", "QX 7734 ANNA", "AB12345 2025-11-02",
            "AB12345 02.11.2025", "AB12345 2 Nov 2025", "AB12345 02 11 2025", "AB12345 02112025", "AB12345 20251102",
            "AB12345 021125", "AB12345 251102", "AB12345 2025", "AB12345 08:15", "AB12345 08 15", "AB12345 1",
            "NR 12345",
            "POSITIVE 7734", "qx 7734 1129", "QX 7734 / 1129", "QX 7734, 1129", "1111 2222 3333 4444 5555 6666",
            "QX 7734 1129 Sample id: 5LV2C71XK9", "QX 7734 1129     Page 1 of 2",
        ])
    func noGroups(number: String) {
        #expect(read("Order: \(number)").orderNumber == nil)
    }

    @Test("Groups without anything between them and their label, and groups that are hard to read, are not read")
    func doubtfulGroups() {
        #expect(read("Order QX 7734 1129").orderNumber == nil)
        var row = TextRow("Order: QX 7734 1129")
        #expect(ResultText.suggestion([row]).orderNumber?.text == "QX 7734 1129")
        row.words[2].confidence = 79
        #expect(ResultText.suggestion([row]).orderNumber == nil)
        #expect(read("Order: QX 7734 1129", "Sample id: QX 7734 1130").orderNumber == nil)
        #expect(OrderNumber("QX 7734 1129").isSame(as: OrderNumber("QX77341129")))
    }

    @Test("Numbers are compared without what is read for each other") func sameNumbers() {
        #expect(OrderNumber("5LV2C71XB0").isSame(as: OrderNumber("slv2c7ix8O")))
        #expect(OrderNumber("12-34567").isSame(as: OrderNumber("1234567")))
        #expect(OrderNumber("AB12345").isSame(as: OrderNumber("A812345")))
        #expect(!OrderNumber("AB12345").isSame(as: OrderNumber("AB12346")))
        #expect(!OrderNumber("AB12345").isSame(as: OrderNumber("AB123455")))
    }

    @Test("Two readings are told where they agree") func merging() {
        let one = ResultSuggestion(outcome: nil, testDay: 20_000, orderNumber: OrderNumber("A1"))
        let other = ResultSuggestion(outcome: .negative, testDay: 20_000, orderNumber: OrderNumber("A2"))
        #expect(one.merged(with: other) == ResultSuggestion(outcome: .negative, testDay: 20_000))
        #expect(ResultSuggestion().isEmpty && !one.isEmpty)
    }

    @Test("Long and endless text is read in bounds") func bounds() {
        let long = String(repeating: "Result: positive ", count: 10_000)
        #expect(read(long).outcome == nil)
        #expect(ResultText.suggestion(Array(repeating: TextRow("Result: positive"), count: 5000)).outcome == .positive)
    }
}
