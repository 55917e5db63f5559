import ArgumentParser
import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
import HCI
import Proximity
import SystemIO

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measures the power of a beacon at 1 m, or the offset of an adapter, for correct distances.",
        discussion: """
            Place the beacon 1 m from the antenna, in line of sight and at the height of the antenna, then step aside. \
            The measurement takes 20 s to 2 min. With --also 3m, a second measurement at 3 m follows, which gives the \
            path-loss exponent. The result is merged into the calibration table --output. Ctrl-C quits without writing \
            anything.

            --receiver measures the adapter instead. With a beacon of known measured power, the difference between the \
            measured and the expected RSSI becomes the offset of the adapter.

            EXAMPLE: beacon-gateway calibrate --also 3m
            EXAMPLE: beacon-gateway calibrate --replay at-1m.btsnoop --beacon e2c56db5-.../3/1
            """)

    @Option(
        help: ArgumentHelp(
            "The beacon to measure (default: choose from the beacons received).", valueName: "uuid/major/minor"),
        transform: OptionValue.beacon)
    var beacon: BeaconID?

    @OptionGroup var source: ReportSourceOptions

    @Option(help: ArgumentHelp("Calibration table to update.", valueName: "file"))
    var output = "calibration.toml"

    @Option(
        help: ArgumentHelp("Distance of the beacon, 0.5m to 3m (default: 1m).", valueName: "metres"),
        transform: { try OptionValue.metres($0, in: 0.5...3) })
    var distance = 1.0

    @Option(
        help: ArgumentHelp("Also measure at this distance, at most 10m.", valueName: "metres"),
        transform: { try OptionValue.metres($0, in: 0.5...10) })
    var also: Double?

    @Option(help: ArgumentHelp("With --replay: the capture recorded at the distance --also.", valueName: "file"))
    var replayAlso: String?

    @Flag(help: "Measure the adapter instead of the beacon.")
    var receiver = false

    @Option(
        help: ArgumentHelp("With --replay: address of the adapter that recorded the capture.", valueName: "address"),
        transform: OptionValue.address)
    var receiverAddress: BluetoothAddress?

    @Flag(help: "Start at once, without waiting for the beacon to be placed.")
    var yes = false

    func validate() throws {
        if source.duration != nil { throw ValidationError("calibrate ends by itself: omit --duration.") }
        if let also, also < 1.5 * distance {
            throw ValidationError("--also must be at least 1.5 times as far as --distance.")
        }
        if receiver, also != nil { throw ValidationError("--receiver measures at one distance: omit --also.") }
        if source.replay == nil {
            if replayAlso != nil || receiverAddress != nil {
                throw ValidationError("--replay-also and --receiver-address require --replay.")
            }
            if yes, also != nil {
                throw ValidationError("With --also the beacon has to be moved by hand: omit --yes.")
            }
        } else {
            if let replayAlso, replayAlso == source.replay {
                throw ValidationError("--replay-also must be a different capture, recorded at the second distance.")
            }
            if (also == nil) != (replayAlso == nil) {
                throw ValidationError("With --replay, --also and --replay-also require each other.")
            }
            if receiver, receiverAddress == nil {
                throw ValidationError(
                    "A capture does not name the adapter that recorded it: specify --receiver-address.")
            }
        }
    }

    func run() async throws {
        try await Terminal.run {
            let store = CalibrationStore(path: output)
            // Report problems with the file before anything is measured.
            _ = try store.read()
            let heardBy = source.replay == nil ? try ownAddress() : receiverAddress
            try FileContents.checkReplaceable(store.path)
            let outcome = if let replay = source.replay { try measure(capture: replay) } else { try await measure() }
            guard let outcome else {
                Terminal.note(
                    (Terminal.isInteractive ? "\n" : "") + "interrupted before there was a result; nothing was written")
                throw ExitCode.failure
            }
            try conclude(outcome, store, heardBy: heardBy)
        }
    }

    private var adapter: Adapter { source.adapter ?? Adapter(index: 0) }

    private var distances: [Double] { [distance] + (also.map { [$0] } ?? []) }

    private func measure(capture path: String) throws -> CalibrationOutcome? {
        guard let beacon else {
            let heard = try ReplayedCalibration.beacons(of: path)
            if heard.isEmpty { throw CalibrationError.noBeacons(path: path) }
            for line in heard.lines { try Terminal.print(line) }
            throw CalibrationError.choiceNeeded
        }
        var replayed = ReplayedCalibration(
            CalibrationSession(beacon: beacon, distances: distances, isCapture: true), screen: .standard)
        return try replayed.run([path] + (replayAlso.map { [$0] } ?? []))
    }

    private func measure() async throws -> CalibrationOutcome? {
        let canAsk = Terminal.canAsk
        if beacon != nil, !canAsk, !yes { throw CalibrationError.nobodyToAsk }
        let session = CalibrationSession(beacon: beacon, distances: distances, isCapture: false)
        let result = LockedValue<CalibrationOutcome?>(nil)
        try await source.scan { [yes] scanner in
            var live = LiveCalibration(
                session, radio: scanner, keyboard: canAsk ? try Keyboard.lines() : nil, waits: !yes, screen: .standard)
            let outcome = try await live.run()
            result.withLock { $0 = outcome }
        }
        return result.withLock { $0 }
    }

    private func conclude(
        _ outcome: CalibrationOutcome, _ store: CalibrationStore, heardBy address: BluetoothAddress?
    ) throws {
        let before = try store.read()
        let report =
            if receiver, let address {
                try CalibrationReport(receiver: address, outcome: outcome, table: before)
            } else {
                try CalibrationReport(beacon: outcome, table: before, receiver: address)
            }
        for line in report.lines { try Terminal.print(line) }
        let table = try store.update { table in
            if let row = report.beaconRow { table.beacons[outcome.beacon] = row }
            if let row = report.receiverRow, let address { table.receivers[address] = row }
        }
        for line in report.closing(outcome, path: store.path, table: table) { try Terminal.print(line) }
    }

    /// Returns the adapter's address; `nil` when the kernel does not report it and it is not needed.
    private func ownAddress() throws -> BluetoothAddress? {
        guard receiver else { return (try? Adapters.list())?.first { $0.adapter == adapter }?.address }
        guard let description = try Adapters.list().first(where: { $0.adapter == adapter }) else {
            throw ScannerError.noSuchAdapter(adapter)
        }
        return description.address
    }
}
