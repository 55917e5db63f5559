import BeaconModel
import CDBus
import TestValues
import Testing

@testable import BlueZScanner
@testable import HCI

@Suite("BlueZNews")
struct BlueZNewsTests {
    private let adapter = Adapter(index: 0)
    private let device = BluetoothAddress(bits: 0xC011_2233_4401)

    private func news(_ message: BusMessage?, from sender: String = ":1.7") throws -> BlueZNews? {
        let message = try #require(message)
        dbus_message_set_sender(message.pointer, sender)
        return BlueZNews(message, of: adapter, from: ":1.7")
    }

    private func told(_ write: (inout BusWriter) -> Void) throws -> DBusAdvertisement? {
        guard case .device(_, let change) = try news(Signals.changed(properties: write)) else { return nil }
        return change.told
    }

    @Test("A change of a device tells the changed properties and those that are withdrawn")
    func changed() throws {
        let found = try news(
            Signals.changed(withdrawn: ["TxPower"]) { $0.property("RSSI", "n") { $0.int16(-61) } })
        var change = DBusDeviceChange()
        change.told.rssi = -61
        change.withdrawn = ["TxPower"]
        #expect(found == .device(device, change))
    }

    @Test("A device that is added tells all of its properties")
    func added() throws {
        guard case .device(device, let change) = try news(Signals.added(Signals.beacon)) else {
            Issue.record("no device")
            return
        }
        #expect(change.told.address == device)
        #expect(change.told.isPublic == false)
        #expect(change.told.rssi == -47)
        #expect(change.told.manufacturerData == [.init(company: 0x004C, data: Signals.beaconData)])
    }

    @Test("Service data, services, names and powers are read")
    func otherProperties() throws {
        let text = "0000fd6f-0000-1000-8000-00805f9b34fb"
        let service = try #require(ServiceUUID(text))
        let advertisement = try told { properties in
            properties.property("Name", "s") { $0.string("Thrift") }
            properties.property("TxPower", "n") { $0.int16(-8) }
            properties.property("AdvertisingFlags", "ay") { $0.bytes([0x1A]) }
            properties.property("UUIDs", "as") { $0.array(of: "s") { $0.string(text) } }
            properties.property("ServiceData", "a{sv}") { value in
                value.array(of: "{sv}") { $0.property(text, "ay") { $0.bytes([1, 2]) } }
            }
        }
        #expect(
            advertisement
                == DBusAdvertisement(
                    txPower: -8, name: "Thrift", flags: [0x1A], services: [service],
                    serviceData: [.init(service: service, data: [1, 2])]))
    }

    @Test("Properties of other types than BlueZ has are left out, and those after them are read")
    func wrongTypes() throws {
        let advertisement = try told { properties in
            properties.property("RSSI", "s") { $0.string("-60") }
            properties.property("ManufacturerData", "as") { $0.array(of: "s") { $0.string("x") } }
            properties.property("ServiceData", "q") { $0.uint16(1) }
            properties.property("UUIDs", "ay") { $0.bytes([1]) }
            properties.property("Address", "o") { $0.objectPath("/x") }
            properties.property("AdvertisingFlags", "an") { $0.array(of: "n") { $0.int16(1) } }
            properties.property("TxPower", "n") { $0.int16(4) }
        }
        #expect(advertisement == DBusAdvertisement(txPower: 4))
    }

    @Test("Values that no advertisement can have are left out")
    func impossibleValues() throws {
        let advertisement = try told { properties in
            properties.property("RSSI", "n") { $0.int16(-300) }
            properties.property("TxPower", "n") { $0.int16(.max) }
            properties.property("Name", "s") { $0.string(String(repeating: "n", count: 249)) }
            properties.property("Address", "s") { $0.string("C0:11") }
            properties.property("AdvertisingFlags", "ay") { $0.bytes([UInt8](repeating: 1, count: 9)) }
        }
        #expect(advertisement == DBusAdvertisement())
    }

    @Test("Data that is empty is none, not what comes next")
    func emptyData() throws {
        let advertisement = try told { properties in
            properties.property("ManufacturerData", "a{qv}") { value in
                value.array(of: "{qv}") { dictionary in
                    dictionary.entry { entry in
                        entry.uint16(0x004C)
                        entry.variant("ay") { $0.bytes([]) }
                    }
                }
            }
        }
        #expect(advertisement?.manufacturerData == [.init(company: 0x004C, data: [])])
    }

    @Test("Signals of another program than bluetoothd are ignored")
    func otherSender() throws {
        #expect(try news(Signals.added(Signals.beacon), from: ":1.8") == nil)
        #expect(try news(Signals.ownerChanged(), from: ":1.8") == nil)
    }

    @Test("Devices of another adapter, and what is below a device, are ignored")
    func otherObjects() throws {
        #expect(try news(Signals.changed(path: "/org/bluez/hci1/dev_C0_11_22_33_44_01") { _ in }) == nil)
        #expect(try news(Signals.changed(path: "/org/bluez/hci0/dev_C0_11_22_33_44_01/service0001") { _ in }) == nil)
        #expect(try news(Signals.changed(path: "/org/bluez/hci0/dev_C0_11_22_33_44_0G") { _ in }) == nil)
        #expect(try news(Signals.changed(path: "/org/bluez/hci0") { _ in }) == nil)
    }

    @Test("The adapter's state is told, and its removal, and that of a device")
    func adapterAndRemoval() throws {
        var off = BlueZAdapterState()
        off.isPowered = false
        #expect(try news(Signals.adapterChanged { $0.property("Powered", "b") { $0.boolean(false) } }) == .adapter(off))
        #expect(try news(Signals.removed("/org/bluez/hci0", BlueZ.adapter)) == .adapterRemoved)
        #expect(try news(Signals.removed("/org/bluez/hci1", BlueZ.adapter)) == nil)
        #expect(try news(Signals.removed(Signals.devicePath, BlueZ.device)) == .deviceRemoved(device))
    }

    @Test("The bus tells that bluetoothd is gone")
    func serviceGone() throws {
        #expect(try news(Signals.ownerChanged(), from: "org.freedesktop.DBus") == .serviceGone)
    }

    @Test("Arguments of any types and nesting in any signal are survived")
    func anyArguments() throws {
        var random = SeededGenerator("BlueZNewsTests")
        for _ in 0..<3000 {
            let members = [
                (BlueZ.properties, "PropertiesChanged"), (BlueZ.objectManager, "InterfacesAdded"),
                (BlueZ.objectManager, "InterfacesRemoved"), ("org.freedesktop.DBus", "NameOwnerChanged"),
            ]
            let (interface, member) = members[Int.random(in: 0..<members.count, using: &random)]
            let message = BusMessage.signal(path: Signals.devicePath, interface: interface, member) { writer in
                for _ in 0..<Int.random(in: 0...3, using: &random) { Signals.append(to: &writer, &random, depth: 0) }
            }
            let found = try news(message)
            // Where it is read as a device's, nothing came of values that weren't those of a device.
            if case .device(let heard, _) = found { #expect(heard == device, random.comment) }
        }
    }
}
