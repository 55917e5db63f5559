package import BeaconModel
package import ModuleDialogues
import OperatorText
import RecordContract

/// A reader of the modules in a file that ensures that no two are the same.
package struct ModuleReader {
    /// Keys, in the order in which people write them; `x`, `y` and `z` are those of the position in a table.
    package static let columns = [
        "name", "module", "kind", "uuid", "major", "minor", "measured-power", "interval", "transmit-power", "room",
        "x", "y", "z", "listen",
    ]
    package static let required = ["name", "module", "uuid", "major", "minor"]
    /// Maximum length of a name, so that a module's topics are no longer than those of a beacon.
    private static let longestName = 50
    package static let nameForm = "made up of a-z, 0-9 and hyphens, because it becomes an MQTT topic level"

    package static func form(of key: String) -> String {
        switch key {
        case "name": nameForm
        case "module": ModuleSelector.form
        case "uuid": "a UUID: 8-4-4-4-12 hexadecimal digits"
        default: "from 0 to 65535"
        }
    }

    /// Place in the file of each value already in use.
    private var names: [String: String] = [:]
    private var modules: [ModuleSelector: String] = [:]
    private var beacons: [BeaconID: String] = [:]
    private var listeners = 0

    /// Reads one module; `nil` if a field is wrong, which is reported.
    package mutating func read(_ fields: some ModuleFields) -> InventoryEntry? {
        for key in Self.required where !fields.has(key) { fields.missing(key, allowed: Self.form(of: key)) }
        let name = fields.parsed("name", allowed: Self.nameForm) { Topics.isLevel($0) ? $0 : nil }
        if let name, name.utf8.count > Self.longestName {
            fields.report(
                "name", found: "has \(name.utf8.count) characters", allowed: "must have at most \(Self.longestName)")
        }
        let module = fields.parsed("module", allowed: ModuleSelector.form) { ModuleSelector($0) }
        let kind = readKind(fields)
        let beacon = Self.readBeacon(fields)
        let measuredPower = fields.integer("measured-power", in: -127...20)
        let interval = readInterval(fields, kind)
        let transmitPower = fields.integer(
            "transmit-power", allowed: kind?.transmitPowers ?? "an index of the module's kind"
        ) { kind?.allows(transmitPower: $0) ?? true }
        let room = fields.string("room")
        let position = fields.position()
        let listens = readListens(fields, name, kind)
        checkUnique(fields, name, module, beacon)
        guard let name, let module, let kind, let beacon else { return nil }
        return InventoryEntry(
            name: name, module: module, kind: kind,
            configuration: BeaconConfiguration(
                beacon: beacon, measuredPower: Int8(clamping: measuredPower ?? -59),
                interval: interval ?? .appleIBeacon, transmitPower: transmitPower),
            room: room, position: position, listens: listens)
    }

    private mutating func readListens(_ fields: some ModuleFields, _ name: String?, _ kind: ModuleKind?) -> Bool {
        guard fields.truth("listen") == true else { return false }
        if let kind, !kind.canListen {
            fields.report(
                "listen", found: "an \(kind.rawValue) cannot listen", allowed: "must be false, or the kind rs9116")
        }
        if let name, name.utf8.count > RemoteReceiverConfiguration.longestName {
            fields.report(
                "name", found: "has \(name.utf8.count) characters",
                allowed:
                    "must have at most \(RemoteReceiverConfiguration.longestName) in the row of a module that listens")
        }
        listeners += 1
        if listeners == RemoteReceiverConfiguration.most + 1 {
            fields.report(
                "listen", found: "is the \(listeners)th module that listens",
                allowed: "at most \(RemoteReceiverConfiguration.most) can")
        }
        return true
    }

    /// Returns the identity of a beacon, here and in other places of the configuration.
    package static func readBeacon(_ fields: some ModuleFields) -> BeaconID? {
        let uuid = fields.parsed("uuid", allowed: form(of: "uuid")) { ProximityUUID($0) }
        let major = fields.integer("major", in: 0...65535)
        let minor = fields.integer("minor", in: 0...65535)
        guard let uuid, let major, let minor else { return nil }
        return BeaconID(uuid: uuid, major: UInt16(clamping: major), minor: UInt16(clamping: minor))
    }

    private func readKind(_ fields: some ModuleFields) -> ModuleKind? {
        let kinds = ModuleKind.allCases.map(\.rawValue).joined(separator: " or ")
        // The key is read even if it is not given, so that it is among the known keys.
        let kind = fields.parsed("kind", allowed: kinds) { ModuleKind(rawValue: $0.lowercased()) }
        return fields.has("kind") ? kind : .rs9116
    }

    private func readInterval(_ fields: some ModuleFields, _ kind: ModuleKind?) -> AdvertisingInterval? {
        let intervals = kind?.intervals?.map { $0.description.filter { $0 != " " } }
        let allowed =
            intervals.map { "one of " + $0.joined(separator: ", ") } ?? "\(DurationText.form), from 20ms to 10.24s"
        let interval = fields.parsed("interval", allowed: allowed) {
            DurationText.parse($0).flatMap { AdvertisingInterval($0) }
        }
        guard let kind, let interval, !kind.allows(interval) else { return interval }
        let nearest = kind.nearest(to: interval).description.filter { $0 != " " }
        fields.report(
            "interval", found: "an \(kind.rawValue) does not support \(interval)",
            allowed: "must be \(allowed); the nearest is \(nearest)")
        return nil
    }

    private mutating func checkUnique(
        _ fields: some ModuleFields, _ name: String?, _ module: ModuleSelector?, _ beacon: BeaconID?
    ) {
        if let name, let other = names.updateIfNew(name, fields.place) {
            fields.report(
                "name", found: "\(name.excerpt) is used twice, in \(other) too", allowed: "must be unique")
        }
        if let module, module != .anyNew, let other = modules.updateIfNew(module, fields.place) {
            fields.report(
                "module", found: "\(module.description.excerpt) is used twice, in \(other) too",
                allowed: "must be unique")
        }
        if let beacon, let other = beacons.updateIfNew(beacon, fields.place) {
            fields.report(
                "minor", found: "\(beacon) is used twice, in \(other) too",
                allowed: "the combination of uuid, major and minor must be unique")
        }
    }
}

extension Dictionary {
    /// Stores the value of a new key, or returns the value of an existing one.
    fileprivate mutating func updateIfNew(_ key: Key, _ value: Value) -> Value? {
        if let other = self[key] { return other }
        self[key] = value
        return nil
    }
}
