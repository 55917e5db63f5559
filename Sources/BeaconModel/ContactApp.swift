/// Contact-tracing apps that find each other through Bluetooth services of their own. The raw value is the name in
/// records and metrics.
public enum ContactApp: String, Hashable, Comparable, Sendable, CaseIterable {
    /// BLE-Proximity.
    case bleProximity = "ble-proximity"
    /// Further.
    case further
    /// C19X.
    case c19x
    /// Herald.
    case herald

    // Not by the raw values: a subject is looked up for every sighting.
    public func hash(into hasher: inout Hasher) { hasher.combine(order) }
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: UInt8 {
        switch self {
        case .bleProximity: 0
        case .further: 1
        case .c19x: 2
        case .herald: 3
        }
    }
}

extension ContactApp {
    /// Whether a phone changes its code from time to time. Further assigns each user one permanent number.
    public var changesCodes: Bool { self != .further }

    /// Creates the app that advertises a 128-bit service. Returns `nil` for other services.
    ///
    /// - Parameter service: the UUID as one number, most significant byte first, as printed.
    @inline(__always)
    public init?(service: UInt128) {
        switch UInt64(truncatingIfNeeded: service >> 64) {
        // 8E99298E-65D6-4AF7-9074-731C66E01AF9 (BLE-Proximity, `BProximity.swift`).
        case 0x8E99_298E_65D6_4AF7:
            guard UInt64(truncatingIfNeeded: service) == 0x9074_731C_66E0_1AF9 else { return nil }
            self = .bleProximity
        // 428132AF-4746-42D3-801E-4572D65BFD9B (Herald before version 2.1, "Herald Protocol", "Service ID").
        case 0x4281_32AF_4746_42D3:
            guard UInt64(truncatingIfNeeded: service) == 0x801E_4572_D65B_FD9B else { return nil }
            self = .herald
        // FFFFFFFF-EEEE-DDDD-0000-000000000000 and the UUIDs that C19X numbers from there (`BLESensorConfiguration` of
        // the app).
        case 0xFFFF_FFFF_EEEE_DDDD: self = .c19x
        default: return nil
        }
    }
}
