package import OperatorText
package import Publishing

/// The questions about the broker, and what follows from the answers. Both programs ask them.
package struct BrokerQuestions: Sendable {
    /// The broker on this machine, as far as setup can add users to it.
    package enum LocalBroker: Equatable, Sendable {
        case none
        /// mosquitto is installed, but users are not added.
        case installed
        /// mosquitto is installed, and `users.py` is there.
        case manageable(usersScript: String)
    }

    package var present: PresentConfiguration
    package var local: LocalBroker
    /// The directory of the configuration, for the file of the password.
    package var passwordFile = "mqtt-password"
    /// Name of this machine, by which the certificate of a broker on it may call it.
    package var hostName: String?
    /// Whether the program may use the broker's listener for gateways, which is the one with TLS.
    package var usesListenerOfGateways = false

    package init(present: PresentConfiguration, local: LocalBroker) {
        self.present = present
        self.local = local
    }

    package static let keys = [
        "mqtt.host", "mqtt.port", "mqtt.tls", "mqtt.ca-file", "mqtt.create-user", "mqtt.username", "mqtt.password",
        "mqtt.password-file", "mqtt.prefix",
    ]
    package static let tested = [
        "mqtt.host", "mqtt.port", "mqtt.tls", "mqtt.ca-file", "mqtt.create-user", "mqtt.username", "mqtt.password",
    ]

    /// Returns the questions that the answers lead to.
    ///
    /// - Parameter user: name that `users.py` gives this program.
    package func questions(_ answers: SetupAnswers, user: String) -> [SetupQuestion] {
        let heading = "Broker"
        let endpoint = presentEndpoint
        let host = answers["mqtt.host"] ?? ""
        let hasTLS = answers.isYes("mqtt.tls")
        let isLocal = Self.isLocal(host)
        var questions = [
            SetupQuestion(
                "mqtt.prefix", heading: heading, "First level of all topics",
                proposal: present.answer("mqtt", "prefix") ?? "beacons", isQuiet: true, rule: AnswerRules.level),
            SetupQuestion(
                "mqtt.host", heading: heading, "Address of the MQTT broker",
                proposal: endpoint?.host ?? (local == .none ? nil : "localhost"), rule: AnswerRules.host),
            SetupQuestion(
                "mqtt.tls", heading: heading, "Does it use TLS", form: .yesNo,
                proposal: present.exists ? (present.has("mqtt", "tls") ? "yes" : "no") : isLocal ? "no" : "yes"),
            SetupQuestion(
                "mqtt.port", heading: heading, "Port",
                proposal: endpoint.map { "\($0.port)" } ?? (hasTLS ? "8883" : "1883"),
                rule: AnswerRules.number(in: 1...65535)),
        ]
        if hasTLS {
            questions.append(
                SetupQuestion(
                    "mqtt.ca-file", heading: heading, "File with the certificate of its authority",
                    explanation: "The file must be PEM. Without one, the authorities of this system are trusted.",
                    proposal: present.answer("mqtt", "tls", "ca-file") ?? "", rule: AnswerRules.absolutePath))
        }
        if canCreateUser(answers) {
            questions.append(
                SetupQuestion(
                    "mqtt.create-user", heading: heading, "Create a user for this program at the broker",
                    explanation: "mosquitto is installed on this machine. The user \(user) would get a random "
                        + "password, and only the rights that it needs.",
                    form: .yesNo, proposal: "yes"))
        } else if hasUser(user, answers) {
            questions.append(
                SetupQuestion(
                    "mqtt.create-user", heading: heading,
                    "Create a user at the broker (\(user) exists already, and is kept)", form: .yesNo, proposal: "no",
                    isQuiet: true, rule: { _ in .accepted("no") }))
        } else {
            let obstacle = obstacle(answers, user: user)
            questions.append(
                SetupQuestion(
                    "mqtt.create-user", heading: heading, "Create a user at the broker", form: .yesNo, proposal: "no",
                    isQuiet: true,
                    rule: { answer in
                        answer == "no"
                            ? .accepted(answer)
                            : .refused(found: "found true", allowed: "must be false: \(obstacle)")
                    }))
        }
        if answers["mqtt.create-user"] == "no" {
            questions.append(
                SetupQuestion(
                    "mqtt.username", heading: heading, "User name at the broker",
                    explanation: "users.py calls this user \(user). Without a user, type none.",
                    proposal: present.exists ? present.answer("mqtt", "username") ?? "" : isLocal ? "" : user,
                    rule: AnswerRules.password))
        }
        if let name = answers.given("mqtt.username") {
            let isKept = keepsPassword(answers)
            let isUnknown = !isKept && name == present.answer("mqtt", "username")
            questions.append(
                SetupQuestion(
                    "mqtt.password", heading: heading,
                    isUnknown
                        ? "Password of the user \(name), who exists already without mqtt.password-file"
                        : "Password of this user",
                    form: .secret, proposal: isKept ? Self.presentPassword : nil, rule: AnswerRules.password))
        }
        return questions
    }

    /// The answer that leaves the password as it is. No password has a control character.
    package static let presentPassword = "\u{1}"

    private func keepsPassword(_ answers: SetupAnswers) -> Bool {
        present.has("mqtt", "password-file") && answers["mqtt.username"] == present.answer("mqtt", "username")
    }

    /// The broker of the present configuration.
    private var presentEndpoint: BrokerEndpoint? {
        guard present.exists else { return nil }
        let port: UInt16 = present.has("mqtt", "tls") ? 8883 : 1883
        if let first = present.answer("mqtt", "brokers")?.listed.first {
            return BrokerSettings.endpoint(first, defaultPort: port)
        }
        return BrokerEndpoint(
            host: present.answer("mqtt", "host") ?? "localhost",
            port: present.answer("mqtt", "port").flatMap { UInt16($0) } ?? port)
    }

    package static func isLocal(_ host: String) -> Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    private func canCreateUser(_ answers: SetupAnswers) -> Bool {
        guard case .manageable = local, isHere(answers), !present.has("mqtt", "username") else { return false }
        return answers["mqtt.tls"] == "no" || usesListenerOfGateways && answers.isYes("mqtt.tls")
    }

    /// Whether the answered host is this machine.
    private func isHere(_ answers: SetupAnswers) -> Bool {
        let host = answers["mqtt.host"] ?? ""
        // A certificate seldom names localhost.
        return Self.isLocal(host) || answers.isYes("mqtt.tls") && host == hostName
    }

    /// Whether the present configuration has this user at the same broker.
    private func hasUser(_ user: String, _ answers: SetupAnswers) -> Bool {
        guard present.answer("mqtt", "username") == user, let before = presentEndpoint?.host else { return false }
        let host = answers["mqtt.host"] ?? ""
        return host == before || Self.isLocal(host) && Self.isLocal(before)
    }

    /// Returns why no user can be created, and what to do.
    private func obstacle(_ answers: SetupAnswers, user: String) -> String {
        if let name = present.answer("mqtt", "username") {
            return "the configuration has a user already (\(name)); to have \(user) created, remove mqtt.username and "
                + "mqtt.password-file from it first"
        }
        guard isHere(answers) else {
            return "the broker is not on this machine; have its operator add the user \(user) with "
                + "deploy/mosquitto/users.py, and give its password with mqtt.password-file"
        }
        switch local {
        case .none: return "there is no mosquitto on this machine; install it with `sudo apt-get install mosquitto`"
        case .installed: return "mosquitto's users can be changed only by root, with users.py; run setup with sudo"
        case .manageable:
            return "the broker's listener with TLS gives each user one connection, and this program needs two; set "
                + "mqtt.tls = false, or add the user \(user) by hand with users.py"
        }
    }

    /// Returns the connection that the answers describe, for a test.
    ///
    /// - Parameters:
    ///   - password: the password of the present configuration.
    package func broker(_ answers: SetupAnswers, clientID: String, password: String?) -> BrokerConfiguration {
        var broker = BrokerConfiguration(
            host: answers["mqtt.host"] ?? "localhost", port: answers["mqtt.port"].flatMap { UInt16($0) } ?? 1883,
            clientID: clientID, username: answers.given("mqtt.username"))
        broker.connectTimeout = .seconds(5)
        let typed = answers.given("mqtt.password")
        broker.password = typed == Self.presentPassword ? password : typed
        if broker.username == nil { broker.password = nil }
        if answers.isYes("mqtt.tls") {
            var tls = TLSConfiguration()
            if let path = answers.given("mqtt.ca-file") { tls.authority = .file(path) }
            broker.tls = tls
        }
        return broker
    }

    /// Returns the changes of the configuration.
    package func edits(_ answers: SetupAnswers, user: String) -> [ConfigurationEdit] {
        var edits = ConfigurationEdits(present)
        let endpoint = presentEndpoint
        let port = answers["mqtt.port"].flatMap { UInt16($0) }
        if answers["mqtt.host"] != endpoint?.host || port != endpoint?.port || !present.exists {
            edits.remove(["mqtt", "brokers"])
            if let host = answers["mqtt.host"] { edits.set(["mqtt", "host"], .string(host)) }
            if let port { edits.set(["mqtt", "port"], .integer(Int64(port))) }
        }
        if answers["mqtt.prefix"] != "beacons" || present.has("mqtt", "prefix") {
            edits.set(["mqtt", "prefix"], .string(answers["mqtt.prefix"] ?? "beacons"))
        }
        let name = answers.isYes("mqtt.create-user") ? user : answers.given("mqtt.username")
        if let name {
            edits.set(["mqtt", "username"], .string(name))
            if answers.given("mqtt.password") != Self.presentPassword {
                // A credential of the service stays where it is: its file is replaced.
                let present = present.answer("mqtt", "password-file")
                edits.set(["mqtt", "password-file"], .string(present ?? passwordFile))
            }
        } else {
            edits.remove(["mqtt", "password-file"])
            edits.remove(["mqtt", "username"])
        }
        if answers.isYes("mqtt.tls") {
            if let path = answers.given("mqtt.ca-file") {
                edits.set(["mqtt", "tls", "ca-file"], .string(path))
            } else {
                edits.remove(["mqtt", "tls", "ca-file"])
                edits.table(["mqtt", "tls"])
            }
        } else {
            edits.remove(["mqtt", "tls"])
        }
        return edits.all
    }

    /// Returns what follows from a test of the broker.
    ///
    /// - Parameters:
    ///   - createsUser: whether the user is created only at the end.
    ///   - ports: other ports of the host at which a broker answers.
    package static func finding(
        _ outcome: BrokerOutcome, of broker: BrokerConfiguration, accepting client: String, createsUser: Bool,
        hasMosquitto: Bool, answering ports: [UInt16] = []
    ) -> DoctorFinding {
        if createsUser, case .failed(let error) = outcome, case .refused(let reason) = error.cause,
            MQTTError.isDenial(reason)
        {
            return DoctorFinding(
                "broker", .ok, "\(broker.preferred) answers and asks for a user, which is created at the end")
        }
        return outcome.finding(of: broker, accepting: client, hasMosquitto: hasMosquitto, answering: ports) { what in
            .edit(nil, what)
        }
    }
}
