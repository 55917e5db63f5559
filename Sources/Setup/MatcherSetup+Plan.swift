import OperatorText

extension MatcherSetup {
    /// Where things are on this machine.
    package struct Paths: Sendable {
        package var configuration: String
        package var mosquitto: String
        /// File of the broker's password, if it is a new one.
        package var passwordFile: String

        package init(configuration: String, mosquitto: String = "/etc/mosquitto", passwordFile: String) {
            self.configuration = configuration
            self.mosquitto = mosquitto
            self.passwordFile = passwordFile
        }

        /// Returns the path of a file beside the configuration.
        func beside(_ name: String) -> String {
            configuration.lastIndex(of: "/").map { configuration[...$0] + name } ?? name
        }
    }

    /// New random secrets, in hexadecimal digits.
    package struct Secrets: Sendable {
        package var password: String
        package var site: String
        package var pseudonyms: String

        package init(password: String, site: String, pseudonyms: String) {
            self.password = password
            self.site = site
            self.pseudonyms = pseudonyms
        }
    }

    package static let notes = [
        "Written by `beacon-matcher setup`. Run it again to change answers; comments and other keys stay.",
        "docs/guide/matcher/configuration.md describes every key.",
    ]

    /// Returns the changes of the configuration.
    package func edits(_ answers: SetupAnswers) -> [ConfigurationEdit] {
        var edits = ConfigurationEdits(present)
        let zone = answers["site.time-zone"] ?? "UTC"
        if zone != "UTC" || present.has("site", "time-zone") { edits.set(["site", "time-zone"], .string(zone)) }
        if let location = answers.given("store.location") {
            if answers.given("store.password") == nil {
                edits.remove(["store", "location-file"])
                edits.set(["store", "location"], .string(location))
            } else {
                edits.remove(["store", "location"])
                edits.set(["store", "location-file"], .string("store-location"))
            }
        }
        var all = edits.all + brokerQuestions.edits(answers, user: Self.user)
        edits = ConfigurationEdits(present)
        let places = answers.list("mqtt.places")
        if places.isEmpty {
            edits.remove(["mqtt", "places"])
        } else {
            edits.set(["mqtt", "places"], .strings(places))
        }
        if let policy = answers["matching.policy"] {
            if policy != machine.policies.first || present.has("matching", "policy") {
                edits.set(["matching", "policy"], .string(policy))
            }
        }
        if answers.isYes("page.on") {
            if let listen = answers["api.listen"] { edits.set(["api", "listen"], .string(listen)) }
            if let address = answers["page.base-url"] { edits.set(["page", "base-url"], .string(address)) }
            if let issuer = answers.given("login.issuer") {
                edits.set(["login", "issuer"], .string(issuer))
                if let client = answers["login.client-id"] { edits.set(["login", "client-id"], .string(client)) }
                if !present.has("login", "client-secret-file") {
                    edits.set(["login", "client-secret-file"], .string("client-secret"))
                }
                if let group = answers["login.officers"] {
                    edits.append("roles", [.init("role", .string("officer")), .init("value", .string(group))])
                }
            } else {
                edits.remove(["login"])
            }
        } else {
            for table in ["login", "page", "api"] { edits.remove([table]) }
        }
        if answers.isYes("signing.on") { edits.set(["signing", "key-files"], .strings(["site.key"])) }
        if answers.isYes("reports.pseudonym-key") {
            edits.set(["reports", "pseudonym-key-files"], .strings(["pseudonym.key"]))
        }
        all += edits.all
        return all
    }

    /// Returns everything that is written and run.
    ///
    /// - Parameter brokerConfiguration: text of mosquitto's file, if it is to be written too.
    package func plan(
        _ answers: SetupAnswers, paths: Paths, service: GatewaySetup.Service, secrets: Secrets,
        brokerConfiguration: String?
    ) -> SetupPlan {
        var plan = SetupPlan()
        var fresh = self
        fresh.present = .new(Self.notes)
        fresh.brokerQuestions.present = fresh.present
        let (text, obstacle) = SetupPlan.edited(
            present, edits(answers), fresh: fresh.edits(answers), notes: Self.notes)
        plan.obstacle = obstacle
        let createsUser = answers.isYes("mqtt.create-user")
        func typed(_ key: String) -> String? {
            answers.given(key).flatMap { $0 == BrokerQuestions.presentPassword ? nil : $0 }
        }
        func secret(_ path: String, _ contents: String?) {
            guard let contents else { return }
            plan.files.append(.init(path: path, contents: contents + "\n", kind: .secret))
        }
        secret(paths.passwordFile, createsUser ? secrets.password : typed("mqtt.password"))
        if answers.given("store.password") != nil { secret(paths.beside("store-location"), Self.location(answers)) }
        secret(paths.beside("client-secret"), typed("login.client-secret"))
        if answers.isYes("signing.on") { secret(paths.beside("site.key"), secrets.site) }
        if answers.isYes("reports.pseudonym-key") { secret(paths.beside("pseudonym.key"), secrets.pseudonyms) }
        if let brokerConfiguration, createsUser {
            plan.files.append(
                .init(
                    path: paths.mosquitto + "/conf.d/beacons.conf", contents: brokerConfiguration, kind: .publicFile))
        }
        if text != present.editor.text || !present.exists {
            plan.difference = LineDifference.lines(from: present.exists ? present.editor.text : "", to: text)
            plan.files.append(
                .init(
                    path: paths.configuration + (obstacle == nil ? "" : ".new"), contents: text, kind: .configuration))
        }
        if createsUser, case .manageable(let script) = machine.broker {
            plan.commands += [
                .init(
                    [
                        script, "--file", paths.mosquitto + "/beacons-users.json", "add", "matcher", Self.user,
                        "--prefix", answers["mqtt.prefix"] ?? "beacons", "--password-file", paths.passwordFile,
                    ], to: "create the user at the broker", isEssential: true),
                .init(["systemctl", "restart", "mosquitto"], to: "make the broker read its users"),
            ]
        }
        guard obstacle == nil else { return plan }
        switch service {
        case .unit(isActive: true):
            if !plan.isEmpty {
                plan.commands.append(.init(["systemctl", "restart", "beacon-matcher"], to: "restart the matcher"))
            }
        case .unit(isActive: false):
            plan.commands.append(
                .init(
                    ["systemctl", "enable", "--now", "beacon-matcher"], to: "start the matcher, now and at each boot"))
        case .none: break
        }
        return plan
    }
}
