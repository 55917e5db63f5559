package import Matching

/// The sources of interactions: a gateway, which has an origin for each of its starts and receivers, or a phone, which
/// reports only itself.
package struct EncounterSources: Equatable, Sendable {
    /// Number of the source by origin: the first origin of the same gateway.
    private var numbers: [Int64: Int64] = [:]
    private var names: [Int64: String] = [:]
    /// Number of all phones together.
    private var phones: Int64?

    /// Creates the sources.
    ///
    /// - Parameter origins: the origins in the order of their numbers, each with the name of its source: a gateway's
    ///   path, or `EncounterSource.phones`.
    package init(_ origins: [(number: Int64, source: String)]) {
        var first: [String: Int64] = [:]
        for (origin, name) in origins {
            let number = first[name] ?? origin
            first[name] = number
            names[number] = name
            if name == EncounterSource.phones { phones = number }
            numbers[origin] = number
        }
    }

    /// Returns the number of an origin's source, with all phones as one source.
    package func number(of origin: Int64) -> Int64 { numbers[origin] ?? origin }

    /// Returns the number of a stay's source, with each phone as its own source.
    ///
    /// - Parameter subject: subject of the stay.
    package func number(of origin: Int64, subject: Int64) -> Int64 {
        let number = number(of: origin)
        // A phone that invents many stays causes none of other phones to be left out.
        return number == phones ? -subject : number
    }

    package func source(_ pair: Encounter.SourcePair) -> EncounterSource {
        EncounterSource(positive: name(pair.positive), other: name(pair.other))
    }

    static func isPhone(_ number: Int64) -> Bool { number < 0 }

    private func name(_ number: Int64) -> String { Self.isPhone(number) ? EncounterSource.phones : names[number] ?? "" }
}
