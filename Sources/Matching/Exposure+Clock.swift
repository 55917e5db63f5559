extension Exposure {
    /// Returns the same exposure, with `Missing.clock` in its explanation when its times may be wrong.
    ///
    /// - Parameters:
    ///   - unsynchronized: stays from gateways whose clocks were not synchronized, by subject.
    ///   - own: subjects of the person who reported.
    ///   - window: the window of the contact rule, in seconds, as the two may have been present one after the other.
    package func doubtingClocks(_ unsynchronized: [Int64: [Stay]], own: Set<Int64>, window: Int64) -> Exposure {
        if unsynchronized.isEmpty { return self }
        let places = explanation.windows.reduce(into: Set([place])) { places, window in
            places.insert(window.place)
            if let other = window.distances?.positivePlace { places.insert(other) }
        }
        let isDoubtful = own.union([subject]).contains { subject in
            ClockDoubt.concerns(
                unsynchronized[subject] ?? [], at: places, from: start - window, to: end + window)
        }
        guard isDoubtful else { return self }
        var exposure = self
        exposure.explanation.missing = (explanation.missing + [.clock]).sorted()
        return exposure
    }
}
