import BeaconModel
import CBluetooth
import Glibc

/// The adapters of this machine, as the kernel knows them.
public enum Adapters {
    private static let most = 16

    /// - Throws: `ScannerError` when the kernel has no Bluetooth, or this process may not ask.
    public static func list() throws(ScannerError) -> [AdapterDescription] {
        try withSocket { descriptor throws(ScannerError) in
            var numbers = [UInt16](repeating: 0, count: most)
            let count = cbluetooth_adapters(descriptor, &numbers, CInt(most))
            guard count >= 0 else {
                throw ScannerError(Adapter(index: 0), "list the adapters", errorNumber: errno)
            }
            return numbers.prefix(Int(count)).compactMap { describe(Adapter(index: $0), through: descriptor) }
                .sorted { $0.adapter.index < $1.adapter.index }
        }
    }

    /// Switches the adapter on; nothing happens to one that is on.
    static func bringUp(_ adapter: Adapter) throws(ScannerError) {
        try change(adapter, CBLUETOOTH_HCIDEVUP, "switch it on")
    }

    /// Switches the adapter off; nothing happens to one that is off.
    static func takeDown(_ adapter: Adapter) throws(ScannerError) {
        try change(adapter, CBLUETOOTH_HCIDEVDOWN, "switch it off")
    }

    private static func change(_ adapter: Adapter, _ request: UInt, _ name: String) throws(ScannerError) {
        try withSocket { descriptor throws(ScannerError) in
            guard ioctl(descriptor, request, CInt(adapter.index)) == 0 || errno == EALREADY else {
                throw ScannerError(adapter, name, errorNumber: errno)
            }
        }
    }

    private static func describe(_ adapter: Adapter, through descriptor: CInt) -> AdapterDescription? {
        var information = hci_dev_info()
        information.dev_id = adapter.index
        guard ioctl(descriptor, CBLUETOOTH_HCIGETDEVINFO, &information) == 0 else { return nil }
        let bits = withUnsafeBytes(of: information.bdaddr) { bytes in
            bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return AdapterDescription(
            adapter: adapter, address: BluetoothAddress(bits: bits), isUp: cbluetooth_is_up(&information) != 0)
    }

    private static func withSocket<Result>(
        _ body: (CInt) throws(ScannerError) -> Result
    ) throws(ScannerError) -> Result {
        let descriptor = cbluetooth_open(UInt16(HCI_DEV_NONE), UInt16(HCI_CHANNEL_RAW))
        guard descriptor >= 0 else {
            throw ScannerError(Adapter(index: 0), "open a Bluetooth socket", errorNumber: errno)
        }
        defer { close(descriptor) }
        return try body(descriptor)
    }
}
