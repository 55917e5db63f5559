import BeaconModel
import ModuleDialogues
import OperatorText

extension GatewaySetup {
    /// Modules that have no row in the inventory.
    package var newModules: [FoundModule] { modules.filter { $0.row == nil } }

    /// Whether setup can add rows: the inventory is in the configuration.
    var ownsInventory: Bool { !present.has("inventory") }

    func moduleQuestions(_ answers: SetupAnswers) -> [SetupQuestion] {
        let new = newModules
        guard !new.isEmpty, ownsInventory else { return [] }
        let heading = "Modules"
        let count = new.count == 1 ? "1 module is" : "\(new.count) modules are"
        var questions = [
            SetupQuestion(
                "modules.provision", heading: heading, "Make them beacons",
                explanation: "\(count) not in the inventory. A beacon has a UUID, which all beacons of an owner have "
                    + "in common, and two numbers: major and minor.",
                form: .yesNo, proposal: "yes")
        ]
        guard answers.isYes("modules.provision") else { return questions }
        let floor = answers["place.floor"].flatMap { UInt16($0) } ?? 1
        questions += [
            SetupQuestion(
                "modules.uuid", heading: heading, "UUID of this site's beacons",
                explanation: knownUUID == nil ? Self.randomNote : nil,
                proposal: (knownUUID ?? machine.freshUUID).description, rule: AnswerRules.uuid),
            SetupQuestion(
                "modules.major", heading: heading, "Major number", proposal: "\(presentMajor ?? floor)",
                rule: AnswerRules.number(in: 0...65535)),
            SetupQuestion(
                "modules.first-minor", heading: heading, "Minor number of the first one, and upwards",
                proposal: "\(nextMinor(answers))", rule: AnswerRules.number(in: 0...65535)),
            SetupQuestion(
                "modules.measured-power", heading: heading, "Measured power at 1 m, in dBm",
                explanation: "`beacon-gateway calibrate` measures it. -59 is usual.",
                proposal: "-59", rule: AnswerRules.number(in: -127...20, unit: " dBm")),
        ]
        let rows = proposed(answers)
        guard answers["modules.measured-power"] != nil else { return questions }
        questions.append(
            SetupQuestion(
                "modules.as-proposed", heading: heading, "Take these numbers",
                details: Self.table(rows), form: .yesNo, proposal: "yes"))
        guard answers["modules.as-proposed"] == "no" else { return questions }
        return questions + rows.enumerated().map { index, row in beaconQuestion(index, row, answers) }
    }

    private func beaconQuestion(_ index: Int, _ row: ProposedModule, _ answers: SetupAnswers) -> SetupQuestion {
        let others = (0..<index).compactMap { answers["modules.beacon-\($0)"].flatMap { BeaconID($0) } }
        let present = inventory.entries
        return SetupQuestion(
            "modules.beacon-\(index)", heading: "Modules",
            "\(row.module.address) on \(row.module.port)\n  UUID/MAJOR/MINOR", proposal: row.beacon.description,
            rule: { text in
                guard let beacon = BeaconID(text) else {
                    return .refused(
                        found: SetupQuestion.found(text),
                        allowed: "must be UUID/MAJOR/MINOR, each number from 0 to 65535; none for a module that stays "
                            + "as it is")
                }
                if let entry = present.first(where: { $0.configuration.beacon == beacon }) {
                    return .refused(
                        found: "\(beacon) is that of the module \(entry.name)",
                        allowed: "the combination of UUID, major and minor must be unique: choose another minor")
                }
                guard !others.contains(beacon) else {
                    return .refused(
                        found: "\(beacon) was given to a module before",
                        allowed: "the combination of UUID, major and minor must be unique: choose another minor")
                }
                return .accepted(beacon.description)
            })
    }

    /// Returns the rows of new modules with the numbers that were answered so far.
    package func proposed(_ answers: SetupAnswers) -> [ProposedModule] {
        guard answers.isYes("modules.provision"), let uuid = answers["modules.uuid"].flatMap({ ProximityUUID($0) }),
            let major = answers["modules.major"].flatMap({ UInt16($0) }),
            let minor = answers["modules.first-minor"].flatMap({ UInt16($0) })
        else { return [] }
        return ModuleNumbering.propose(newModules, uuid: uuid, major: major, minor: minor, beside: inventory)
    }

    /// Returns the rows that are added to the inventory.
    package func rows(_ answers: SetupAnswers) -> [ProposedModule] {
        let proposed = proposed(answers)
        guard answers["modules.as-proposed"] == "no" else { return proposed }
        return proposed.enumerated().compactMap { index, row in
            guard let beacon = answers["modules.beacon-\(index)"].flatMap({ BeaconID($0) }) else { return nil }
            var row = row
            row.beacon = beacon
            return row
        }
    }

    private var presentUUID: ProximityUUID? {
        inventory.entries.first?.configuration.beacon.uuid
            ?? present.answer("beacons", "uuids")?.listed.first.flatMap { ProximityUUID($0) }
    }

    /// The UUID that the site uses already, as far as it is known here: that of the configuration, or else of a module.
    private var knownUUID: ProximityUUID? { presentUUID ?? modules.lazy.compactMap { $0.beacon?.uuid }.first }

    private static let randomNote =
        "The proposal is new and random. Take that of the site's other gateways if there is one."

    private var presentMajor: UInt16? { inventory.entries.first?.configuration.beacon.major }

    private func nextMinor(_ answers: SetupAnswers) -> UInt16 {
        let uuid = answers["modules.uuid"].flatMap { ProximityUUID($0) }
        let major = answers["modules.major"].flatMap { UInt16($0) }
        let taken = inventory.entries.map(\.configuration.beacon).filter { $0.uuid == uuid && $0.major == major }
        guard let greatest = taken.map(\.minor).max(), greatest < .max else { return 1 }
        return greatest + 1
    }

    private static func table(_ rows: [ProposedModule]) -> [String] {
        var table = TextTable([("    MODULE", .left), ("NAME", .left), ("MAJOR", .right), ("MINOR", .right)])
        for row in rows {
            table.add(["    \(row.module.address)", row.name, "\(row.beacon.major)", "\(row.beacon.minor)"])
        }
        return table.lines(width: nil)
    }

    func listeningQuestion(_ answers: SetupAnswers) -> SetupQuestion {
        let rows = rows(answers).map(\.beacon.uuid) + inventory.entries.map(\.configuration.beacon.uuid)
        let own = rows.reduce(into: [String]()) { if !$0.contains($1.description) { $0.append($1.description) } }
        let isEnough = !own.isEmpty || present.has("phones") || present.has("inventory")
        let wanted = present.answer("beacons", "uuids") ?? (isEnough ? "" : knownUUID?.description)
        var question = SetupQuestion(
            "beacons.uuids", heading: "Beacons", "UUIDs of other beacons to listen for",
            explanation: own.isEmpty
                ? "Only beacons with these UUIDs are published, such as the badges of a site."
                    + (wanted == nil ? " " + Self.randomNote : "")
                : "Those of the modules are listened for anyway: \(own.joined(separator: ", ")).",
            proposal: wanted ?? machine.freshUUID.description, rule: AnswerRules.uuids)
        if !isEnough {
            question.needed =
                "must be one UUID at least, because there is nothing else to listen for; leave the answer out for the "
                + "proposal"
        }
        return question
    }
}
