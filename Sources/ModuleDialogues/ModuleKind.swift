/// The supported kinds of beacon module.
public enum ModuleKind: String, CaseIterable, Sendable {
    /// Silicon Labs (Redpine) RS9116, and Jinan Huamao HM-10.
    case rs9116, hm10

    /// Whether a module of this kind supports this transmit power index.
    public func allows(transmitPower: Int) -> Bool {
        switch self {
        // Transmit power indices of the manufacturer's host library; 0 and 32 belong to no chain.
        case .rs9116: (1...31).contains(transmitPower) || (33...82).contains(transmitPower)
        case .hm10: (0...3).contains(transmitPower)
        }
    }

    /// The indices that `allows(transmitPower:)` accepts, as text for a message.
    public var transmitPowers: String {
        switch self {
        case .rs9116: "from 1 to 31 (0 dBm chain), 33 to 63 (10 dBm chain) or 64 to 82 (high-power chain)"
        case .hm10: "from 0 to 3 (-23, -6, 0 and 6 dBm)"
        }
    }

    /// Whether a module of this kind can listen as well as advertise.
    public var canListen: Bool {
        switch self {
        case .rs9116: true
        case .hm10: false
        }
    }

    /// The advertising intervals that this kind supports, shortest first; `nil` when it supports all.
    public var intervals: [AdvertisingInterval]? {
        switch self {
        case .rs9116: nil
        case .hm10: Self.hm10Intervals
        }
    }

    /// Whether a module of this kind supports this interval.
    public func allows(_ interval: AdvertisingInterval) -> Bool { intervals?.contains(interval) ?? true }

    /// Returns the supported interval nearest to `interval`; of two equally near, the shorter.
    public func nearest(to interval: AdvertisingInterval) -> AdvertisingInterval {
        intervals?.min { abs($0.units - interval.units) < abs($1.units - interval.units) } ?? interval
    }

    /// Intervals of the HM-10 in microseconds (HM-10 datasheet, AT+ADVI, in the order of its index 0 to F).
    private static let hm10Intervals = [
        100_000, 152_500, 211_250, 318_750, 417_500, 546_250, 760_000, 852_500, 1_022_500, 1_285_000, 2_000_000,
        3_000_000, 4_000_000, 5_000_000, 6_000_000, 7_000_000,
    ].compactMap { AdvertisingInterval(.microseconds($0)) }
}
