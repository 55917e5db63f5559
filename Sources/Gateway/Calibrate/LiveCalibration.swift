import Advertisement
import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
import GatewayDaemon
import HCI

/// Calibration with a radio and, optionally, a user at a terminal.
struct LiveCalibration {
    private let radio: any RadioSource
    /// Typed lines; `nil` without a user.
    private let keyboard: AsyncStream<String>?
    /// Whether to wait for the user to confirm that the beacon is in its place.
    private let waits: Bool
    private var session: CalibrationSession
    private var output: CalibrationOutput
    private var reader = ReportReader()
    private var hasBegun = false

    private enum Input: Sendable {
        case radio(AdapterScanner.Event)
        /// Typed line; `nil` at the end of the input.
        case line(String?)
    }

    /// Creates a calibration.
    ///
    /// - Parameter waits: whether to wait for the user to confirm that the beacon is in its place.
    init(
        _ session: CalibrationSession, radio: any RadioSource, keyboard: AsyncStream<String>?, waits: Bool,
        screen: CalibrationScreen
    ) {
        self.session = session
        self.radio = radio
        self.keyboard = keyboard
        self.waits = waits
        output = CalibrationOutput(screen)
    }

    /// Runs the calibration to its result, and returns when scanning is off.
    ///
    /// - Returns: the result; `nil` when the user or a signal ended the calibration.
    /// - Throws: `CalibrationError`, `ScannerError`, `OutputClosed`.
    mutating func run() async throws -> CalibrationOutcome? {
        let (inputs, continuation) = AsyncThrowingStream<Input, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(4096))
        let events = try radio.events()
        let pump = Task {
            do {
                for try await event in events { continuation.yield(.radio(event)) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        let typing = keyboard.map { lines in
            Task {
                for await line in lines { continuation.yield(.line(line)) }
                continuation.yield(.line(nil))
            }
        }
        defer {
            pump.cancel()
            typing?.cancel()
        }
        var failure: (any Error)?
        var isEnding = false
        // Read to the end of the events, when the controller no longer scans.
        for try await input in inputs where !isEnding {
            do {
                isEnding = try !take(input)
            } catch {
                failure = error
                isEnding = true
            }
            if isEnding { radio.stop() }
        }
        if let failure { throw failure }
        return session.outcome
    }

    /// Handles an input.
    ///
    /// - Returns: whether to continue.
    private mutating func take(_ input: Input) throws -> Bool {
        switch input {
        case .line(nil): return false
        case .line(let line?):
            let phase = session.phase
            // Typed before anything was asked.
            if !hasBegun { break }
            if case .measuring = phase { break }
            if session.answer(String(line.filter { !$0.isWhitespace }.prefix(10))) {
                try follow(from: phase)
            } else {
                try output.ask(phase)
            }
        case .radio(.state(let state)):
            if state.mode != nil, let error = state.error {
                Terminal.note("\(error.inOneLine); waiting for it to return")
            } else if state.condition != .starting, state.error == nil {
                try beginOnce()
            }
        case .radio(.packets(let batch)):
            try beginOnce()
            try take(batch)
        case .radio(.silence(let now, _)): try step { session throws(CalibrationError) in try session.advance(to: now) }
        }
        if case .measuring = session.phase { try output.show(session) }
        return session.phase != .finished
    }

    /// Begins the session once the radio receives.
    private mutating func beginOnce() throws {
        guard !hasBegun else { return }
        hasBegun = true
        try enter()
    }

    private mutating func take(_ batch: HCIPacketBatch) throws {
        var packets: [CalibrationPacket] = []
        _ = reader.forEachAdvertisement(in: batch) { report, data in
            if let packet = CalibrationPacket(report, AdvertisingData.decode(data).identity) { packets.append(packet) }
        }
        for packet in packets {
            try step { session throws(CalibrationError) in try session.take(packet) }
        }
        if let time = batch.lastTime {
            try step { session throws(CalibrationError) in try session.advance(to: time) }
        }
    }

    private mutating func step(
        _ body: (inout CalibrationSession) throws(CalibrationError) -> Void
    ) throws {
        let phase = session.phase
        try body(&session)
        try follow(from: phase)
    }

    /// Announces the new phase, if the phase has changed.
    private mutating func follow(from phase: CalibrationSession.Phase) throws {
        guard session.phase != phase else { return }
        if case .measuring = phase { try output.show(session, isLast: true) }
        try enter()
    }

    private mutating func enter() throws {
        try output.begin(session.phase, of: session, asks: waits)
        switch session.phase {
        case .choosing where keyboard == nil: throw CalibrationError.choiceNeeded
        case .placing where !waits:
            _ = session.answer("")
            try enter()
        default: break
        }
    }
}
