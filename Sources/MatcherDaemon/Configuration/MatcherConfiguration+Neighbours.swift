extension MatcherConfiguration {
    /// Neighbouring places in the form that the store takes.
    package var neighbourDistances: [(one: String, other: String, centimetres: Int64)] {
        neighbours.map { ($0.places[0], $0.places[1], $0.centimetres) }
    }
}
