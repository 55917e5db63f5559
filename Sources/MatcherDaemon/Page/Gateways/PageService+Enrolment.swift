import HTTPTypes
import InteractionStore
import MatcherCore
import OperatorText
import Pages

/// Codes with which phones enrol, as the command `enrolment` lists and revokes them.
extension PageService {
    /// Number of labels on the page.
    private static let mostLabels = 50

    /// Lists the codes by their labels, without the codes.
    func enrolment(_ request: PageRequest) async throws -> PageAnswer { try await enrolmentPage(request) }

    /// Revokes the codes of a label as the operator saw them, after a confirmation.
    func revokeEnrolment(_ request: PageRequest) async throws -> PageAnswer {
        let (label, now) = (request.form["label"] ?? "", request.now)
        guard request.isSure else {
            guard let one = try await api.work({ try $0.enrolment(label: label, now: now) }) else {
                return try await noCodes(label, request)
            }
            return sureOfEnrolment(one, request)
        }
        let seen = request.form["seen"].flatMap { InteractionStore.Enrolment.Extent(field: $0) }
        let entry = AuditEntry(
            at: now, account: try request.account(), action: .revokedEnrolment, object: label,
            detail: seen.map { EnrolmentWords.count($0.codes) } ?? "")
        switch try await api.work({ try $0.revokeEnrolment(label: label, seen: seen, audit: entry) }) {
        case .done: return .redirect(PageRoute.enrolment.path(done: .enrolmentRevoked))
        case .changed(let present):
            guard let one = present else { return try await noCodes(label, request) }
            return sureOfEnrolment(
                one, request, notice: Frame.Notice(EnrolmentWords.changed, isProblem: true), status: .conflict)
        }
    }

    /// Says what will happen to the codes of a label.
    private func sureOfEnrolment(
        _ one: InteractionStore.Enrolment, _ request: PageRequest, notice: Frame.Notice? = nil,
        status: HTTPResponse.Status = .ok
    ) -> PageAnswer {
        page(
            SurePage(
                request.frame("Revoke these codes?", route: .gateways, notice: notice),
                facts: EnrolmentWords(days: configuration.days).facts(one), effects: EnrolmentWords.effects(one),
                path: PageRoute.revokeEnrolment.path,
                fields: [.init(name: "label", value: one.label), .init(name: "seen", value: one.extent.field)],
                button: "Revoke the codes",
                back: SurePage.Back("Enrolment of phones", path: PageRoute.enrolment.path)),
            status: status)
    }

    /// Answers an operator who revokes codes that are gone.
    private func noCodes(_ label: String, _ request: PageRequest) async throws -> PageAnswer {
        let earlier = try await api.work { try $0.latestEntry(.revokedEnrolment, label) }
        let words = DayWords(days: configuration.days)
        let who = earlier.map { " They were revoked \(words.time($0.at)) by \($0.name)." } ?? ""
        return try await enrolmentPage(
            request,
            notice: Frame.Notice(
                "There are no codes with the label \(label.excerpt) now.\(who) You have changed nothing.",
                isProblem: true), status: .conflict)
    }

    private func enrolmentPage(
        _ request: PageRequest, notice: Frame.Notice? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        let now = request.now
        let listed = try await api.work { try $0.enrolments(now: now) }
        // Those that expire last come first: the others are of no use any more.
        let all = Array(listed.reversed())
        let words = EnrolmentWords(days: configuration.days)
        let part = TablePart(asked: request.query["from"], of: all.count, most: Self.mostLabels)
        return page(
            EnrolmentPage(
                request.frame("Enrolment of phones", route: .gateways, notice: notice),
                rule: EnrolmentWords.rule(needsCode: configuration.phones.needsCode),
                rows: all[part.range].map { words.row($0, now: now) }, extent: EnrolmentWords.extent(part),
                nextPath: part.next.map { PageRoute.enrolment.path(["from": "\($0)"]) }),
            status: status)
    }
}
