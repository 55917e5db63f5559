import Advertisement
package import BeaconModel

/// The AT commands of an RS9116.
package enum RS9116Command: Equatable, Sendable {
    case firmwareVersion
    /// Sets the operating mode.
    ///
    /// - Parameter transmitPower: index, 1 to 82.
    case operatingMode(transmitPower: Int?)
    case localAddress
    case localName
    /// Queries the current state of Bluetooth.
    case deviceState
    case setLocalName(String)
    case setAdvertisingData([UInt8])
    /// Sets the transmit power.
    ///
    /// - Parameter index: 1 to 82.
    case setTransmitPower(Int)
    case advertise(AdvertisingType, AdvertisingInterval)
    case stopAdvertising(AdvertisingType, AdvertisingInterval)
    case disconnect(BluetoothAddress)
    case scan(Bool)
    case reset
    /// Sends any other command, for experiments.
    case other(String)

    /// The command without its line end.
    package var text: String {
        switch self {
        case .firmwareVersion: "at+rsi_fwversion?"
        case .operatingMode(let power): "at+rsi_opermode=" + Self.operatingMode(transmitPower: power ?? 31)
        case .localAddress: "at+rsibt_getlocalbdaddr?"
        case .localName: "at+rsibt_getlocalname?"
        case .deviceState: "at+rsibt_getdevstate?"
        // The length of a name is decimal, unlike that of data.
        case .setLocalName(let name): "at+rsibt_setlocalname=\(name.utf8.count),\(name)"
        case .setAdvertisingData(let data):
            // The length and the bytes are hexadecimal, without leading zeros.
            "at+rsibt_setadvertisedata="
                + ([UInt8(truncatingIfNeeded: data.count)] + data)
                .map { String($0, radix: 16, uppercase: true) }.joined(separator: ",")
        // The parameter 2 is the protocol, Bluetooth LE. Only the name of this command is certain.
        case .setTransmitPower(let index): "at+rsibt_setantennatxpowerlevel=2,\(index)"
        case .advertise(let type, let interval): Self.advertise(1, type, interval)
        case .stopAdvertising(let type, let interval): Self.advertise(0, type, interval)
        case .disconnect(let address):
            "at+rsibt_disconnect=" + String(address.description.map { $0 == ":" ? "-" : $0 })
        // Passive scan, all devices, own address public; 25 ms in every 100 ms, because each report takes 120 bytes and
        // more on the line.
        case .scan(let on): "at+rsibt_scan=\(on ? 1 : 0),0,0,0,160,40"
        case .reset: "at+rsi_reset"
        case .other(let text): text
        }
    }

    package var bytes: [UInt8] { Array((text + "\r\n").utf8) }

    /// The purpose of the command as text.
    package var purpose: String {
        switch self {
        case .firmwareVersion: "read the firmware version"
        case .operatingMode: "switch Bluetooth on"
        case .localAddress: "read the Bluetooth address"
        case .localName: "read the name"
        case .deviceState: "read the state of Bluetooth"
        case .setLocalName: "set the name"
        case .setAdvertisingData: "set the advertising data"
        case .setTransmitPower: "set the transmit power"
        case .advertise: "start advertising"
        case .stopAdvertising: "stop advertising"
        case .disconnect: "disconnect"
        case .scan(let on): on ? "start scanning" : "stop scanning"
        case .reset: "reset"
        case .other: "try something"
        }
    }

    /// Time within which the module must answer.
    package var timeout: Duration {
        if case .operatingMode = self { .seconds(10) } else { .seconds(2) }
    }

    /// Number of times the command may be repeated without an answer. A second operating mode without a reset is
    /// refused.
    package var repeats: Int {
        switch self {
        case .operatingMode: 0
        // A repetition would be another experiment.
        case .other: 0
        // A beacon works without these commands, so they are not repeated as often.
        case .localName, .deviceState, .setLocalName, .disconnect, .setTransmitPower: 1
        default: 2
        }
    }

    /// Whether the answer to the command has a value.
    package var isQuery: Bool {
        switch self {
        case .firmwareVersion, .localAddress, .localName, .deviceState: true
        case .other(let text): text.hasSuffix("?")
        default: false
        }
    }

    /// Whether repeating the command does no harm.
    var mayBeRepeated: Bool {
        if case .other = self { false } else { true }
    }

    /// Returns an operating mode: Wi-Fi client and Bluetooth LE together, with the vendor's feature bits for a BLE
    /// peripheral. Bits 16 to 23 of the eighth field are the transmit power index; bit 30 enables RS9116 features.
    private static func operatingMode(transmitPower index: Int) -> String {
        "851968,0,1,2147483648,2150629376,3221225472,0,\(0x4000_0000 | (index & 0xFF) << 16)"
    }

    /// Returns an advertising command. Its fields are: status, type, filter (any), direct address type and address
    /// (none), minimum and maximum interval in units of 0.625 ms, own address type (public), channel map (37, 38 and
    /// 39).
    private static func advertise(_ status: Int, _ type: AdvertisingType, _ interval: AdvertisingInterval) -> String {
        "at+rsibt_advertise=\(status),\(type.rawValue),0,0,0,\(interval.units),\(interval.units),0,7"
    }
}

/// The module's numbers for advertising PDU types.
public enum AdvertisingType: UInt8, Sendable {
    /// Connectable undirected advertising.
    case connectable = 128
    /// Non-connectable undirected advertising.
    case nonConnectable = 131

    /// The type in words, for a person.
    public var name: String {
        switch self {
        case .connectable: "connectable"
        case .nonConnectable: "non-connectable"
        }
    }
}
