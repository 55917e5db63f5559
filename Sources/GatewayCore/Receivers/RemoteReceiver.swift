package import BeaconModel
package import Proximity

/// One remote receiver: the beacons it hears, and whether it hears at all. Pure.
///
/// A remote receiver has a tracker of its own, because readings of receivers at different places cannot be mixed. The
/// tracker's clock runs only while the node is known to hear:
/// * a message about any device shows that it hears;
/// * for a node with telemetry, telemetry with more advertisements than before shows that it hears;
/// * a node without telemetry that said `online` is taken to hear, because the broker would report the contrary;
/// * a listening module reports when it begins, that it has gone on, and when it pauses or ends.
/// So no subject departs from a node that is switched off, hangs or cannot reach the broker: its subjects are lost.
package struct RemoteReceiver: Sendable {
    package private(set) var configuration: RemoteReceiverConfiguration
    private let audience: Audience
    private var tracker: InteractionTracker
    package private(set) var counts = Counts()
    private var isConnected = false
    /// The status last reported by the node, or by the broker on its behalf; `nil` if none was reported.
    private var isOnline: Bool?
    /// Number of advertisements in the last telemetry.
    private var received: UInt64?
    /// Times, on a monotonic clock, at which the node was last known to hear and last sent any message.
    private var heardAt: Duration?
    private var messageAt: Duration?
    private var deafSince: Duration?
    private var offset = 0.0
    package private(set) var state = State.waiting

    /// Condition of a remote receiver.
    package enum State: String, Sendable {
        /// Nothing has been received from it yet.
        case waiting
        case hearing
        /// The node or the broker reports the node as offline, or a module does not listen.
        case offline
        /// The node has sent nothing for too long.
        case silent
        /// This gateway has no connection to the broker.
        case disconnected
        /// A module that takes turns is advertising now. It has listened until then, and will again.
        case paused

        package var isDeaf: Bool { self != .hearing && self != .paused }
    }

    package struct Counts: Equatable, Sendable {
        package var messages: UInt64 = 0
        package var readings: UInt64 = 0
        /// Messages about devices that are not beacons or are not listed.
        package var strangers: UInt64 = 0
        /// Messages that were not understood, by `RemoteReceiverMessage.Refusal`, and `too-many`.
        package var refused: [String: UInt64] = [:]
        var lastMessageAt: Timestamp?

        package static let tooMany = "too-many"
        package static let unreadable = "unreadable"
    }

    /// The only adapter of a node: it has one radio.
    private static let adapter = Adapter(index: 0)

    /// - Parameter rules: the gateway's rules; the silences are those of the remote receiver.
    package init(
        _ configuration: RemoteReceiverConfiguration, audience: Audience, rules: InteractionRules,
        expected: Set<BeaconID>
    ) {
        self.configuration = configuration
        self.audience = audience
        tracker = InteractionTracker(rules: Self.rules(configuration, rules))
        tracker.expect(expected)
    }

    private static func rules(_ configuration: RemoteReceiverConfiguration, _ all: InteractionRules) -> InteractionRules
    {
        var rules = all
        rules.silence = configuration.silence
        // Rules for single beacons are meant for the gateway's own radio.
        rules.silenceOfBeacons = [:]
        // With 64 remote receivers that is at most 32 MiB, even if all of them are flooded.
        rules.capacity = min(rules.capacity, 512)
        // Telemetry comes every 15 s.
        rules.longestListeningGap = .seconds(20)
        // A topic delivers at most `RemoteReceiverIntake.mostDevices` messages a second.
        rules.rememberedNewcomers = 2048
        if configuration.kind == .module { rules.silenceOfBeacons = all.silenceOfBeacons }
        return rules
    }

    /// Processes a message and returns the resulting events.
    package mutating func take(_ packet: RemoteReceiverPacket, now: Duration) -> [InteractionEvent] {
        counts.messages += 1 + packet.dropped
        counts.lastMessageAt = packet.time
        if packet.dropped > 0 { counts.refused[Counts.tooMany, default: 0] += packet.dropped }
        let message: RemoteReceiverMessage
        switch packet.contents {
        case .failure(let refusal):
            counts.refused[refusal.rawValue, default: 0] += 1
            return []
        case .success(let success): message = success
        }
        messageAt = now
        // A message that has arrived proves that there is a connection.
        isConnected = true
        switch message {
        case .heard(let reading):
            hears(at: packet.time, now)
            guard audience.includes(.beacon(reading.beacon)) else {
                counts.strangers += 1
                return tracker.received(by: Self.adapter, at: packet.time)
            }
            counts.readings += 1
            return tracker.observe(
                Sighting(
                    beacon: reading.beacon, measuredPower: reading.measuredPower, rssi: reading.rssi,
                    adapter: Self.adapter, time: packet.time))
        case .heardSomebody:
            hears(at: packet.time, now)
            counts.strangers += 1
            return tracker.received(by: Self.adapter, at: packet.time)
        case .received(let count):
            defer { received = count }
            guard let received, count != received, count > 0 else { return judge(at: packet.time, now) }
            hears(at: packet.time, now)
            return tracker.heard(by: Self.adapter, until: packet.time)
        case .begun:
            isOnline = true
            hears(at: packet.time, now)
            return []
        case .confirmed:
            hears(at: packet.time, now)
            return tracker.heard(by: Self.adapter, until: packet.time)
        case .paused:
            hears(at: packet.time, now)
            let events = tracker.heard(by: Self.adapter, until: packet.time)
            become(.paused, at: packet.time, now)
            return events
        case .online: isOnline = true
        case .offline, .deaf: isOnline = false
        }
        return judge(at: packet.time, now)
    }

    /// Counts a module's reports that were dropped or could not be read.
    package mutating func lost(dropped: UInt64, unreadable: UInt64) {
        if dropped > 0 { counts.refused[Counts.tooMany, default: 0] += dropped }
        if unreadable > 0 { counts.refused[Counts.unreadable, default: 0] += unreadable }
    }

    /// Advances the time and sets whether there is a connection to the broker. To be called every second.
    package mutating func advance(isConnected: Bool, at time: Timestamp, now: Duration) -> [InteractionEvent] {
        if self.isConnected, !isConnected, configuration.kind != .module { isOnline = nil }
        self.isConnected = isConnected
        return judge(at: time, now)
    }

    /// Sets how far the receiver reads above a receiver of offset 0, in dB.
    package mutating func setOffset(_ offset: Double) {
        self.offset = offset
        tracker.setOffset(offset, of: Self.adapter)
    }

    /// Returns the readings of the intervals that have ended since the last call. They cover what the node publishes,
    /// which is not every advertisement, and is smoothed by some nodes.
    package mutating func takeReadings() -> [Readings] { tracker.takeReadings() }

    /// Returns the signals of the seconds that have ended since the last call. They cover what the node publishes, as
    /// readings do.
    package mutating func takeSignals() -> [Signals] { tracker.takeSignals() }

    /// Sets whether there are signals.
    package mutating func setSignals(_ isOn: Bool) { tracker.setSignals(isOn) }

    /// Ends all interactions.
    package mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [InteractionEvent] {
        tracker.endAll(at: time, reason: reason)
    }

    package var present: [Interaction] { tracker.present }
    var presentCount: Int { tracker.count }

    /// Tracker state to persist over a restart.
    package var kept: TrackerState { tracker.state }

    package func heard(since time: Timestamp) -> TrackerNote { tracker.heard(since: time) }

    /// Resumes from the persisted state of the previous run.
    ///
    /// - Returns: the interactions that have ended since then.
    package mutating func resume(
        _ kept: TrackerState, ofRun boot: UInt64, rules: InteractionRules, at time: Timestamp
    ) -> [InteractionEvent] {
        let expected = tracker.expected
        let (resumed, events) = InteractionTracker.resuming(
            kept, ofRun: boot, rules: Self.rules(configuration, rules), at: time)
        tracker = resumed
        tracker.adopt(by: [Self.adapter])
        tracker.expect(expected)
        tracker.setOffset(offset, of: Self.adapter)
        deafSince = .zero
        return events
    }

    /// Moves the module to another place.
    package mutating func move(to room: String?, _ position: Place.Position?) {
        configuration.room = room
        configuration.position = position
    }

    package mutating func expect(_ beacons: Set<BeaconID>) { tracker.expect(beacons) }

    /// Records that the receiver is known to hear.
    private mutating func hears(at time: Timestamp, _ now: Duration) {
        heardAt = now
        // A node that publishes is connected, whatever its status said before.
        if isOnline == false { isOnline = nil }
        become(.hearing, at: time, now)
    }

    private mutating func judge(at time: Timestamp, _ now: Duration) -> [InteractionEvent] {
        tracker.passes(time)
        become(judged(now), at: time, now)
        if let deafSince { return tracker.deaf(Self.adapter, for: max(.zero, now - deafSince), at: time) }
        guard configuration.kind != .module, received == nil, isOnline == true else { return [] }
        return tracker.heard(by: Self.adapter, until: time)
    }

    private func judged(_ now: Duration) -> State {
        if configuration.kind == .module { return judgedModule(now) }
        guard isConnected else { return messageAt == nil ? .waiting : .disconnected }
        if isOnline == false { return .offline }
        guard let heardAt else { return .waiting }
        // After a lost connection nothing is known until a message arrives.
        if state == .disconnected || state == .offline, isOnline != true { return state }
        return now - heardAt >= configuration.deafAfter ? .silent : .hearing
    }

    private func judgedModule(_ now: Duration) -> State {
        guard let heardAt, let isOnline else { return .waiting }
        guard isOnline else { return .offline }
        let patience = state == .paused ? RemoteReceiverConfiguration.longestPause : configuration.deafAfter
        return now - heardAt >= patience ? .silent : state == .paused ? .paused : .hearing
    }

    private mutating func become(_ next: State, at time: Timestamp, _ now: Duration) {
        defer { state = next }
        if next.isDeaf {
            guard deafSince == nil else { return }
            // What the receiver would have reported since it was last heard is unknown.
            deafSince = heardAt ?? now
            tracker.becameDeaf(Self.adapter, at: .epoch)
        } else if deafSince != nil {
            deafSince = nil
            tracker.hearsAgain(Self.adapter, at: time)
        } else if next == .hearing, state == .paused || state == .waiting {
            tracker.hearsAgain(Self.adapter, at: time)
        }
        // Silence during a pause is not a sign of a departure, and no subject is lost by it.
        if next == .paused, state != .paused { tracker.becameDeaf(Self.adapter, at: time) }
    }
}
