import BeaconModel

/// The dialogue with an HM-10 or HM-11 with iBeacon firmware (HMSoft 5xx).
///
/// Such a module keeps its settings in flash and can be queried for them, so only incorrect settings are written.
/// Assumptions: a command ends with a pause or, on some clones, with CR and LF; settings take effect on the radio after
/// a reset; `AT` while a central is connected ends the connection.
struct HM10Dialogue: ModuleDialogue {
    indirect enum Phase: Equatable, Sendable {
        case idle
        case greeting(Int)
        case askingAddress
        case askingVersion
        case reading(HM10Setting)
        case awaitingAssignment
        case setting(HM10Setting)
        case sendingReset
        case restarting
        /// Waiting for outstanding answers to repeated commands, which must not be taken for answers to the next one.
        case draining(then: Phase)
        case watching
        case identifying(questionsLeft: Int)
        case ended
    }

    struct Greeting {
        var baudRate: Int
        var lineEnd: String
        var patience: Duration = .milliseconds(250)
    }

    /// Rates and line ends at which the module is tried; 9600 is its default. The forms with a line end come first,
    /// twice: a clone that needs one treats whatever came before it as part of the command.
    private static let greetings: [Greeting] =
        [9600, 115_200, 9600, 57_600, 38_400, 19_200, 230_400, 4800, 2400, 1200, 9600]
        .flatMap { rate in ["\r\n", "\r\n", ""].map { Greeting(baudRate: rate, lineEnd: $0) } }
        // Some modules take a while to detect the end of a command. The first of these ends whatever came before.
        + Array(repeating: Greeting(baudRate: 9600, lineEnd: "", patience: .seconds(1)), count: 2)

    static let longestAnswer = 256
    static let mostRestarts = 2
    static let mostRepeats = 2
    /// Pause that ends an answer; bytes that follow each other sooner belong to the same one.
    static let pauseAfterAnswer: Duration = .milliseconds(60)
    private static let patience: Duration = .milliseconds(500)

    let pace: ModuleKind.Pace
    var phase = Phase.idle
    var baudRate = 115_200
    private var lineEnd = ""
    var heard: [UInt8] = []
    var bytesHeard = 0
    var repeats = 0
    /// Number of commands whose answers may still arrive.
    var owedAnswers = 0
    var restarts = 0
    var address: BluetoothAddress?
    var firmware = ""
    var found = HM10Configuration()
    var assignment: BeaconConfiguration?
    var isWatching = false
    var wasSet = false
    /// Whether the caller waits for the report that the module does what it should.
    var owesNews = true
    /// Whether the module must be reset once the current check is complete.
    var shallReset = false
    /// Whether the settings to write come from a new assignment, so that a difference is not a change by another party.
    var isNewlyAssigned = false

    init(pace: ModuleKind.Pace = .init()) { self.pace = pace }

    mutating func handle(_ input: LineInput<ModuleRequest>, now: Duration) -> [ModuleStep] {
        switch input {
        case .opened:
            let loss: [ModuleStep] = isWatching ? [.lost(.reset)] : []
            owesNews = true
            return loss + greet(0)
        case .bytes(let bytes): return received(bytes)
        case .deadline: return deadlinePassed()
        case .leave: return [.finished]
        case .request(let request): return handle(request)
        }
    }

    private mutating func handle(_ request: ModuleRequest) -> [ModuleStep] {
        switch request {
        case .assigned(let configuration): return assigned(configuration)
        // An HM-10 cannot listen.
        case .listen: return []
        case .check: return phase == .watching ? ask(.askingAddress) : []
        case .provisionAgain:
            guard assignment != nil, phase != .ended else { return [] }
            owesNews = true
            guard phase == .watching else {
                shallReset = true
                return []
            }
            wasSet = true
            return ask(.sendingReset)
        case .identify:
            guard phase == .watching else { return [] }
            return ask(.identifying(questionsLeft: 50))
        }
    }

    // MARK: Queries

    func command(for phase: Phase) -> String? {
        switch phase {
        case .greeting: "AT"
        case .askingAddress, .identifying: "AT+ADDR?"
        case .askingVersion: "AT+VERR?"
        case .reading(let setting): setting.question
        case .setting(let setting): wanted?.values[setting].map { setting.command($0) }
        case .sendingReset: "AT+RESET"
        case .idle, .awaitingAssignment, .restarting, .draining, .watching, .ended: nil
        }
    }

    mutating func ask(_ phase: Phase) -> [ModuleStep] {
        repeats = 0
        guard owedAnswers > 0 else { return send(phase) }
        let patience = Self.patience * (owedAnswers + 1)
        owedAnswers = 0
        self.phase = .draining(then: phase)
        return [.wait(patience)]
    }

    mutating func send(_ phase: Phase) -> [ModuleStep] {
        self.phase = phase
        heard.removeAll()
        guard let command = command(for: phase) else { return [] }
        var patience = Self.patience
        if case .greeting(let index) = phase { patience = Self.greetings[index].patience } else { owedAnswers += 1 }
        return [.send(Array((command + lineEnd).utf8)), .wait(patience)]
    }

    mutating func greet(_ index: Int) -> [ModuleStep] {
        guard Self.greetings.indices.contains(index) else {
            return fail(bytesHeard > 0 ? .unintelligible(bytes: bytesHeard) : .silent)
        }
        let greeting = Self.greetings[index]
        lineEnd = greeting.lineEnd
        let change: [ModuleStep] = greeting.baudRate == baudRate ? [] : [.setBaudRate(greeting.baudRate)]
        baudRate = greeting.baudRate
        owedAnswers = 0
        return change + send(.greeting(index))
    }
}
