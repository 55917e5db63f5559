import Glibc

/// The other end of a Bluetooth adapter of the kernel (its module hci_vhci), which exists as long as this is open.
struct VirtualDevice: ~Copyable {
    struct Failure: Error {
        var message: String

        init(_ action: String) {
            message = "\(action): \(String(cString: strerror(errno)))"
        }
    }

    private static let path = "/dev/vhci"

    let descriptor: Int32

    init() throws(Failure) {
        descriptor = open(Self.path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("cannot open \(Self.path)") }
        // An ordinary adapter; the kernel answers with a packet of the same type and the adapter's number.
        do throws(Failure) {
            try send([PacketType.vendor, 0x00])
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    /// The kernel takes a packet whole or not at all.
    ///
    /// - Returns: false when the host has switched the adapter off and listens to nothing.
    @discardableResult func send(_ packet: [UInt8]) throws(Failure) -> Bool {
        while write(descriptor, packet, packet.count) != packet.count {
            if errno == ENXIO { return false }
            guard errno == EINTR else { throw Failure("cannot write to \(Self.path)") }
        }
        return true
    }

    func receive() throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            guard count < 0, errno == EINTR else { throw Failure("cannot read from \(Self.path)") }
        }
    }
}
