public import BeaconModel

/// Listens for our own beacons: says when one becomes audible, falls silent, or is heard from two addresses. Pure.
public struct AirWatch: Sendable {
    public enum Event: Equatable, Sendable {
        /// A beacon is heard: for the first time, after a silence, and again every 2 s for those who have reason to
        /// forget what they were told.
        case audible(Reception)
        /// It isn't heard any more although others are.
        case silent(BeaconID, address: BluetoothAddress)
        /// Nothing at all is heard: whether beacons advertise isn't known.
        case deaf
        /// Something is heard again.
        case listening
    }

    /// How a beacon is heard from one address.
    public struct Reception: Equatable, Sendable {
        public var beacon: BeaconID
        public var address: BluetoothAddress
        public var measuredPower: Int8
        /// The median of the latest ones; `nil` when the receiver measures none.
        public var rssi: RSSI?
        /// How many advertisements were heard.
        public var count: Int
    }

    private struct Key: Hashable {
        var beacon: BeaconID
        var address: BluetoothAddress
    }

    private struct Track {
        var measuredPower: Int8
        var lastHeard: Timestamp
        var lastTold: Timestamp
        /// dBm of the latest ones, in a ring.
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
    /// Of the modules that are known to be these beacons.
    private var modules: [BeaconID: BluetoothAddress] = [:]
    private var tracks: [Key: Track] = [:]
    /// How many addresses each beacon is heard from.
    private var addresses: [BeaconID: Int] = [:]
    private var lastReport: Timestamp?
    private var isListening = false

    /// Somebody who imitates our beacons from ever new addresses fills no more than this, of one beacon and of all; the
    /// module itself is heard besides.
    private static let mostAddresses = 64
    private static let mostTracks = 4096
    private static let toldAgainAfter: Duration = .seconds(2)
    /// An ear that has heard nothing at all for this long isn't believed.
    public static let deafAfter: Duration = .seconds(10)

    /// - Parameter beacons: those to listen for, and their advertising intervals.
    public init(_ beacons: [BeaconID: AdvertisingInterval]) {
        patience = beacons.mapValues { Self.silentAfter($0) }
    }

    /// How long a beacon may not be heard before it counts as silent: 40 intervals, because a scanner may hear as
    /// little as a tenth of what is sent; 10 s at least.
    public static func silentAfter(_ interval: AdvertisingInterval) -> Duration {
        max(.seconds(10), .microseconds(interval.units * 625 * 40))
    }

    /// Listens for other beacons from now on.
    ///
    /// - Parameter modules: the addresses of the modules that are these beacons, as far as they are known.
    /// - Returns: that those who aren't listened for any more aren't heard.
    public mutating func listen(
        for beacons: [BeaconID: AdvertisingInterval], modules: [BeaconID: BluetoothAddress] = [:]
    ) -> [Event] {
        self.modules = modules
        patience = beacons.mapValues { Self.silentAfter($0) }
        let dropped = tracks.keys.filter { patience[$0.beacon] == nil }
        for key in dropped { forget(key) }
        return dropped.map { .silent($0.beacon, address: $0.address) }
    }

    /// Everybody who is heard now; the beacons in their order.
    public var receptions: [Reception] {
        tracks.map { reception($0.key, $0.value) }
            .sorted { ($0.beacon, $0.address) < ($1.beacon, $1.address) }
    }

    public func listens(for beacon: BeaconID) -> Bool { patience[beacon] != nil }

    /// Whether it is heard from several addresses, or may be: then others than the module advertise it.
    public func isCopied(_ beacon: BeaconID) -> Bool {
        addresses[beacon, default: 0] > 1 || tracks.count >= Self.mostTracks
    }

    private mutating func forget(_ key: Key) {
        guard tracks.removeValue(forKey: key) != nil else { return }
        addresses[key.beacon, default: 1] -= 1
    }

    public mutating func observe(
        _ beacon: BeaconID, measuredPower: Int8, address: BluetoothAddress, rssi: RSSI?, at time: Timestamp
    ) -> [Event] {
        var events = heardSomething(at: time)
        guard patience[beacon] != nil else { return events }
        let key = Key(beacon: beacon, address: address)
        let before = tracks[key]
        if before == nil {
            let hasRoom = tracks.count < Self.mostTracks && addresses[beacon, default: 0] < Self.mostAddresses
            guard hasRoom || modules[beacon] == address else { return events }
            tracks[key] = Track(measuredPower: measuredPower, lastHeard: time)
            addresses[beacon, default: 0] += 1
        }
        tracks[key]?.hear(measuredPower: measuredPower, rssi: rssi, at: time)
        // A clock that was set back a little is no reason for silence.
        let isRecent = before.map { $0.lastTold <= time && time - $0.lastTold < Self.toldAgainAfter } ?? false
        if before?.measuredPower != measuredPower || !isRecent {
            tracks[key]?.lastTold = time
            if let track = tracks[key] { events.append(.audible(reception(key, track))) }
        }
        return events
    }

    /// Something was received, whatever it was.
    public mutating func heardSomething(at time: Timestamp) -> [Event] {
        // A clock that was set back would keep the dead alive.
        let isBack = lastReport.map { $0 - time > Self.deafAfter } ?? false
        let before = isBack ? becomeDeaf() : []
        lastReport = time
        guard !isListening else { return [] }
        isListening = true
        return before + [.listening]
    }

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

    /// The receiver itself says that it hears nothing.
    public mutating func becomeDeaf() -> [Event] {
        guard isListening else { return [] }
        isListening = false
        tracks.removeAll()
        addresses.removeAll()
        return [.deaf]
    }

    private func reception(_ key: Key, _ track: Track) -> Reception {
        Reception(
            beacon: key.beacon, address: key.address, measuredPower: track.measuredPower,
            rssi: track.medianRSSI, count: track.count)
    }
}
