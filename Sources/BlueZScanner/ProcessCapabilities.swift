package import HCI
import SystemIO

/// What the kernel lets this process do (capabilities(7)).
package struct ProcessCapabilities: Equatable, Sendable {
    /// One bit for each capability, by its number.
    package var effective: UInt64

    private static let netAdmin: UInt64 = 1 << 12
    private static let netRaw: UInt64 = 1 << 13

    /// - Parameter status: the text of /proc/self/status.
    package init(status: String) {
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        effective = line.flatMap { UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) } ?? 0
    }

    /// Raw HCI takes both: commands to the controller need CAP_NET_ADMIN, its events CAP_NET_RAW.
    package var allowsRawHCI: Bool { effective & Self.netAdmin != 0 && effective & Self.netRaw != 0 }

    /// Of this process.
    package static func current() -> ProcessCapabilities {
        let status = try? FileContents.read("/proc/self/status", limit: 64 * 1024)
        return ProcessCapabilities(status: String(decoding: status ?? [], as: UTF8.self))
    }
}

extension ScanPathKind {
    /// Raw HCI where this process may use it, else bluetoothd.
    package static func automatic(for capabilities: ProcessCapabilities = .current()) -> ScanPathKind {
        capabilities.allowsRawHCI ? .raw : .dbus
    }
}
