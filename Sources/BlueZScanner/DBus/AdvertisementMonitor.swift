/// The D-Bus object that asks bluetoothd to monitor advertisements (BlueZ documentation,
/// org.bluez.AdvertisementMonitor.rst). The raw value is the path below which the object is exported.
///
/// While a monitor is active, the kernel requests every advertisement from the controller, not just the first of each
/// device. This applies to discovery too, and is the only purpose of the monitor: advertisements are received through
/// discovery.
enum AdvertisementMonitor: String {
    /// Monitor matched by the kernel. It matches nothing, because bluetoothd would call us for each matching
    /// advertisement, which costs it more than the report itself.
    case matchedByHost = "/beacon_gateway/host"
    /// Monitor matched by the controller, which may then report only matching advertisements.
    case matchedByController = "/beacon_gateway/controller"

    private static let interface = "org.bluez.AdvertisementMonitor1"

    struct Pattern: Equatable, Sendable {
        /// Offset in the data of the AD structure.
        var position: UInt8
        var type: UInt8
        var bytes: [UInt8]
    }

    var root: String { rawValue }
    private var path: String { rawValue + "/monitor" }

    var patterns: [Pattern] {
        switch self {
        // 3D Information Data (Assigned Numbers, 2.3). In legacy advertising, whose 31 bytes include length and type,
        // no structure has data at position 30.
        case .matchedByHost: [Pattern(position: 30, type: 0x3D, bytes: [0x00])]
        // iBeacon (Apple Proximity Beacon Specification R1); Exposure Notification (Exposure Notification Bluetooth
        // Specification 1.2).
        case .matchedByController:
            [
                Pattern(position: 0, type: 0xFF, bytes: [0x4C, 0x00, 0x02, 0x15]),
                Pattern(position: 0, type: 0x16, bytes: [0x6F, 0xFD]),
            ]
        }
    }

    /// Answers a method call from bluetoothd.
    static func serve(_ call: BusMessage) -> BusMessage? {
        if call.isCall(BlueZ.objectManager, "GetManagedObjects") {
            return call.path.flatMap { AdvertisementMonitor(rawValue: $0) }.flatMap { call.answer($0.describe) }
        }
        // Activate, Release, DeviceFound, DeviceLost: advertisements are received through other signals.
        return call.interface == interface ? call.answer() : nil
    }

    private func describe(_ writer: inout BusWriter) {
        writer.array(of: "{oa{sa{sv}}}") { objects in
            objects.entry { object in
                object.objectPath(path)
                object.array(of: "{sa{sv}}") { interfaces in
                    interfaces.entry { entry in
                        entry.string(Self.interface)
                        entry.array(of: "{sv}", properties)
                    }
                }
            }
        }
    }

    private func properties(_ writer: inout BusWriter) {
        writer.property("Type", "s") { $0.string("or_patterns") }
        // 0: report every packet.
        writer.property("RSSISamplingPeriod", "q") { $0.uint16(0) }
        writer.property("Patterns", "a(yyay)") { value in
            value.array(of: "(yyay)") { list in
                for pattern in patterns {
                    list.structure { fields in
                        fields.byte(pattern.position)
                        fields.byte(pattern.type)
                        fields.bytes(pattern.bytes)
                    }
                }
            }
        }
    }
}
