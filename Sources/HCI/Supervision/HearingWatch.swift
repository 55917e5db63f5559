public import BeaconModel

/// Tracks which senders each adapter receives regularly, so that a deaf adapter can be distinguished from radio
/// silence. Pure. Identifies senders only by their addresses.
public struct HearingWatch: Sendable {
    /// A sign that silence is a fault.
    public enum Suspicion: Sendable {
        /// The silence could also have another explanation: the senders may have departed.
        case likely
        /// One of our own beacons was received until the silence began.
        case ownBeacon
        /// Another adapter still receives senders that this one no longer does.
        case otherAdapter
    }

    /// Shortest silence that counts as evidence.
    public static let shortestSilence: Duration = .seconds(6)
    /// Number of watched adapters. Adapters with an index from this number on are not watched.
    private static let mostAdapters = 16
    /// Minimum number of unlisted devices for a suspicion. When this many regularly received devices fall silent at
    /// once without having grown weaker, they have not all departed.
    private static let fewestStrangers = 3

    private var adapters: [AdapterHearing?] = Array(repeating: nil, count: mostAdapters)

    /// Creates a watch that knows no sender.
    public init() {}

    /// Records a received advertisement.
    ///
    /// - Parameter isCanary: whether the sender is one of our own beacons.
    public mutating func observe(_ report: AdvertisingReport, isCanary: Bool) {
        let index = Int(report.adapter.index)
        guard index < Self.mostAdapters else { return }
        if adapters[index] == nil { adapters[index] = AdapterHearing() }
        adapters[index]?.observe(report, isCanary: isCanary)
    }

    /// Returns the suspicion against an adapter that has received nothing for a while, or `nil` when this may be radio
    /// silence.
    ///
    /// - Parameter silence: the time without reception, by a monotonic clock.
    public func suspicion(of adapter: Adapter, silentFor silence: Duration) -> Suspicion? {
        let index = Int(adapter.index)
        guard silence >= Self.shortestSilence, index < Self.mostAdapters, let hearing = adapters[index] else {
            return nil
        }
        // Senders with longer advertising intervals are missed later.
        let missed = hearing.regularsAtTheEnd.filter { silence.inSeconds >= 1 + 3 * $0.meanGap }
        if missed.contains(where: \.isCanary) { return .ownBeacon }
        let strangers = missed.filter { !$0.isFading }
        for (other, otherHearing) in adapters.enumerated() where other != index {
            guard let otherHearing else { continue }
            let heardThere = strangers.count { stranger in
                otherHearing.sender(stranger.address).map { $0.lastHeard > hearing.lastReport + .seconds(2) } ?? false
            }
            if heardThere > 1 { return .otherAdapter }
            // A single sender may have moved there.
            if heardThere == 1 { return .likely }
        }
        return strangers.count >= Self.fewestStrangers ? .likely : nil
    }

    /// Discards the history of an adapter, because it is no longer comparable.
    public mutating func forget(_ adapter: Adapter) {
        let index = Int(adapter.index)
        if index < Self.mostAdapters { adapters[index] = nil }
    }
}

/// The senders received by one adapter, in a table of fixed size. Each sender has four possible places. Only senders
/// that have not been received for a while are replaced, so a flood of addresses displaces no current sender.
private struct AdapterHearing: Sendable {
    package struct Sender: Sendable {
        var address = BluetoothAddress(bits: 0)
        var firstHeard = Timestamp.epoch
        var lastHeard = Timestamp.epoch
        var count: UInt32 = 0
        /// Signal strength in dBm, smoothed over about 128 reports (usual) and about 4 reports (latest).
        var usualRSSI: Float = 0
        var latestRSSI: Float = 0
        var isCanary = false

        /// Mean time between two reports in seconds, over the whole period.
        var meanGap: Double { (lastHeard - firstHeard).inSeconds / Double(max(1, count)) }

        /// Whether the sender has been received often and long enough for its silence to count as evidence.
        var isRegular: Bool {
            isCanary ? count >= 5 : count >= 20 && lastHeard - firstHeard >= .seconds(30) && meanGap <= 2
        }

        /// Whether the signal grows weaker, as when the sender moves away.
        var isFading: Bool { latestRSSI < usualRSSI - 8 }
    }

    private static let ways = 4
    private static let sets = 64
    private static let staleAfter: Duration = .seconds(10)
    private static let forgetAfter: Duration = .seconds(60)

    private var senders: [Sender] = Array(repeating: Sender(), count: ways * sets)
    private(set) var lastReport = Timestamp.epoch

    mutating func observe(_ report: AdvertisingReport, isCanary: Bool) {
        // The clock was set, or nothing has been received for a long time.
        let elapsed = report.time - lastReport
        if lastReport != .epoch, elapsed > Self.forgetAfter || elapsed < .zero - Self.staleAfter {
            self = AdapterHearing()
        }
        lastReport = max(lastReport, report.time)
        guard report.addressKind != .anonymous, let place = place(for: report.address, at: report.time) else { return }
        let rssi = report.rssi.map { Float($0.dBm) }
        if senders[place].address != report.address || senders[place].count == 0 {
            senders[place] = Sender(address: report.address, firstHeard: report.time, lastHeard: report.time)
            senders[place].usualRSSI = rssi ?? -127
            senders[place].latestRSSI = rssi ?? -127
        }
        senders[place].lastHeard = report.time
        senders[place].count &+= 1
        senders[place].isCanary = isCanary
        if let rssi {
            senders[place].usualRSSI += (rssi - senders[place].usualRSSI) / 128
            senders[place].latestRSSI += (rssi - senders[place].latestRSSI) / 4
        }
    }

    /// The regular senders that were still being received when the adapter's last report arrived.
    var regularsAtTheEnd: [Sender] {
        senders.filter { sender in
            sender.isRegular && (lastReport - sender.lastHeard).inSeconds <= 1 + 3 * sender.meanGap
        }
    }

    func sender(_ address: BluetoothAddress) -> Sender? {
        let first = first(address)
        return senders[first..<(first + Self.ways)].first { $0.address == address && $0.count > 0 }
    }

    private func first(_ address: BluetoothAddress) -> Int {
        // Multiplication spreads addresses that differ in few bits.
        Int((address.bits &* 0x9E37_79B9_7F4A_7C15) >> 58) % Self.sets * Self.ways
    }

    private func place(for address: BluetoothAddress, at time: Timestamp) -> Int? {
        let first = first(address)
        var free: Int?
        for place in first..<(first + Self.ways) {
            if senders[place].address == address { return place }
            let isFree = senders[place].count == 0 || time - senders[place].lastHeard > Self.staleAfter
            if free == nil, isFree { free = place }
        }
        return free
    }
}
