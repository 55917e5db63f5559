import OperatorText
import RecordContract

/// The setup of a matcher: broker, store, policy, page, keys.
package struct MatcherSetup: SetupScript {
    package enum Test: String, SetupTest, CaseIterable {
        case broker, store
        case identityProvider = "identity-provider"

        package var key: String { rawValue }

        package var questions: [String] {
            switch self {
            case .broker: BrokerQuestions.tested
            case .store: ["store.location", "store.password"]
            case .identityProvider: ["login.issuer"]
            }
        }

        package var progress: String {
            switch self {
            case .broker: "connecting to the broker"
            case .store: "opening the store"
            case .identityProvider: "asking the identity provider"
            }
        }
    }

    package struct Machine: Sendable {
        /// Time zone of this machine, such as `Europe/Berlin`.
        package var timeZone: String?
        package var broker: BrokerQuestions.LocalBroker
        /// Names of the policies, the default first.
        package var policies: [String]
        /// Form of the location of a store, for messages.
        package var storeForm: String
        package var isStore: @Sendable (String) -> Bool

        package init(
            timeZone: String?, broker: BrokerQuestions.LocalBroker, policies: [String], storeForm: String,
            isStore: @escaping @Sendable (String) -> Bool
        ) {
            self.timeZone = timeZone
            self.broker = broker
            self.policies = policies
            self.storeForm = storeForm
            self.isStore = isStore
        }
    }

    package var machine: Machine
    package var present: PresentConfiguration
    package var brokerQuestions: BrokerQuestions

    package init(machine: Machine, present: PresentConfiguration) {
        self.machine = machine
        self.present = present
        brokerQuestions = BrokerQuestions(present: present, local: machine.broker)
    }

    /// Name that this program gets from `users.py`.
    package static let user = "consumer_matcher"
    package static let defaultStore = "/var/lib/beacon-matcher/store.sqlite"

    /// Keys of an answers file.
    package static let keys: [String] =
        [
            "mqtt.places", "site.time-zone", "store.location", "store.password", "matching.policy", "page.on",
            "api.listen", "page.base-url", "login.issuer", "login.client-id", "login.client-secret",
            "login.client-secret-file", "login.officers", "signing.on", "reports.pseudonym-key",
        ] + BrokerQuestions.keys

    package mutating func learn(_ knowledge: Never) {}

    package func steps(_ answers: SetupAnswers) -> [SetupStep<Test>] {
        var steps: [SetupStep<Test>] = [.question(placesQuestion), .question(zoneQuestion)]
        steps += brokerQuestions.questions(answers, user: Self.user).map { .question($0) }
        steps.append(.test(.broker))
        steps += storeQuestions(answers).map { .question($0) }
        steps.append(.test(.store))
        steps.append(.question(policyQuestion))
        steps += pageQuestions(answers).map { .question($0) }
        if answers.given("login.issuer") != nil {
            steps.append(.test(.identityProvider))
            steps += loginQuestions(answers).map { .question($0) }
        }
        return steps + keyQuestions.map { .question($0) }
    }

    private var placesQuestion: SetupQuestion {
        SetupQuestion(
            "mqtt.places", heading: "Gateways", "Sites whose records are stored",
            explanation: "A site, SITE/BUILDING, SITE/BUILDING/FLOOR or a single gateway; several with commas "
                + "between them. Without any, the records of all gateways of the broker are stored.",
            proposal: present.answer("mqtt", "places") ?? "",
            rule: { text in
                for place in text.listed {
                    let levels = place.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                    guard levels.count <= 4, levels.allSatisfy({ $0 == "+" || Topics.isLevel($0) }) else {
                        return .refused(
                            found: SetupQuestion.found(place),
                            allowed: "must be SITE, SITE/BUILDING, SITE/BUILDING/FLOOR or "
                                + "SITE/BUILDING/FLOOR/GATEWAY, each of a-z, 0-9 and hyphens")
                    }
                }
                return .accepted(text.listed.joined(separator: ", "))
            })
    }

    private var zoneQuestion: SetupQuestion {
        SetupQuestion(
            "site.time-zone", heading: "Gateways", "Time zone of the site",
            proposal: present.answer("site", "time-zone") ?? machine.timeZone ?? "UTC",
            rule: { text in
                let isName = text.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || "/_+-".utf8.contains(byte)
                }
                return isName && text.utf8.count <= 64
                    ? .accepted(text)
                    : .refused(found: SetupQuestion.found(text), allowed: "must be a time zone: Europe/Berlin")
            })
    }

    private func storeQuestions(_ answers: SetupAnswers) -> [SetupQuestion] {
        let (isStore, form) = (machine.isStore, machine.storeForm)
        let keepsFile = present.has("store", "location-file")
        var questions = [
            SetupQuestion(
                "store.location", heading: "Store", "Where records are stored",
                explanation: keepsFile
                    ? "The present store is in the file of store.location-file; none keeps it."
                    : "The path of an SQLite file, or postgresql://USER@HOST/DATABASE.",
                proposal: present.answer("store", "location") ?? (keepsFile ? "" : Self.defaultStore),
                rule: { text in
                    isStore(text)
                        ? .accepted(text) : .refused(found: SetupQuestion.found(text), allowed: "must be \(form)")
                })
        ]
        if let location = answers.given("store.location"), Self.isServer(location) {
            questions.append(
                SetupQuestion(
                    "store.password", heading: "Store", "Password of the database", form: .secret, proposal: "",
                    rule: AnswerRules.password))
        }
        return questions
    }

    /// Whether a location is that of a PostgreSQL server.
    package static func isServer(_ location: String) -> Bool {
        location.hasPrefix("postgres://") || location.hasPrefix("postgresql://")
            || location.contains("=") && !location.hasPrefix("/") && !location.hasPrefix("./")
    }

    /// Returns the connection string with the password in it.
    package static func location(_ answers: SetupAnswers) -> String? {
        guard let location = answers.given("store.location") else { return nil }
        guard let password = answers.given("store.password") else { return location }
        guard let scheme = location.firstRange(of: "://") else {
            let escaped = password.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return location + " password='\(escaped)'"
        }
        let rest = location[scheme.upperBound...]
        let encoded = password.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count == 1 ? "0" : "") + digits
        }.joined()
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else {
            let mark = rest.contains("?") ? "&" : "?"
            return location + mark + "password=" + encoded
        }
        let user = authority[..<at].prefix { $0 != ":" }
        return location[..<scheme.upperBound] + user + ":" + encoded + rest[at...]
    }

    private var policyQuestion: SetupQuestion {
        SetupQuestion(
            "matching.policy", heading: "Contacts", "Policy that says what a contact is",
            explanation: "`beacon-matcher policy list` describes them: \(machine.policies.joined(separator: ", ")).",
            form: present.has("matching", "policy-files") ? .text : .choice(machine.policies),
            proposal: present.answer("matching", "policy") ?? machine.policies.first)
    }

    private func pageQuestions(_ answers: SetupAnswers) -> [SetupQuestion] {
        let heading = "Page"
        var questions = [
            SetupQuestion(
                "page.on", heading: heading, "Serve the page for people and the API", form: .yesNo,
                proposal: present.exists && !present.has("page") ? "no" : "yes")
        ]
        guard answers.isYes("page.on") else { return questions }
        let listen = answers["api.listen"] ?? ""
        questions += [
            SetupQuestion(
                "api.listen", heading: heading, "Address and port to listen on",
                explanation: "There is no TLS here: a proxy on this machine passes on what comes from others.",
                proposal: present.answer("api", "listen") ?? "127.0.0.1:8480",
                rule: { text in
                    let port = text.split(separator: ":").last.flatMap { UInt16($0) }
                    return text.hasPrefix("unix:/") || (text.contains(":") && (port ?? 0) > 0)
                        ? .accepted(text)
                        : .refused(
                            found: SetupQuestion.found(text),
                            allowed: "must be an address and a port, 127.0.0.1:8480, or a socket, unix:/PATH")
                }),
            SetupQuestion(
                "page.base-url", heading: heading, "Address at which browsers reach the page",
                proposal: present.answer("page", "base-url")
                    ?? (listen.hasPrefix("unix:") ? nil : "http://\(listen)"),
                rule: { text in
                    text.hasPrefix("https://") || text.hasPrefix("http://")
                        ? .accepted(text)
                        : .refused(
                            found: SetupQuestion.found(text),
                            allowed: "must be https://HOST, or http:// on this machine")
                }),
            SetupQuestion(
                "login.issuer", heading: heading, "Issuer of the identity provider (OpenID Connect)",
                explanation: "Without one, people sign in with one-time links of `beacon-matcher sign-in`.",
                proposal: present.answer("login", "issuer") ?? "",
                rule: { text in
                    text.hasPrefix("https://")
                        || ["127.0.0.1", "localhost"].contains { text.hasPrefix("http://\($0)") }
                        ? .accepted(text)
                        : .refused(
                            found: SetupQuestion.found(text),
                            allowed: "must be the issuer as the provider writes it, https://HOST/PATH")
                }),
        ]
        return questions
    }

    private func loginQuestions(_ answers: SetupAnswers) -> [SetupQuestion] {
        let isPresent = present.has("login", "client-secret-file")
        var questions = [
            SetupQuestion(
                "login.client-id", heading: "Page", "Client identifier at the identity provider",
                proposal: present.answer("login", "client-id"), rule: AnswerRules.password),
            SetupQuestion(
                "login.client-secret", heading: "Page", "Secret of this client", form: .secret,
                proposal: isPresent ? BrokerQuestions.presentPassword : nil, rule: AnswerRules.password),
        ]
        if !present.has("roles") {
            questions.append(
                SetupQuestion(
                    "login.officers", heading: "Page", "Group of the health officers at the identity provider",
                    explanation: "Further roles are added in the tables [[roles]] of the configuration.",
                    rule: AnswerRules.password))
        }
        return questions
    }

    private var keyQuestions: [SetupQuestion] {
        var questions: [SetupQuestion] = []
        if !present.has("signing") {
            questions.append(
                SetupQuestion(
                    "signing.on", heading: "Keys", "Accept only records that gateways signed",
                    explanation: "A key of the site is created. `beacon-matcher gateway-key` prints the key that "
                        + "follows from it for each gateway.",
                    form: .yesNo, proposal: "no"))
        }
        if !present.has("reports", "pseudonym-key-files") {
            questions.append(
                SetupQuestion(
                    "reports.pseudonym-key", heading: "Keys", "Create a key for the pseudonyms of phones",
                    explanation: "Gateways that publish phones need the same key (phones.pseudonym-key-file).",
                    form: .yesNo, proposal: "no"))
        }
        return questions
    }
}
