// The words of a fleet. The supervision itself knows none.

extension Fleet.Outcome {
    /// The outcome as text: the result of the command, or the reason why nothing was done.
    public var text: String {
        switch self {
        case .advertises(isUnchanged: true), .advertisesAlready(isHeard: true): "it advertises already what it should"
        case .advertises(isUnchanged: false): "it advertises"
        case .advertisesAlready(isHeard: false): "it advertises already what it should, it says; but it isn't heard"
        case .identifies: "the lights of its serial adapter flicker"
        case .unknownModule(let name, let known):
            "there is no module \(name); the modules are \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        case .notPluggedIn: "the module isn't plugged in"
        case .unplugged: "the module was unplugged"
        case .tooManyWaiting(let count): "\(count) commands are waiting already"
        case .doesNotAnswer: "the module doesn't answer just now"
        case .otherModuleOnPort: "another module is on its port"
        case .removedFromInventory: "the inventory doesn't have it any more"
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
        case .notInInventory: "the module isn't in the inventory, or its row is taken"
        case .rowIsGone(let row): "the module has the row \(row), which the inventory no longer has for any module"
        case .notHeard: "the module says that it advertises, but it isn't heard although others are"
        case .duplicated(let count):
            "its identity is on the air from other devices too: \(count) beside the module itself"
        case .doesNotListen: "the module doesn't listen: its firmware doesn't take the command"
        case .listeningUnproven: "the module hears nobody, and its firmware doesn't tell whether it listens"
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
        case .notHeard: "look for metal around its antenna; unplug it and plug it in again; replace it"
        case .duplicated: "give one of them another minor; `beacon-gateway verify` names their addresses"
        case .doesNotListen: "burn a newer firmware, or take listen = true out of its row"
        case .listeningUnproven: "bring a beacon near it; if it stays so, burn a newer firmware"
        }
    }
}
