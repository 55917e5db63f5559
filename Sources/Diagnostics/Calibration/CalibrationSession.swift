package import BeaconModel

/// State machine of a calibration: choose a beacon, place it, measure, and do the same farther away. Pure: it receives
/// packets, times and typed lines.
package struct CalibrationSession: Sendable {
    package enum Phase: Equatable, Sendable {
        /// Listens for beacons to choose from.
        case listening
        /// Waits for the number of one of these beacons.
        case choosing(HeardBeacons)
        /// Waits until the user has placed the beacon at the distance with this index.
        case placing(Int)
        case measuring(Int)
        case finished
    }

    /// Distances in metres. The second, if there is one, is the greater.
    package let distances: [Double]
    package let rules: CalibrationRules
    /// Whether packets come from a capture. In a capture, only packets of the beacon advance the time.
    private let isCapture: Bool
    package private(set) var phase: Phase
    package private(set) var beacon: BeaconID?
    /// Measured power that the beacon last advertised, in dBm at 1 m.
    package private(set) var says: Int8?
    package private(set) var measurement: CalibrationMeasurement
    private(set) var summaries: [CalibrationMeasurement.Summary] = []
    package private(set) var now: Timestamp?
    private var heard = HeardBeacons()
    private var listeningSince: Timestamp?
    private var points: [(time: Timestamp, rssi: Double)] = []

    /// Time to listen for beacons before offering a choice.
    static let listeningTime: Duration = .seconds(5)
    /// Maximum number of points kept for the plot.
    private static let mostPoints = 8192

    /// Creates a session.
    ///
    /// - Parameter beacon: beacon to calibrate; `nil` when it has yet to be chosen.
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
        // The session ends with the last packet that counts.
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

    /// Handles a typed line.
    ///
    /// - Returns: whether the line answered the current question.
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

    /// Ends the measurement at the end of a capture.
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

    /// RSSI values for the plot.
    package var plotPoints: [CalibrationPlot.Point] {
        guard let now else { return [] }
        return points.map { CalibrationPlot.Point(age: (now - $0.time).inSeconds, rssi: $0.rssi) }
    }

    /// Result of the session; `nil` until it is finished.
    package var outcome: CalibrationOutcome? {
        guard phase == .finished, let beacon, let says, let now else { return nil }
        return CalibrationOutcome(
            beacon: beacon, says: says,
            points: zip(distances, summaries).map { CalibrationOutcome.Point(distance: $0, summary: $1) },
            measuredAt: now)
    }
}
