public import MQTTBridge
public import Matching

/// What a record of the type `readings` says: what one receiver heard of everybody in a minute.
public struct ReadingsRecord: Equatable, Sendable {
    public var position: RecordPosition
    /// `site/building/floor/gateway`.
    public var gateway: String
    /// The same, with an ear after it for one that the gateway looks after.
    public var receiver: String
    public var place: PlaceName
    /// Seconds since 1970.
    public var start: Int64
    public var end: Int64
    /// Seconds in which it really listened, at most those from start to end.
    public var listened: Double
    public var clockIsSynchronized: Bool
    public var subjects: [Subject]

    public struct Subject: Equatable, Sendable {
        public var identity: SubjectIdentity
        /// Advertisements.
        public var count: Int64
        /// Mean, in dBm; `nil` when no advertisement had a plausible one.
        public var rssi: Double?

        public init(identity: SubjectIdentity, count: Int64, rssi: Double?) {
            self.identity = identity
            self.count = count
            self.rssi = rssi
        }
    }

    public init(
        position: RecordPosition, gateway: String, receiver: String, place: PlaceName, start: Int64, end: Int64,
        listened: Double, clockIsSynchronized: Bool, subjects: [Subject]
    ) {
        self.position = position
        self.gateway = gateway
        self.receiver = receiver
        self.place = place
        self.start = start
        self.end = end
        self.listened = listened
        self.clockIsSynchronized = clockIsSynchronized
        self.subjects = subjects
    }

    /// The minutes by the UTC clock that the record is about, as when each begins in seconds since 1970: those that it covers
    /// by half, or the one in which a shorter record has most of its time.
    var minutes: [Int64] {
        let length = end - start
        let least = min(30, (length + 1) / 2)
        return stride(from: start - start % 60, to: end, by: 60).filter { minute in
            min(end, minute + 60) - max(start, minute) >= least
        }
    }

    /// Seconds of one minute in which it listened.
    var listenedPerMinute: Int64 {
        let length = Double(max(1, end - start))
        return Int64((min(max(0, listened), length) * min(60, length) / length).rounded())
    }

    /// What it says of a subject, as it is stored.
    func code(of subject: Subject) -> HearingCode? {
        guard let rssi = subject.rssi, listened > 0 else { return nil }
        return HearingCode(count: Double(subject.count) * 60 / max(listened, 1), rssi: rssi)
    }
}
