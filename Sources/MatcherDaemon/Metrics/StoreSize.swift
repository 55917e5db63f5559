import Glibc
import InteractionStore
import SystemIO

/// Size of the store. It changes slowly, and a database takes a while to tell it.
actor StoreSize {
    private let location: StoreLocation
    private let store: SharedStore
    private var last: (bytes: Double?, at: ContinuousClock.Instant)?
    private var isAsking = false

    private static let interval: Duration = .seconds(60)

    init(location: StoreLocation, store: SharedStore) {
        self.location = location
        self.store = store
    }

    /// The size in bytes; `nil` if it is not known yet. Nobody waits for a database that is busy.
    func bytes() -> Double? {
        if case .sqlite(let path) = location { return Self.size(of: path) }
        if !isAsking, last.map({ ContinuousClock.now - $0.at >= Self.interval }) ?? true {
            isAsking = true
            Task { await ask() }
        }
        return last?.bytes
    }

    private func ask() async {
        let store = store
        let bytes = try? await DedicatedThread.run(name: "store size") {
            Result { try store.use { try $0.databaseSize() } }
        }.get()
        last = (bytes.map { Double($0) }, .now)
        isAsking = false
    }

    /// Returns the size of a file of SQLite with the log of what is not in it yet.
    private static func size(of path: String) -> Double? {
        let sizes = [path, path + "-wal"].compactMap { path -> Double? in
            var status = stat()
            return stat(path, &status) == 0 ? Double(status.st_size) : nil
        }
        return sizes.isEmpty ? nil : sizes.reduce(0, +)
    }
}
