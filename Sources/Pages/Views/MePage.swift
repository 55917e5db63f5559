/// A person's own status: risk, what to do, days of exposures, attendance, and what is kept. Without places, other
/// people and times of day of exposures.
package struct MePage: PageContent {
    package static let template = PageTemplate.me
    package var frame: Frame
    /// Reason why the person's status is not known; `nil` if it is known.
    package var absence: Absence?
    package var status: Status?
    /// Own badges and phones.
    package var devices: [Device]
    package var attendance: Attendance?
    package var kept: [Kept]
    /// Choice of notices by e-mail; `nil` for somebody who is not in the register.
    package var mail: MailPreference?
    /// Path of the stream of news; `nil` if there can be no news.
    package var news: String?
    /// State of the questionnaire; `nil` for a person who cannot answer it.
    package var questionnaire: Asked?
    /// Whether the person can check in to lectures.
    package var canCheckIn = false
    package let script = PageAsset.me.path

    /// State of the questionnaire.
    package struct Asked: Equatable, Sendable {
        package var sentence: String
        /// Whether it should be answered today.
        package var isDue: Bool

        package init(_ sentence: String, isDue: Bool) {
            self.sentence = sentence
            self.isDue = isDue
        }
    }

    /// Reason why nothing is known of the person.
    package struct Absence: Equatable, Sendable {
        package var what: String
        package var remedy: String

        package init(what: String, remedy: String) {
            self.what = what
            self.remedy = remedy
        }
    }

    package struct Status: Equatable, Sendable {
        /// Symbol beside the word, for those who do not see colours.
        package var symbol: String
        package var word: StatusWord
        /// The status in a sentence.
        package var sentence: String
        /// Since when the latest exposure is known, in a sentence.
        package var since: String?
        /// Advice, in sentences.
        package var advice: [String]
        /// Days with exposures, the latest first.
        package var days: [String]
        /// Number of days that count, in words.
        package var span: String
        /// Reasons to doubt the status, in sentences.
        package var doubts: [String]
        /// Rules by which the risk is assessed.
        package var rules: String

        package init(
            symbol: String, word: StatusWord, sentence: String, since: String?, advice: [String], days: [String],
            span: String, doubts: [String], rules: String
        ) {
            self.symbol = symbol
            self.word = word
            self.sentence = sentence
            self.since = since
            self.advice = advice
            self.days = days
            self.span = span
            self.doubts = doubts
            self.rules = rules
        }
    }

    package struct Device: Equatable, Sendable {
        package var kind: String
        package var id: String
        /// Time at which it was last heard, in a sentence.
        package var heard: String

        package init(kind: String, id: String, heard: String) {
            self.kind = kind
            self.id = id
            self.heard = heard
        }
    }

    /// Own attendance.
    package struct Attendance: Equatable, Sendable {
        package var span: String
        /// Reason why no lectures are shown, in a sentence.
        package var nothing: String?
        package var lectures: [Lecture]

        package init(span: String, nothing: String?, lectures: [Lecture]) {
            self.span = span
            self.nothing = nothing
            self.lectures = lectures
        }
    }

    package struct Lecture: Equatable, Sendable {
        package var course: String
        package var when: String
        package var status: StatusWord
        package var remark: String?

        package init(course: String, when: String, status: StatusWord, remark: String?) {
            self.course = course
            self.when = when
            self.status = status
            self.remark = remark
        }
    }

    /// Choice of notices by e-mail.
    package struct MailPreference: Equatable, Sendable {
        /// Reason why there are no e-mails, in a sentence.
        package var obstacle: String?
        /// Address of the register; `nil` where there are no e-mails.
        package var address: String?
        package var isOn: Bool

        /// Creates the choice of somebody to whom no e-mails can be sent.
        package init(obstacle: String) {
            self.obstacle = obstacle
            isOn = false
        }

        package init(address: String, isOn: Bool) {
            self.address = address
            self.isOn = isOn
        }
    }

    /// Data that is kept, and for how long.
    package struct Kept: Equatable, Sendable {
        package var data: String
        package var howLong: String

        package init(_ data: String, _ howLong: String) {
            self.data = data
            self.howLong = howLong
        }
    }

    package init(
        _ frame: Frame, absence: Absence?, status: Status?, devices: [Device], attendance: Attendance?, kept: [Kept],
        mail: MailPreference? = nil
    ) {
        self.frame = frame
        self.absence = absence
        self.status = status
        self.devices = devices
        self.attendance = attendance
        self.kept = kept
        self.mail = mail
    }
}
