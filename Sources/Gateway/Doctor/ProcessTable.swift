import Diagnostics
import GatewayDaemon
import Glibc

/// Running processes, and the sockets and devices that each has open, as far as this user can see them.
struct ProcessTable: Sendable {
    private var names: [Int32: String] = [:]
    private var socketOwners: [UInt64: Int32] = [:]
    private var deviceUsers: [String: Int32] = [:]

    /// Reads /proc. This process is excluded.
    init() {
        let own = getpid()
        for process in SystemFiles.names("/proc").compactMap({ Int32($0) }) where process != own {
            guard let name = SystemFiles.line("/proc/\(process)/comm") else { continue }
            names[process] = name
            for descriptor in SystemFiles.names("/proc/\(process)/fd") {
                guard let target = SystemFiles.target("/proc/\(process)/fd/\(descriptor)") else { continue }
                if let inode = ProcText.socketInode(target) {
                    socketOwners[inode] = process
                } else if target.hasPrefix("/dev/") {
                    deviceUsers[target] = process
                }
            }
        }
    }

    /// Returns the process of this name with the lowest number.
    func first(named name: String) -> MachineFacts.Program? {
        names.filter { $0.value == name }.map(\.key).min().map { MachineFacts.Program(identifier: $0, name: name) }
    }

    func program(_ identifier: Int32) -> MachineFacts.Program? {
        names[identifier].map { MachineFacts.Program(identifier: identifier, name: $0) }
    }

    func owner(ofSocket inode: UInt64) -> MachineFacts.Program? { socketOwners[inode].flatMap { program($0) } }

    /// Returns the process that has a device open.
    ///
    /// - Parameter path: path without symbolic links.
    func user(ofDevice path: String) -> MachineFacts.Program? { deviceUsers[path].flatMap { program($0) } }
}
