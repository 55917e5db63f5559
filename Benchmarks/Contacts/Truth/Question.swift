/// What is asked of a pair of people on a day, by which policy it is answered, and what the truth is.
enum Question: String, CaseIterable, Sendable {
    /// The policy's own words: within 3 m of one beacon, at times that lie within 5 minutes of each other.
    case sameBeaconSoon
    /// Both within 3 m of one beacon for 5 minutes.
    case sameBeaconFive
    /// Within 6 m of each other, in one room, for 5 minutes.
    case sixMetresFive
    /// Within 2 m of each other, in one room, for 30 minutes.
    case twoMetresThirty

    var policy: String {
        switch self {
        case .sameBeaconSoon, .sameBeaconFive, .sixMetresFive: "six-metre-five-minute"
        case .twoMetresThirty: "two-metre-thirty"
        }
    }

    /// For the table.
    var words: String {
        switch self {
        case .sameBeaconSoon: "3 m of one beacon, 5 min apart"
        case .sameBeaconFive: "3 m of one beacon for 5 min"
        case .sixMetresFive: "6 m for 5 min, one room"
        case .twoMetresThirty: "2 m for 30 min, one room"
        }
    }

    /// Of figures.
    var name: String {
        switch self {
        case .sameBeaconSoon: "six_metre_same_beacon_soon"
        case .sameBeaconFive: "six_metre_same_beacon_five"
        case .sixMetresFive: "six_metre_physical"
        case .twoMetresThirty: "two_metre_physical"
        }
    }

    func isContact(_ times: ContactTruth.Times) -> Bool {
        switch self {
        case .sameBeaconSoon: times.apartAtOneBeacon.map { $0 <= 300 } ?? false
        case .sameBeaconFive, .sixMetresFive: seconds(times) >= 300
        case .twoMetresThirty: seconds(times) >= 1800
        }
    }

    /// How long the contact lasted.
    func seconds(_ times: ContactTruth.Times) -> Int {
        switch self {
        case .sameBeaconSoon, .sameBeaconFive: times.atOneBeacon
        case .sixMetresFive: times.within6m
        case .twoMetresThirty: times.within2m
        }
    }

    /// What follows from having been heard by one gateway alone.
    func isCoLocation(_ times: CoLocation.Times) -> Bool {
        switch self {
        case .sameBeaconSoon: times.apart.map { $0 <= 300 } ?? false
        case .sameBeaconFive, .sixMetresFive: times.together >= 300
        case .twoMetresThirty: times.together >= 1800
        }
    }
}
