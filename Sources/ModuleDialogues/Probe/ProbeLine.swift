import BeaconModel

/// What a probe knows about its line: the answers that are due, how long answers take, and the current measurement.
struct ProbeLine: Sendable {
    private var parser = ModuleReplyParser()
    /// Number of unanswered commands, which is the maximum number of answers that may still arrive.
    private(set) var outstanding = 0
    /// Whether handshake bytes may have gone to firmware, so that the next line is spoilt.
    var isSpoilt = false
    /// Longest time from a command to its answer.
    private(set) var slowest: Duration = .zero
    /// Time at which the last command was sent.
    private var lastSentAt: Duration = .zero

    // The current measurement.
    private(set) var sentAt: Duration = .zero
    private var heardAt: Duration?
    private(set) var heard: [UInt8] = []
    /// Whether received bytes still belong to the answer that is measured.
    private var isHearing = true

    /// Maximum answer time of a module whose unsolicited messages can be relied on to arrive in time.
    private static let slowestPrompt: Duration = .seconds(1)
    private static let mostHeard = 4096
    private static let mostOutstanding = 1000

    /// Whether the module answers so promptly that a message which is late can be taken as not sent.
    var isPrompt: Bool { slowest < Self.slowestPrompt }

    /// Time to wait for an answer, longer than any answer that is only late.
    var patience: Duration { min(max(.seconds(3), slowest * 2.5 + .seconds(1)), .seconds(13)) }

    // MARK: Measuring

    /// Begins a new measurement: bytes received from now on belong to the current command.
    mutating func begin(at now: Duration) {
        sentAt = now
        heardAt = nil
        heard = []
        isHearing = true
    }

    /// Begins the measurement of a time, with the bytes as they are.
    mutating func restartTime(at now: Duration) { sentAt = now }

    /// Ends the measurement: the bytes that follow belong to no answer.
    mutating func endHearing() { isHearing = false }

    /// The current measurement, up to the first byte or, without one, up to now.
    func measurement(_ sent: String, at now: Duration) -> ProbeFindings.Measurement {
        .init(sent: sent, came: heard, time: (heardAt ?? now) - sentAt)
    }

    /// The current measurement, with a time that ends now although bytes may have come earlier.
    func measurement(_ sent: String, upTo now: Duration) -> ProbeFindings.Measurement {
        .init(sent: sent, came: heard, time: now - sentAt)
    }

    /// Records that the current command took until now to be answered.
    mutating func answered(at now: Duration) { slowest = max(slowest, now - sentAt) }

    /// Records that the last command sent took until now to be answered.
    mutating func answeredLast(at now: Duration) { slowest = max(slowest, now - lastSentAt) }

    // MARK: Bytes

    /// Takes bytes and returns the lines that they complete.
    mutating func receive(_ bytes: [UInt8], at now: Duration) -> [ModuleReply] {
        if heardAt == nil { heardAt = now }
        if isHearing, heard.count < Self.mostHeard { heard += bytes }
        let replies = parser.receive(bytes)
        for reply in replies where reply.isAnswer { outstanding = max(0, outstanding - 1) }
        return replies
    }

    mutating func say(_ command: RS9116Command, at now: Duration) -> LineAction {
        outstanding += 1
        lastSentAt = now
        return .send(command.bytes)
    }

    /// Records a line that was sent for another purpose.
    mutating func saidLine() { outstanding += 1 }

    /// Ends a line that may be spoilt.
    mutating func clean() -> LineAction? {
        guard isSpoilt else { return nil }
        isSpoilt = false
        outstanding += 1
        return .send(Array("\r\n".utf8))
    }

    /// Discards the answers that are due, because none can arrive any more.
    mutating func forgetAnswers() {
        outstanding = 0
        parser = ModuleReplyParser()
    }

    mutating func expect(answers count: Int) { outstanding = count }

    /// Expects more answers than can arrive, so that only a silence ends the wait for them.
    mutating func expectAnything() { outstanding = Self.mostOutstanding }

    /// Discards the state of everything sent before, because the module was reset.
    mutating func forget() {
        forgetAnswers()
        isSpoilt = false
    }
}
