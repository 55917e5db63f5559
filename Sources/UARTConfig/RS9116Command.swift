import Advertisement
import BeaconModel

/// The AT commands that make a module advertise, in the order in which they are sent.
enum RS9116Command: Equatable, Sendable {
    case firmwareVersion
    case operatingMode
    case localAddress
    case setAdvertisingData([UInt8])
    case advertise(AdvertisingType, AdvertisingInterval)
    case stopAdvertising(AdvertisingType, AdvertisingInterval)
    case reset

    /// Wi-Fi client and Bluetooth LE together, the vendor's feature bits for a BLE peripheral, transmit power
    /// index 31.
    private static let operatingModeParameters = "851968,0,1,2147483648,2150629376,3221225472,0,1075773440"

    /// Without the line end.
    var text: String {
        switch self {
        case .firmwareVersion: "at+rsi_fwversion?"
        case .operatingMode: "at+rsi_opermode=" + Self.operatingModeParameters
        case .localAddress: "at+rsibt_getlocalbdaddr?"
        case .setAdvertisingData(let data):
            // The length and the bytes are hexadecimal, without leading zeros.
            "at+rsibt_setadvertisedata="
                + ([UInt8(truncatingIfNeeded: data.count)] + data)
                .map { String($0, radix: 16, uppercase: true) }.joined(separator: ",")
        case .advertise(let type, let interval): Self.advertise(1, type, interval)
        case .stopAdvertising(let type, let interval): Self.advertise(0, type, interval)
        case .reset: "at+rsi_reset"
        }
    }

    var bytes: [UInt8] { Array((text + "\r\n").utf8) }

    /// What the command is for, in words.
    var purpose: String {
        switch self {
        case .firmwareVersion: "read the firmware version"
        case .operatingMode: "switch Bluetooth on"
        case .localAddress: "read the Bluetooth address"
        case .setAdvertisingData: "set the advertising data"
        case .advertise: "start advertising"
        case .stopAdvertising: "stop advertising"
        case .reset: "reset"
        }
    }

    /// How long the module may take to answer.
    var timeout: Duration { self == .operatingMode ? .seconds(10) : .seconds(2) }

    /// Whether sending it twice does no harm. A second operating mode without a reset is refused.
    var isRepeatable: Bool { self != .operatingMode }

    /// Status, type, filter (any), direct address type and address (none), minimum and maximum interval in units of
    /// 0.625 ms, own address type (public), channel map (37, 38 and 39).
    private static func advertise(_ status: Int, _ type: AdvertisingType, _ interval: AdvertisingInterval) -> String {
        "at+rsibt_advertise=\(status),\(type.rawValue),0,0,0,\(interval.units),\(interval.units),0,7"
    }
}

/// The module's numbers for advertising PDU types.
public enum AdvertisingType: UInt8, Sendable {
    case connectable = 128
    case nonConnectable = 131

    public var name: String {
        switch self {
        case .connectable: "connectable"
        case .nonConnectable: "non-connectable"
        }
    }
}
