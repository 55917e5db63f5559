public import BeaconModel

/// An advertisement received by a module.
public struct ModuleReception: Equatable, Sendable {
    /// Address of the sender; all zeros when the sender gave none.
    public var address: BluetoothAddress
    /// The RSSI, if the module measured it.
    public var rssi: RSSI?
    /// Advertising data, at most 31 bytes.
    public var data: [UInt8]
    /// Whether the sender gave no address, so that it cannot be told apart from others.
    public var isAnonymous: Bool

    /// Creates a reception from its parts.
    public init(address: BluetoothAddress, rssi: RSSI?, data: [UInt8], isAnonymous: Bool = false) {
        self.address = address
        self.rssi = rssi
        self.data = data
        self.isAnonymous = isAnonymous
    }

    /// The common prefix of both spellings of a report.
    package static let start = Array("AT+RSIBT_ADV".utf8)
    private static let names = [Array("AT+RSIBT_ADVRTISE".utf8), Array("AT+RSIBT_ADVERTISE".utf8)]

    /// Returns the indices at which reports begin in a line. Only upper case matches, as modules write it.
    package static func starts(in line: [UInt8]) -> [Int] {
        guard line.count >= start.count else { return [] }
        return (0...(line.count - start.count)).filter { line[$0] == start[0] && line[$0...].starts(with: start) }
    }

    package init?(line: String) { self.init(bytes: Array(line.utf8)[...]) }

    /// Parses an RS9116's report, in the manufacturer's spelling or the correct one:
    /// `AT+RSIBT_ADVRTISE,addr_type:1,addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:0,adv_data_len:A,adv_data:2,1,1A,...`.
    ///
    /// Length and data are hexadecimal, the RSSI is decimal. `nil` for anything else.
    package init?(bytes line: ArraySlice<UInt8>) {
        let fields = line.split(separator: UInt8(ascii: ","), maxSplits: 64, omittingEmptySubsequences: false)
        guard let name = fields.first, Self.names.contains(where: { $0.elementsEqual(name) }),
            let start = fields.firstIndex(where: { $0.starts(with: "adv_data:".utf8) })
        else { return nil }
        func value(_ key: StaticString) -> String? {
            let key = Array(String(describing: key).utf8)
            guard let field = fields.first(where: { $0.starts(with: key) }) else { return nil }
            return String(decoding: field.dropFirst(key.count), as: UTF8.self)
        }
        guard let address = value("addr:").flatMap({ BluetoothAddress($0) }),
            let length = value("adv_data_len:").flatMap({ Int($0, radix: 16) }), (0...31).contains(length)
        else { return nil }
        let digits = [fields[start].dropFirst("adv_data:".utf8.count)] + fields[(start + 1)...]
        guard digits.count == length || length == 0 && digits == [[]] else { return nil }
        var data: [UInt8] = []
        data.reserveCapacity(length)
        for digits in digits where length > 0 {
            guard let byte = Self.byte(digits) else { return nil }
            data.append(byte)
        }
        let type = value("addr_type:").flatMap { UInt8($0, radix: 16) }
        self.init(
            address: address, rssi: value("RSSI:").flatMap { Int8($0) }.flatMap { RSSI(dBm: $0) }, data: data,
            // Address types are 0 to 3; 0xFF means no address (Bluetooth Core Specification 5.4, Vol 4, Part E,
            // 7.7.65.13).
            isAnonymous: type == 0xFF || address.bits == 0)
    }

    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard (1...2).contains(digits.count) else { return nil }
        var value: UInt8 = 0
        for digit in digits {
            guard let digit = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            value = value << 4 | UInt8(truncatingIfNeeded: digit)
        }
        return value
    }
}
