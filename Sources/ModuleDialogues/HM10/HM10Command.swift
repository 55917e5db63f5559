import BeaconModel

/// A setting of an HM-10 that can be read and written.
package enum HM10Setting: String, CaseIterable, Sendable {
    /// The first of four 32-bit parts of the UUID.
    case uuid0 = "IBE0"
    case uuid1 = "IBE1"
    case uuid2 = "IBE2"
    case uuid3 = "IBE3"
    case major = "MARJ"
    case minor = "MINO"
    case measuredPower = "MEAS"
    /// The measured power, under the name that clones use.
    case measuredPowerOfClones = "MEA"
    case interval = "ADVI"
    case transmitPower = "POWE"
    /// The advertising type; 3: advertising only, without connections and scan responses.
    case advertisingType = "ADTY"
    /// The iBeacon mode; 1: the module is an iBeacon.
    case isBeacon = "IBEA"

    /// The query for this setting, without a line end.
    package var question: String { "AT+\(rawValue)?" }

    /// Returns the command that sets the value, without a line end.
    package func command(_ value: UInt32) -> String { "AT+\(rawValue)" + text(value) }

    package func text(_ value: UInt32) -> String {
        switch self {
        case .uuid0, .uuid1, .uuid2, .uuid3: Self.padded(value, 8)
        case .major, .minor: "0x" + Self.padded(value, 4)
        case .measuredPower, .measuredPowerOfClones: "0x" + Self.padded(value, 2)
        case .interval, .transmitPower, .advertisingType, .isBeacon: String(value, radix: 16, uppercase: true)
        }
    }

    /// Parses a value from the module's answer: with or without `0x`, always hexadecimal.
    package static func value(_ text: String) -> UInt32? {
        let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? String(text.dropFirst(2)) : text
        guard (1...8).contains(digits.utf8.count), digits.first != "+" else { return nil }
        return UInt32(digits, radix: 16)
    }

    private static func padded(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The settings of an HM-10.
struct HM10Configuration: Equatable, Sendable {
    var values: [HM10Setting: UInt32]

    init() { values = [:] }

    init(_ configuration: BeaconConfiguration) {
        let interval = ModuleKind.hm10.intervals?.firstIndex(of: ModuleKind.hm10.nearest(to: configuration.interval))
        let bits = configuration.beacon.uuid.bits
        values = [
            .uuid0: UInt32(truncatingIfNeeded: bits >> 96), .uuid1: UInt32(truncatingIfNeeded: bits >> 64),
            .uuid2: UInt32(truncatingIfNeeded: bits >> 32), .uuid3: UInt32(truncatingIfNeeded: bits),
            .major: UInt32(configuration.beacon.major), .minor: UInt32(configuration.beacon.minor),
            .measuredPower: UInt32(UInt8(bitPattern: configuration.measuredPower)),
            .measuredPowerOfClones: UInt32(UInt8(bitPattern: configuration.measuredPower)),
            .interval: UInt32(interval ?? 0),
            .advertisingType: 3, .isBeacon: 1,
        ]
        if let power = configuration.transmitPower { values[.transmitPower] = UInt32(clamping: power) }
    }

    /// Returns the beacon configuration that the settings form; `nil` when the module is no iBeacon or a setting is
    /// missing.
    ///
    /// - Parameter withTransmitPower: whether to include the transmit power.
    func configuration(withTransmitPower: Bool) -> BeaconConfiguration? {
        guard values[.isBeacon] == 1, let first = values[.uuid0], let second = values[.uuid1],
            let third = values[.uuid2], let fourth = values[.uuid3],
            let major = values[.major].flatMap({ UInt16(exactly: $0) }),
            let minor = values[.minor].flatMap({ UInt16(exactly: $0) }),
            let power = (values[.measuredPower] ?? values[.measuredPowerOfClones]).flatMap({ UInt8(exactly: $0) }),
            let interval = values[.interval].flatMap({ Self.interval($0) })
        else { return nil }
        let bits =
            UInt128(first) << 96 | UInt128(second) << 64 | UInt128(third) << 32 | UInt128(fourth)
        return BeaconConfiguration(
            beacon: BeaconID(uuid: ProximityUUID(bits: bits), major: major, minor: minor),
            measuredPower: Int8(bitPattern: power), interval: interval,
            transmitPower: withTransmitPower ? values[.transmitPower].map { Int($0) } : nil)
    }

    /// Returns the interval with this `AT+ADVI` index, 0 to F.
    private static func interval(_ index: UInt32) -> AdvertisingInterval? {
        let all = ModuleKind.hm10.intervals ?? []
        return all.indices.contains(Int(index)) ? all[Int(index)] : nil
    }
}
