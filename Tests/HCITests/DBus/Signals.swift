import TestValues

@testable import BlueZScanner

/// Signals as bluetoothd and the bus send them.
enum Signals {
    static let devicePath = "/org/bluez/hci0/dev_C0_11_22_33_44_01"
    /// 02 15, UUID, major 7, minor 2603, measured power -59.
    static let beaconData: [UInt8] =
        [0x02, 0x15] + [UInt8](repeating: 0xB1, count: 16) + [0x00, 0x07, 0x0A, 0x2B, 0xC5]

    /// The properties of an iBeacon.
    static func beacon(_ properties: inout BusWriter) {
        properties.property("Address", "s") { $0.string("C0:11:22:33:44:01") }
        properties.property("AddressType", "s") { $0.string("random") }
        properties.property("Paired", "b") { $0.boolean(false) }
        properties.property("RSSI", "n") { $0.int16(-47) }
        properties.property("ManufacturerData", "a{qv}") { value in
            value.array(of: "{qv}") { dictionary in
                dictionary.entry { entry in
                    entry.uint16(0x004C)
                    entry.variant("ay") { $0.bytes(beaconData) }
                }
            }
        }
    }

    static func added(path: String = devicePath, _ properties: (inout BusWriter) -> Void) -> BusMessage? {
        .signal(path: "/", interface: BlueZ.objectManager, "InterfacesAdded") { signal in
            signal.objectPath(path)
            signal.array(of: "{sa{sv}}") { interfaces in
                interfaces.entry { entry in
                    entry.string(BlueZ.device)
                    entry.array(of: "{sv}", properties)
                }
            }
        }
    }

    static func changed(
        path: String = devicePath, interface: String = BlueZ.device, to destination: String? = nil,
        withdrawn: [String] = [], properties: (inout BusWriter) -> Void
    ) -> BusMessage? {
        .signal(path: path, interface: BlueZ.properties, "PropertiesChanged", to: destination) { signal in
            signal.string(interface)
            signal.array(of: "{sv}", properties)
            signal.array(of: "s") { names in
                for name in withdrawn { names.string(name) }
            }
        }
    }

    static func adapterChanged(_ properties: (inout BusWriter) -> Void) -> BusMessage? {
        changed(path: "/org/bluez/hci0", interface: BlueZ.adapter, properties: properties)
    }

    static func removed(_ path: String, _ interface: String) -> BusMessage? {
        .signal(path: "/", interface: BlueZ.objectManager, "InterfacesRemoved") { signal in
            signal.objectPath(path)
            signal.array(of: "s") { $0.string(interface) }
        }
    }

    static func ownerChanged() -> BusMessage? {
        .signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "NameOwnerChanged") { signal in
            signal.string("org.bluez")
            signal.string(":1.7")
            signal.string("")
        }
    }

    /// Appends an argument of any type, often one that is expected somewhere.
    static func append(to writer: inout BusWriter, _ random: inout SeededGenerator, depth: Int) {
        let names = [BlueZ.device, BlueZ.adapter, "RSSI", "ManufacturerData", "ServiceData", "UUIDs", "org.bluez"]
        let name = names[Int.random(in: 0..<names.count, using: &random)]
        switch Int.random(in: 0..<(depth < 6 ? 9 : 4), using: &random) {
        case 0: writer.string(name)
        case 1: writer.objectPath(devicePath)
        case 2: writer.int16(Int16.random(in: .min ... .max, using: &random))
        case 3: writer.bytes([1, 2, 3])
        case 4: writer.structure { append(to: &$0, &random, depth: depth + 1) }
        case 5:
            writer.array(of: "{sv}") { array in
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    array.property(name, "q") { $0.uint16(7) }
                }
            }
        case 6:
            writer.array(of: "{sv}") { array in
                array.property(name, "a{qv}") { value in
                    value.array(of: "{qv}") { dictionary in
                        dictionary.entry { entry in
                            entry.uint16(0x004C)
                            entry.variant("n") { $0.int16(1) }
                        }
                    }
                }
            }
        case 7:
            writer.array(of: "{sa{sv}}") { array in
                array.entry { entry in
                    entry.string(name)
                    entry.array(of: "{sv}", beacon)
                }
            }
        default: writer.array(of: "{sv}", beacon)
        }
    }
}
