package import BeaconModel
import Exposition
import HCI
import Integrations
import ModuleDialogues
package import OperatorText
import Proximity
import Publishing
import RecordContract

extension Configuration {
    /// Reads a whole file. Problems are left with the reader, and a harmless value takes the place of a wrong one.
    package static func read(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8],
        locate: (String) -> String
    ) -> Configuration {
        let place = readPlace(root)
        let mqtt = root.table("mqtt")
        let prefix = mqtt.flatMap { level($0, "prefix") } ?? "beacons"
        let broker = BrokerSettings.read(
            mqtt, clientID: clientID(of: place), secrets: secrets, readFile: readFile, locate: locate)
        let (inventory, inventoryFile) = readInventory(root, readFile: readFile, locate: locate)
        let radio = root.table("radio")
        let adapters = radio.map { readAdapters($0) } ?? []
        let scanPath = radio?.parsed("path", allowed: ScanPathChoice.allowed) { ScanPathChoice($0) }
        radio?.finish()
        let listed = readListedUUIDs(root, inventory: inventory)
        let secret = readSecret(root, place: place, secrets: secrets, readFile: readFile)
        if listed.uuids.isEmpty, secret == nil, !root.has("phones"), !root.has("inventory"), !listed.areGiven {
            root.report(
                "beacons.uuids", found: "is empty and there is no phones.pseudonym-key-file",
                allowed: "list at least one proximity UUID, otherwise nothing would be published")
        }
        let profile = readModuleProfile(root, readFile: readFile)
        let stateDirectory = readStateDirectory(root, locate)
        if !Topics(prefix: prefix, place: place).isShortEnough {
            root.report(
                "place", found: "the topics would be longer than \(Topics.longestTopic) bytes",
                allowed: "shorten mqtt.prefix, site, building, floor or gateway")
        }
        let distance = DistanceSettings.read(root, readFile: readFile)
        var rules = PresenceSettings.read(root)
        rules.distance = distance.rules
        rules.readingsInterval = ReadingsSettings.read(root)
        rules.hasSignals = SignalsSettings.read(root)
        let outputs = OutputTables.read(root)
        let gateway = OutputGateway(
            place: place, topics: Topics(prefix: prefix, place: place), version: ProductVersion.number)
        let known = OutputTables.readKnownBeacons(root, inventory: inventory, listed: listed.uuids)
        let configuration = Configuration(
            place: place, topicPrefix: prefix, broker: broker, outbox: OutboxSettings.read(root),
            adapters: adapters.isEmpty ? [.index(Adapter(index: 0))] : adapters, scanPath: scanPath?.kind,
            listedUUIDs: listed.uuids, pseudonymSecret: secret,
            rules: rules, calibratesAutomatically: distance.isAutomatic, inventory: inventory,
            inventoryFile: inventoryFile, moduleProfile: profile,
            exchange: ExchangeSettings.read(
                root, publishesPhones: root.has("phones"), path: scanPath?.kind, locate: locate),
            stateDirectory: stateDirectory,
            socialDistance: SocialDistanceSettings.read(root, place: place), outputs: outputs, knownBeacons: known,
            remoteReceivers: RemoteReceiverSettings.read(
                root, rules: rules,
                own: [("\(prefix)/v\(Contract.version)/#", "[mqtt]")]
                    + (Outputs.roomFilter(outputs, gateway: gateway).map { [($0, "[mqtt-room]")] } ?? []),
                modules: Set(inventory.entries.filter(\.listens).map(\.name))),
            commands: CommandRules.read(root, secrets: secrets, readFile: readFile),
            metrics: MetricsSettings.read(root, port: MetricsSettings.gatewayPort),
            signingKey: SigningKeyFile.readSigning(root, secrets: secrets, readFile: readFile),
            namesSigning: root.has("signing"),
            localSocket: LocalSocketSetting.read(root, locate: locate),
            isConfiguredFromAfar: RolloutSettings.read(root))
        OutputTables.check(outputs, gateway: configuration.outputGateway, root)
        return configuration
    }

    static func readStateDirectory(_ root: TOMLReader, _ locate: (String) -> String) -> String {
        guard let reader = root.table("state") else { return defaultStateDirectory }
        defer { reader.finish() }
        return reader.parsed("directory", allowed: "the path of a directory", { $0.isEmpty ? nil : $0 })
            .map(locate) ?? defaultStateDirectory
    }

    private static func readAdapters(_ reader: TOMLReader) -> [AdapterSelector] {
        let allowed = "hci0, hci1, ..., or an adapter's address: 00:1A:7D:DA:71:13"
        if let one = reader.parsed("adapter", allowed: allowed, { AdapterSelector($0) }) {
            if reader.strings("adapters") != nil {
                reader.report("adapters", found: "is given together with adapter", allowed: "give only one of the two")
            }
            return [one]
        }
        var adapters: [AdapterSelector] = []
        for (index, text) in (reader.strings("adapters") ?? []).enumerated() {
            guard let selector = AdapterSelector(text) else {
                reader.report("adapters[\(index)]", found: "found \"\(text)\"", allowed: "must be \(allowed)")
                continue
            }
            if adapters.contains(selector) {
                reader.report("adapters[\(index)]", found: "\"\(text)\" is duplicated", allowed: "name each once")
            }
            adapters.append(selector)
        }
        if reader.strings("adapters")?.isEmpty == true {
            reader.report("adapters", found: "is empty", allowed: "name at least one, or omit the key for hci0")
        }
        if adapters.count > 16 {
            reader.report("adapters", found: "has \(adapters.count) entries", allowed: "must have at most 16")
        }
        return adapters
    }

    private static func readModuleProfile(
        _ root: TOMLReader, readFile: (String) throws -> [UInt8]
    ) -> RS9116Profile {
        guard let reader = root.table("rs9116") else { return RS9116Profile() }
        defer { reader.finish() }
        let rates = RS9116Profile.baudRates.map(String.init).joined(separator: ", ")
        let baudRate = reader.integer("baud", allowed: "one of \(rates)") { RS9116Profile.baudRates.contains($0) }
        var profile = RS9116Profile()
        if let path = reader.string("profile") {
            do {
                profile = try RS9116ProfileFile(readFile(path)).profile
            } catch {
                reader.report("profile", found: error.inOneLine, allowed: "must be a profile written by `module probe`")
            }
        } else if !reader.has("profile"), !reader.has("baud") {
            reader.missing("profile", allowed: "a profile written by `module probe`")
        }
        profile.baudRate = baudRate
        return profile
    }

    /// Returns the MQTT client identifier of a gateway. A gateway has one session: a second process with the same
    /// identity takes the connection over.
    package static func clientID(of place: Place) -> String {
        // No level contains an underscore, so no two places have the same identifier.
        ["bg", place.site, place.building, place.floor, place.gateway].joined(separator: "_")
    }

    private static let levelForm = ModuleReader.nameForm

    static func level(_ reader: TOMLReader, _ key: String) -> String? {
        reader.parsed(key, allowed: levelForm) { Topics.isLevel($0) ? $0 : nil }
    }

    private static func readPlace(_ root: TOMLReader) -> Place {
        guard let reader = root.table("place") else {
            if !root.has("place") { root.missing("place", allowed: "a table with site, building, floor and gateway") }
            return Place(site: "", building: "", floor: "", gateway: "")
        }
        func required(_ key: String) -> String {
            if !reader.has(key) { reader.missing(key, allowed: levelForm) }
            return level(reader, key) ?? ""
        }
        var place = Place(
            site: required("site"), building: required("building"), floor: required("floor"),
            gateway: required("gateway"), room: reader.string("room"))
        place.position = reader.position()
        if let beacon = reader.table("beacon") {
            place.beacon = readBeacon(beacon)
            beacon.finish()
        }
        reader.finish()
        return place
    }

    private static func readBeacon(_ reader: TOMLReader) -> BeaconID? {
        for key in ["uuid", "major", "minor"] where !reader.has(key) {
            reader.missing(key, allowed: ModuleReader.form(of: key))
        }
        return ModuleReader.readBeacon(reader)
    }

    /// - Returns: the listed UUIDs, and whether the configuration gives any. Wrong ones count as given; they are
    ///   reported.
    private static func readListedUUIDs(
        _ root: TOMLReader, inventory: Inventory
    ) -> (uuids: Set<ProximityUUID>, areGiven: Bool) {
        var uuids = Set(inventory.entries.map(\.configuration.beacon.uuid))
        guard let reader = root.table("beacons") else { return (uuids, false) }
        let texts = reader.strings("uuids")
        for (index, text) in (texts ?? []).enumerated() {
            if let uuid = ProximityUUID(text) {
                uuids.insert(uuid)
            } else {
                reader.report(
                    "uuids[\(index)]", found: "found \"\(text)\"",
                    allowed: "must be a UUID: 8-4-4-4-12 hexadecimal digits")
            }
        }
        reader.finish()
        return (uuids, reader.has("uuids") && texts?.isEmpty != true)
    }

    private static func readSecret(
        _ root: TOMLReader, place: Place, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> [UInt8]? {
        guard let reader = root.table("phones") else { return nil }
        defer { reader.finish() }
        guard let path = reader.string("pseudonym-key-file") else {
            if !reader.has("pseudonym-key-file") {
                reader.missing("pseudonym-key-file", allowed: "a file of at least 16 random bytes")
            }
            return nil
        }
        if place.beacon == nil {
            root.report(
                "place.beacon", found: "is missing",
                allowed: "phones are published under the gateway's own beacon: give uuid, major and minor")
        }
        let contents = secrets.read(reader, "pseudonym-key-file", path, for: .phones, by: readFile)
        guard let secret = contents else { return nil }
        guard secret.count >= Pseudonymizer.shortestSecret else {
            reader.report(
                "pseudonym-key-file", found: "\(path) has \(secret.count) bytes",
                allowed: "must have at least \(Pseudonymizer.shortestSecret): head -c 32 /dev/urandom > FILE")
            return nil
        }
        return secret
    }
}
