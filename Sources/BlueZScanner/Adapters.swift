package import BeaconModel
import CBluetooth
import Glibc
package import HCI

/// The adapters of this machine, as reported by the kernel.
package enum Adapters {
    private static let most = 16

    /// Lists the adapters.
    ///
    /// - Throws: `ScannerError` when the kernel has no Bluetooth support, or this process lacks permission.
    package static func list() throws(ScannerError) -> [AdapterDescription] {
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

    /// Reads the features of an adapter that is on. Blocks, for seconds when the controller does not answer.
    ///
    /// Features that only privileged processes can read remain `nil`.
    ///
    /// - Throws: `ScannerError`; `busy` when another program has exclusive access to the adapter. In that case the
    ///   kernel would not deliver the answers and might reset the controller.
    package static func features(of adapter: Adapter) throws(ScannerError) -> ControllerFeatures {
        let socket = try HCISocket(.raw, adapter)
        if socket.isExclusive { throw .busy(adapter) }
        try socket.hear(events: [UInt8(EVT_CMD_COMPLETE), UInt8(EVT_CMD_STATUS)])
        let version = try socket.exchange(.readLocalVersionInformation)
        let commands = try socket.exchange(.readLocalSupportedCommands)
        var features: [UInt8]?
        do throws(ScannerError) {
            features = try socket.exchange(.leReadLocalSupportedFeatures)
        } catch {
            guard case .notPermitted = error else { throw error }
        }
        guard let answer = ControllerFeatures(version: version, commands: commands, features: features) else {
            throw .refused(
                adapter, command: HCICommand.readLocalVersionInformation.name,
                status: version.first ?? HCIStatus.unspecifiedError)
        }
        return answer
    }

    /// Switches an adapter on or off, to match the given description.
    ///
    /// - Throws: `ScannerError`.
    package static func restore(_ description: AdapterDescription) throws(ScannerError) {
        if description.isUp { try bringUp(description.adapter) } else { try takeDown(description.adapter) }
    }

    /// Switches the adapter on. Has no effect when it is already on.
    package static func bringUp(_ adapter: Adapter) throws(ScannerError) {
        try change(adapter, CBLUETOOTH_HCIDEVUP, "switch it on")
    }

    /// Switches the adapter off. Has no effect when it is already off.
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
