import OperatorText

/// TOML reader for schedules: `[[device]]` tables that contain `[[device.phase]]` tables.
enum TOMLSchedule {
    static func read(_ text: String, problems: TOMLReader.Problems) -> ScheduleDraft? {
        guard let root = TOMLReader(text, problems: problems) else { return nil }
        var draft = ScheduleDraft(report: root.reporter)
        if let receiver = root.table("receiver") {
            draft.receiver = receiver.label("name")
            draft.receiverState = receiver.label("state")
            receiver.finish()
        }
        draft.start = root.time("start")
        draft.requiredWindow = root.limit("required-window")
        draft.discoveryLimit = root.limit("discovery-limit")
        if !root.has("device") { root.missing("device", allowed: "a list of tables: [[device]]") }
        let devices = root.tables("device")
        root.finish()
        if devices.count > EvaluationSchedule.mostDevices {
            root.report(
                "device", found: "has \(devices.count) devices",
                allowed: "must have at most \(EvaluationSchedule.mostDevices)")
        }
        var names: Set<String> = []
        var phases = 0
        for device in devices.prefix(EvaluationSchedule.mostDevices) {
            if !device.has("name") { device.missing("name", allowed: "the device's name") }
            let name = device.label("name")
            if let name, !names.insert(name).inserted {
                device.report(
                    "name", found: "\(name.excerpt) is used twice",
                    allowed: "list all phases of a device in one place")
            }
            let identities = device.identities()
            let tables = device.tables("phase")
            phases += tables.count
            let read = tables.prefix(EvaluationSchedule.mostPhases).compactMap { table in
                let phase = table.phase()
                table.finish()
                return phase
            }
            device.finish()
            // Problems with the device's name or phases have been reported already; do not also report the missing
            // parts.
            guard let name, read.count == tables.count else { continue }
            draft.devices.append(.init(name: name, identities: identities, phases: read, report: device.reporter))
        }
        if phases > EvaluationSchedule.mostPhases {
            root.report(
                "device", found: "has \(phases) phases", allowed: "must have at most \(EvaluationSchedule.mostPhases)")
        }
        return draft
    }
}
