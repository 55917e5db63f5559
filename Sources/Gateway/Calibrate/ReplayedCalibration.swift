import Advertisement
import BeaconModel
import BlueZScanner
import Diagnostics
import HCI

/// Calibration from captures, one for each distance, without questions.
struct ReplayedCalibration {
    private var session: CalibrationSession
    private var output: CalibrationOutput

    init(_ session: CalibrationSession, screen: CalibrationScreen) {
        self.session = session
        output = CalibrationOutput(screen)
    }

    /// Runs the calibration.
    ///
    /// - Parameter captures: paths of the captures, as many as there are distances.
    /// - Throws: `CalibrationError`, `CaptureError`, `OutputClosed`.
    mutating func run(_ captures: [String]) throws -> CalibrationOutcome? {
        for path in captures {
            _ = session.answer("")
            try output.begin(session.phase, of: session, asks: false)
            try Self.forEachPacket(of: path) { packet in
                guard case .measuring = session.phase else { return false }
                try session.take(packet)
                try output.show(session)
                return true
            }
            try session.end()
            try output.show(session, isLast: true)
        }
        return session.outcome
    }

    /// Returns the beacons in a capture.
    static func beacons(of path: String) throws -> HeardBeacons {
        var heard = HeardBeacons()
        try forEachPacket(of: path) { packet in
            heard.add(packet)
            return true
        }
        return heard
    }

    /// Calls `body` with each beacon packet of a capture.
    ///
    /// - Parameter body: returns whether to continue.
    private static func forEachPacket(of path: String, _ body: (CalibrationPacket) throws -> Bool) throws {
        var file = try BTSnoopFile(path: path)
        var reader = ReportReader()
        while let batch = try file.next(limit: 256) {
            var packets: [CalibrationPacket] = []
            _ = reader.forEachAdvertisement(in: batch) { report, data in
                if let packet = CalibrationPacket(report, AdvertisingData.decode(data).identity) {
                    packets.append(packet)
                }
            }
            for packet in packets where try !body(packet) { return }
        }
    }
}
