// The words of a fleet. The supervision itself knows none.

extension Fleet.Outcome {
    /// The outcome as text: the result of the command, or the reason why nothing was done.
    public var text: String {
        switch self {
        case .advertises(isUnchanged: true), .advertisesAlready(isHeard: true): "it already advertises as specified"
        case .advertises(isUnchanged: false): "it advertises"
        case .advertisesAlready(isHeard: false):
            "it already advertises as specified by its own account, but it is not received"
        case .identifies: "the lights of its serial adapter flicker"
        case .unknownModule(let name, let known):
            "there is no module \(name); the modules are \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        case .notPluggedIn: "the module is not connected"
        case .unplugged: "the module was unplugged"
        case .tooManyWaiting(let count): "\(count) commands are already waiting"
        case .doesNotAnswer: "the module does not answer at present"
        case .otherModuleOnPort: "another module is on its port"
        case .removedFromInventory: "the inventory no longer has it"
        case .failed(let failure): failure.what
        }
    }
}

extension Fleet.Reply {
    /// Whether the module does what the command asks for.
    public var succeeded: Bool { outcome.succeeded }

    /// The result of the command, or the reason why nothing was done.
    public var text: String { outcome.text }
}

extension ModuleStatus.Problem {
    /// The problem as text for display, in one line.
    public var what: String {
        switch self {
        case .failed(let failure): failure.what
        case .notInInventory: "the module is not in the inventory, or its row is bound to another module"
        case .rowIsGone(let row):
            "the module is bound to the row \(row), which is no longer an \"any\" row of the inventory"
        case .notHeard: "the module reports that it advertises, but only other devices are received"
        case .duplicated(let count):
            "its identity is also advertised by other devices: \(count) besides the module itself"
        case .doesNotListen: "the module does not listen: its firmware does not support the command"
        case .listeningUnproven: "the module receives nothing, and its firmware does not report whether it listens"
        }
    }

    /// What an operator can do about the problem.
    public var remedy: String? {
        switch self {
        case .failed(let failure): failure.remedy
        case .notInInventory: "add a row for it, or one with module = any"
        case .rowIsGone(let row):
            "restore the row, add a row for the module's address, or stop the gateway and run "
                + "`beacon-gateway provision --config FILE --apply --rebind \(row)`"
        case .notHeard: "check for metal near its antenna; unplug it and plug it in again; otherwise replace it"
        case .duplicated: "give one of them another minor; `beacon-gateway verify` shows their addresses"
        case .doesNotListen: "install newer firmware, or remove listen = true from its row"
        case .listeningUnproven: "bring a beacon near it; if it still receives nothing, install newer firmware"
        }
    }
}
