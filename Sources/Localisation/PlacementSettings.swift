/// Constants of the search for the positions of receivers.
package struct PlacementSettings: Equatable, Sendable {
    /// The radio model between receivers is that of subjects. Its deviation is the shadowing of a link.
    package var radio = RadioSettings()
    /// Standard deviation of a receiver's gain in dB: half of the sum of what its beacon sends more and of what the
    /// receiver reports more than others.
    ///
    /// The power settings of modules are up to 8 dB apart, and adapters 4 dB.
    package var gainDeviation = 3.0
    /// Standard deviation of the mean gain of a building's receivers in dB.
    package var meanGainDeviation = 4.0
    /// Share of a link's log-likelihood that counts: the shadows of links into one room have the same causes.
    package var temper = 0.6
    /// Level below which a mean says too much, because only the strongest packets are heard, in dBm.
    package var surelyHeard = -80.0
    /// Share of the minutes of a beacon's best receiver that another receiver must have.
    package var leastShare = 0.1
    /// Number of receivers that hear a beacon from which on it means nothing that another one does not.
    ///
    /// Of a minute of a beacon, the 16 receivers that hear it loudest are stored.
    package var mostHearers = 13
    /// Most that it counts that a receiver does not hear another one: what is in between may be metal.
    package var mostSilence: Float = 4
    /// Number of a receiver's strongest links that count.
    package var mostLinks = 16
    /// Number of links without which a receiver is not placed.
    package var leastLinks = 2
    /// Prior probability of a point at a wall, relative to one in the middle of a room.
    package var wallPreference = 2.0
    /// Prior probability of a point between rooms, relative to one in a room.
    package var betweenRooms = 0.5
    /// Prior probability of a point outside the room that a receiver claims, relative to one inside.
    package var outsideClaim = 0.02
    /// Number of independent searches.
    package var chains = 6
    /// Sweeps of each search that find likely positions, and those that count.
    package var warmUp = 60
    package var sweeps = 80
    /// Number of steps of all sweeps in which one candidate and one link are compared; there are fewer sweeps in a large
    /// building.
    package var mostSteps = 3_000_000_000.0
    /// Share of the distribution inside the stated radius.
    package var coverage = 0.9

    /// Probability that a floor is turned or mirrored, so that all found on it is wrong, before positions are known.
    package var mostDoubt = 0.75
    /// The same if neither a position nor the names of two rooms are known.
    package var doubtOfNothing = 0.95
    /// Number of known positions that leave no such doubt.
    package var sureAnchors = 3.0
    /// Number of known positions that are worth as much as two names of rooms or more.
    package var namedRooms = 2.0

    package init() {}

    /// Returns the probability that what is found on a floor is turned or mirrored.
    ///
    /// - Parameters:
    ///   - known: number of known positions on the floor.
    ///   - named: number of its receivers that name a room of the plan.
    func doubt(knowing known: Int, named: Int) -> Double {
        if known == 0, named < 2 { return doubtOfNothing }
        let evidence = Double(known) + (named > 1 ? namedRooms : 0)
        return mostDoubt * max(0, sureAnchors - evidence) / sureAnchors
    }
}
