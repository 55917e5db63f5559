import Matching

/// Which gateway, or phones, each origin of interactions is: a gateway has one for each of its starts and receivers.
struct EncounterTellers: Equatable, Sendable {
    /// The number of who told of it, by origin: that of the first origin of the same gateway.
    private var numbers: [Int64: Int64] = [:]
    private var names: [Int64: String] = [:]

    init(_ session: any SQLSession) throws {
        var first: [String: Int64] = [:]
        try session.query("SELECT id, path FROM origin ORDER BY id") { row in
            let path = row.text(1) ?? ""
            let name = path == InteractionStore.phones ? EncounterSource.phones : PlaceClaimRule.gateway(path)
            let number = first[name] ?? row.integer(0)
            first[name] = number
            names[number] = name
            numbers[row.integer(0)] = number
        }
    }

    func number(of origin: Int64) -> Int64 { numbers[origin] ?? origin }

    func source(_ tellers: Encounter.Tellers) -> EncounterSource {
        EncounterSource(positive: names[tellers.positive] ?? "", other: names[tellers.other] ?? "")
    }
}
