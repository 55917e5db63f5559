import BeaconModel

/// The dialogue with an HM-10 or HM-11 with iBeacon firmware (HMSoft 5xx).
///
/// Such a module keeps its settings in flash and can be queried for them, so only incorrect settings are written.
/// Assumptions: a command ends with a pause or, on some clones, with CR and LF; settings take effect on the radio after
/// a reset; `AT` while a central is connected ends the connection.
struct HM10Dialogue: ModuleDialogue {
    private indirect enum Phase: Equatable, Sendable {
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

    private struct Greeting {
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

    private static let longestAnswer = 256
    private static let mostRestarts = 2
    private static let mostRepeats = 2
    /// Pause that ends an answer; bytes that follow each other sooner belong to the same one.
    static let pauseAfterAnswer: Duration = .milliseconds(60)
    private static let patience: Duration = .milliseconds(500)

    private let pace: ModuleKind.Pace
    private var phase = Phase.idle
    private var baudRate = 115_200
    private var lineEnd = ""
    private var heard: [UInt8] = []
    private var bytesHeard = 0
    private var repeats = 0
    /// Number of commands whose answers may still arrive.
    private var owedAnswers = 0
    private var restarts = 0
    private var address: BluetoothAddress?
    private var firmware = ""
    private var found = HM10Configuration()
    private var assignment: BeaconConfiguration?
    private var isWatching = false
    private var wasSet = false
    /// Whether the caller waits for the report that the module does what it should.
    private var owesNews = true
    /// Whether the module must be reset once the current check is complete.
    private var shallReset = false
    /// Whether the settings to write come from a new assignment, so that a difference is not a change by another party.
    private var isNewlyAssigned = false

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

    private func command(for phase: Phase) -> String? {
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

    private mutating func ask(_ phase: Phase) -> [ModuleStep] {
        repeats = 0
        guard owedAnswers > 0 else { return send(phase) }
        let patience = Self.patience * (owedAnswers + 1)
        owedAnswers = 0
        self.phase = .draining(then: phase)
        return [.wait(patience)]
    }

    private mutating func send(_ phase: Phase) -> [ModuleStep] {
        self.phase = phase
        heard.removeAll()
        guard let command = command(for: phase) else { return [] }
        var patience = Self.patience
        if case .greeting(let index) = phase { patience = Self.greetings[index].patience } else { owedAnswers += 1 }
        return [.send(Array((command + lineEnd).utf8)), .wait(patience)]
    }

    private mutating func greet(_ index: Int) -> [ModuleStep] {
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

    // MARK: Receiving

    private mutating func received(_ bytes: [UInt8]) -> [ModuleStep] {
        guard phase != .ended, phase != .idle else { return [] }
        bytesHeard += bytes.count
        heard += bytes
        if heard.count > Self.longestAnswer { heard.removeFirst(heard.count - Self.longestAnswer) }
        // Bytes sent before a restart are noise.
        switch phase {
        case .restarting, .draining: return []
        default: return [.wait(Self.pauseAfterAnswer)]
        }
    }

    private mutating func deadlinePassed() -> [ModuleStep] {
        let answer = String(
            decoding: heard.filter { $0 > 0x20 && $0 < 0x7F || $0 == 0x20 }, as: UTF8.self)
        heard.removeAll()
        switch phase {
        case .idle, .ended, .awaitingAssignment: return []
        case .greeting(let index): return answer.contains("OK") ? greeted(answer) : greet(index + 1)
        case .restarting: return greet(0)
        case .draining(let next): return send(next)
        case .watching:
            if answer.contains("OK+CONN") {
                // `AT` disconnects the central.
                owesNews = true
                return [.lost(.central)] + ask(.greeting(0))
            }
            return ask(.askingAddress)
        default: break
        }
        if answer.isEmpty || !understood(answer) {
            repeats += 1
            return repeats <= Self.mostRepeats ? send(phase) : unanswered()
        }
        owedAnswers = max(0, owedAnswers - 1)
        return answered(answer)
    }

    private func understood(_ answer: String) -> Bool {
        switch phase {
        case .askingAddress, .identifying: Self.address(answer) != nil
        case .reading: Self.value(answer) != nil
        case .setting: answer.contains("OK+Set")
        case .sendingReset: answer.contains("OK+RESET")
        default: true
        }
    }

    private mutating func greeted(_ answer: String) -> [ModuleStep] {
        let steps: [ModuleStep] = isWatching ? [] : [.report(.greeted(baudRate: baudRate))]
        return steps + ask(.askingAddress)
    }

    private mutating func answered(_ answer: String) -> [ModuleStep] {
        switch phase {
        case .askingAddress:
            let before = address
            address = Self.address(answer)
            if before != nil, before != address { assignment = nil }
            if isWatching, before == address { return ask(.reading(.uuid0)) }
            isWatching = false
            return address.map { [.report(.address($0))] + ask(.askingVersion) } ?? []
        case .askingVersion:
            firmware = answer
            return [.report(.firmwareVersion(answer))] + ask(.reading(.uuid0))
        case .reading(let setting):
            found.values[setting] = Self.value(answer)
            return readNext(after: setting)
        case .setting(let setting):
            wasSet = true
            return setNext(after: setting)
        case .sendingReset: return restart()
        case .identifying(let left):
            return left > 0 ? send(.identifying(questionsLeft: left - 1)) : watch()
        default: return []
        }
    }

    private mutating func unanswered() -> [ModuleStep] {
        switch phase {
        case .askingVersion: return ask(.reading(.uuid0))
        case .reading(let setting):
            // This firmware does not know the setting.
            found.values[setting] = nil
            return readNext(after: setting)
        case .sendingReset: return restart()
        case .setting(let setting):
            return fail(.settingRefused(command: command(for: .setting(setting)) ?? setting.rawValue))
        default:
            restarts += 1
            guard restarts <= Self.mostRestarts else {
                return fail(.timedOut(command: command(for: phase) ?? "AT", purpose: "identify the module"))
            }
            if isWatching { owesNews = true }
            let loss: [ModuleStep] = isWatching ? [.lost(.central)] : [.report(.retrying("no answer"))]
            return loss + greet(0)
        }
    }

    // MARK: Comparing and setting

    private var wanted: HM10Configuration? {
        assignment.map { HM10Configuration($0) }
    }

    private mutating func readNext(after setting: HM10Setting) -> [ModuleStep] {
        if let next = Self.next(after: setting) {
            // One of the two names is enough.
            if next == .measuredPowerOfClones, found.values[.measuredPower] != nil { return readNext(after: next) }
            return ask(.reading(next))
        }
        guard assignment != nil else { return identified() }
        return compare()
    }

    private static func next(after setting: HM10Setting) -> HM10Setting? {
        let all = HM10Setting.allCases
        return all.firstIndex(of: setting).flatMap { all.indices.contains($0 + 1) ? all[$0 + 1] : nil }
    }

    private mutating func identified() -> [ModuleStep] {
        guard let address else { return greet(0) }
        phase = .awaitingAssignment
        // The transmit power is included; whether it matters depends on the inventory.
        return [
            .identified(
                ModuleIdentity(
                    address: address, firmware: firmware,
                    applied: .readBack(found.configuration(withTransmitPower: true))))
        ]
    }

    private mutating func assigned(_ configuration: BeaconConfiguration?) -> [ModuleStep] {
        guard phase != .ended else { return [] }
        guard let configuration else {
            phase = .ended
            return [.finished]
        }
        let before = assignment
        assignment = configuration
        owesNews = true
        isNewlyAssigned = before != nil && before != configuration
        switch phase {
        case .awaitingAssignment: return compare()
        case .watching: return ask(.askingAddress)
        default: return []
        }
    }

    private func differs(_ setting: HM10Setting) -> Bool {
        guard let value = wanted?.values[setting] else { return false }
        return found.values[setting] != value
    }

    private func isEssential(_ setting: HM10Setting) -> Bool {
        switch setting {
        case .advertisingType, .transmitPower: false
        case .measuredPower: found.values[.measuredPowerOfClones] == nil
        case .measuredPowerOfClones: found.values[.measuredPower] == nil
        default: true
        }
    }

    private mutating func compare() -> [ModuleStep] {
        guard let assignment, let address else { return greet(0) }
        let missing = HM10Setting.allCases.filter { differs($0) && found.values[$0] == nil }
        // Without these settings a module advertises the wrong data; without the others it only advertises it
        // differently.
        if let essential = missing.first(where: { isEssential($0) }) {
            return fail(.settingRefused(command: essential.question))
        }
        guard HM10Setting.allCases.contains(where: { differs($0) && !missing.contains($0) }) else {
            restarts = 0
            let type: AdvertisingType = found.values[.advertisingType] == 3 ? .nonConnectable : .connectable
            let isUnchanged = !wasSet
            if shallReset {
                shallReset = false
                wasSet = true
                return ask(.sendingReset)
            }
            let isNews = owesNews || wasSet
            owesNews = false
            isNewlyAssigned = false
            wasSet = false
            let step: ProvisioningStep = isUnchanged ? .unchanged : .advertising(type, assignment.interval)
            let module = ProvisionedModule(
                address: address, firmware: firmware, configuration: assignment, advertisingType: type,
                isUnchanged: isUnchanged)
            let news: [ModuleStep] = isNews ? [.report(step), .provisioned(module)] : []
            return news + watch()
        }
        if wasSet, restarts >= Self.mostRestarts {
            let setting = HM10Setting.allCases.first { differs($0) } ?? .isBeacon
            return fail(.settingRefused(command: setting.command(wanted?.values[setting] ?? 0)))
        }
        if wasSet { restarts += 1 }
        let loss: [ModuleStep] = isWatching && !wasSet && !isNewlyAssigned ? [.lost(.changed)] : []
        if !loss.isEmpty { owesNews = true }
        return loss + setNext(after: nil)
    }

    private mutating func setNext(after setting: HM10Setting?) -> [ModuleStep] {
        let all = HM10Setting.allCases
        let start = setting.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        guard let next = all[start...].first(where: { differs($0) && found.values[$0] != nil }) else {
            return ask(.sendingReset)
        }
        return ask(.setting(next))
    }

    private mutating func restart() -> [ModuleStep] {
        phase = .restarting
        return [.report(.resetting), .wait(.seconds(1))]
    }

    private mutating func watch() -> [ModuleStep] {
        isWatching = true
        phase = .watching
        return [.wait(pace.checkInterval)]
    }

    private mutating func fail(_ error: ProvisioningError) -> [ModuleStep] {
        phase = .ended
        return [.failed(error)]
    }

    // MARK: Reading answers

    /// Parses `OK+ADDR:883314DD1AE8`, also with colons.
    private static func address(_ answer: String) -> BluetoothAddress? {
        guard let colon = answer.firstIndex(of: ":"), answer.contains("ADDR") else { return nil }
        let digits = answer[colon...].filter(\.isHexDigit)
        guard digits.utf8.count == 12, let bits = UInt64(digits, radix: 16) else { return nil }
        return BluetoothAddress(bits: bits)
    }

    /// Parses `OK+Get:0x0003`.
    private static func value(_ answer: String) -> UInt32? {
        guard let start = answer.range(of: "OK+Get:") else { return nil }
        return HM10Setting.value(String(answer[start.upperBound...].filter { !$0.isWhitespace }))
    }
}

extension String {
    /// Returns the range of the first occurrence of `text`.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
