import BeaconModel
import Testing

@testable import GatewayCore

@Suite struct ModuleBindingsTests {
    private static let first = BluetoothAddress(bits: 1)
    private static let second = BluetoothAddress(bits: 2)

    @Test("What the gateway doesn't know is taken over from beside the inventory")
    func adopted() {
        let bindings = ModuleBindings([Self.first: "door"], beside: [Self.first: "door", Self.second: "hall"])
        #expect(bindings.all == [Self.first: "door", Self.second: "hall"])
        #expect(bindings.adopted == [Self.second: "hall"])
        #expect(bindings.contradicted.isEmpty)
    }

    @Test("The gateway knows better: no module that it knows moves, and no row that it gave has two modules")
    func contradicted() {
        let bindings = ModuleBindings([Self.first: "door"], beside: [Self.first: "hall", Self.second: "door"])
        #expect(bindings.all == [Self.first: "door"])
        #expect(bindings.adopted.isEmpty)
        #expect(bindings.contradicted == [Self.first: "hall", Self.second: "door"])
    }
}
