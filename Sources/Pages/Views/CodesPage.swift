/// Form that issues verification codes, and the codes that were just issued, which are shown once.
package struct CodesPage: PageContent {
    package static let template = PageTemplate.codes
    package var frame: Frame
    package var issued: Issued?
    /// Number of codes that can be used now, in a sentence.
    package var open: String
    package var form: Form
    /// The latest day that can be given.
    package var latest: String
    /// Name of the form: it issues codes once.
    package var once: String

    package struct Issued: Equatable, Sendable {
        package var codes: [String]
        /// Validity of the codes, and the day of their test, in sentences.
        package var validity: String

        package init(codes: [String], validity: String) {
            self.codes = codes
            self.validity = validity
        }
    }

    /// The form as it was typed, with what is wrong with it.
    package struct Form: Equatable, Sendable {
        package var test: TypedField
        package var onset: TypedField
        package var isLong: Bool
        package var minutes: TypedField
        package var count: TypedField
        /// Reason why no codes were issued, in sentences, if no field is wrong.
        package var obstacle: String?

        package init(
            test: String = "", onset: String = "", isLong: Bool = false, minutes: String = "30", count: String = "1"
        ) {
            self.test = TypedField(test)
            self.onset = TypedField(onset)
            self.isLong = isLong
            self.minutes = TypedField(minutes)
            self.count = TypedField(count)
        }

        package var hasMistakes: Bool {
            [test, onset, minutes, count].contains { $0.mistake != nil } || obstacle != nil
        }
    }

    package init(
        _ frame: Frame, issued: Issued? = nil, open: String, _ form: Form = Form(), once: String = "", latest: String
    ) {
        self.frame = frame
        self.issued = issued
        self.open = open
        self.form = form
        self.latest = latest
        self.once = once
    }
}
