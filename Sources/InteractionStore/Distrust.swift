/// What operators decided about gateways and places, as far as it changes what is stored.
struct Distrust {
    /// `site/building/floor/gateway` of gateways whose records aren't taken any more.
    private(set) var revoked: Set<String> = []
    private var state: [Int64] = []

    /// Reads what was decided since, also by another process.
    ///
    /// - Returns: whether there was something.
    mutating func refresh(_ session: any SQLSession) throws -> Bool {
        let present = try session.first(
            "SELECT (SELECT count(*) FROM revoked_gateway), (SELECT COALESCE(sum(since), 0) FROM revoked_gateway), "
                + "(SELECT count(*) FROM place_claim WHERE state <> 'refused'), "
                + "(SELECT COALESCE(sum(since), 0) FROM place_claim WHERE state <> 'refused')"
        ) { row in (0..<4).map { row.integer($0) } }
        guard let present, present != state else { return false }
        let isFirst = state.isEmpty
        var read: Set<String> = []
        try session.query("SELECT path FROM revoked_gateway") { row in
            if let path = row.text(0) { read.insert(path) }
        }
        // Last, when nothing can fail any more.
        revoked = read
        state = present
        return !isFirst
    }
}
