import BeaconModel

/// What happens on the air around a module (4.5 and 4.7).
extension RS9116Emulator {
    /// The phone of the reference's examples.
    static let central = BluetoothAddress(bits: 0x6B63_FEFE_3DFD)

    /// A phone connects, if the module advertises connectably: that ends the advertising.
    public mutating func centralConnects() -> [Output] {
        var outputs: [Output] = []
        guard case .at(var firmware) = state,
            let own = firmware.withRunningStack({ $0.connect(Self.central) }).flatMap({ $0 })
        else { return outputs }
        state = .at(firmware)
        let event = "AT+RSIBT_LE_DEVICE_ENHANCE_CONNECTED=1,\(hyphenated(Self.central)),0,\(hyphenated(own)),"
        send((event + "00-00-00-00-00-00\r\n").utf8, &outputs)
        return outputs
    }

    /// The phone, if there is one, ends its connection. The module stays silent on the air until it is told to
    /// advertise again.
    public mutating func centralDisconnects() -> [Output] {
        var outputs: [Output] = []
        guard case .at(var firmware) = state, firmware.withRunningStack({ $0.disconnect() }) == true else {
            return outputs
        }
        state = .at(firmware)
        // The remote user terminated (7).
        send("AT+RSIBT_LE_DISCONNECTED \(hyphenated(Self.central)),4E13\r\n".utf8, &outputs)
        return outputs
    }

    /// A scan report while `at+rsibt_scan` is on; else nothing.
    ///
    /// - Parameter rssi: in dBm.
    public mutating func hear(_ air: OnAir, rssi: Int8) -> [Output] {
        var outputs: [Output] = []
        guard case .at(let firmware) = state, firmware.runningStack?.isScanning == true, air.advertising,
            let type = air.packetType
        else { return outputs }
        let data = air.data.prefix(31)
        let fields = [
            "AT+RSIBT_ADVRTISE", "addr_type:\(air.usesRandomAddress ? 1 : 0)", "addr:\(hyphenated(air.address))",
            "RSSI:\(rssi)", "Type:\(type)", "adv_data_len:\(hexadecimal(data.count))",
            "adv_data:" + data.map { hexadecimal(Int($0)) }.joined(separator: ","),
        ]
        send((fields.joined(separator: ",") + "\r\n").utf8, &outputs)
        return outputs
    }
}

extension OnAir {
    /// The type in a scan report (4.5), from that of `at+rsibt_advertise` (4.4).
    fileprivate var packetType: Int? {
        switch type {
        case 128: 0
        case 129, 132: 1
        case 130: 2
        case 131: 3
        default: nil
        }
    }
}
