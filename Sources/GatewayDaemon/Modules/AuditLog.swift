package import BeaconModel
package import ModuleDialogues
import RecordContract
import SystemIO

/// The audit log of changes: one JSON object a line, only ever appended to.
package struct AuditLog: Sendable {
    package var path: String
    /// The actor of the entries: a person's login name, or `gateway`.
    package var actor: String

    /// Maximum size of the file, about ten thousand entries. After that a new file begins, and the previous one is kept
    /// as `path.1`.
    package static let longestFile = 4 * 1024 * 1024

    package struct Entry: Codable, Equatable, Sendable {
        package var time: String
        package var who: String
        /// Number of the user who asked at the local socket.
        package var uid: UInt32?
        package var action: String
        package var module: String?
        package var port: String?
        package var address: String?
        package var before: Beacon?
        package var after: Beacon?
        package var reason: String?
        /// Fields of a command received by MQTT: its adapter, the sender's correlation, and the outcome.
        package var adapter: String?
        package var correlation: String?
        package var ok: Bool?
        package var result: String?
    }

    /// A configuration, in the terms of the inventory.
    package struct Beacon: Codable, Equatable, Sendable {
        package var uuid: String
        package var major: UInt16
        package var minor: UInt16
        package var measuredPower: Int8
        package var intervalUnits: Int
        package var transmitPower: Int?

        package init(_ configuration: BeaconConfiguration) {
            uuid = configuration.beacon.uuid.description
            major = configuration.beacon.major
            minor = configuration.beacon.minor
            measuredPower = configuration.measuredPower
            intervalUnits = configuration.interval.units
            transmitPower = configuration.transmitPower
        }

        package var configuration: BeaconConfiguration? {
            guard let uuid = ProximityUUID(uuid), (32...16_384).contains(intervalUnits),
                let interval = AdvertisingInterval(.microseconds(intervalUnits * 625))
            else { return nil }
            return BeaconConfiguration(
                beacon: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower,
                interval: interval, transmitPower: transmitPower)
        }
    }

    /// - Throws: `SystemError`.
    package func add(_ event: Fleet.Event, at time: Timestamp) throws(SystemError) {
        var entry = Entry(
            time: time.rfc3339, who: actor, action: "", module: event.module, port: event.port,
            address: event.address?.description)
        switch event.what {
        case .provisioned(let after, let before):
            entry.action = "provisioned"
            entry.after = Beacon(after)
            entry.before = before.map { Beacon($0) }
        case .lost(let loss):
            entry.action = "lost"
            entry.reason = loss.description
        case .failed(let reason):
            entry.action = "failed"
            entry.reason = reason
        case .plugged: entry.action = "plugged"
        case .unplugged: entry.action = "unplugged"
        case .notHeard: entry.action = "not-heard"
        case .commanded(let name): entry.action = "commanded-\(name.rawValue)"
        }
        try add(entry)
    }

    /// - Throws: `SystemError`.
    package func add(_ entry: Entry) throws(SystemError) {
        try FileContents.append(JSON.encode(entry) + [UInt8(ascii: "\n")], to: path, limit: Self.longestFile)
    }

    /// Returns the entries of the log without unreadable lines; none where there is no log.
    package func entries() -> [Entry] {
        let bytes = (try? FileContents.read(path, limit: 2 * Self.longestFile)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? JSON.decode(Entry.self, from: Array($0)) }
    }
}
