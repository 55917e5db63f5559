package import BeaconModel

/// Data transmitted by a module, as seen by a receiver next to it.
package struct OnAir: Equatable, Sendable {
    package var advertising: Bool
    /// Advertising type, as in `at+rsibt_advertise` of the RS9116 for all modules: 128 connectable, 129 and 132
    /// directed, 130 scannable, 131 neither; 0 while not advertising.
    package var type: Int
    /// Advertising interval in units of 0.625 ms; 0 while not advertising.
    package var intervalUnits: Int
    /// Advertising data, at most 31 bytes; empty while not advertising and for directed advertising.
    package var data: [UInt8]
    /// Address of the advertiser; the module's own address while not advertising.
    package var address: BluetoothAddress
    /// Whether the address is random rather than public.
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

    /// Returns the state of a module that transmits nothing.
    package static func silent(address: BluetoothAddress) -> OnAir {
        OnAir(advertising: false, type: 0, intervalUnits: 0, data: [], address: address)
    }

    /// One line of JSON: `{"advertising":true,"type":131,"intervalMs":100,"data":"0201061aff4c00"}`, or
    /// `{"advertising":false}`.
    ///
    /// The interval has decimals only when it is not a whole number of milliseconds.
    package var json: String {
        guard advertising else { return #"{"advertising":false}"# }
        let hex = data.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        return #"{"advertising":true,"type":\#(type),"intervalMs":\#(intervalMilliseconds),"data":"\#(hex)"}"#
    }

    /// Interval in milliseconds. 0.625 is 5/8; dividing first avoids overflow for any number of units.
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
