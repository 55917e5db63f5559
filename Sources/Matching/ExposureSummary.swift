/// An exposure of a named subject, reduced to what the subject may know and what decides whether it has changed.
package struct ExposureSummary: RiskContribution {
    package var subject: SubjectIdentity
    /// Number of the place of the largest part of the exposure.
    package var place: Int64
    /// Start and end, in seconds since 1970.
    package var start: Int64
    package var end: Int64
    /// Minutes as the policy counts them.
    package var minutes: Double
    /// Whether a gateway that reported it had an unsynchronized clock.
    package var clockIsDoubtful: Bool
    package var way: Exposure.Way

    package init(
        subject: SubjectIdentity, place: Int64, start: Int64, end: Int64, minutes: Double,
        clockIsDoubtful: Bool = false, way: Exposure.Way = .beacon
    ) {
        self.subject = subject
        self.place = place
        self.start = start
        self.end = end
        self.minutes = minutes
        self.clockIsDoubtful = clockIsDoubtful
        self.way = way
    }

    /// Creates the summary of an exposure.
    ///
    /// - Parameter subject: name of the exposed subject.
    package init(_ exposure: Exposure, of subject: SubjectIdentity) {
        self.init(
            subject: subject, place: exposure.place, start: exposure.start, end: exposure.end,
            minutes: exposure.minutes, clockIsDoubtful: exposure.explanation.missing.contains(.clock),
            way: exposure.way)
    }
}
