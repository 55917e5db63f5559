import CommandSupport
import HTTPClient
import InteractionStore
import Logging
import Matching
import People
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// People who are told by letter and e-mail.
extension TestAPI {
    static let mailFrom = "Health office <health@campus.example>"

    /// Configuration with a page and a mail server.
    static func mailConfiguration(_ url: String, login: Bool = false) -> String {
        pageConfiguration + """
            [mail]
            server = "\(url)"
            from = "\(mailFrom)"

            """ + (login ? "user = \"u\"\npassword-file = \"mail.password\"\n" : "")
    }

    /// Has Ben, who is in the register, exposed by a report.
    ///
    /// - Returns: the reference of the report.
    func exposeBen(contact: [String] = ["+49 30 123", "ben@campus.example"]) async throws -> String {
        let ben = try await exposure()
        try match()
        let person = Person(number: "s2", name: "Ben Müller", contact: contact, subjects: [ben.identity])
        return try store.use { store in
            _ = try store.importPeople([person], keepsOthers: false, isTrial: false)
            return try #require(try store.reportList(waiting: false, before: nil, limit: 1).first).report.reference
        }
    }

    /// Orders an e-mail to Ben, as an officer does.
    func orderMail() throws {
        let now = clock.withLock { $0 }
        let count = try store.use {
            try $0.orderMail(to: [(number: "s2", address: "ben@campus.example")], kind: .officer, now: now)
        }
        #expect(count == 1)
    }

    /// The latest e-mail to Ben.
    func mail() throws -> StoredMail? { try store.use { try $0.latestMail(of: ["s2"])["s2"] } }

    /// Returns the service that sends e-mails to a server.
    func mailService(_ url: String, password: String? = nil) throws -> MailService {
        let configuration = try MatcherConfiguration.parse(
            Self.mailConfiguration(url, login: password != nil), path: "test.toml",
            readFile: { _ in Array((password ?? "").utf8) })
        let settings = try #require(configuration.mail)
        return MailService(
            store: store, configuration: Reloadable(configuration),
            matching: Reloadable(ReportMatching(policy: policy, phoneDelay: phones.tellingDelay)),
            mailer: Mailer(settings: settings, client: MailClient(), key: [1, 2, 3], patience: .seconds(20)),
            leader: StoreLeader(store: location), activation: Activation(), now: { [clock] in clock.withLock { $0 } },
            logger: Logger(label: "mail") { _ in SwiftLogNoOpLogHandler() })
    }
}
