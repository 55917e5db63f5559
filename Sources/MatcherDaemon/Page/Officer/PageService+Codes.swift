import HTTPTypes
import InteractionStore
import MatcherCore
import OperatorText
import Pages
import SignIn

// Verification codes that an officer issues.
extension PageService {
    /// Maximum number of codes that are issued with one press of the button.
    private static let mostCodes = 20
    /// Begin of the object of the audit's entry about codes of a form.
    static let formPrefix = "form "

    /// Shows the form.
    func codes(_ request: PageRequest) async throws -> PageAnswer { try await codesPage(request) }

    /// Issues codes, and shows them once: they are kept nowhere. A form that a reload sends again issues none.
    func issueCodes(_ request: PageRequest) async throws -> PageAnswer {
        let fields = request.form
        let typed = CodesPage.Typed(
            test: fields["test"] ?? "", onset: fields["onset"] ?? "", isLong: fields["form"] == "long",
            minutes: fields["minutes"] ?? "", count: fields["count"] ?? "")
        var mistakes = CodesPage.Mistakes()
        let test = DayText.parse(typed.test)
        let onset = DayText.parse(typed.onset)
        if test == nil { mistakes.test = "This must be \(DayText.form)." }
        if !typed.onset.isEmpty, onset == nil { mistakes.onset = "This must be \(DayText.form)." }
        let bounds = VerificationCodes.validities
        let validity = Int64(typed.minutes).flatMap { minutes in
            (bounds.lowerBound / 60...bounds.upperBound / 60).contains(minutes) ? minutes * 60 : nil
        }
        if !typed.isLong, validity == nil {
            mistakes.minutes = "This must be from \(bounds.lowerBound / 60) to \(bounds.upperBound / 60)."
        }
        let form = Self.formPrefix + (request.form["once"] ?? "")
        if form.utf8.count != Self.formPrefix.utf8.count + Self.newReference().utf8.count {
            mistakes.obstacle = "The form was not complete. Issue the codes again."
        }
        let count = Int(typed.count).flatMap { (1...Self.mostCodes).contains($0) ? $0 : nil }
        if count == nil { mistakes.count = "This must be from 1 to \(Self.mostCodes)." }
        guard mistakes.isEmpty, let test, let count else { return try await codesPage(request, typed, mistakes) }
        let codes = VerificationCodes(
            test: test, onset: onset, isLong: typed.isLong, validity: validity ?? VerificationCodes.standardValidity)
        let (account, policy, now) = (try request.account(), api.policy, request.now)
        do {
            let issued = try await api.work { store in
                try codes.issue(count, by: account, form: form, in: store, policy: policy, now: now)
            }
            let until = officerText.time(codes.expires(now: now))
            let day = officerText.day(test)
            return try await codesPage(
                request, typed,
                issued: CodesPage.Issued(
                    codes: issued,
                    validity: "Valid until \(until) \(configuration.days.name), for a test of \(day). "
                        + (issued.count == 1 ? "It works once." : "Each works once.")))
        } catch let refusal as CodeRefusal {
            let text = [refusal.what, refusal.remedy].compactMap { $0.map(AttendanceWords.sentence) }
                .joined(separator: " ")
            switch refusal {
            case .day(let mistake) where mistake.key == .onset: mistakes.onset = text
            case .day: mistakes.test = text
            case .tooMany, .shownBefore: mistakes.obstacle = text
            }
            return try await codesPage(request, typed, mistakes)
        }
    }

    private func codesPage(
        _ request: PageRequest, _ typed: CodesPage.Typed = .init(), _ mistakes: CodesPage.Mistakes = .init(),
        issued: CodesPage.Issued? = nil
    ) async throws -> PageAnswer {
        let now = request.now
        let open = try await api.work { try $0.openCodes(now: now) }
        let notice: Frame.Notice? =
            mistakes.isEmpty
            ? nil : Frame.Notice("No codes were issued. Check what is marked below.", isProblem: true)
        return page(
            CodesPage(
                request.frame("Verification codes", route: .reports, notice: notice), issued: issued,
                open: "\(open.short) short and \(open.long) long codes can be used now.",
                typed: typed, once: Self.newReference(), mistakes: mistakes,
                latest: DayText.text(configuration.days.day(of: now))),
            status: mistakes.isEmpty ? .ok : .unprocessableContent)
    }
}
