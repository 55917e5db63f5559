package import BeaconModel

/// What the module transmits, as a receiver next to it would see it.
package struct OnAir: Equatable, Sendable {
    package var advertising: Bool
    /// As in RS9116's `at+rsibt_advertise`, whatever the module: 128 connectable, 129 and 132 directed, 130 scannable,
    /// 131 neither; 0 while not advertising.
    package var type: Int
    /// The advertising interval in units of 0.625 ms; 0 while not advertising.
    package var intervalUnits: Int
    /// The advertising data, at most 31 bytes; empty while not advertising and for directed advertising.
    package var data: [UInt8]
    /// The advertiser's address; the module's own one while not advertising.
    package var address: BluetoothAddress
    /// Whether that address is a random one, not a public one.
    package var usesRandomAddress: Bool

    package init(
        advertising: Bool, type: Int, intervalUnits: Int, data: [UInt8], address: BluetoothAddress,
        usesRandomAddress: Bool = false
    ) {
        self.advertising = advertising
        self.type = type
        self.intervalUnits = intervalUnits
        self.data = data
        self.address = address
        self.usesRandomAddress = usesRandomAddress
    }

    /// The state of a module that transmits nothing.
    package static func silent(address: BluetoothAddress) -> OnAir {
        OnAir(advertising: false, type: 0, intervalUnits: 0, data: [], address: address)
    }

    /// One line of JSON: `{"advertising":true,"type":131,"intervalMs":100,"data":"0201061aff4c00"}`, or
    /// `{"advertising":false}`.
    ///
    /// The interval has decimals only when it isn't a whole number of milliseconds.
    package var json: String {
        guard advertising else { return #"{"advertising":false}"# }
        let hex = data.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        return #"{"advertising":true,"type":\#(type),"intervalMs":\#(intervalMilliseconds),"data":"\#(hex)"}"#
    }

    /// 0.625 is 5/8: dividing first keeps any number of units from overflowing.
    private var intervalMilliseconds: String {
        let eighths = intervalUnits % 8 * 5
        let whole = String(intervalUnits / 8 * 5 + eighths / 8)
        switch eighths % 8 {
        case 0: return whole
        case let rest:
            let thousandths = String(1000 + rest * 125).dropFirst()
            return whole + "." + thousandths.reversed().drop { $0 == "0" }.reversed()
        }
    }
}
