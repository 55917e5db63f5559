package import BeaconModel
package import Evidence
import OperatorText
package import RecordContract

/// Part of a gateway's health message that a matcher reads.
package struct GatewayHealth: Decodable {
    package struct Outbox: Decodable {
        /// The first record that the gateway still holds.
        package var oldest: RecordPosition?
        /// The last record of each of its latest boots. Gateways before 1.3 do not publish it.
        package var last: [RecordPosition]?
        /// Number of records that wait, and their size in bytes.
        package var records: Int64?
        package var bytes: Int64?
        package var capacityBytes: Int64?
        /// Age of the oldest record in seconds.
        package var oldestAgeSeconds: Double?
        /// Problem of the outbox, as a sentence.
        package var trouble: String?

        /// Positions in `last` that are possible.
        package var lasts: [RecordPosition] { (last ?? []).filter(\.isPossible).suffix(StoredProgress.mostEnds) }
    }

    /// A remote receiver, or a module that listens.
    package struct Receiver: Decodable {
        package var name: String
        package var state: String

        /// Whether it receives. A module that takes turns counts: it has listened until now, and will again.
        package var hears: Bool { state == "hearing" || state == "paused" }
    }

    /// Time of a message; that of a later message of the gateway is greater.
    package struct Moment: Comparable {
        package var boot: UInt64
        /// Time by the gateway's clock.
        package var time: Timestamp

        package static func < (left: Self, right: Self) -> Bool { (left.boot, left.time) < (right.boot, right.time) }
    }

    package var boot: UInt64?
    package var time: String?
    /// State of the best of its own adapters: `hearing`, `quiet`, `deaf` or `off`.
    package var radio: String?
    package var ears: [Receiver]?
    package var listeners: [Receiver]?
    package var outbox: Outbox?
    /// Identifier of the key that names its phones.
    package var pseudonymKey: String?

    /// Maximum difference in seconds between a current message and this machine's clock.
    package static let patience: Int64 = 600

    package static let old = RecordReader.Defect(
        "has a time more than \(patience / 60) minutes from this machine's: it is old, or a clock is wrong")
    package static let repeated = RecordReader.Defect(
        "is not later than an earlier one: it was repeated, or the gateway's clock was set back")

    /// Reads a health message; `nil` if it is unreadable.
    package init?(_ payload: [UInt8]) {
        guard payload.count <= RecordReader.longestRecord,
            let health = try? JSON.decode(GatewayHealth.self, from: payload)
        else { return nil }
        self = health
        // An impossible position would make all the gateway's records look stored.
        if outbox?.oldest?.isPossible == false { outbox?.oldest = nil }
    }

    /// Time of the message; `nil` if it states none.
    package var moment: Moment? {
        time.flatMap { RFC3339Text.parse($0) }.map { Moment(boot: boot ?? 0, time: $0) }
    }

    /// Returns whether the message was sent at about a given time.
    ///
    /// - Parameter now: seconds since 1970.
    package func isOf(_ now: Int64) -> Bool {
        guard let seconds = moment.map({ $0.time.microseconds / 1_000_000 }) else { return false }
        return abs(seconds - now) <= Self.patience
    }

    /// Returns the receivers that do not receive: transmissions near them are not known.
    ///
    /// - Parameter gateway: `site/building/floor/gateway`.
    /// - Returns: `nil` if none of the gateway's receivers works.
    package func deaf(of gateway: String) -> Set<String>? {
        let others = (ears ?? []) + (listeners ?? [])
        let hearsItself = radio == "hearing" || radio == "quiet"
        guard hearsItself || others.contains(where: \.hears) else { return nil }
        let deaf = others.filter { !$0.hears }.map { "\(gateway)/\($0.name)" }
        return Set(hearsItself ? deaf : deaf + [gateway])
    }
}
