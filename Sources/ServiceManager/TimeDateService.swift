import CSystemd
import Glibc

/// systemd-timedated, which knows whether the clock is synchronized, and tells it on a D-Bus bus.
package struct TimeDateService: Sendable {
    /// Address of the bus; `nil`: the system bus.
    private let address: String?

    /// Time to wait for an answer, in microseconds. The bus starts the service first.
    private static let patience: UInt64 = 5_000_000

    package init(address: String? = nil) { self.address = address }

    /// Asks; blocks until there is an answer.
    ///
    /// - Returns: `nil` if there is no bus or no service.
    package func isSynchronized() -> Bool? {
        guard let bus = connect() else { return nil }
        defer { sd_bus_flush_close_unref(bus) }
        sd_bus_set_method_call_timeout(bus, Self.patience)
        var value: CInt = 0
        let status = sd_bus_get_property_trivial(
            bus, "org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1",
            "NTPSynchronized", nil, CChar(UInt8(ascii: "b")), &value)
        return status >= 0 ? value != 0 : nil
    }

    private func connect() -> OpaquePointer? {
        var bus: OpaquePointer?
        guard let address else { return sd_bus_open_system(&bus) >= 0 ? bus : nil }
        guard sd_bus_new(&bus) >= 0 else { return nil }
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0 else {
            sd_bus_flush_close_unref(bus)
            return nil
        }
        return bus
    }
}
