import InteractionStore
import MatcherCore
import Matching
import Pages
import People

/// People who can be told of their exposures by letter or e-mail: those of the register who are notified.
struct NoticeRecipients: Sendable {
    struct Recipient: Sendable {
        var person: Person
        /// `nil` where the register has none.
        var address: MailAddress?
        /// Latest e-mail to the person.
        var mail: StoredMail?
        /// Time of the last change of the person's notice, in seconds since 1970.
        var changed: Int64

        /// Whether an e-mail would tell the person something: none waits, and none was sent since the notice changed.
        var needsMail: Bool {
            guard address != nil else { return false }
            switch mail?.state {
            case nil, .failed: return true
            case .queued: return false
            case .sent: return (mail?.sent ?? .min) < changed
            }
        }
    }

    /// Recipients in the order of their names.
    private(set) var recipients: [Recipient] = []
    /// Number of badges and phones that are notified and belong to nobody in the register.
    private(set) var unregistered = 0
    /// Sentence on people who are not among these; `nil` if all are.
    var remark: String?

    /// Reads what is known of the people to whom subjects belong.
    ///
    /// - Throws: `StoreError`.
    init(_ subjects: Set<SubjectIdentity>, in store: InteractionStore) throws {
        let owners = try store.people(of: subjects)
        let people = Set(owners.values).sorted { ($0.name, $0.number) < ($1.name, $1.number) }
        let changed = try store.noticesChanged(of: subjects.union(people.flatMap(\.subjects)))
        unregistered = subjects.count { owners[$0] == nil && changed[$0] != nil }
        let mail = try store.latestMail(of: Set(people.map(\.number)))
        recipients = people.compactMap { person in
            person.subjects.compactMap { changed[$0] }.max().map { latest in
                Recipient(
                    person: person, address: MailContact.address(in: person.contact), mail: mail[person.number],
                    changed: latest)
            }
        }
    }

    var isEmpty: Bool { recipients.isEmpty && unregistered == 0 }

    /// Returns those who get an e-mail: everybody who needs one, or one person with an address.
    func chosen(number: String?) -> [(number: String, address: String)] {
        recipients.compactMap { recipient in
            guard let address = recipient.address else { return nil }
            let isChosen = number.map { $0 == recipient.person.number } ?? recipient.needsMail
            return isChosen ? (number: recipient.person.number, address: address.description) : nil
        }
    }

    /// Returns some of the people, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - last: the last number of the part before; `nil` for the first part.
    ///   - limit: maximum number of people.
    /// - Returns: also the last number of this part if there are more people; `nil` otherwise.
    func part(after last: String?, limit: Int) -> (people: [Person], next: String?) {
        let rest = recipients.map(\.person).filter { person in last.map { person.number > $0 } ?? true }
            .sorted { $0.number < $1.number }
        let part = Array(rest.prefix(limit))
        return (part, rest.count > part.count ? part.last?.number : nil)
    }

    /// Number of people with an address, in a sentence.
    var reach: String {
        let reached = recipients.count { $0.address != nil }
        let all = OfficerText.count(recipients.count, "person", "people")
        let others =
            unregistered == 0
            ? ""
            : " " + OfficerText.count(unregistered, "badge or phone belongs", "badges or phones belong")
                + " to nobody in the register."
        if recipients.isEmpty { return "Nobody who is notified is in the register of people." + others }
        return "\(reached) of \(all) \(reached == 1 ? "has" : "have") an e-mail address." + others
    }
}

extension NoticesPart {
    /// Maximum number of people that a page lists.
    private static let mostListed = 500

    /// Words of the page where no mail server is configured.
    static let noServer = "E-mail is not set up here. The person who runs this service can add a mail server."

    /// Returns the sentence about a webhook. Of its address only the host is shown: the path may be a secret.
    static func sentence(webhook address: String) -> String {
        let host = address.split(separator: "/").dropFirst().first.map(String.init) ?? address
        return "Every notice also goes to the webhook at \(host) by itself, until that accepts it. The column Notice "
            + "says who is not reached yet."
    }

    /// Creates the part of a page; `nil` if nobody is notified.
    ///
    /// - Parameters:
    ///   - hasMail: whether a mail server is configured.
    ///   - webhook: address of the webhook; `nil` if none is configured.
    init?(
        _ people: NoticeRecipients, lettersPath: String, sendPath: String, fields: [HiddenField] = [], hasMail: Bool,
        webhook: String?, text: OfficerText
    ) {
        if people.isEmpty { return nil }
        let needing = people.recipients.count(where: \.needsMail)
        let listed = people.recipients.prefix(Self.mostListed)
        let more =
            listed.count < people.recipients.count
            ? " Only \(listed.count) of them are listed; letters and e-mails are for all." : ""
        self.init(
            reach: people.reach + more, obstacle: hasMail ? nil : Self.noServer,
            webhook: webhook.map(Self.sentence(webhook:)),
            lettersPath: people.recipients.isEmpty ? nil : lettersPath, sendPath: sendPath, fields: fields,
            sendLabel: hasMail && needing > 0
                ? "Send e-mail to \(OfficerText.count(needing, "person", "people"))" : nil,
            recipients: listed.map { Self.row($0, hasMail: hasMail, text) })
    }

    private static func row(
        _ recipient: NoticeRecipients.Recipient, hasMail: Bool, _ text: OfficerText
    ) -> Recipient {
        let person = ShownNames.link(recipient.person)
        guard recipient.address != nil else {
            return Recipient(person: person, state: OfficerTag("no address"))
        }
        let label = hasMail ? "Send e-mail" : nil
        guard let mail = recipient.mail else {
            return Recipient(person: person, state: OfficerTag("not sent"), label: label)
        }
        switch mail.state {
        case .queued:
            let detail =
                mail.error.isEmpty ? nil : "Tried \(OfficerText.count(mail.tries, "time", "times")): \(mail.error)"
            return Recipient(person: person, state: OfficerTag("waits", tone: "warn"), detail: detail)
        case .sent:
            let time = mail.sent.map { text.time($0) } ?? ""
            return Recipient(
                person: person, state: OfficerTag("sent", tone: "good"),
                detail: recipient.needsMail ? "\(time), before the latest news" : time,
                label: hasMail ? "Send again" : nil)
        case .failed:
            return Recipient(
                person: person, state: OfficerTag("failed", tone: "bad"), detail: mail.error, label: label)
        }
    }
}
