/// How radio goes in a building.
struct RadioConstants: Sendable {
    /// A normal distribution that is cut off.
    struct Spread: Sendable {
        var mean: Double
        var deviation: Double
        var range: ClosedRange<Double>

        func draw(_ random: inout SplitMix) -> Double {
            min(max(mean + deviation * random.normals().0, range.lowerBound), range.upperBound)
        }
    }

    /// Path-loss exponents of rooms, and of corridors. Published rooms have 1.2 (corridors) to 3.1 (shelves).
    var exponent = Spread(mean: 2, deviation: 0.35, range: 1.4...2.9)
    var corridorExponent = 1.3...1.7
    /// What a wall and a ceiling take away, in dB: light walls and ones of brick.
    var wall = 2.0...8
    var ceiling = 13.0...20
    /// What a body takes away when it is between the badge and the receiver, in dB.
    var body = Spread(mean: 9, deviation: 2.5, range: 4...14)
    /// Standard deviations of badges and receivers of one kind, in dB.
    var badgeOffset = 2.5
    var receiverOffset = 2.0
    /// Standard deviations of the shadowing, in dB, and metres and seconds after which it is another.
    var shadowing = 3.0...5
    var shadowingLength = 2.0
    var shadowingTime = 300.0
    /// The share of the shadowing's variance that all links from one room to one receiver have in common, 0 to 1.
    var sharedShadowing = 0.0
    /// The power of the direct path beside that of all others, in a room and behind walls.
    var riceInside = 4.0
    var riceBehindWalls = 0.4
    /// Seconds between people who step in between, and how long they stay there.
    var clear = 240.0
    var obstructed = 20.0
    /// dBm below which nothing is received.
    var sensitivity = -94.0
}

extension RadioConstants {
    /// Large rooms that reflect much and are full of people; walls that are all alike; dull receivers.
    static let halls = RadioConstants(
        exponent: Spread(mean: 1.8, deviation: 0.15, range: 1.5...2.2), corridorExponent: 1.5...1.9, wall: 6...6,
        ceiling: 18...22, body: Spread(mean: 6, deviation: 2, range: 3...10), badgeOffset: 3.5, receiverOffset: 1,
        shadowing: 2.5...4, shadowingLength: 4, shadowingTime: 600, sharedShadowing: 0.5, riceInside: 2,
        riceBehindWalls: 0.6, clear: 120, obstructed: 30, sensitivity: -90)

    /// Furniture in small rooms, walls that hardly hold anything back, receivers that differ and hear well.
    static let thinWalls = RadioConstants(
        exponent: Spread(mean: 2.4, deviation: 0.3, range: 1.8...3.2), corridorExponent: 1.4...1.8, wall: 1...3,
        ceiling: 9...14, body: Spread(mean: 10, deviation: 3, range: 4...16), badgeOffset: 2, receiverOffset: 3,
        shadowing: 4...6, shadowingLength: 1.5, shadowingTime: 400, sharedShadowing: 0.3, riceInside: 3,
        riceBehindWalls: 1, clear: 400, obstructed: 25, sensitivity: -97)
}
