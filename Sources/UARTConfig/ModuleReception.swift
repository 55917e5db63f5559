public import BeaconModel

/// An advertisement that a module heard.
public struct ModuleReception: Equatable, Sendable {
    public var address: BluetoothAddress
    public var rssi: RSSI?
    /// Advertising data, at most 31 bytes.
    public var data: [UInt8]

    public init(address: BluetoothAddress, rssi: RSSI?, data: [UInt8]) {
        self.address = address
        self.rssi = rssi
        self.data = data
    }

    /// Reads an RS9116's line, with the manufacturer's spelling or without:
    /// `AT+RSIBT_ADVRTISE,addr_type:1,addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:0,adv_data_len:A,adv_data:2,1,1A,...`.
    ///
    /// Length and data are hexadecimal, the RSSI is decimal. `nil` for anything else.
    init?(line: String) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard let name = fields.first?.uppercased(),
            name == "AT+RSIBT_ADVRTISE" || name == "AT+RSIBT_ADVERTISE",
            let start = fields.firstIndex(where: { $0.hasPrefix("adv_data:") })
        else { return nil }
        func value(_ key: String) -> Substring? {
            fields.first { $0.hasPrefix(key + ":") }.map { $0.dropFirst(key.count + 1) }
        }
        guard let address = value("addr").flatMap({ BluetoothAddress($0) }),
            let length = value("adv_data_len").flatMap({ Int($0, radix: 16) }), (0...31).contains(length)
        else { return nil }
        let digits = [fields[start].dropFirst("adv_data:".count)] + fields[(start + 1)...]
        let data = digits.compactMap { $0.utf8.count <= 2 ? UInt8($0, radix: 16) : nil }
        guard data.count == length, digits.count == length || length == 0 else { return nil }
        self.init(address: address, rssi: value("RSSI").flatMap { Int8($0) }.flatMap { RSSI(dBm: $0) }, data: data)
    }
}
