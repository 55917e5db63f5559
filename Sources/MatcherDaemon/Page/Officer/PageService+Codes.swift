import HTTPTypes
import InteractionStore
import MatcherCore
import OperatorText
import Pages
import SignIn

// Verification codes that an officer issues.
extension PageService {
    /// Shows the form.
    func codes(_ request: PageRequest) async throws -> PageAnswer { try await codesPage(request) }

    /// Issues codes, and shows them once: they are kept nowhere. A form that a reload sends again issues none.
    func issueCodes(_ request: PageRequest) async throws -> PageAnswer {
        let draft = CodesDraft(request.form)
        let order: CodesDraft.Order
        switch draft.checked() {
        case .mistakes(let marked): return try await codesPage(request, marked)
        case .order(let checked): order = checked
        }
        let (account, policy, now) = (try request.account(), api.policy, request.now)
        do {
            let issued = try await api.work { store in
                try order.codes.issue(
                    order.count, by: account, form: order.form, in: store, policy: policy, now: now)
            }
            let until = officerText.time(order.codes.expires(now: now))
            let day = officerText.day(order.codes.test)
            return try await codesPage(
                request, draft.form,
                issued: CodesPage.Issued(
                    codes: issued,
                    validity: "Valid until \(until) \(configuration.days.name), for a test of \(day). "
                        + (issued.count == 1 ? "It works once." : "Each works once.")))
        } catch let refusal as CodeRefusal {
            return try await codesPage(request, draft.refused(refusal))
        }
    }

    private func codesPage(
        _ request: PageRequest, _ form: CodesPage.Form = .init(), issued: CodesPage.Issued? = nil
    ) async throws -> PageAnswer {
        let now = request.now
        let open = try await api.work { try $0.openCodes(now: now) }
        let notice: Frame.Notice? =
            form.hasMistakes
            ? Frame.Notice("No codes were issued. Check what is marked below.", isProblem: true) : nil
        return page(
            CodesPage(
                request.frame("Verification codes", route: .reports, notice: notice), issued: issued,
                open: "\(open.short) short and \(open.long) long codes can be used now.",
                form, once: Self.newReference(), latest: DayText.text(configuration.days.day(of: now))),
            status: form.hasMistakes ? .unprocessableContent : .ok)
    }
}
