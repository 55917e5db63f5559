/// Apps that find each other by Bluetooth services of their own; the raw value is their name in records and metrics.
public enum ContactApp: String, Hashable, Comparable, Sendable, CaseIterable {
    case bleProximity = "ble-proximity"
    case further
    case c19x
    case herald

    // Not by the texts: a subject is looked up for every sighting.
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
    /// Whether a phone says another code from time to time. Further gives each user one number for good.
    public var changesCodes: Bool { self != .further }

    /// The app that advertises a 128-bit service; `nil` for services of others.
    ///
    /// - Parameter service: the UUID as one number, most significant byte first as it is printed.
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
        // FFFFFFFF-EEEE-DDDD-0000-000000000000 and the others that C19X numbers from there
        // (`BLESensorConfiguration` of the app).
        case 0xFFFF_FFFF_EEEE_DDDD: self = .c19x
        default: return nil
        }
    }
}
