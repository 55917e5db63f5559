import CSystemd
import Glibc

/// systemd-timedated, which knows whether the clock is synchronized, and tells it on a D-Bus bus.
package struct TimeDateService: Sendable {
    /// Address of the bus; `nil`: the system bus.
    private let address: String?

    /// Time to wait for an answer, in microseconds. The bus starts the service first.
    private let patience: UInt64

    package enum Answer: Equatable, Sendable {
        case synchronized(Bool)
        case noBus
        /// The bus is there, but the service did not answer in time.
        case silent
        /// The bus is there, but not the service, or it refuses: the error number.
        case failed(Int32)

        /// Whether the clock is synchronized; `nil`: unknown.
        package var isSynchronized: Bool? {
            if case .synchronized(let isSynchronized) = self { return isSynchronized }
            return nil
        }

        /// What makes the service answer; `nil` if it did.
        package var remedy: String? {
            switch self {
            case .synchronized: nil
            case .noBus: "install dbus: systemd-timedated is asked over it"
            case .silent:
                "systemd-timedated did not answer in time, and is asked again; if this stays so, see "
                    + "`systemctl status systemd-timedated`"
            case .failed(let errorNumber):
                "systemd-timedated cannot be asked (errno \(errorNumber)); see `systemctl status systemd-timedated`"
            }
        }
    }

    package init(address: String? = nil, patience: UInt64 = 5_000_000) {
        self.address = address
        self.patience = patience
    }

    /// Asks; blocks until there is an answer, or the time is over.
    package func ask() -> Answer {
        guard let bus = connect() else { return .noBus }
        defer { sd_bus_flush_close_unref(bus) }
        sd_bus_set_method_call_timeout(bus, patience)
        var value: CInt = 0
        let status = sd_bus_get_property_trivial(
            bus, "org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1",
            "NTPSynchronized", nil, CChar(UInt8(ascii: "b")), &value)
        if status >= 0 { return .synchronized(value != 0) }
        return status == -ETIMEDOUT ? .silent : .failed(-status)
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
