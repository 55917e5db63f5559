import ModuleEmulator

/// The part of Tera Term's macro language that the scripts use, from its help, with an emulated module at the other end
/// of the line and time that is a number. Whatever it doesn't know is an error.
struct MacroInterpreter {
    struct Message: Equatable {
        var text: String
        var title: String
    }

    enum Fault: Error, Equatable {
        case syntax(line: Int, String)
        /// It runs for ever.
        case tooLong
    }

    var module: any EmulatedFirmware
    /// What "Setup > Terminal > New-line > Transmit" says.
    var newLine = "\r\n"
    private(set) var messages: [Message] = []
    private(set) var sent: [UInt8] = []
    private(set) var now: Duration = .zero

    private let lines: [[MacroToken]]
    private let baudRate: Int
    private var labels: [String: Int] = [:]
    private var integers: [String: Int] = ["result": 0, "timeout": 0]
    private var strings: [String: [UInt8]] = [:]
    private var received: [UInt8] = []
    private var timers: [(at: Duration, timer: ModuleTimer)] = []

    private static let mostSteps = 5000

    init(_ text: String, module: any EmulatedFirmware, baudRate: Int) throws {
        self.module = module
        self.baudRate = baudRate
        var lines: [[MacroToken]] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.utf8.count <= 255 else { throw Fault.syntax(line: number, "longer than 255 characters") }
            let tokens = try MacroToken.read(line, number)
            if case .label(let name)? = tokens.first {
                guard labels[name] == nil, name.utf8.count <= 32 else { throw Fault.syntax(line: number, name) }
                labels[name] = number
            }
            lines.append(tokens)
        }
        self.lines = lines
    }

    mutating func run() throws {
        var line = 0
        for _ in 0..<Self.mostSteps {
            guard lines.indices.contains(line) else { return }
            guard let next = try execute(lines[line][...], line) else { return }
            line = next
        }
        throw Fault.tooLong
    }

    /// - Returns: the next line; `nil` at the end.
    private mutating func execute(_ tokens: ArraySlice<MacroToken>, _ line: Int) throws -> Int? {
        guard let first = tokens.first else { return line + 1 }
        if case .label = first { return line + 1 }
        guard case .word(let word) = first else { throw Fault.syntax(line: line, "\(first)") }
        let rest = tokens.dropFirst()
        if rest.first == .symbol("=") {
            try assign(word, rest.dropFirst(), line)
            return line + 1
        }
        switch word {
        case "testlink": integers["result"] = 2
        case "flushrecv": received = []
        case "end": return nil
        case "goto":
            guard case .word(let label)? = rest.first, rest.count == 1, let target = labels[label] else {
                throw Fault.syntax(line: line, "goto")
            }
            return target
        case "if":
            let (value, command) = try condition(rest, line)
            return value ? try execute(command, line) : line + 1
        case "send": try send(rest, line)
        case "sendln":
            try send(rest, line)
            write(Array(newLine.utf8))
        case "wait": try wait(rest, line)
        case "pause": pass(.seconds(try integer(rest, line)))
        case "mpause": pass(.milliseconds(try integer(rest, line)))
        case "messagebox":
            let texts = try rest.map { String(decoding: try string($0, line), as: UTF8.self) }
            guard texts.count == 2 else { throw Fault.syntax(line: line, word) }
            messages.append(Message(text: texts[0], title: texts[1]))
        default: throw Fault.syntax(line: line, word)
        }
        return line + 1
    }

    // MARK: Values

    private mutating func assign(_ name: String, _ value: ArraySlice<MacroToken>, _ line: Int) throws {
        guard name.utf8.count <= 32 else { throw Fault.syntax(line: line, name) }
        if case .string(let text)? = value.first {
            guard value.count == 1, integers[name] == nil else { throw Fault.syntax(line: line, name) }
            strings[name] = text
        } else {
            guard strings[name] == nil else { throw Fault.syntax(line: line, name) }
            integers[name] = try integer(value, line)
        }
    }

    /// A number, a variable, or the sum of two.
    private func integer(_ tokens: ArraySlice<MacroToken>, _ line: Int) throws -> Int {
        let values = try tokens.filter { $0 != .symbol("+") }.map { try integer($0, line) }
        guard values.count == 1 || (values.count == 2 && tokens.dropFirst().first == .symbol("+")) else {
            throw Fault.syntax(line: line, "\(tokens)")
        }
        return values.reduce(0, +)
    }

    private func integer(_ token: MacroToken, _ line: Int) throws -> Int {
        switch token {
        case .integer(let value): return value
        case .word(let name):
            guard let value = integers[name] else { throw Fault.syntax(line: line, name) }
            return value
        default: throw Fault.syntax(line: line, "\(token)")
        }
    }

    private func string(_ token: MacroToken, _ line: Int) throws -> [UInt8] {
        switch token {
        case .string(let text): return text
        case .word(let name):
            guard let text = strings[name] else { throw Fault.syntax(line: line, name) }
            return text
        default: throw Fault.syntax(line: line, "\(token)")
        }
    }

    private func condition(
        _ tokens: ArraySlice<MacroToken>, _ line: Int
    ) throws -> (value: Bool, command: ArraySlice<MacroToken>) {
        let parts = Array(tokens.prefix(3))
        guard parts.count == 3, case .symbol(let sign) = parts[1] else { throw Fault.syntax(line: line, "if") }
        let (left, right) = (try integer(parts[0], line), try integer(parts[2], line))
        let value =
            switch sign {
            case "=": left == right
            case "<": left < right
            case ">": left > right
            default: throw Fault.syntax(line: line, "\(sign)")
            }
        return (value, tokens.dropFirst(3))
    }

    // MARK: The line

    private mutating func send(_ tokens: ArraySlice<MacroToken>, _ line: Int) throws {
        for token in tokens {
            if case .integer(let value) = token {
                write([UInt8(truncatingIfNeeded: value)])
            } else {
                write(try string(token, line))
            }
        }
    }

    private mutating func write(_ bytes: [UInt8]) {
        sent += bytes
        perform(module.receive(bytes, baud: baudRate))
    }

    private mutating func perform(_ outputs: [ModuleOutput]) {
        for output in outputs {
            switch output {
            case .send(let bytes): received += bytes
            case .schedule(let timer, let delay): timers.append((now + delay, timer))
            }
        }
    }

    /// - Returns: whether anything happened before `limit`.
    private mutating func fireNext(before limit: Duration) -> Bool {
        guard let index = timers.indices.min(by: { timers[$0].at < timers[$1].at }), timers[index].at <= limit else {
            now = limit
            return false
        }
        let (time, timer) = timers.remove(at: index)
        now = max(now, time)
        perform(module.fire(timer))
        return true
    }

    private mutating func pass(_ duration: Duration) {
        let end = now + duration
        while fireNext(before: end) {}
    }

    /// What comes behind the words that were waited for stays for the next command.
    private mutating func wait(_ tokens: ArraySlice<MacroToken>, _ line: Int) throws {
        let words = try tokens.map { try string($0, line) }
        guard (1...10).contains(words.count), let timeout = integers["timeout"], timeout > 0 else {
            throw Fault.syntax(line: line, "wait")
        }
        let end = now + .seconds(timeout)
        var heard: [UInt8] = []
        while true {
            while !received.isEmpty {
                heard.append(received.removeFirst())
                if let index = words.firstIndex(where: { heard.suffix($0.count) == $0[...] }) {
                    integers["result"] = index + 1
                    return
                }
            }
            guard fireNext(before: end) else {
                integers["result"] = 0
                return
            }
        }
    }
}
