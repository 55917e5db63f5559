/// Operators' decisions about gateways and places, as far as they affect what is stored.
struct Distrust {
    /// Gateways whose records are not accepted any more, as `site/building/floor/gateway`.
    private(set) var revoked: Set<String> = []
    /// All decisions; `nil` before they are read.
    private var decisions: Set<[String]>?

    /// Reads new decisions, also those of other processes. There are few: people make them.
    ///
    /// - Returns: whether there were any.
    mutating func refresh(_ session: any SQLSession) throws -> Bool {
        var gateways: Set<String> = []
        try session.query("SELECT path FROM revoked_gateway") { row in
            if let path = row.text(0) { gateways.insert(path) }
        }
        var present = Set(gateways.map { [$0] })
        try session.query("SELECT beacon, receiver, state FROM place_claim WHERE state <> 'refused'") { row in
            present.insert((0..<3).map { row.text($0) ?? "" })
        }
        // Assigned last, when nothing can fail any more.
        defer { (revoked, decisions) = (gateways, present) }
        return decisions.map { $0 != present } ?? false
    }
}
