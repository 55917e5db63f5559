public import BeaconModel

/// Remembers who is heard all the time, and by which adapter, so that deafness can be told from silence. Pure; knows
/// senders by their addresses only.
public struct HearingWatch: Sendable {
    public enum Suspicion: Sendable {
        /// Others than we could explain it: whoever was here may have left.
        case likely
        /// One of our own beacons was heard until the silence began.
        case ownBeacon
        /// Another adapter still hears what this one did.
        case otherAdapter
    }

    /// A silence that is shorter says nothing.
    public static let shortestSilence: Duration = .seconds(6)
    /// Adapters from this number on aren't watched.
    private static let mostAdapters = 16
    /// So many strangers that are heard all the time and fall silent in one moment, without having grown weaker,
    /// haven't all left.
    private static let fewestStrangers = 3

    private var adapters: [AdapterHearing?] = Array(repeating: nil, count: mostAdapters)

    public init() {}

    /// - Parameter isCanary: it is one of our own beacons.
    public mutating func observe(_ report: AdvertisingReport, isCanary: Bool) {
        let index = Int(report.adapter.index)
        guard index < Self.mostAdapters else { return }
        if adapters[index] == nil { adapters[index] = AdapterHearing() }
        adapters[index]?.observe(report, isCanary: isCanary)
    }

    /// What is to be thought of an adapter that has heard nothing for a while; `nil` when it may be the air's silence.
    ///
    /// - Parameter silence: how long it has heard nothing, by a clock that nobody sets.
    public func suspicion(of adapter: Adapter, silentFor silence: Duration) -> Suspicion? {
        let index = Int(adapter.index)
        guard silence >= Self.shortestSilence, index < Self.mostAdapters, let hearing = adapters[index] else {
            return nil
        }
        // Whoever advertises rarely is missed later.
        let missed = hearing.regularsAtTheEnd.filter { silence.inSeconds >= 1 + 3 * $0.meanGap }
        if missed.contains(where: \.isCanary) { return .ownBeacon }
        let strangers = missed.filter { !$0.isFading }
        for (other, otherHearing) in adapters.enumerated() where other != index {
            guard let otherHearing else { continue }
            let heardThere = strangers.count { stranger in
                otherHearing.sender(stranger.address).map { $0.lastHeard > hearing.lastReport + .seconds(2) } ?? false
            }
            if heardThere > 1 { return .otherAdapter }
            // One may have gone there.
            if heardThere == 1 { return .likely }
        }
        return strangers.count >= Self.fewestStrangers ? .likely : nil
    }

    /// What the adapter used to hear is no measure any more.
    public mutating func forget(_ adapter: Adapter) {
        let index = Int(adapter.index)
        if index < Self.mostAdapters { adapters[index] = nil }
    }
}

/// Whom one adapter hears. Of fixed size: a sender finds a place among four, and only those who haven't been heard for
/// long give way, so that a flood of addresses pushes nobody out.
private struct AdapterHearing: Sendable {
    package struct Sender: Sendable {
        var address = BluetoothAddress(bits: 0)
        var firstHeard = Timestamp.epoch
        var lastHeard = Timestamp.epoch
        var count: UInt32 = 0
        /// dBm, smoothed over about 128 reports and over about 4.
        var usualRSSI: Float = 0
        var latestRSSI: Float = 0
        var isCanary = false

        /// Seconds between two reports, over the whole time.
        var meanGap: Double { (lastHeard - firstHeard).inSeconds / Double(max(1, count)) }

        /// Heard often and for long enough that its silence says something.
        var isRegular: Bool {
            isCanary ? count >= 5 : count >= 20 && lastHeard - firstHeard >= .seconds(30) && meanGap <= 2
        }

        /// As somebody's who walks away.
        var isFading: Bool { latestRSSI < usualRSSI - 8 }
    }

    private static let ways = 4
    private static let sets = 64
    private static let staleAfter: Duration = .seconds(10)
    private static let forgetAfter: Duration = .seconds(60)

    private var senders: [Sender] = Array(repeating: Sender(), count: ways * sets)
    private(set) var lastReport = Timestamp.epoch

    mutating func observe(_ report: AdvertisingReport, isCanary: Bool) {
        // The clock was set, or nobody has been here for long.
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

    /// Those who were heard regularly, and still were when the adapter heard its last.
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
