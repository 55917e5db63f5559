import Matching

/// Who told of each interaction: a gateway, which has an origin for each of its starts and receivers, or a phone, which tells of
/// itself alone.
struct EncounterTellers: Equatable, Sendable {
    /// The number of who told of it, by origin: that of the first origin of the same gateway.
    private var numbers: [Int64: Int64] = [:]
    private var names: [Int64: String] = [:]
    /// The number of all phones together.
    private var phones: Int64?

    init(_ session: any SQLSession) throws {
        var first: [String: Int64] = [:]
        try session.query("SELECT id, path FROM origin ORDER BY id") { row in
            let path = row.text(1) ?? ""
            let name = path == InteractionStore.phones ? EncounterSource.phones : PlaceClaimRule.gateway(path)
            let number = first[name] ?? row.integer(0)
            first[name] = number
            names[number] = name
            if name == EncounterSource.phones { phones = number }
            numbers[row.integer(0)] = number
        }
    }

    /// The number of who told, where phones are one.
    func number(of origin: Int64) -> Int64 { numbers[origin] ?? origin }

    /// The number of who told.
    ///
    /// - Parameter subject: whose stay it is.
    func number(of origin: Int64, subject: Int64) -> Int64 {
        let number = number(of: origin)
        // A phone that invents much has nothing left out that other phones say.
        return number == phones ? -subject : number
    }

    func source(_ tellers: Encounter.Tellers) -> EncounterSource {
        EncounterSource(positive: name(tellers.positive), other: name(tellers.other))
    }

    static func isPhone(_ number: Int64) -> Bool { number < 0 }

    private func name(_ number: Int64) -> String { Self.isPhone(number) ? EncounterSource.phones : names[number] ?? "" }
}
