import BeaconModel
import TestValues
import Testing

@testable import HCI

@Suite("DBusDeviceTable")
struct DBusDeviceTableTests {
    private func device(_ number: Int) -> BluetoothAddress { BluetoothAddress(bits: UInt64(number)) }

    private func change(_ rssi: Int8) -> DBusDeviceChange {
        var change = DBusDeviceChange()
        change.told.rssi = rssi
        return change
    }

    @Test("What was told before is kept beside what is told later")
    func merges() {
        var table = DBusDeviceTable()
        var named = DBusDeviceChange()
        named.told.name = "a"
        _ = table.update(device(1), named)
        #expect(table.update(device(1), change(-60)) == DBusAdvertisement(rssi: -60, name: "a"))
    }

    @Test("A withdrawn property is gone")
    func withdrawn() {
        var table = DBusDeviceTable()
        _ = table.update(device(1), change(-60))
        var withdrawal = DBusDeviceChange()
        withdrawal.withdrawn = ["RSSI"]
        #expect(table.update(device(1), withdrawal) == DBusAdvertisement())
    }

    @Test("When the table is full the device that wasn't heard for longest makes room")
    func leastRecentlyHeard() {
        var table = DBusDeviceTable(capacity: 2)
        _ = table.update(device(1), change(-1))
        _ = table.update(device(2), change(-2))
        _ = table.update(device(1), change(-3))
        _ = table.update(device(3), change(-4))
        #expect(table[device(1)]?.rssi == -3)
        #expect(table[device(2)] == nil)
        #expect(table[device(3)]?.rssi == -4)
    }

    @Test("A removed device is forgotten, and nothing happens when there is none")
    func removed() {
        var table = DBusDeviceTable()
        _ = table.update(device(1), change(-1))
        table.remove(device(1))
        table.remove(device(1))
        #expect(table.count == 0)
        #expect(table.update(device(1), DBusDeviceChange()) == DBusAdvertisement())
    }

    @Test("The table agrees with a list that is searched from end to end")
    func agreesWithList() {
        var random = SeededGenerator("DBusDeviceTableTests")
        var table = DBusDeviceTable(capacity: 8)
        // Oldest first.
        var list: [(device: BluetoothAddress, rssi: Int8)] = []
        for _ in 0..<5000 {
            let device = device(Int.random(in: 0..<14, using: &random))
            list.removeAll { $0.device == device }
            if Int.random(in: 0..<4, using: &random) == 0 {
                table.remove(device)
            } else {
                let rssi = Int8.random(in: -100...0, using: &random)
                _ = table.update(device, change(rssi))
                list.append((device, rssi))
                if list.count > 8 { list.removeFirst() }
            }
            #expect(table.count == list.count, random.comment)
            #expect(list.allSatisfy { table[$0.device]?.rssi == $0.rssi }, random.comment)
        }
    }
}
