package import HCI
import SystemIO

/// Capabilities of this process (capabilities(7)).
package struct ProcessCapabilities: Equatable, Sendable {
    /// Effective capabilities, one bit per capability number.
    package var effective: UInt64

    private static let netAdmin: UInt64 = 1 << 12
    private static let netRaw: UInt64 = 1 << 13

    /// - Parameter status: the content of /proc/self/status.
    package init(status: String) {
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        effective = line.flatMap { UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) } ?? 0
    }

    /// Whether the process can use raw HCI, which requires two capabilities: CAP_NET_ADMIN for commands to the
    /// controller and CAP_NET_RAW for its events.
    package var allowsRawHCI: Bool { effective & Self.netAdmin != 0 && effective & Self.netRaw != 0 }

    /// Returns the capabilities of this process.
    package static func current() -> ProcessCapabilities {
        let status = try? FileContents.read("/proc/self/status", limit: 64 * 1024)
        return ProcessCapabilities(status: String(decoding: status ?? [], as: UTF8.self))
    }
}

extension ScanPathKind {
    /// Returns `.raw` where the process can use raw HCI, and otherwise `.dbus`.
    package static func automatic(for capabilities: ProcessCapabilities = .current()) -> ScanPathKind {
        capabilities.allowsRawHCI ? .raw : .dbus
    }
}
