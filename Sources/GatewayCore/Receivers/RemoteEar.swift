package import BeaconModel
package import Proximity

/// One node that listens elsewhere: whom it hears, and whether it hears at all. Pure.
///
/// It has a tracker of its own, because readings of receivers at different places can't be mixed. The tracker's clock
/// runs only as long as it is known that the node hears:
/// * a message about anybody says so;
/// * telemetry with more advertisements than before says so, at a node that has telemetry;
/// * a node without it that said `online`, which the broker would contradict, is believed that it hears;
/// * a module that listens says when it begins, that it has gone on, and when it pauses or ends.
/// So nobody departs from a node that is switched off, hangs, or can't reach the broker: whoever was there is lost.
package struct RemoteEar: Sendable {
    package private(set) var configuration: RemoteEarConfiguration
    private let audience: Audience
    private var tracker: InteractionTracker
    package private(set) var counts = Counts()
    private var isConnected = false
    /// What the node, or the broker for it, last said; `nil` when nothing was said.
    private var isOnline: Bool?
    /// As telemetry last said.
    private var received: UInt64?
    /// By a clock that nobody sets: when it was last known to hear, and when anything came from it.
    private var heardAt: Duration?
    private var messageAt: Duration?
    private var deafSince: Duration?
    private var offset = 0.0
    package private(set) var state = State.waiting

    /// How it is.
    package enum State: String, Sendable {
        /// Nothing was ever heard of it.
        case waiting
        case hearing
        /// It, or the broker, says that it isn't there.
        case offline
        /// It said nothing for too long.
        case silent
        /// This gateway has no connection to the broker.
        case disconnected
        /// A module that takes turns advertises now; it has listened until then, and will again.
        case paused

        package var isDeaf: Bool { self != .hearing && self != .paused }
    }

    package struct Counts: Equatable, Sendable {
        package var messages: UInt64 = 0
        package var readings: UInt64 = 0
        /// Who is no beacon, or not listed.
        package var strangers: UInt64 = 0
        /// Messages that weren't understood, by `RemoteEarMessage.Refusal`, and `too-many`.
        package var refused: [String: UInt64] = [:]
        var lastMessageAt: Timestamp?

        package static let tooMany = "too-many"
        package static let unreadable = "unreadable"
    }

    /// A node has one radio.
    private static let adapter = Adapter(index: 0)

    /// - Parameter rules: of the gateway; the silences are the ear's.
    package init(
        _ configuration: RemoteEarConfiguration, audience: Audience, rules: InteractionRules, expected: Set<BeaconID>
    ) {
        self.configuration = configuration
        self.audience = audience
        tracker = InteractionTracker(rules: Self.rules(configuration, rules))
        tracker.expect(expected)
    }

    private static func rules(_ configuration: RemoteEarConfiguration, _ all: InteractionRules) -> InteractionRules {
        var rules = all
        rules.silence = configuration.silence
        // Those of single beacons are meant for the gateway's own radio.
        rules.silenceOfBeacons = [:]
        // With 64 ears that is 32 MiB at most, when somebody floods all of them.
        rules.capacity = min(rules.capacity, 512)
        // Its telemetry comes every 15 s.
        rules.longestListeningGap = .seconds(20)
        // A topic brings at most `RemoteEarIntake.mostDevices` a second.
        rules.rememberedNewcomers = 2048
        if configuration.kind == .module { rules.silenceOfBeacons = all.silenceOfBeacons }
        return rules
    }

    /// Takes a message in; gives what became known by it.
    package mutating func take(_ packet: RemoteEarPacket, now: Duration) -> [InteractionEvent] {
        counts.messages += 1 + packet.dropped
        counts.lastMessageAt = packet.time
        if packet.dropped > 0 { counts.refused[Counts.tooMany, default: 0] += packet.dropped }
        let message: RemoteEarMessage
        switch packet.contents {
        case .failure(let refusal):
            counts.refused[refusal.rawValue, default: 0] += 1
            return []
        case .success(let success): message = success
        }
        messageAt = now
        // Whatever reached us came by a connection.
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

    /// Counts what a module heard and couldn't be taken in.
    package mutating func lost(dropped: UInt64, unreadable: UInt64) {
        if dropped > 0 { counts.refused[Counts.tooMany, default: 0] += dropped }
        if unreadable > 0 { counts.refused[Counts.unreadable, default: 0] += unreadable }
    }

    /// Says that time has passed, and whether there is a connection to the broker; to be called every second.
    package mutating func advance(isConnected: Bool, at time: Timestamp, now: Duration) -> [InteractionEvent] {
        if self.isConnected, !isConnected, configuration.kind != .module { isOnline = nil }
        self.isConnected = isConnected
        return judge(at: time, now)
    }

    /// Says how much more than a receiver of offset 0 it reads, in dB.
    package mutating func setOffset(_ offset: Double) {
        self.offset = offset
        tracker.setOffset(offset, of: Self.adapter)
    }

    /// The readings of intervals that are over since it was last asked: of what the node tells, which is not every
    /// advertisement, and smoothed by some.
    package mutating func takeReadings() -> [Readings] { tracker.takeReadings() }

    /// Ends everything.
    package mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [InteractionEvent] {
        tracker.endAll(at: time, reason: reason)
    }

    package var present: [Interaction] { tracker.present }
    var presentCount: Int { tracker.count }

    /// For a restart.
    package var kept: TrackerState { tracker.state }

    package func heard(since time: Timestamp) -> TrackerNote { tracker.heard(since: time) }

    /// Goes on where the run before left off.
    ///
    /// - Returns: what ended since then.
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

    /// The module hangs elsewhere from here on.
    package mutating func move(to room: String?, _ position: Place.Position?) {
        configuration.room = room
        configuration.position = position
    }

    package mutating func expect(_ beacons: Set<BeaconID>) { tracker.expect(beacons) }

    /// It is known to hear.
    private mutating func hears(at time: Timestamp, _ now: Duration) {
        heardAt = now
        // A node that publishes is there, whatever was said before.
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
        // After a connection was lost nothing is known before something is heard.
        if state == .disconnected || state == .offline, isOnline != true { return state }
        return now - heardAt >= configuration.deafAfter ? .silent : .hearing
    }

    private func judgedModule(_ now: Duration) -> State {
        guard let heardAt, let isOnline else { return .waiting }
        guard isOnline else { return .offline }
        let patience = state == .paused ? RemoteEarConfiguration.longestPause : configuration.deafAfter
        return now - heardAt >= patience ? .silent : state == .paused ? .paused : .hearing
    }

    private mutating func become(_ next: State, at time: Timestamp, _ now: Duration) {
        defer { state = next }
        if next.isDeaf {
            guard deafSince == nil else { return }
            // What it would have said since it was last heard isn't known.
            deafSince = heardAt ?? now
            tracker.becameDeaf(Self.adapter, at: .epoch)
        } else if deafSince != nil {
            deafSince = nil
            tracker.hearsAgain(Self.adapter, at: time)
        } else if next == .hearing, state == .paused || state == .waiting {
            tracker.hearsAgain(Self.adapter, at: time)
        }
        // What it doesn't hear in a pause is no sign that somebody left, and nobody is lost by it.
        if next == .paused, state != .paused { tracker.becameDeaf(Self.adapter, at: time) }
    }
}
