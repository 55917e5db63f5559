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
        package var typedCode: String
        package var codeMistake: String?

        package init(typedCode: String, mistake: String? = nil) {
            self.typedCode = typedCode
            codeMistake = mistake
        }
    }

    package struct PictureStep: Equatable, Sendable {
        /// Reason why no picture was taken, and the remedy, in sentences.
        package var pictureMistake: String?

        package init(mistake: String? = nil) { pictureMistake = mistake }
    }

    /// Days, and who sends it.
    package struct Details: Equatable, Sendable {
        /// Values that were read from the picture, in sentences.
        package var suggestion: String?
        /// Whether the day of the sample is asked for: a code has it.
        package var asksSample: Bool
        package var test: String
        package var testMistake: String?
        package var onset: String
        package var onsetMistake: String?
        package var order: String
        package var orderMistake: String?
        /// The latest day that can be given.
        package var latest: String
        package var backPath: String
        /// Name and number of the person who is signed in, who does not type them; `nil` if nobody is.
        package var ownName: String?
        package var senderName: String
        package var nameMistake: String?
        package var number: String
        package var numberMistake: String?
        package var contact: String
        package var contactMistake: String?

        package init(_ typed: Typed, mistakes: Mistakes = Mistakes(), latest: String, backPath: String) {
            suggestion = typed.suggestion
            asksSample = typed.asksSample
            test = typed.test
            testMistake = mistakes.test
            onset = typed.onset
            onsetMistake = mistakes.onset
            order = typed.order
            orderMistake = mistakes.order
            self.latest = latest
            self.backPath = backPath
            ownName = typed.ownName
            senderName = typed.name
            nameMistake = mistakes.name
            number = typed.number
            numberMistake = mistakes.number
            contact = typed.contact
            contactMistake = mistakes.contact
        }
    }

    /// Details as they were typed or suggested.
    package struct Typed: Equatable, Sendable {
        package var suggestion: String?
        package var asksSample: Bool
        package var ownName: String?
        package var test: String
        package var onset: String
        package var order: String
        package var name: String
        package var number: String
        package var contact: String

        package init(
            suggestion: String? = nil, asksSample: Bool, ownName: String? = nil, test: String = "",
            onset: String = "", order: String = "", name: String = "", number: String = "", contact: String = ""
        ) {
            self.suggestion = suggestion
            self.asksSample = asksSample
            self.ownName = ownName
            self.test = test
            self.onset = onset
            self.order = order
            self.name = name
            self.number = number
            self.contact = contact
        }
    }

    /// Mistakes in the details.
    package struct Mistakes: Equatable, Sendable {
        package var test: String?
        package var onset: String?
        package var order: String?
        package var name: String?
        package var number: String?
        package var contact: String?

        package init() {}

        package var isEmpty: Bool { self == Mistakes() }
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
