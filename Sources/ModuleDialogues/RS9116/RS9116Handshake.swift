/// The attempts to get a first answer from a module, in order, and the current position among them.
package struct RS9116Handshake: Equatable, Sendable {
    package enum Attempt: Equatable, Sendable {
        /// A byte by which the boot loader measures the speed of the line.
        case handshake(UInt8, baudRate: Int)
        /// A query whether firmware is already running.
        case question(baudRate: Int, patience: Duration)
        case pulse
    }

    private let attempts: [Attempt]
    private var index = 0
    /// The handshake byte that was last sent.
    package private(set) var byte: UInt8 = 0

    /// Rates other than the default that an RS9116 can have, the likely ones first.
    static let otherRates = [921_600, 9600, 460_800, 230_400, 57_600, 38_400, 19_200]

    enum Start: Sendable {
        /// The state of the module is unknown.
        case unknown
        /// The module was reset. Its boot loader waits for a handshake, or is bypassed, in which case firmware starts
        /// some time later.
        case eitherAfterReset
        /// The module was reset, and its boot loader is not bypassed.
        case bootLoader

        /// Times to wait for answers to the first queries.
        var patience: [Duration] {
            switch self {
            case .unknown: [.milliseconds(300)]
            case .eitherAfterReset: [.milliseconds(300), .milliseconds(700), .seconds(1), .seconds(1)]
            case .bootLoader: []
            }
        }
    }

    /// Creates the sequence of attempts.
    ///
    /// - Parameter wanted: the requested speed; `nil` for the default.
    init(profile: RS9116Profile, start: Start = .unknown, wanted: Int? = nil) {
        let rate = RS9116Session.baudRate
        // The manufacturer's byte comes first, then that of older boot loaders. A byte that is known not to work is
        // still tried in each round, because the profile may belong to another module.
        let bytes = [RS9116BootLoader.handshake, RS9116BootLoader.olderHandshake]
        let (first, second) = profile.assumes(.handshakeWith7C) ? (bytes[0], bytes[1]) : (bytes[1], bytes[0])
        func handshakes(_ byte: UInt8, _ count: Int) -> [Attempt] {
            Array(repeating: .handshake(byte, baudRate: rate), count: count)
        }
        let firstHandshakes = handshakes(first, 5)
        // Running firmware answers the query at once. The query comes first because a handshake byte would spoil the
        // first command that the firmware receives; it would then use binary mode until its next reset.
        var attempts: [Attempt] = start.patience.map { .question(baudRate: rate, patience: $0) }
        if let wanted, wanted != rate {
            // Firmware may already run at this speed. A boot loader that does not support it sends nothing
            // intelligible.
            if start == .unknown { attempts.append(.question(baudRate: wanted, patience: .milliseconds(300))) }
            attempts += Array(repeating: .handshake(first, baudRate: wanted), count: 3)
        }
        let round = firstHandshakes + [.question(baudRate: rate, patience: .seconds(1))] + handshakes(second, 5)
        attempts += round
        for other in Self.otherRates {
            attempts += [
                .question(baudRate: other, patience: .milliseconds(400)), .handshake(first, baudRate: other),
            ]
        }
        // On some boards these lines reset the module, which is the only remedy when it is stuck in binary mode.
        if profile.assumes(.controlLinesReset) { attempts.append(.pulse) }
        attempts += round + round
        self.attempts = attempts
        note()
    }

    /// The current attempt; `nil` after the last one.
    package var attempt: Attempt? { index < attempts.count ? attempts[index] : nil }

    var asksFirmware: Bool {
        if case .question? = attempt { true } else { false }
    }

    package var next: RS9116Handshake {
        var next = self
        next.index += 1
        next.note()
        return next
    }

    private mutating func note() {
        if case .handshake(let byte, _)? = attempt { self.byte = byte }
    }
}
