import Evidence

extension EncounterSources {
    /// Reads the sources of a store.
    init(_ session: any SQLSession) throws {
        var origins: [(number: Int64, source: String)] = []
        try session.query("SELECT id, path FROM origin ORDER BY id") { row in
            let path = row.text(1) ?? ""
            let name = path == InteractionStore.phones ? EncounterSource.phones : PlaceClaimRule.gateway(path)
            origins.append((row.integer(0), name))
        }
        self.init(origins)
    }
}
