import BeaconModel
import Integrations
import ModuleDialogues
import OperatorText
import RecordContract

/// The tables `home-assistant`, `mqtt-room`, `homie` and `raddec`. The presence of a table switches its output on.
enum OutputTables {
    static func read(_ root: TOMLReader) -> OutputSettings {
        var settings = OutputSettings()
        settings.homeAssistant = table(root, "home-assistant") { reader in
            var output = OutputSettings.HomeAssistant()
            output.discoveryPrefix = prefix(reader, "discovery-prefix") ?? output.discoveryPrefix
            return output
        }
        settings.roomPresence = table(root, "mqtt-room") { reader in
            var output = OutputSettings.RoomPresence()
            output.prefix = prefix(reader, "prefix") ?? output.prefix
            output.interval = interval(reader) ?? output.interval
            return output
        }
        settings.homie = table(root, "homie") { reader in
            var output = OutputSettings.Homie()
            // The convention has one level before its version.
            output.prefix =
                reader.parsed("prefix", allowed: ModuleReader.nameForm) { Topics.isLevel($0) ? $0 : nil }
                ?? output.prefix
            return output
        }
        settings.raddec = table(root, "raddec") { reader in
            var output = OutputSettings.Raddec()
            output.prefix = prefix(reader, "prefix") ?? output.prefix
            output.interval = interval(reader) ?? output.interval
            return output
        }
        return settings
    }

    /// Reads the list `known-beacons`: named beacons besides the modules.
    ///
    /// - Parameter listed: the proximity UUIDs whose beacons are tracked at all.
    static func readKnownBeacons(
        _ root: TOMLReader, inventory: Inventory, listed: Set<ProximityUUID>
    ) -> [NamedBeacon] {
        let readers = root.tables("known-beacons")
        if readers.count > NamedBeacon.most {
            root.report(
                "known-beacons", found: "has \(readers.count) beacons", allowed: "must have at most \(NamedBeacon.most)"
            )
        }
        var known: [NamedBeacon] = []
        var beacons = Set(inventory.entries.map(\.configuration.beacon))
        var names = Set(inventory.entries.map(\.name))
        for reader in readers.prefix(NamedBeacon.most) {
            for key in ["uuid", "major", "minor"] where !reader.has(key) {
                reader.missing(key, allowed: ModuleReader.form(of: key))
            }
            if !reader.has("name") { reader.missing("name", allowed: nameForm) }
            let beacon = ModuleReader.readBeacon(reader)
            let name = reader.parsed("name", allowed: nameForm) { isName($0) ? $0 : nil }
            reader.finish()
            guard let beacon, let name else { continue }
            if !beacons.insert(beacon).inserted {
                reader.report(
                    "minor", found: "\(beacon) already has a name",
                    allowed: "name each beacon once; the inventory names those of modules")
            } else if !names.insert(name).inserted {
                reader.report("name", found: "\(name.excerpt) is used twice", allowed: "must be unique")
            } else if !listed.contains(beacon.uuid) {
                reader.report(
                    "uuid", found: "\(beacon.uuid) is not in beacons.uuids, so it is not tracked",
                    allowed: "list it there")
            } else {
                known.append(NamedBeacon(beacon: beacon, name: name))
            }
        }
        return known
    }

    /// Reports topics that are too long for some brokers to route.
    static func check(_ settings: OutputSettings, gateway: OutputGateway, _ root: TOMLReader) {
        for table in Outputs.tablesWithLongTopics(settings, gateway: gateway) {
            root.report(
                table, found: "has topics of more than \(Topics.longestTopic) bytes",
                allowed: "shorten its prefix, or site, building, floor, gateway or room")
        }
    }

    private static let longestName = 64
    private static let nameForm = "a display name of 1 to \(longestName) characters"
    private static let prefixForm =
        "levels of letters, digits, hyphens and underscores, separated by /, because not every broker accepts others"

    private static func isName(_ text: String) -> Bool {
        text.count <= longestName && text.utf8.count <= 4 * longestName && text.contains { !$0.isWhitespace }
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private static func table<Output>(
        _ root: TOMLReader, _ key: String, _ read: (TOMLReader) -> Output
    ) -> Output? {
        guard let reader = root.table(key) else { return nil }
        defer { reader.finish() }
        let isEnabled = reader.boolean("enabled") ?? true
        let output = read(reader)
        return isEnabled ? output : nil
    }

    private static func prefix(_ reader: TOMLReader, _ key: String) -> String? {
        reader.parsed(key, allowed: prefixForm) { TopicLevel.areSafe($0) ? $0 : nil }
    }

    private static func interval(_ reader: TOMLReader) -> Duration? {
        reader.duration("interval", in: .seconds(1)...(.seconds(3600)))
    }
}
