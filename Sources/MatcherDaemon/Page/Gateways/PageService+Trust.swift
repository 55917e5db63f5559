import HTTPTypes
import InteractionStore
import OperatorText
import Pages

/// Gateways that operators revoke and restore, as the command `gateways` does. The services that store records heed it
/// from the next record on.
extension PageService {
    /// Maximum length of a reason, in Unicode scalars, as on the command line.
    private static let longestRevocation = 200

    /// Revokes a gateway, after a confirmation.
    func revokeGateway(_ request: PageRequest) async throws -> PageAnswer {
        let path = try await knownGateway(request.form["path"] ?? "", now: request.now).path
        let reason = Self.reason(request.form["reason"] ?? "").shown(upTo: Self.longestRevocation)
        if reason.isEmpty {
            return try await gateway(
                at: path, request,
                notice: Frame.Notice("Nothing was revoked yet: a reason is missing.", isProblem: true),
                mistake: "Write why. The reason is shown with your name.", status: .unprocessableContent)
        }
        guard request.isSure else {
            return page(
                SurePage(
                    request.frame("Revoke this gateway?", route: .gateways),
                    facts: [.init("Gateway", path), .init("Reason", reason)],
                    effects: GatewayWords.effectsOfRevoking(path), path: PageRoute.revokeGateway.path,
                    fields: [.init(name: "path", value: path), .init(name: "reason", value: reason)],
                    button: "Revoke the gateway",
                    back: SurePage.Back("Gateway \(path)", path: PageRoute.path(ofGateway: path))))
        }
        let entry = AuditEntry(
            at: request.now, account: try request.account(), action: .revokedGateway, object: path, detail: reason)
        let earlier = try await api.work { try $0.revoke(path, reason: reason, audit: entry) }
        // Of an earlier revocation the page of the gateway says since when, why and by whom. That of a double click is
        // the operator's own.
        if let earlier,
            earlier.reason != reason
                || !DecisionName.isRepeated(by: entry, since: earlier.since, name: earlier.name)
        {
            return try await gateway(
                at: path, request,
                notice: Frame.Notice(
                    "Somebody else revoked this gateway in the meantime: the reason is theirs. You have changed nothing.",
                    isProblem: true),
                status: .conflict)
        }
        return .redirect(PageRoute.path(ofGateway: path) + "&" + DoneNotice.gatewayRevoked.query)
    }

    /// Trusts a gateway again, after a confirmation.
    func restoreGateway(_ request: PageRequest) async throws -> PageAnswer {
        let gateway = try await knownGateway(request.form["path"] ?? "", now: request.now)
        let path = gateway.path
        guard let since = request.form["since"].flatMap({ Int64($0) }), gateway.revocation?.since == since else {
            return try await notRestored(path, request)
        }
        guard request.isSure else {
            return page(
                SurePage(
                    request.frame("Restore this gateway?", route: .gateways),
                    facts: [
                        .init("Gateway", path),
                        .init(
                            "Revoked", GatewayWords(days: configuration.days).revocation(of: gateway) ?? "not any more"),
                    ], effects: GatewayWords.effectsOfRestoring(path), path: PageRoute.restoreGateway.path,
                    fields: [.init(name: "path", value: path), .init(name: "since", value: "\(since)")],
                    button: "Restore the gateway", isDangerous: false,
                    back: SurePage.Back("Gateway \(path)", path: PageRoute.path(ofGateway: path))))
        }
        let entry = AuditEntry(
            at: request.now, account: try request.account(), action: .restoredGateway, object: path)
        guard try await api.work({ try $0.restore(path, revokedSince: since, audit: entry) }) else {
            return try await notRestored(path, request)
        }
        return .redirect(PageRoute.path(ofGateway: path) + "&" + DoneNotice.gatewayRestored.query)
    }

    /// Answers an operator who restores what somebody else restored, or revoked anew.
    private func notRestored(_ path: String, _ request: PageRequest) async throws -> PageAnswer {
        try await gateway(
            at: path, request,
            notice: Frame.Notice(
                "Somebody else decided about this gateway in the meantime: its state is below. You have changed "
                    + "nothing.", isProblem: true), status: .conflict)
    }
}
