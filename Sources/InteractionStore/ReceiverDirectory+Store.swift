import Evidence

extension ReceiverDirectory {
    /// Reads the receivers of a store.
    init(_ session: any SQLSession) throws {
        var paths: [Int64: String] = [:]
        try session.query("SELECT id, path FROM receiver") { paths[$0.integer(0)] = $0.text(1) ?? "" }
        self.init(paths)
    }
}
