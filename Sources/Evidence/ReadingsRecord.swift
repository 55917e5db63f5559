package import Matching
package import RecordContract

/// The contents of a record of the type `readings`: all subjects that one receiver heard in a minute.
package struct ReadingsRecord: Equatable, Sendable {
    package var position: RecordPosition
    /// The gateway as `site/building/floor/gateway`.
    package var gateway: String
    /// The gateway, followed by the remote receiver if it is one.
    package var receiver: String
    package var place: PlaceName
    /// Position of the receiver on its floor's plan.
    package var coordinates: ReceiverCoordinates?
    /// Start of the record, in seconds since 1970.
    package var start: Int64
    package var end: Int64
    /// Seconds in which the receiver actually listened, at most those from start to end.
    package var listened: Double
    package var clockIsSynchronized: Bool
    package var subjects: [Subject]

    package struct Subject: Equatable, Sendable {
        package var identity: SubjectIdentity
        /// Number of advertisements.
        package var count: Int64
        /// Mean signal strength, in dBm; `nil` when no advertisement had a plausible value.
        package var rssi: Double?

        package init(identity: SubjectIdentity, count: Int64, rssi: Double?) {
            self.identity = identity
            self.count = count
            self.rssi = rssi
        }
    }

    package init(
        position: RecordPosition, gateway: String, receiver: String, place: PlaceName, start: Int64, end: Int64,
        listened: Double, clockIsSynchronized: Bool, subjects: [Subject], coordinates: ReceiverCoordinates? = nil
    ) {
        self.position = position
        self.gateway = gateway
        self.receiver = receiver
        self.place = place
        self.coordinates = coordinates
        self.start = start
        self.end = end
        self.listened = listened
        self.clockIsSynchronized = clockIsSynchronized
        self.subjects = subjects
    }

    /// Starts of the record's minutes by the UTC clock, in seconds since 1970: minutes that it covers by half, or, for
    /// a shorter record, the one that contains most of its time.
    package var minutes: [Int64] {
        let length = end - start
        let least = min(30, (length + 1) / 2)
        return stride(from: start - start % 60, to: end, by: 60).filter { minute in
            min(end, minute + 60) - max(start, minute) >= least
        }
    }

    /// Seconds of one minute in which the receiver listened.
    package var listenedPerMinute: Int64 {
        let length = Double(max(1, end - start))
        return Int64((min(max(0, listened), length) * min(60, length) / length).rounded())
    }

    /// Returns the observation of a subject, as it is stored.
    package func code(of subject: Subject) -> HearingCode? {
        guard let rssi = subject.rssi, listened > 0 else { return nil }
        return HearingCode(count: Double(subject.count) * 60 / max(listened, 1), rssi: rssi)
    }
}
