import Advertisement
import BeaconModel

extension BeaconConfiguration {
    /// Derives the first configuration that the commands of a trace make an RS9116 advertise; `nil` when they do not
    /// set the data of an iBeacon.
    package init?(sentIn entries: some Sequence<SerialTrace.Entry>) {
        var line: [UInt8] = []
        var found: BeaconConfiguration?
        var power: Int?
        search: for entry in entries {
            guard case .toModule(let bytes) = entry.event else { continue }
            for byte in bytes {
                if byte != 0x0A {
                    if line.count < 1024 { line.append(byte) }
                    continue
                }
                // Bytes of the handshake may precede the command.
                let text = String(decoding: line.filter { $0 != 0x0D && $0 != 0 }, as: UTF8.self).lowercased()
                line = []
                guard let begin = text.firstRange(of: "at+rsi")?.lowerBound else { continue }
                let parts = text[begin...].split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let fields = parts[1].split(separator: ",", omittingEmptySubsequences: false)
                switch parts[0] {
                case "at+rsi_opermode" where fields.count > 7:
                    // The driver sends 31 when no transmit power was requested.
                    if let bits = UInt32(fields[7]) { power = (bits >> 16 & 0xFF) == 31 ? nil : Int(bits >> 16 & 0xFF) }
                case "at+rsibt_setantennatxpowerlevel" where fields.count == 2: power = Int(fields[1])
                case "at+rsibt_setadvertisedata":
                    found = Self.beacon(fields.dropFirst().compactMap { UInt8($0, radix: 16) }, power)
                case "at+rsibt_advertise" where fields.count == 9 && fields[0] == "1":
                    guard found != nil, let units = Int(fields[5]), (32...16_384).contains(units),
                        let interval = AdvertisingInterval(.microseconds(units * 625))
                    else { continue }
                    found?.interval = interval
                    // Later commands belong to another run.
                    break search
                default: break
                }
            }
        }
        guard let found else { return nil }
        self = found
    }

    private static func beacon(_ data: [UInt8], _ power: Int?) -> BeaconConfiguration? {
        guard case .iBeacon(let beacon, let measuredPower) = AdvertisingData.decode(data.span).identity else {
            return nil
        }
        return BeaconConfiguration(beacon: beacon, measuredPower: measuredPower, transmitPower: power)
    }
}
