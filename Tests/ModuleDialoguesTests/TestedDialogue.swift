@testable import ModuleDialogues

/// Any of the dialogues, with its deadlines.
enum TestedDialogue {
    case module(TimedModuleDialogue)
    case receiver(TimedDialogue<RS9116ReceiverDialogue.Request, RS9116ReceiverDialogue.Output>)
    case probe(TimedDialogue<Never, ProbeEvent>)

    enum Output: Equatable {
        case module(ModuleDialogueEvent)
        case receiver(RS9116ReceiverDialogue.Output)
        case probe(ProbeEvent)
    }

    var isOver: Bool {
        switch self {
        case .module(let dialogue): dialogue.isOver
        case .receiver(let dialogue): dialogue.isOver
        case .probe(let dialogue): dialogue.isOver
        }
    }

    var nextDeadline: Duration? {
        switch self {
        case .module(let dialogue): dialogue.nextDeadline
        case .receiver(let dialogue): dialogue.nextDeadline
        case .probe(let dialogue): dialogue.nextDeadline
        }
    }

    /// A request is for a module's dialogue; the others ignore it.
    mutating func handle(_ input: LineInput<ModuleRequest>, now: Duration) -> [LineStep<Output>] {
        switch self {
        case .module(var dialogue):
            defer { self = .module(dialogue) }
            return dialogue.handle(input, now: now).map { $0.map(Output.module) }
        case .receiver(var dialogue):
            guard let input: LineInput<RS9116ReceiverDialogue.Request> = input.ofLine() else { return [] }
            defer { self = .receiver(dialogue) }
            return dialogue.handle(input, now: now).map { $0.map(Output.receiver) }
        case .probe(var dialogue):
            guard let input: LineInput<Never> = input.ofLine() else { return [] }
            defer { self = .probe(dialogue) }
            return dialogue.handle(input, now: now).map { $0.map(Output.probe) }
        }
    }

    mutating func stopReceiving(now: Duration) -> [LineStep<Output>] {
        guard case .receiver(var dialogue) = self else { return [] }
        defer { self = .receiver(dialogue) }
        return dialogue.handle(.request(.stop), now: now).map { $0.map(Output.receiver) }
    }

    mutating func advance(to now: Duration) -> [LineStep<Output>] {
        switch self {
        case .module(var dialogue):
            defer { self = .module(dialogue) }
            return dialogue.advance(to: now).map { $0.map(Output.module) }
        case .receiver(var dialogue):
            defer { self = .receiver(dialogue) }
            return dialogue.advance(to: now).map { $0.map(Output.receiver) }
        case .probe(var dialogue):
            defer { self = .probe(dialogue) }
            return dialogue.advance(to: now).map { $0.map(Output.probe) }
        }
    }
}

extension LineStep {
    fileprivate func map<Other>(_ body: (Output) -> Other) -> LineStep<Other> {
        switch self {
        case .line(let action): .line(action)
        case .output(let output): .output(body(output))
        }
    }
}

extension LineInput {
    /// The same input to a dialogue with other requests; `nil` for a request.
    fileprivate func ofLine<Other>() -> LineInput<Other>? {
        switch self {
        case .opened: .opened
        case .bytes(let bytes): .bytes(bytes)
        case .deadline: .deadline
        case .leave: .leave
        case .request: nil
        }
    }
}
