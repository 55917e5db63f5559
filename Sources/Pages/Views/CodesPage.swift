/// Form that issues verification codes, and the codes that were just issued, which are shown once.
package struct CodesPage: PageContent {
    package static let template = PageTemplate.codes
    package var frame: Frame
    package var issued: Issued?
    /// Number of codes that can be used now, in a sentence.
    package var open: String
    package var test: String
    package var testMistake: String?
    package var onset: String
    package var onsetMistake: String?
    /// The latest day that can be given.
    package var latest: String
    package var isLong: Bool
    package var minutes: String
    package var minutesMistake: String?
    package var count: String
    package var countMistake: String?
    /// Name of the form: it issues codes once.
    package var once: String
    /// Reason why no codes were issued, in sentences, if no field is wrong.
    package var obstacle: String?

    package struct Issued: Equatable, Sendable {
        package var codes: [String]
        /// Validity of the codes, and the day of their test, in sentences.
        package var validity: String

        package init(codes: [String], validity: String) {
            self.codes = codes
            self.validity = validity
        }
    }

    /// The form as it was typed.
    package struct Typed: Equatable, Sendable {
        package var test: String
        package var onset: String
        package var isLong: Bool
        package var minutes: String
        package var count: String

        package init(
            test: String = "", onset: String = "", isLong: Bool = false, minutes: String = "30", count: String = "1"
        ) {
            self.test = test
            self.onset = onset
            self.isLong = isLong
            self.minutes = minutes
            self.count = count
        }
    }

    package struct Mistakes: Equatable, Sendable {
        package var test: String?
        package var onset: String?
        package var minutes: String?
        package var count: String?
        package var obstacle: String?

        package init() {}

        package var isEmpty: Bool { self == Mistakes() }
    }

    package init(
        _ frame: Frame, issued: Issued? = nil, open: String, typed: Typed = Typed(), once: String = "",
        mistakes: Mistakes = Mistakes(), latest: String
    ) {
        self.frame = frame
        self.issued = issued
        self.open = open
        test = typed.test
        testMistake = mistakes.test
        onset = typed.onset
        onsetMistake = mistakes.onset
        self.latest = latest
        isLong = typed.isLong
        minutes = typed.minutes
        minutesMistake = mistakes.minutes
        count = typed.count
        countMistake = mistakes.count
        self.once = once
        obstacle = mistakes.obstacle
    }
}
