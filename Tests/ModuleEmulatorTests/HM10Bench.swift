import ModuleEmulator

/// An HM-10 on the bench: text in, text out, and silence when the test says so.
struct HM10Bench {
    private(set) var emulator: HM10Emulator
    private(set) var chunks: [[UInt8]] = []
    private(set) var scheduled: [(timer: HM10Emulator.Timer, delay: Duration)] = []
    /// The host's rate in bit/s.
    var baud = 9600

    init(_ change: (inout HM10Emulator.Options) -> Void = { _ in }) {
        var options = HM10Emulator.Options()
        change(&options)
        emulator = HM10Emulator(options: options)
    }

    /// Without the silence behind it.
    mutating func type(_ text: String) -> String { type(bytes: Array(text.utf8)) }

    mutating func type(bytes: [UInt8]) -> String { take(emulator.receive(bytes, baud: baud)) }

    /// Types a command, and then nothing for a while.
    mutating func command(_ text: String) -> String { type(text) + settle() }

    /// Sets something, which is to succeed, and resets the module.
    mutating func configure(_ commands: [String]) -> Bool {
        let succeeded = commands.allSatisfy { command($0).hasPrefix("OK+Set:") }
        return command("AT+RESET") == "OK+RESET" && succeeded
    }

    /// Lets everything happen that is due some time.
    mutating func settle() -> String {
        var answer = ""
        while !scheduled.isEmpty { answer += fireNext() }
        return answer
    }

    mutating func fireNext() -> String { take(emulator.fire(scheduled.removeFirst().timer)) }

    mutating func reset() { emulator.reset() }

    mutating func connect() -> String { take(emulator.centralConnects()) }

    mutating func disconnect() -> String { take(emulator.centralDisconnects()) }

    private mutating func take(_ outputs: [HM10Emulator.Output]) -> String {
        var answer = ""
        for output in outputs {
            switch output {
            case .send(let bytes):
                chunks.append(bytes)
                answer.unicodeScalars.append(contentsOf: bytes.map { UnicodeScalar($0) })
            case .schedule(let timer, let delay): scheduled.append((timer, delay))
            }
        }
        return answer
    }
}
