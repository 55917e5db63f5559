import BeaconModel
import Evidence

/// Receivers that have spoken, or whose position the store knows.
struct LiveReceivers: Sendable {
    struct Entry: Sendable {
        let path: String
        let building: String
        let floor: String
        let gateway: String
        var position: Place.Position?
        var room: String?
        var clock = ReceiverClock()
        /// Time of its latest message, in seconds.
        var spokeAt = -Double.infinity
        /// Time of its latest message with a subject, in seconds.
        var heardAt = -Double.infinity
        /// Whether it listened in the second of its latest message.
        var isListening = false
        /// Time since which it has listened without a pause, in seconds.
        var listeningSince = Double.infinity
        /// Position that its latest messages state, if it is another, and how many of them.
        var claim: (position: Place.Position?, count: Int)?
        /// Times at which its position changed.
        var changes: [Double] = []
        /// Whether it stated other positions so often that none is believed.
        var isRestless = false

        init(path: String) {
            self.path = path
            (building, floor, gateway) = (path.building, path.floor, path.gateway)
        }
    }

    /// Messages of a gateway.
    private struct Gateway {
        var boot: UInt64 = 0
        var number: UInt64 = 0
        /// Time of the latest message that was taken.
        var at = -Double.infinity
        var second = Int64.min
        var messages = 0
        var readings = 0
        var newcomers = 0
    }

    private(set) var entries: [Entry] = []
    private var numbers: [String: Int] = [:]
    /// Numbers of receivers by gateway.
    private var counts: [String: Int] = [:]
    private var gateways: [String: Gateway] = [:]
    private let limits: LiveLimits

    /// Number of messages that must state a new position until it is believed.
    private static let mostClaims = 5
    /// Number of changes in an hour from which a receiver is left out.
    private static let mostChanges = 4
    /// Time after which an unsigned gateway can begin to count anew, in seconds.
    private static let forgetting = 60.0
    /// Time for which a receiver is waited for after its latest message, in seconds.
    static let speaking = 3.0
    /// Time for which a receiver is waited for after its latest message with a subject, in seconds: it speaks each second
    /// for 5 s after that, and then every ten seconds.
    static let fading = 5.5
    /// Time after its latest message from which a receiver can be forgotten for another one, in seconds.
    private static let forgettingReceiver = 3600.0
    /// Time after its latest message for which a receiver is known to listen, in seconds: one that hears nobody speaks
    /// every ten seconds.
    private static let listening = 12.0

    /// Time for which a receiver must have listened until who is there has been heard, in seconds: the slowest badges
    /// advertise every ten seconds.
    static let settling = 12.0

    init(limits: LiveLimits) { self.limits = limits }

    /// What is wrong with a message.
    enum Refusal: Error, Equatable {
        case repeated
        case flood
    }

    /// Checks that a message is new and within its gateway's limits.
    ///
    /// - Parameter isSigned: whether the message is signed; then its numbers count for good.
    mutating func admit(_ signals: SignalsRecord, at now: Double, isSigned: Bool) throws(Refusal) {
        var gateway = gateways[signals.gateway] ?? Gateway()
        if gateways[signals.gateway] == nil, gateways.count >= limits.receivers { throw .flood }
        let isNew = (signals.boot, signals.number) > (gateway.boot, gateway.number)
        guard isNew || !isSigned && now - gateway.at > Self.forgetting else { throw .repeated }
        let second = Int64(now.rounded(.down))
        if gateway.second != second {
            (gateway.second, gateway.messages, gateway.readings, gateway.newcomers) = (second, 0, 0, 0)
        }
        gateway.messages += 1
        gateway.readings += signals.subjects.count
        let isWithin =
            gateway.messages <= limits.messagesPerSecond && gateway.readings <= limits.readingsPerSecond
        if isWithin { (gateway.boot, gateway.number, gateway.at) = (signals.boot, signals.number, now) }
        gateways[signals.gateway] = gateway
        guard isWithin else { throw .flood }
    }

    /// Returns whether a gateway can make another subject known in the present second.
    mutating func admitNewcomer(of receiver: Int) -> Bool {
        let path = entries[receiver].gateway
        guard var gateway = gateways[path], gateway.newcomers < limits.newcomersPerSecond else { return false }
        gateway.newcomers += 1
        gateways[path] = gateway
        return true
    }

    /// Returns the number of a receiver; `nil` if there are too many.
    ///
    /// If there is no other, a new one takes the number of one that has not spoken yet, or not for an hour.
    ///
    /// - Parameter now: present time in seconds; `nil` if the receiver does not speak: then it takes no other's number.
    mutating func number(of path: String, at now: Double?) -> Int? {
        if let number = numbers[path] { return number }
        let gateway = path.gateway
        let isOver = counts[gateway, default: 0] >= limits.receiversOfGateway
        if isOver || entries.count >= limits.receivers {
            guard let now else { return nil }
            let old = entries.indices.filter {
                now - entries[$0].spokeAt > Self.forgettingReceiver
                    && (!isOver || entries[$0].gateway == gateway)
            }.min { entries[$0].spokeAt < entries[$1].spokeAt }
            guard let old else { return nil }
            numbers[entries[old].path] = nil
            counts[entries[old].gateway, default: 1] -= 1
            entries[old] = Entry(path: path)
            numbers[path] = old
            counts[gateway, default: 0] += 1
            return old
        }
        entries.append(Entry(path: path))
        numbers[path] = entries.count - 1
        counts[gateway, default: 0] += 1
        return entries.count - 1
    }

    func known(_ path: String) -> Entry? { numbers[path].map { entries[$0] } }

    /// Sets a position that the store knows. What the receiver itself says now takes precedence.
    mutating func set(_ position: Place.Position?, room: String?, of path: String) {
        guard let number = number(of: path, at: nil), entries[number].spokeAt == -Double.infinity else { return }
        entries[number].position = position
        entries[number].room = room
    }

    /// Returns the numbers of the receivers of a building that listen at a time.
    ///
    /// - Parameter duration: time for which they must have listened, in seconds.
    func listening(in building: String, at time: Double, for duration: Double = 0) -> [Int] {
        entries.indices.filter {
            entries[$0].isListening && entries[$0].listeningSince <= time - duration && entries[$0].building == building
                && entries[$0].spokeAt >= time - Self.listening
        }
    }

    /// Notes a message of a receiver.
    ///
    /// - Returns: whether the receiver has become restless with it.
    mutating func spoke(_ number: Int, _ signals: SignalsRecord, at now: Double) -> Bool {
        let isFirst = entries[number].spokeAt == -Double.infinity
        let listens = signals.listened > 0
        if !listens {
            entries[number].listeningSince = .infinity
        } else if !entries[number].isListening || now - entries[number].spokeAt > Self.listening {
            entries[number].listeningSince = now
        }
        entries[number].spokeAt = max(now, entries[number].spokeAt)
        entries[number].room = signals.place.room
        entries[number].isListening = listens
        if !signals.subjects.isEmpty { entries[number].heardAt = max(now, entries[number].heardAt) }
        guard signals.position != entries[number].position else {
            entries[number].claim = nil
            return false
        }
        // One message that is wrong costs no model.
        let count = entries[number].claim?.position == signals.position ? (entries[number].claim?.count ?? 0) + 1 : 1
        entries[number].claim = (signals.position, count)
        let isUnknown = isFirst && entries[number].position == nil
        guard isUnknown || count >= Self.mostClaims else { return false }
        entries[number].claim = nil
        entries[number].position = signals.position
        if isUnknown { return false }
        entries[number].changes = entries[number].changes.filter { now - $0 < 3600 } + [now]
        let wasRestless = entries[number].isRestless
        entries[number].isRestless = entries[number].changes.count >= Self.mostChanges
        return entries[number].isRestless && !wasRestless
    }

    mutating func second(_ number: Int, claimed: Int64, at now: Double) -> Int64 {
        entries[number].clock.second(claimed: claimed, arrivedAt: now)
    }
}
