import BeaconModel
import ModuleEmulator
import Testing

@Suite("What is on the air, in JSON,")
struct OnAirTests {
    private let address = BluetoothAddress(bits: 1)

    @Test("is one line with whole milliseconds")
    func advertising() {
        let air = OnAir(
            advertising: true, type: 131, intervalUnits: 160, data: [2, 1, 6, 0x1A, 0xFF], address: address)
        #expect(air.json == #"{"advertising":true,"type":131,"intervalMs":100,"data":"0201061aff"}"#)
    }

    @Test("is short when there is nothing")
    func silent() {
        #expect(OnAir.silent(address: address).json == #"{"advertising":false}"#)
    }

    @Test(
        "has decimals where the interval isn't a whole number of milliseconds",
        arguments: [
            (33, "20.625"), (50, "31.25"), (60, "37.5"), (16_384, "10240"), (Int.max, "5764607523034234879.375"),
        ])
    func decimals(units: Int, text: String) {
        let air = OnAir(advertising: true, type: 128, intervalUnits: units, data: [], address: address)
        #expect(air.json == #"{"advertising":true,"type":128,"intervalMs":\#(text),"data":""}"#)
    }
}
