package import BeaconModel

/// What happens between the first packet and the last of a calibration: choose a beacon, put it somewhere, measure, and
/// the same farther away. Pure: packets, times and what the person types come in.
package struct CalibrationSession: Sendable {
    package enum Phase: Equatable, Sendable {
        /// Who is there?
        case listening
        /// The person says a number of these.
        case choosing(HeardBeacons)
        /// The person puts the beacon at the distance with this index, and says when.
        case placing(Int)
        case measuring(Int)
        case finished
    }

    /// Metres; the second, if there is one, is the greater.
    package let distances: [Double]
    package let rules: CalibrationRules
    /// A capture has no time without a packet of the beacon.
    private let isCapture: Bool
    package private(set) var phase: Phase
    package private(set) var beacon: BeaconID?
    /// dBm at 1 m, as the beacon said last.
    package private(set) var says: Int8?
    package private(set) var measurement: CalibrationMeasurement
    private(set) var summaries: [CalibrationMeasurement.Summary] = []
    package private(set) var now: Timestamp?
    private var heard = HeardBeacons()
    private var listeningSince: Timestamp?
    private var points: [(time: Timestamp, rssi: Double)] = []

    /// How long to listen for who is there.
    static let listeningTime: Duration = .seconds(5)
    /// Points kept for the plot.
    private static let mostPoints = 8192

    /// - Parameter beacon: `nil` when one has to be chosen.
    package init(beacon: BeaconID?, distances: [Double], isCapture: Bool, rules: CalibrationRules = CalibrationRules())
    {
        self.beacon = beacon
        self.distances = distances
        self.isCapture = isCapture
        self.rules = rules
        phase = beacon == nil ? .listening : .placing(0)
        measurement = CalibrationMeasurement(rules: rules)
    }

    package mutating func take(_ packet: CalibrationPacket) throws(CalibrationError) {
        if case .listening = phase { heard.add(packet) }
        if packet.beacon == beacon {
            says = packet.measuredPower
            if case .measuring = phase {
                measurement.add(packet.rssi, at: packet.time)
                notePoint(packet)
            }
        }
        if !isCapture || packet.beacon == beacon { try advance(to: packet.time) }
    }

    package mutating func advance(to time: Timestamp) throws(CalibrationError) {
        // The end is when the last packet came that counts.
        if phase == .finished { return }
        now = time
        switch phase {
        case .listening:
            if let since = listeningSince, time < since { listeningSince = nil }
            let since = listeningSince ?? time
            listeningSince = since
            if time - since >= rules.silence, heard.isEmpty { throw .nothingHeard }
            if time - since >= Self.listeningTime, !heard.isEmpty { phase = .choosing(heard) }
        case .measuring(let index):
            measurement.advance(to: time)
            try settle(index, isOver: false)
        case .choosing, .placing, .finished: break
        }
    }

    /// The person typed a line.
    ///
    /// - Returns: whether it was an answer to what was asked.
    package mutating func answer(_ line: String) -> Bool {
        switch phase {
        case .choosing(let heard):
            let choices = heard.strongestFirst
            if line.isEmpty {
                self.heard = HeardBeacons()
                listeningSince = nil
                phase = .listening
                return true
            }
            guard let number = Int(line), choices.indices.contains(number - 1) else { return false }
            beacon = choices[number - 1].beacon
            says = choices[number - 1].measuredPower
            phase = .placing(0)
        case .placing(let index):
            measurement = CalibrationMeasurement(rules: rules)
            points = []
            phase = .measuring(index)
        case .listening, .measuring, .finished: return false
        }
        return true
    }

    /// The capture is at its end.
    package mutating func end() throws(CalibrationError) {
        if case .measuring(let index) = phase { try settle(index, isOver: true) }
    }

    private mutating func settle(_ index: Int, isOver: Bool) throws(CalibrationError) {
        guard let beacon else { return }
        switch measurement.verdict(isOver: isOver) {
        case .measuring: return
        case .failed(let failure):
            throw .measurement(failure, beacon, distance: distances[index], rules, isCapture: isCapture)
        case .enough: break
        }
        guard let summary = measurement.summary else { return }
        summaries.append(summary)
        phase = index + 1 < distances.count ? .placing(index + 1) : .finished
    }

    private mutating func notePoint(_ packet: CalibrationPacket) {
        // The clock was set back.
        if let last = points.last, packet.time < last.time { points = [] }
        if points.count >= Self.mostPoints { points.removeFirst(Self.mostPoints / 2) }
        points.append((packet.time, Double(packet.rssi.dBm)))
    }

    /// For the plot.
    package var plotPoints: [CalibrationPlot.Point] {
        guard let now else { return [] }
        return points.map { CalibrationPlot.Point(age: (now - $0.time).inSeconds, rssi: $0.rssi) }
    }

    /// `nil` before the end.
    package var outcome: CalibrationOutcome? {
        guard phase == .finished, let beacon, let says, let now else { return nil }
        return CalibrationOutcome(
            beacon: beacon, says: says,
            points: zip(distances, summaries).map { CalibrationOutcome.Point(distance: $0, summary: $1) },
            measuredAt: now)
    }
}
