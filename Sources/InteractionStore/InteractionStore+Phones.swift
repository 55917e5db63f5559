import MQTTBridge
public import Matching

/// What a phone says that it ranged: an interval near a fixed beacon.
public struct PhoneStay: Hashable, Sendable {
    public var phone: SubjectIdentity
    /// `uuid/major/minor`.
    public var beacon: String
    /// Seconds since 1970.
    public var start: Int64
    public var end: Int64
    public var samples: Int64
    public var distance: Stay.Distance?

    public init(
        phone: SubjectIdentity, beacon: String, start: Int64, end: Int64, samples: Int64, distance: Stay.Distance?
    ) {
        self.phone = phone
        self.beacon = beacon
        self.start = start
        self.end = end
        self.samples = samples
        self.distance = distance
    }
}

extension InteractionStore {
    /// What became of a phone's stay.
    public enum PhoneOutcome: String, Equatable, Sendable {
        case stored
        /// No gateway has told of such a beacon, and no configuration names it: anybody could fill the store with invented ones.
        case unknownBeacon = "unknown-beacon"
        case expired, future, erased
    }

    /// Stores what phones ranged themselves, in one transaction. The same again, and less of the same, change nothing: a
    /// stay is known by phone, beacon and start.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - tolerance: by how many seconds a phone's clock may be ahead.
    /// - Returns: what became of each, in their order.
    /// - Throws: `StoreError`.
    public func store(_ stays: [PhoneStay], now: Int64, tolerance: Int64 = 120) throws -> [PhoneOutcome] {
        try storing { session in
            var outcomes: [PhoneOutcome] = []
            var accepted: [(place: Int64, record: InteractionRecord)] = []
            var places: [String: Int64?] = [:]
            for stay in stays {
                let outcome = try outcome(of: stay, now: now, tolerance: tolerance, &places, session)
                outcomes.append(outcome)
                guard outcome == .stored, let place = places[stay.beacon] ?? nil else { continue }
                accepted.append((place, Self.record(stay)))
            }
            try write(accepted, today: now / Self.day, session)
            return outcomes
        }
    }

    /// Who counts what phones say of themselves.
    static let phones = "phones"

    private func outcome(
        of stay: PhoneStay, now: Int64, tolerance: Int64, _ places: inout [String: Int64?], _ session: any SQLSession
    ) throws -> PhoneOutcome {
        if stay.end > now + tolerance { return .future }
        switch refusal(of: Self.record(stay), now: now) {
        case .expired?: return .expired
        case .future?: return .future
        case .erased?: return .erased
        // Records of gateways only are compared with each other.
        case .changed?, .contradicting?, nil: break
        }
        if places[stay.beacon] == nil {
            places[stay.beacon] = .some(
                try session.first(
                    "SELECT id FROM place WHERE name = $1 AND beacon IS NOT NULL", [.text(stay.beacon)]
                ) { $0.integer(0) })
        }
        return places[stay.beacon] == .some(nil) ? .unknownBeacon : .stored
    }

    /// Later ends win, as later records of a gateway do.
    private static func record(_ stay: PhoneStay) -> InteractionRecord {
        InteractionRecord(
            position: .init(boot: 0, sequence: UInt64(clamping: stay.end)), gateway: "",
            origin: phones, number: 0,
            place: PlaceName(key: stay.beacon, site: "", building: "", floor: "", gateway: ""), subject: stay.phone,
            start: stay.start, end: stay.end, state: .departed, samples: stay.samples, distance: stay.distance)
    }
}
