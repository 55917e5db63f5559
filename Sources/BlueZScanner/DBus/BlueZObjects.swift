import BeaconModel
import HCI

/// Names in BlueZ's D-Bus API (BlueZ documentation, org.bluez.Adapter.rst and org.bluez.Device.rst).
enum BlueZ {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"

    static func path(of adapter: Adapter) -> String { "/org/bluez/\(adapter)" }

    /// Returns the address of the device object below an adapter, for example `/org/bluez/hci0/dev_C0_11_22_33_44_01`,
    /// or `nil` for any other object.
    static func device(path: String, of adapter: Adapter) -> BluetoothAddress? {
        let prefix = self.path(of: adapter) + "/dev_"
        guard path.utf8.count == prefix.utf8.count + 17, path.hasPrefix(prefix) else { return nil }
        return BluetoothAddress(path.dropFirst(prefix.count).replacing("_", with: ":"))
    }
}

/// Adapter properties reported by bluetoothd; `nil` when not reported.
struct BlueZAdapterState: Equatable, Sendable {
    var isPowered: Bool?
    var isDiscovering: Bool?

    init() {}

    /// - Parameter properties: a reader positioned at the a{sv} of `org.bluez.Adapter1`.
    init(properties: inout BusReader) {
        properties.forEachEntry { entry in
            guard let name = entry.string(), var value = entry.variant() else { return }
            switch name {
            case "Powered": isPowered = value.boolean()
            case "Discovering": isDiscovering = value.boolean()
            default: break
            }
        }
    }
}

/// The objects of one adapter in bluetoothd's answer to `GetManagedObjects`.
struct BlueZObjects {
    /// State of the adapter; `nil` when it does not exist.
    var adapter: BlueZAdapterState?
    /// The kind of advertisement monitor that can be registered; `nil` when bluetoothd offers none.
    var monitor: AdvertisementMonitor?
    var devices: [(device: BluetoothAddress, change: DBusDeviceChange)] = []

    /// Maximum number of objects read. bluetoothd also keeps devices that it received a while ago.
    private static let mostObjects = 65_536

    init(_ answer: BusMessage, of adapter: Adapter) {
        let path = BlueZ.path(of: adapter)
        var reader = answer.reader
        reader.forEachEntry(limit: Self.mostObjects) { entry in
            guard let object = entry.objectPath() else { return }
            let device = BlueZ.device(path: object, of: adapter)
            guard object == path || device != nil else { return }
            entry.forEachEntry { interface in
                switch (interface.string(), device) {
                case (BlueZ.adapter, nil): self.adapter = BlueZAdapterState(properties: &interface)
                case (BlueZ.monitorManager, nil): monitor = Self.monitor(manager: &interface)
                case (BlueZ.device, let device?):
                    devices.append((device, DBusDeviceChange(properties: &interface)))
                default: break
                }
            }
        }
    }

    /// - Parameter manager: a reader positioned at the a{sv} of `org.bluez.AdvertisementMonitorManager1`.
    private static func monitor(manager: inout BusReader) -> AdvertisementMonitor {
        var kind = AdvertisementMonitor.matchedByHost
        manager.forEachEntry { entry in
            guard entry.string() == "SupportedFeatures", var value = entry.variant() else { return }
            value.forEachElement(limit: 64) { element in
                guard let feature = element.string() else { return false }
                if feature == "controller-patterns" { kind = .matchedByController }
                return true
            }
        }
        return kind
    }
}
