import BeaconModel
import InteractionStore
import OperatorText
import RecordContract
import RecordOutbox

/// What a matcher reads of a gateway's health.
struct GatewayHealth: Decodable {
    struct Outbox: Decodable {
        /// The first record that it still holds.
        var oldest: RecordPosition?
        /// The last record of each of its latest boots. Gateways before 1.3 don't say it.
        var last: [RecordPosition]?

        /// Those of `last` that a gateway can have.
        var lasts: [RecordPosition] { (last ?? []).filter(\.isPossible).suffix(StoredProgress.mostEnds) }
    }

    /// A remote ear, or a module that listens.
    struct Ear: Decodable {
        var name: String
        var state: String

        /// A module that takes turns has listened until now, and will again.
        var hears: Bool { state == "hearing" || state == "paused" }
    }

    /// When it was said: what a gateway says later is greater.
    struct Moment: Comparable {
        var boot: UInt64
        /// By the gateway's clock.
        var time: Timestamp

        static func < (left: Self, right: Self) -> Bool { (left.boot, left.time) < (right.boot, right.time) }
    }

    var boot: UInt64?
    var time: String?
    /// The best of its own adapters: `hearing`, `quiet`, `deaf` or `off`.
    var radio: String?
    var ears: [Ear]?
    var listeners: [Ear]?
    var outbox: Outbox?
    /// Which key names its phones.
    var pseudonymKey: String?

    /// So many seconds around it a message is of the present.
    static let patience: Int64 = 600

    static let old = RecordReader.Defect(
        "tells of a time more than \(patience / 60) minutes from this machine's: it is an old one, or a clock is wrong")
    static let repeated = RecordReader.Defect(
        "isn't later than one that came before: it came again, or the gateway's clock was set back")

    /// `nil` when nothing can be read of it.
    init?(_ payload: [UInt8]) {
        guard payload.count <= RecordReader.longestRecord,
            let health = try? JSON.decode(GatewayHealth.self, from: payload)
        else { return nil }
        self = health
        // Numbers that no gateway can have would have all its records look stored.
        if outbox?.oldest?.isPossible == false { outbox?.oldest = nil }
    }

    /// `nil` when it doesn't say its time.
    var moment: Moment? {
        time.flatMap { RFC3339Text.parse($0) }.map { Moment(boot: boot ?? 0, time: $0) }
    }

    /// Whether it was said about that time.
    ///
    /// - Parameter now: seconds since 1970.
    func isOf(_ now: Int64) -> Bool {
        guard let seconds = moment.map({ $0.time.microseconds / 1_000_000 }) else { return false }
        return abs(seconds - now) <= Self.patience
    }

    /// Which of its receivers don't hear: what is on the air there isn't known.
    ///
    /// - Parameter gateway: `site/building/floor/gateway`.
    /// - Returns: `nil` when none of them hears.
    func deaf(of gateway: String) -> Set<String>? {
        let others = (ears ?? []) + (listeners ?? [])
        let hearsItself = radio == "hearing" || radio == "quiet"
        guard hearsItself || others.contains(where: \.hears) else { return nil }
        let deaf = others.filter { !$0.hears }.map { "\(gateway)/\($0.name)" }
        return Set(hearsItself ? deaf : deaf + [gateway])
    }
}
