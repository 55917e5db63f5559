package import BeaconModel
import CUdev
import Glibc
package import ModuleDialogues
import SystemIO

/// The serial ports of the system and their changes, as reported by udev.
package enum SerialPorts {
    package enum Change: Equatable, Sendable {
        case appeared(SerialPortDescription)
        /// A port disappeared; `device` is the kernel's name.
        case vanished(device: String)
    }

    /// Returns the current ports, sorted by name.
    ///
    /// - Throws: `SystemError`.
    package static func all() throws(SystemError) -> [SerialPortDescription] {
        guard let context = Udev() else { throw SystemError("query udev for serial ports", errorNumber: errno) }
        return context.serialPorts()
    }

    /// Returns a stream of the current ports and then of each that appears or disappears, until the reading task is
    /// cancelled.
    ///
    /// The kernel notifies udev, and udev notifies this process; nothing polls.
    ///
    /// - Throws: `SystemError`.
    package static func changes() throws(SystemError) -> AsyncThrowingStream<Change, any Error> {
        let wakeup = try WakeupPipe()
        let (changes, continuation) = AsyncThrowingStream.makeStream(
            of: Change.self, bufferingPolicy: .bufferingNewest(4096))
        continuation.onTermination = { _ in wakeup.wake() }
        try DedicatedThread.start(name: "udev") {
            // The monitor starts before the list is read: a change in between is reported twice rather than never.
            guard let context = Udev() else {
                return continuation.finish(throwing: SystemError("query udev for serial ports", errorNumber: ENOSYS))
            }
            let maybe = context.monitor()
            for port in context.serialPorts() { continuation.yield(.appeared(port)) }
            guard let monitor = maybe else {
                return continuation.finish(
                    throwing: SystemError("monitor udev for serial ports", errorNumber: ENOSYS))
            }
            while let ready = try? waitUntilReady(
                monitor.descriptor, for: .readable, wakeup: wakeup, timeout: nil), !ready.woken
            {
                switch monitor.receive() {
                case .change(let change): continuation.yield(change)
                case .nothing: break
                // Messages were lost for lack of buffer space: the current ports are reported again.
                case .lost: for port in context.serialPorts() { continuation.yield(.appeared(port)) }
                }
            }
            continuation.finish()
        }
        return changes
    }
}

/// A udev context. Used by one thread only.
private struct Udev: ~Copyable {
    private let context: OpaquePointer

    init?() {
        guard let context = udev_new() else { return nil }
        self.context = context
    }

    deinit { udev_unref(context) }

    func serialPorts() -> [SerialPortDescription] {
        guard let list = udev_enumerate_new(context) else { return [] }
        defer { udev_enumerate_unref(list) }
        udev_enumerate_add_match_subsystem(list, "tty")
        udev_enumerate_scan_devices(list)
        var ports: [SerialPortDescription] = []
        var entry = udev_enumerate_get_list_entry(list)
        while let current = entry {
            if let path = udev_list_entry_get_name(current), let device = udev_device_new_from_syspath(context, path) {
                if let port = UdevDevice.describe(device) { ports.append(port) }
                udev_device_unref(device)
            }
            entry = udev_list_entry_get_next(current)
        }
        return ports.sorted { $0.name < $1.name }
    }

    func monitor() -> UdevMonitor? { UdevMonitor(context) }
}

private struct UdevMonitor: ~Copyable {
    private let monitor: OpaquePointer

    init?(_ context: OpaquePointer) {
        // Without udev's daemon the kernel's own messages are still available; they arrive before a device has its
        // links.
        var status = stat()
        let source = stat("/run/udev/control", &status) == 0 ? "udev" : "kernel"
        guard let monitor = udev_monitor_new_from_netlink(context, source) else { return nil }
        udev_monitor_filter_add_match_subsystem_devtype(monitor, "tty", nil)
        guard udev_monitor_enable_receiving(monitor) >= 0 else {
            udev_monitor_unref(monitor)
            return nil
        }
        self.monitor = monitor
    }

    deinit { udev_monitor_unref(monitor) }

    var descriptor: CInt { udev_monitor_get_fd(monitor) }

    package enum Message {
        case change(SerialPorts.Change)
        case nothing
        case lost
    }

    func receive() -> Message {
        errno = 0
        guard let device = udev_monitor_receive_device(monitor) else { return errno == ENOBUFS ? .lost : .nothing }
        defer { udev_device_unref(device) }
        guard let action = udev_device_get_action(device).map({ String(cString: $0) }) else { return .nothing }
        switch action {
        case "add", "change", "move", "online":
            return UdevDevice.describe(device).map { .change(.appeared($0)) } ?? .nothing
        case "remove", "offline":
            return udev_device_get_devnode(device)
                .map { .change(.vanished(device: String(cString: $0))) } ?? .nothing
        default: return .nothing
        }
    }
}

/// Reading of a device's properties from udev.
private enum UdevDevice {
    /// Returns the description of a serial line; `nil` for other terminals: consoles and pseudo-terminals have no
    /// parent.
    static func describe(_ device: OpaquePointer) -> SerialPortDescription? {
        guard let node = udev_device_get_devnode(device), udev_device_get_parent(device) != nil else { return nil }
        var names: [String] = []
        var entry = udev_device_get_devlinks_list_entry(device)
        while let current = entry {
            if let name = udev_list_entry_get_name(current) { names.append(String(cString: name)) }
            entry = udev_list_entry_get_next(current)
        }
        // Names by the device's own serial number come first, names by the socket that it is plugged into last.
        names.sort { (rank($0), $0) < (rank($1), $1) }
        return SerialPortDescription(device: String(cString: node), names: names, usb: usb(device))
    }

    private static func rank(_ name: String) -> Int {
        if name.hasPrefix("/dev/serial/by-id/") { return 0 }
        return name.hasPrefix("/dev/serial/by-path/") ? 2 : 1
    }

    private static func usb(_ device: OpaquePointer) -> USBIdentity? {
        guard let parent = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device"),
            let vendor = attribute(parent, "idVendor").flatMap({ UInt16($0, radix: 16) }),
            let product = attribute(parent, "idProduct").flatMap({ UInt16($0, radix: 16) })
        else { return nil }
        let text = [attribute(parent, "manufacturer"), attribute(parent, "product")].compactMap { $0 }
        return USBIdentity(
            vendor: vendor, product: product, serial: attribute(parent, "serial"),
            text: text.isEmpty ? nil : text.joined(separator: " "))
    }

    /// Returns an attribute of a device without control characters, because it is printed.
    private static func attribute(_ device: OpaquePointer, _ name: String) -> String? {
        guard let value = udev_device_get_sysattr_value(device, name) else { return nil }
        let text = String(cString: value).unicodeScalars
            .filter { $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) }
        return text.isEmpty ? nil : String(String.UnicodeScalarView(text)).prefix(126).description
    }
}
