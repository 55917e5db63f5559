/// Parsers for files in /proc, and for the Raspberry Pi's `config.txt`.
package enum ProcText {
    /// Returns the socket inodes in `/proc/net/hci`: the sixth column.
    package static func socketInodes(_ table: String) -> [UInt64] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ")
            return columns.count >= 6 ? UInt64(columns[5]) : nil
        }
    }

    /// Returns the inode of a link to a socket in `/proc/<process>/fd`: `socket:[4711]`.
    package static func socketInode(_ link: String) -> UInt64? {
        guard link.hasPrefix("socket:["), link.hasSuffix("]") else { return nil }
        return UInt64(link.dropFirst("socket:[".count).dropLast())
    }

    /// Returns the process that holds an flock on the file with this inode, according to `/proc/locks`:
    /// `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`.
    package static func lockHolder(_ locks: String, inode: UInt64) -> Int32? {
        for line in locks.split(separator: "\n") {
            let columns = line.split(separator: " ")
            guard columns.count >= 6, columns[1] == "FLOCK", let process = Int32(columns[4]), process > 0,
                let last = columns[5].split(separator: ":").last, UInt64(last) == inode
            else { continue }
            return process
        }
        return nil
    }

    /// Returns whether a Raspberry Pi's `config.txt` disables Bluetooth.
    package static func disablesBluetooth(_ configuration: String) -> Bool {
        configuration.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("dtoverlay=disable-bt") }
    }
}
