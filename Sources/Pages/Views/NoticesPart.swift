/// Part of a page that sends letters and e-mails to exposed people, and says what has become of them.
package struct NoticesPart: Equatable, Sendable {
    /// How many people have an address, in a sentence.
    package var reach: String
    /// Why no e-mail can be sent, in a sentence.
    package var obstacle: String?
    /// Path of the letters; `nil` if there are none.
    package var lettersPath: String?
    /// Path of the forms.
    package var sendPath: String
    /// What is sent with each form.
    package var fields: [Field]
    /// Words of the button for all people; `nil` if nobody needs an e-mail.
    package var sendLabel: String?
    package var recipients: [Recipient]
    package var hasRecipients: Bool

    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package struct Recipient: Equatable, Sendable {
        package var person: PersonLink
        package var state: OfficerTag
        /// When, and why.
        package var detail: String?
        /// Words of the button for this person; `nil` where there is none.
        package var label: String?

        package init(person: PersonLink, state: OfficerTag, detail: String? = nil, label: String? = nil) {
            self.person = person
            self.state = state
            self.detail = detail
            self.label = label
        }
    }

    package init(
        reach: String, obstacle: String? = nil, lettersPath: String?, sendPath: String, fields: [Field] = [],
        sendLabel: String?, recipients: [Recipient]
    ) {
        self.reach = reach
        self.obstacle = obstacle
        self.lettersPath = lettersPath
        self.sendPath = sendPath
        self.fields = fields
        self.sendLabel = sendLabel
        self.recipients = recipients
        hasRecipients = !recipients.isEmpty
    }
}
