/// Report of one's own positive test, one step at a time. It needs no account and no scripts.
package struct SelfReportPage: PageContent {
    package static let template = PageTemplate.selfReport
    package var frame: Frame
    /// Number of the step, in words.
    package var progress: String
    /// The step that is shown; the others are `nil`.
    package var start: Start?
    package var codeStep: CodeStep?
    package var pictureStep: PictureStep?
    package var details: Details?
    package var review: Review?

    /// Choice between a code and a picture.
    package struct Start: Equatable, Sendable {
        package var codePath: String
        /// `nil` if no pictures are taken.
        package var picturePath: String?
        /// Uses of the data, in sentences.
        package var uses: [String]
        /// Office that gives codes, as letters name it; `nil` if it is not configured.
        package var office: String?

        package init(codePath: String, picturePath: String?, uses: [String], office: String?) {
            self.codePath = codePath
            self.picturePath = picturePath
            self.uses = uses
            self.office = office
        }
    }

    package struct CodeStep: Equatable, Sendable {
        package var code: TypedField

        package init(_ code: TypedField) { self.code = code }
    }

    package struct PictureStep: Equatable, Sendable {
        /// Reason why no picture was taken, and the remedy, in sentences.
        package var pictureMistake: String?

        package init(mistake: String? = nil) { pictureMistake = mistake }
    }

    /// Days, and who sends it.
    package struct Details: Equatable, Sendable {
        package var form: Form
        /// Values that were read from the picture, in sentences.
        package var suggestion: String?
        /// Whether the day of the sample is asked for: a code has it.
        package var asksSample: Bool
        /// Name and number of the person who is signed in, who does not type them; `nil` if nobody is.
        package var ownName: String?
        /// The latest day that can be given.
        package var latest: String
        package var backPath: String

        package init(
            _ form: Form, suggestion: String? = nil, asksSample: Bool, ownName: String? = nil, latest: String,
            backPath: String
        ) {
            self.form = form
            self.suggestion = suggestion
            self.asksSample = asksSample
            self.ownName = ownName
            self.latest = latest
            self.backPath = backPath
        }
    }

    /// Details as they were typed or suggested, with what is wrong with them.
    package struct Form: Equatable, Sendable {
        package var test: TypedField
        package var onset: TypedField
        package var order: TypedField
        package var name: TypedField
        package var number: TypedField
        package var contact: TypedField

        package init(
            test: String = "", onset: String = "", order: String = "", name: String = "", number: String = "",
            contact: String = ""
        ) {
            self.test = TypedField(test)
            self.onset = TypedField(onset)
            self.order = TypedField(order)
            self.name = TypedField(name)
            self.number = TypedField(number)
            self.contact = TypedField(contact)
        }

        package var hasMistakes: Bool {
            [test, onset, order, name, number, contact].contains { $0.mistake != nil }
        }
    }

    /// Summary of what will be sent.
    package struct Review: Equatable, Sendable {
        package var facts: [LabelledFact]
        /// Consequences of sending it, in sentences.
        package var consequence: String
        /// Version of what is shown: only this is sent.
        package var version: String

        package init(facts: [LabelledFact], consequence: String, version: String) {
            self.facts = facts
            self.consequence = consequence
            self.version = version
        }
    }

    /// Creates a page without a step; exactly one is set afterwards.
    package init(_ frame: Frame, progress: String) {
        self.frame = frame
        self.progress = progress
    }
}
