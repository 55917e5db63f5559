import FloorPlans
import RealModule

/// How well a method's guesses agree with true positions.
struct Score {
    private var errors: [Double] = []
    private var covered = 0
    private var regions = 0
    private var rooms: [(truth: Int, guess: Int)] = []
    private var confidences: [(probability: Double, isRight: Bool)] = []
    /// Number of positions and rooms of subjects that the method never found.
    private(set) var unseen = 0

    /// Compares one guess with the truth. A room is told by its floor too.
    mutating func add(_ guess: Guess?, _ truth: Recording.TruePosition) {
        guard let guess else {
            if truth.position != nil || truth.isRoomKnown { unseen += 1 }
            if truth.isRoomKnown { rooms.append((Self.key(truth.floor, truth.room), .min)) }
            return
        }
        if let position = truth.position, let guessed = guess.position {
            let error = guess.floor == truth.floor ? guessed.distance(to: position) : Self.wrongFloor
            errors.append(error)
            if let radius = guess.radius {
                regions += 1
                if error <= radius { covered += 1 }
            }
        }
        if truth.isRoomKnown {
            let (true_, guessed) = (Self.key(truth.floor, truth.room), Self.key(guess.floor, guess.room))
            rooms.append((true_, guessed))
            if let probability = guess.probability { confidences.append((probability, true_ == guessed)) }
        }
    }

    /// Error of a position on a wrong floor, in metres.
    private static let wrongFloor = 20.0

    private static func key(_ floor: Int, _ room: Int?) -> Int { floor * 100_000 + (room ?? -1) }

    var count: Int { max(errors.count, rooms.count) }
    var meanError: Double? { errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count) }
    func error(percentile: Double) -> Double? {
        guard !errors.isEmpty else { return nil }
        let sorted = errors.sorted()
        return sorted[min(sorted.count - 1, Int(percentile / 100 * Double(sorted.count)))]
    }
    var coverage: Double? { regions == 0 ? nil : Double(covered) / Double(regions) }
    var accuracy: Double? {
        rooms.isEmpty ? nil : Double(rooms.count { $0.truth == $0.guess }) / Double(rooms.count)
    }

    /// Mean F1 of the rooms that somebody was in.
    var macroF1: Double? {
        let truths = Set(rooms.map(\.truth))
        guard !truths.isEmpty else { return nil }
        let scores = truths.map { room in
            let right = rooms.count { $0.truth == room && $0.guess == room }
            let wrong = rooms.count { ($0.truth == room) != ($0.guess == room) }
            return 2 * Double(right) / Double(2 * right + wrong)
        }
        return scores.reduce(0, +) / Double(scores.count)
    }

    /// Expected calibration error of the room's probability over ten bins.
    var calibrationError: Double? {
        guard !confidences.isEmpty else { return nil }
        return (0..<10).reduce(0) { sum, bin in
            let inBin = confidences.filter { min(9, Int($0.probability * 10)) == bin }
            guard !inBin.isEmpty else { return sum }
            let right = Double(inBin.count(where: \.isRight))
            return sum + abs(right - inBin.reduce(0) { $0 + $1.probability }) / Double(confidences.count)
        }
    }
}
