/// What operators decided about gateways and places, as far as it changes what is stored.
struct Distrust {
    /// `site/building/floor/gateway` of gateways whose records aren't taken any more.
    private(set) var revoked: Set<String> = []
    /// All decisions; `nil` before they were read.
    private var decisions: Set<[String]>?

    /// Reads what was decided since, also by another process. There is little: people decide it.
    ///
    /// - Returns: whether there was something.
    mutating func refresh(_ session: any SQLSession) throws -> Bool {
        var gateways: Set<String> = []
        try session.query("SELECT path FROM revoked_gateway") { row in
            if let path = row.text(0) { gateways.insert(path) }
        }
        var present = Set(gateways.map { [$0] })
        try session.query("SELECT beacon, receiver, state FROM place_claim WHERE state <> 'refused'") { row in
            present.insert((0..<3).map { row.text($0) ?? "" })
        }
        // Last, when nothing can fail any more.
        defer { (revoked, decisions) = (gateways, present) }
        return decisions.map { $0 != present } ?? false
    }
}
