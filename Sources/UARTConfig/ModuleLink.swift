package import BeaconModel
package import ModuleDialogues

/// The dialogue with a module, running on a serial port.
package typealias ModuleLink = LineLink<ModuleRequest, ModuleDialogueEvent>

extension LineLink where Request == ModuleRequest, Output == ModuleDialogueEvent {
    /// Opens the port and begins.
    ///
    /// - Parameter hearing: receives the module's reports, so that a flood of them does not flood the events; `nil` to
    ///   include them in the events.
    /// - Throws: `SystemError` when the process cannot create another pipe or thread. A port that cannot be opened ends
    ///   the events.
    package convenience init(
        port path: String, dialogue: any ModuleDialogue, hearing: HearingMailbox? = nil, tap: SerialTap? = nil
    ) throws(SystemError) {
        try self.init(
            port: path, dialogue: TimedDialogue(dialogue), diversion: hearing.map { Self.diversion(to: $0) }, tap: tap)
    }

    private static func diversion(to hearing: HearingMailbox) -> Diversion {
        Diversion(
            take: { event in
                switch event {
                case .received(let reception):
                    hearing.add(.received(reception))
                    return true
                case .changed(.listening(let listening)):
                    hearing.add(.listening(listening))
                    return listening.isNoNews
                case .report, .changed, .finished: return false
                }
            },
            finish: { hearing.finish() })
    }
}
