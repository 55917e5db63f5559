import Matching

/// The sources of interactions: a gateway, which has an origin for each of its starts and receivers, or a phone, which
/// reports only itself.
struct EncounterTellers: Equatable, Sendable {
    /// Number of the source by origin: the first origin of the same gateway.
    private var numbers: [Int64: Int64] = [:]
    private var names: [Int64: String] = [:]
    /// Number of all phones together.
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

    /// Returns the number of an origin's source, with all phones as one source.
    func number(of origin: Int64) -> Int64 { numbers[origin] ?? origin }

    /// Returns the number of a stay's source, with each phone as its own source.
    ///
    /// - Parameter subject: subject of the stay.
    func number(of origin: Int64, subject: Int64) -> Int64 {
        let number = number(of: origin)
        // A phone that invents many stays causes none of other phones to be left out.
        return number == phones ? -subject : number
    }

    func source(_ tellers: Encounter.Tellers) -> EncounterSource {
        EncounterSource(positive: name(tellers.positive), other: name(tellers.other))
    }

    static func isPhone(_ number: Int64) -> Bool { number < 0 }

    private func name(_ number: Int64) -> String { Self.isPhone(number) ? EncounterSource.phones : names[number] ?? "" }
}
