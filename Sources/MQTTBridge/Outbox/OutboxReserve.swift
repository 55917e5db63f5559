import Glibc

/// Room on the disk that is kept for the time when it is full: SQLite needs some even to delete.
struct OutboxReserve: Sendable {
    private let path: String
    /// The first that there is room for. The largest is what the write-ahead log and its transfer take.
    private static let sizes = [5 << 20, 1 << 20, 256 << 10]

    /// - Parameter database: beside which it is.
    init(database: String) { path = database + ".reserve" }

    /// Takes the room, if there is that much and it isn't taken.
    func take() {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if !Self.sizes.contains(where: { posix_fallocate(descriptor, 0, off_t($0)) == 0 }) { unlink(path) }
    }

    /// Gives the room back.
    func release() { unlink(path) }
}
