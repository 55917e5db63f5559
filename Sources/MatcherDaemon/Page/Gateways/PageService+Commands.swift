import HTTPTypes
import InteractionStore
import MatcherCore
import Pages
import SignIn

/// Commands that operators give to modules.
extension PageService {
    /// Whether modules can be commanded on the page.
    var givesCommands: Bool { parts.commands != nil && configuration.commands != nil }

    /// Asks a gateway to identify a module.
    func identifyModule(_ request: PageRequest) async throws -> PageAnswer {
        try await carryOut(asked(.identify, request), noting: .identifiedModule, request)
    }

    /// Asks a gateway to reset a module, after a confirmation.
    func resetModule(_ request: PageRequest) async throws -> PageAnswer {
        let command = try await asked(.reset, request)
        guard request.isSure else {
            return page(
                ResetPage(
                    request.frame("Reset \(command.module)?", route: .gateways), place: command.gateway,
                    module: command.module,
                    back: PageRoute.path(ofGateway: command.gateway)))
        }
        return try await carryOut(command, noting: .resetModule, request)
    }

    /// Returns the command of a form.
    ///
    /// A gateway is asked only if it has sent records: nobody can have something published elsewhere. Whether it has
    /// the module, it says itself.
    ///
    /// - Throws: `PageError`, `StoreError`.
    private func asked(_ name: ModuleCommand.Name, _ request: PageRequest) async throws -> ModuleCommand {
        guard givesCommands else { throw PageError.noCommands }
        guard
            let command = ModuleCommand(
                name, gateway: request.form["path"] ?? "", module: request.form["module"] ?? "")
        else { throw PageError.unknownModule }
        _ = try await knownGateway(command.gateway, now: request.now)
        return command
    }

    /// Gives a command, waits for the reply, and shows the page of the gateway with what became of it.
    private func carryOut(
        _ command: ModuleCommand, noting action: AuditEntry.Action, _ request: PageRequest
    ) async throws -> PageAnswer {
        guard let sender = parts.commands, let settings = configuration.commands else { throw PageError.noCommands }
        let account = try request.account()
        let object = "\(command.gateway) \(command.module)"
        // Before and after: what was sent is in the audit even if this process ends while it waits.
        try await note(action, object, request, detail: "asked for")
        let answer = await sender.carryOut(command, account: account.key, settings: settings)
        var later = request
        later.now = api.now()
        try await note(action, object, later, detail: answer.summary)
        return try await gateway(
            at: command.gateway, later,
            notice: Frame.Notice(
                answer.words(of: command, isSigned: settings.isSigned), isProblem: !answer.isDone))
    }
}

extension PageError {
    static let unknownModule = Self(
        .notFound, "Not found", "No module can have this name.", "Choose one on the page of its gateway.")

    static let noCommands = Self(
        .conflict, "Not switched on", "Modules cannot be identified or reset here.",
        "The page of a gateway has command lines for the machine that has the key. To have buttons instead, the person "
            + "who runs this service adds the table [commands] to its configuration.")
}
