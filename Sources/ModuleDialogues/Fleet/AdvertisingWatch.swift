public import BeaconModel

/// Watches reception of the gateway's own beacons, as a pure state machine. It reports when a beacon becomes audible,
/// falls silent or is heard from two addresses.
public struct AdvertisingWatch: Sendable {
    /// A change in what is received of a beacon.
    public enum Event: Equatable, Sendable {
        /// A beacon is heard: for the first time, after a silence, and again every 2 s for consumers that may have
        /// discarded the earlier event.
        case audible(Reception)
        /// The beacon is no longer heard, although others are.
        case silent(BeaconID, address: BluetoothAddress)
        /// Nothing at all is heard, so it is unknown whether beacons advertise.
        case deaf
        /// Advertisements are heard again.
        case listening
    }

    /// Reception of a beacon from one address.
    public struct Reception: Equatable, Sendable {
        /// The identity received.
        public var beacon: BeaconID
        /// Address of the sender.
        public var address: BluetoothAddress
        /// RSSI at 1 m in dBm, as the beacon states it.
        public var measuredPower: Int8
        /// Median of the latest RSSI values; `nil` when the receiver measures none.
        public var rssi: RSSI?
        /// Number of advertisements received.
        public var count: Int
    }

    private struct Track {
        var measuredPower: Int8
        var lastHeard: Timestamp
        var lastTold: Timestamp
        /// Ring of the latest RSSI values, in dBm.
        private var ring: [15 of Int8] = .init(repeating: 0)
        private var measured = 0
        var count = 0

        init(measuredPower: Int8, lastHeard: Timestamp) {
            self.measuredPower = measuredPower
            self.lastHeard = lastHeard
            lastTold = lastHeard
        }

        mutating func hear(measuredPower: Int8, rssi: RSSI?, at time: Timestamp) {
            self.measuredPower = measuredPower
            lastHeard = max(lastHeard, time)
            count += 1
            guard let rssi else { return }
            ring[measured % ring.count] = rssi.dBm
            measured += 1
        }

        var medianRSSI: RSSI? {
            let values = (0..<min(measured, ring.count)).map { ring[$0] }.sorted()
            return values.isEmpty ? nil : RSSI(dBm: values[values.count / 2])
        }
    }

    private var patience: [BeaconID: Duration]
    /// Addresses of the modules that are known to be these beacons.
    private var modules: [BeaconID: BluetoothAddress] = [:]
    private var tracks: [BeaconTransmitter: Track] = [:]
    /// Number of addresses from which each beacon is heard.
    private var addresses: [BeaconID: Int] = [:]
    private var lastReport: Timestamp?
    private var isListening = false

    /// Maximum number of tracked addresses, for one beacon (`mostAddresses`) and for all (`mostTracks`). They bound
    /// what a sender can occupy that imitates our beacons from ever new addresses. The module itself is tracked in
    /// addition.
    private static let mostAddresses = 64
    private static let mostTracks = 4096
    private static let toldAgainAfter: Duration = .seconds(2)
    /// Time without any reception after which the receiver counts as deaf.
    public static let deafAfter: Duration = .seconds(10)

    /// Creates a watch for the given beacons.
    ///
    /// - Parameter beacons: the beacons to listen for, and their advertising intervals.
    public init(_ beacons: [BeaconID: AdvertisingInterval]) {
        patience = beacons.mapValues { Self.silentAfter($0) }
    }

    /// Returns the time after which a beacon that is not heard counts as silent: 40 intervals, because a scanner may
    /// receive as little as a tenth of what is sent, but at least 10 s.
    public static func silentAfter(_ interval: AdvertisingInterval) -> Duration {
        max(.seconds(10), .microseconds(interval.units * 625 * 40))
    }

    /// Replaces the set of beacons to listen for.
    ///
    /// - Parameter modules: the known addresses of the modules that are these beacons.
    /// - Returns: `silent` events for receptions of beacons that are no longer in the set.
    public mutating func listen(
        for beacons: [BeaconID: AdvertisingInterval], modules: [BeaconID: BluetoothAddress] = [:]
    ) -> [Event] {
        self.modules = modules
        patience = beacons.mapValues { Self.silentAfter($0) }
        let dropped = tracks.keys.filter { patience[$0.beacon] == nil }
        for key in dropped { forget(key) }
        return dropped.map { .silent($0.beacon, address: $0.address) }
    }

    /// Current receptions, sorted by beacon and address.
    public var receptions: [Reception] {
        tracks.map { reception($0.key, $0.value) }
            .sorted { ($0.beacon, $0.address) < ($1.beacon, $1.address) }
    }

    /// Returns whether the watch waits for the beacon.
    public func listens(for beacon: BeaconID) -> Bool { patience[beacon] != nil }

    /// Whether the beacon is, or may be, heard from several addresses, which means that other devices than the module
    /// advertise it.
    public func isCopied(_ beacon: BeaconID) -> Bool {
        addresses[beacon, default: 0] > 1 || tracks.count >= Self.mostTracks
    }

    private mutating func forget(_ key: BeaconTransmitter) {
        guard tracks.removeValue(forKey: key) != nil else { return }
        addresses[key.beacon, default: 1] -= 1
    }

    /// Records a received advertisement and returns the changes.
    public mutating func observe(
        _ beacon: BeaconID, measuredPower: Int8, address: BluetoothAddress, rssi: RSSI?, at time: Timestamp
    ) -> [Event] {
        var events = heardSomething(at: time)
        guard patience[beacon] != nil else { return events }
        let key = BeaconTransmitter(beacon: beacon, address: address)
        let before = tracks[key]
        if before == nil {
            let hasRoom = tracks.count < Self.mostTracks && addresses[beacon, default: 0] < Self.mostAddresses
            guard hasRoom || modules[beacon] == address else { return events }
            tracks[key] = Track(measuredPower: measuredPower, lastHeard: time)
            addresses[beacon, default: 0] += 1
        }
        tracks[key]?.hear(measuredPower: measuredPower, rssi: rssi, at: time)
        // A clock that was set back slightly must not cause a silence.
        let isRecent = before.map { $0.lastTold <= time && time - $0.lastTold < Self.toldAgainAfter } ?? false
        if before?.measuredPower != measuredPower || !isRecent {
            tracks[key]?.lastTold = time
            if let track = tracks[key] { events.append(.audible(reception(key, track))) }
        }
        return events
    }

    /// Records that something was received, of whatever kind.
    public mutating func heardSomething(at time: Timestamp) -> [Event] {
        // After a larger step back of the clock silent beacons would not expire, so the watch starts over.
        let isBack = lastReport.map { $0 - time > Self.deafAfter } ?? false
        let before = isBack ? becomeDeaf() : []
        lastReport = time
        guard !isListening else { return [] }
        isListening = true
        return before + [.listening]
    }

    /// Advances the clock and returns the changes.
    public mutating func advance(to time: Timestamp) -> [Event] {
        guard isListening, let lastReport else { return [] }
        if time - lastReport > Self.deafAfter { return becomeDeaf() }
        var events: [Event] = []
        for (key, track) in tracks where time - track.lastHeard > patience[key.beacon] ?? .zero {
            forget(key)
            events.append(.silent(key.beacon, address: key.address))
        }
        return events
    }

    /// Marks the receiver as deaf, as the receiver itself reported.
    public mutating func becomeDeaf() -> [Event] {
        guard isListening else { return [] }
        isListening = false
        tracks.removeAll()
        addresses.removeAll()
        return [.deaf]
    }

    private func reception(_ key: BeaconTransmitter, _ track: Track) -> Reception {
        Reception(
            beacon: key.beacon, address: key.address, measuredPower: track.measuredPower,
            rssi: track.medianRSSI, count: track.count)
    }
}
