import BeaconModel
import ModuleDialogues
import OperatorText

extension GatewaySetup {
    /// Where things are on this machine.
    package struct Paths: Sendable {
        package var configuration: String
        /// Directory of mosquitto's configuration.
        package var mosquitto: String
        /// File of the password, if it is a new one.
        package var passwordFile: String

        package init(configuration: String, mosquitto: String = "/etc/mosquitto", passwordFile: String) {
            self.configuration = configuration
            self.mosquitto = mosquitto
            self.passwordFile = passwordFile
        }
    }

    /// How the gateway is run on this machine.
    package enum Service: Equatable, Sendable {
        /// systemd runs, and the unit is there.
        case unit(isActive: Bool)
        /// - Parameter reason: why no service is started.
        case none(reason: String)
    }

    package static let notes = [
        "Written by `beacon-gateway setup`. Run it again to change answers; comments and other keys stay.",
        "docs/guide/configuration.md describes every key.",
    ]

    /// Returns the changes of the configuration.
    package func edits(_ answers: SetupAnswers) -> [ConfigurationEdit] {
        var edits = ConfigurationEdits(present)
        for key in ["site", "building", "floor", "gateway"] {
            if let answer = answers["place.\(key)"] { edits.set(["place", key], .string(answer)) }
        }
        var all = edits.all + brokerQuestions.edits(answers, user: Self.user(answers))
        edits = ConfigurationEdits(present)
        let adapters = answers.list("radio.adapter")
        if let one = adapters.first, adapters.count == 1 {
            if one != "hci0" || present.has("radio", "adapter") || present.has("radio", "adapters") {
                edits.remove(["radio", "adapters"])
                edits.set(["radio", "adapter"], .string(one))
            }
        } else if adapters.count > 1 {
            edits.remove(["radio", "adapter"])
            edits.set(["radio", "adapters"], .strings(adapters))
        }
        if let directory = answers.given("state.directory") { edits.set(["state", "directory"], .string(directory)) }
        let uuids = answers.list("beacons.uuids")
        if !uuids.isEmpty || present.has("beacons", "uuids") { edits.set(["beacons", "uuids"], .strings(uuids)) }
        let power = answers["modules.measured-power"].flatMap { Int64($0) } ?? -59
        for row in rows(answers) {
            var lines: [ConfigurationEdit.Row] = [
                .init("name", .string(row.name)), .init("module", .string(row.module.address.description)),
            ]
            if row.module.kind != .rs9116 { lines.append(.init("kind", .string(row.module.kind.rawValue))) }
            lines += [
                .init("uuid", .string(row.beacon.uuid.description)), .init("major", .integer(Int64(row.beacon.major))),
                .init("minor", .integer(Int64(row.beacon.minor))), .init("measured-power", .integer(power)),
            ]
            edits.append("modules", lines)
        }
        all += edits.all
        return all
    }

    /// Returns everything that is written and run.
    ///
    /// - Parameters:
    ///   - newPassword: a random password, for a user that is created.
    ///   - brokerConfiguration: text of mosquitto's file, if it is to be written too.
    package func plan(
        _ answers: SetupAnswers, paths: Paths, service: Service, newPassword: String, brokerConfiguration: String?
    ) -> SetupPlan {
        var plan = SetupPlan()
        let edits = edits(answers)
        var fresh = self
        fresh.present = .new(Self.notes)
        fresh.brokerQuestions.present = fresh.present
        let (text, obstacle) = SetupPlan.edited(
            present, edits, fresh: fresh.edits(answers), notes: Self.notes)
        plan.obstacle = obstacle
        let createsUser = answers.isYes("mqtt.create-user")
        let password =
            createsUser
            ? newPassword
            : answers.given("mqtt.password").flatMap { $0 == BrokerQuestions.presentPassword ? nil : $0 }
        if let password {
            plan.files.append(.init(path: paths.passwordFile, contents: password + "\n", kind: .secret))
        }
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
                        script, "--file", paths.mosquitto + "/beacons-users.json", "add", "gateway",
                        Self.user(answers), "--prefix", answers["mqtt.prefix"] ?? "beacons", "--free-identifier",
                        "--password-file", paths.passwordFile,
                    ], to: "create the user at the broker", isEssential: true),
                .init(["systemctl", "restart", "mosquitto"], to: "make the broker read its users"),
            ]
        }
        guard obstacle == nil else { return plan }
        switch service {
        case .unit(isActive: true):
            if !plan.isEmpty {
                plan.commands.append(.init(["systemctl", "restart", "beacon-gateway"], to: "restart the gateway"))
            }
        case .unit(isActive: false):
            plan.commands.append(
                .init(
                    ["systemctl", "enable", "--now", "beacon-gateway"], to: "start the gateway, now and at each boot"))
        case .none: break
        }
        return plan
    }

    /// Returns the command with which the broker's operator adds this gateway's user.
    package static func operatorCommand(_ answers: SetupAnswers) -> String {
        let prefix = answers["mqtt.prefix"] ?? "beacons"
        return "sudo users.py add gateway \(user(answers))"
            + (prefix == "beacons" ? "" : " --prefix \(prefix)")
    }
}
