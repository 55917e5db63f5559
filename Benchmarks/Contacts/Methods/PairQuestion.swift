/// What is asked of each two people on a day, whichever of them reports. The words are those of figures.
enum PairQuestion: String, CaseIterable, Sendable {
    case sixMetresFive = "6m5"
    case twoMetresFifteen = "2m15"
    case twoMetresThirty = "2m30"

    /// For tables.
    var words: String {
        switch self {
        case .sixMetresFive: "within 6 m for 5 min, in one room"
        case .twoMetresFifteen: "within 2 m for 15 min, in one room"
        case .twoMetresThirty: "within 2 m for 30 min, in one room"
        }
    }

    /// Of the day.
    var minutes: Int {
        switch self {
        case .sixMetresFive: 5
        case .twoMetresFifteen: 15
        case .twoMetresThirty: 30
        }
    }

    /// 2 m, not 6 m.
    var isClose: Bool { self != .sixMetresFive }

    func isContact(_ times: ContactTruth.Times) -> Bool {
        (isClose ? times.within2m : times.within6m) >= 60 * minutes
    }
}
