import BeaconModel
import Testing

@testable import ModuleDialogues

@Suite struct AdvertisingVerificationTests {
    private static func beacon(_ minor: UInt16) -> BeaconID {
        BeaconID(uuid: ProximityUUID(bits: 5), major: 1, minor: minor)
    }
    private static let door = InventoryEntry(
        name: "door", module: .anyNew, configuration: .init(beacon: beacon(1), measuredPower: -59))
    private static let doorAddress = BluetoothAddress(bits: 0xD)
    private static let other = BluetoothAddress(bits: 0xE)

    private var verification = AdvertisingVerification(Inventory(entries: [door]), addresses: ["door": doorAddress])

    private mutating func hear(
        _ minor: UInt16 = 1, from address: BluetoothAddress = doorAddress, power: Int8 = -59, rssi: Int8 = -50
    ) {
        verification.observe(Self.beacon(minor), measuredPower: power, address: address, rssi: RSSI(dBm: rssi))
    }

    private var verdict: AdvertisingVerification.Verdict? { verification.rows.first?.verdict }

    @Test("What is heard as it should be is good, with its median RSSI")
    mutating func good() {
        #expect(verdict == .notHeard)
        for rssi in [-80, -50, -52] as [Int8] { hear(rssi: rssi) }
        #expect(verdict == .heard)
        #expect(verification.isComplete)
        #expect(verification.rows.first?.rssi == RSSI(dBm: -52))
        #expect(verification.rows.first?.count == 3)
    }

    @Test("Another measured power is told")
    mutating func power() {
        hear(power: -70)
        #expect(verdict == .wrongMeasuredPower(-70))
    }

    @Test("An identity that comes from two devices is told with both addresses, the module's own first")
    mutating func twice() {
        for _ in 0..<5 { hear(from: Self.other) }
        hear()
        #expect(verdict == .heardFrom([Self.doorAddress, Self.other]))
    }

    @Test("An identity that comes from another device only isn't the module's")
    mutating func impostor() {
        hear(from: Self.other)
        #expect(verdict == .onlyFromOthers([Self.other]))
    }

    @Test("A module that advertises another identity is told with it, and the identity is a stranger's")
    mutating func misprovisioned() {
        hear(7)
        #expect(verdict == .advertisesSomethingElse)
        #expect(verification.rows.first?.advertised == Self.beacon(7))
        #expect(verification.strangers.map(\.beacon) == [Self.beacon(7)])
    }

    @Test("Beacons of other UUIDs are nobody's business")
    mutating func foreign() {
        let foreign = BeaconID(uuid: ProximityUUID(bits: 6), major: 1, minor: 1)
        verification.observe(foreign, measuredPower: -59, address: Self.other, rssi: nil)
        #expect(verification.strangers == [])
    }

    @Test("The module that listens can't be heard by itself")
    mutating func listener() {
        verification.listener = Self.doorAddress
        #expect(verdict == .listens)
        #expect(verification.isComplete)
    }
}
