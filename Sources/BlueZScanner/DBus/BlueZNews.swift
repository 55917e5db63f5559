import BeaconModel
import HCI

/// An event in a D-Bus signal that concerns one adapter.
enum BlueZNews: Equatable {
    case device(BluetoothAddress, DBusDeviceChange)
    case deviceRemoved(BluetoothAddress)
    case adapter(BlueZAdapterState)
    case adapterRemoved
    /// bluetoothd ended. Another instance may have taken its place.
    case serviceGone

    /// - Parameters:
    ///   - message: a message from any sender. Every user of the bus can send signals; only the sender name, set by the
    ///     bus, can be trusted.
    ///   - service: the unique name of bluetoothd.
    init?(_ message: BusMessage, of adapter: Adapter, from service: String) {
        var reader = message.reader
        switch message.sender {
        case "org.freedesktop.DBus":
            guard message.isSignal("org.freedesktop.DBus", "NameOwnerChanged"), reader.string() == BlueZ.service else {
                return nil
            }
            self = .serviceGone
        case service:
            if message.isSignal(BlueZ.properties, "PropertiesChanged") {
                self.init(changed: &reader, path: message.path ?? "", of: adapter)
            } else if message.isSignal(BlueZ.objectManager, "InterfacesAdded") {
                self.init(added: &reader, of: adapter)
            } else if message.isSignal(BlueZ.objectManager, "InterfacesRemoved") {
                self.init(removed: &reader, of: adapter)
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// Parses PropertiesChanged: interface, changed properties, names of properties without a value.
    private init?(changed reader: inout BusReader, path: String, of adapter: Adapter) {
        switch reader.string() {
        case BlueZ.adapter where path == BlueZ.path(of: adapter):
            self = .adapter(BlueZAdapterState(properties: &reader))
        case BlueZ.device:
            guard let device = BlueZ.device(path: path, of: adapter) else { return nil }
            var change = DBusDeviceChange(properties: &reader)
            reader.forEachElement(limit: 64) { element in
                guard let name = element.string() else { return false }
                change.withdrawn.append(name)
                return true
            }
            self = .device(device, change)
        default: return nil
        }
    }

    /// Parses InterfacesAdded: object, interfaces with their properties.
    private init?(added reader: inout BusReader, of adapter: Adapter) {
        guard let path = reader.objectPath(), let device = BlueZ.device(path: path, of: adapter) else { return nil }
        var change: DBusDeviceChange?
        reader.forEachEntry { interface in
            if interface.string() == BlueZ.device { change = DBusDeviceChange(properties: &interface) }
        }
        guard let change else { return nil }
        self = .device(device, change)
    }

    /// Parses InterfacesRemoved: object, names of interfaces.
    private init?(removed reader: inout BusReader, of adapter: Adapter) {
        guard let path = reader.objectPath() else { return nil }
        let device = BlueZ.device(path: path, of: adapter)
        var found: BlueZNews?
        reader.forEachElement(limit: 64) { element in
            guard let interface = element.string() else { return false }
            if let device, interface == BlueZ.device { found = .deviceRemoved(device) }
            if interface == BlueZ.adapter, path == BlueZ.path(of: adapter) { found = .adapterRemoved }
            return true
        }
        guard let found else { return nil }
        self = found
    }
}
