/// Part of a page that sends letters and e-mails to exposed people, and says what has become of them.
package struct NoticesPart: Equatable, Sendable {
    /// Number of people with an address, in a sentence.
    package var reach: String
    /// Reason why no e-mail can be sent, in a sentence.
    package var obstacle: String?
    /// Webhook to which notices go as well, in a sentence; `nil` without one.
    package var webhook: String?
    /// Path of the letters; `nil` if there are none.
    package var lettersPath: String?
    /// Path of the forms.
    package var sendPath: String
    /// Fields that are sent with each form.
    package var fields: [HiddenField]
    /// Words of the button for all people; `nil` if nobody needs an e-mail.
    package var sendLabel: String?
    package var recipients: [Recipient]
    package var hasRecipients: Bool

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
        reach: String, obstacle: String? = nil, webhook: String? = nil, lettersPath: String?, sendPath: String,
        fields: [HiddenField] = [], sendLabel: String?, recipients: [Recipient]
    ) {
        self.reach = reach
        self.obstacle = obstacle
        self.webhook = webhook
        self.lettersPath = lettersPath
        self.sendPath = sendPath
        self.fields = fields
        self.sendLabel = sendLabel
        self.recipients = recipients
        // While no e-mail can be sent, a table that says "not sent" of everybody says nothing.
        hasRecipients = recipients.contains { obstacle == nil || !$0.state.tone.isEmpty }
    }
}
