import MatcherCore
import OperatorText
import Pages
import Testing

@testable import MatcherDaemon

@Suite("Verification codes as an officer asks for them") struct CodesDraftTests {
    private static let form = [
        "test": "2026-11-01", "onset": "", "form": "short", "minutes": "45", "count": "2",
        "once": "AAAAAAAAAAAAAAAAAAAAAA",
    ]

    private func checked(_ changed: [String: String] = [:]) -> CodesDraft.Checked {
        CodesDraft(Self.form.merging(changed) { $1 }).checked()
    }

    private func ordered(_ changed: [String: String] = [:]) -> CodesDraft.Order? {
        guard case .order(let order) = checked(changed) else { return nil }
        return order
    }

    private func marked(_ changed: [String: String]) -> CodesPage.Form? {
        guard case .mistakes(let marked) = checked(changed) else { return nil }
        return marked
    }

    @Test func `A complete form becomes an order of codes`() throws {
        let order = try #require(ordered(["onset": "2026-10-30"]))
        #expect(order.codes.test == 20_758 && order.codes.onset == 20_756 && !order.codes.isLong)
        #expect(order.codes.validity == 2700 && order.count == 2)
        #expect(order.form == "form AAAAAAAAAAAAAAAAAAAAAA")
    }

    @Test(arguments: ["15", "60"])
    func `The bounds of the validity are allowed`(minutes: String) throws {
        let order = try #require(ordered(["minutes": minutes]))
        #expect(order.codes.validity == Int64(minutes).map { $0 * 60 })
    }

    @Test func `Long codes need no validity`() throws {
        let order = try #require(ordered(["form": "long", "minutes": "never"]))
        #expect(order.codes.isLong && order.codes.validity == VerificationCodes.standardValidity)
    }

    @Test func `Each mistake stands at its field, and what was typed is kept`() {
        let wrong = ["test": "today", "onset": "2026-02-30", "minutes": "14", "count": "21", "once": "AAAA"]
        var form = CodesPage.Form(test: "today", onset: "2026-02-30", minutes: "14", count: "21")
        form.test.mistake = "This must be a day: 2026-11-02."
        form.onset.mistake = "This must be a day: 2026-11-02."
        form.minutes.mistake = "This must be from 15 to 60."
        form.count.mistake = "This must be from 1 to 20."
        form.obstacle = "The form was not complete. Issue the codes again."
        #expect(marked(wrong) == form)
    }

    @Test(arguments: ["", "0", "-1", "1e1", "9223372036854775808"])
    func `A number of codes that is none is refused`(count: String) {
        var form = CodesPage.Form(test: "2026-11-01", minutes: "45", count: count)
        form.count.mistake = "This must be from 1 to 20."
        #expect(marked(["count": count]) == form)
    }

    @Test func `A form without values is refused`() {
        guard case .mistakes(let form) = CodesDraft([:]).checked() else {
            Issue.record("It was not refused.")
            return
        }
        #expect([form.test, form.minutes, form.count].allSatisfy { $0.mistake != nil } && form.obstacle != nil)
        #expect(form.onset.mistake == nil)
    }

    @Test func `A refusal of a day stands at the field of that day`() {
        let draft = CodesDraft(Self.form)
        let onset = draft.refused(
            .day(.init(key: .onset, found: "2026-12-24 is in the future", allowed: "must be a day that has begun")))
        #expect(onset.onset.mistake?.contains("2026-12-24 is in the future") == true && onset.test.mistake == nil)
        let test = draft.refused(
            .day(.init(key: .test, found: "2026-12-24 is in the future", allowed: "must be a day that has begun")))
        #expect(test.test.mistake?.hasPrefix("The day of the test 2026-12-24") == true && test.onset.mistake == nil)
    }

    @Test func `A refusal that no field can mend stands above the form`() {
        let draft = CodesDraft(Self.form)
        var form = draft.form
        form.obstacle = "These codes were shown before and cannot be shown again. Issue new ones."
        #expect(draft.refused(.shownBefore) == form && form.hasMistakes)
    }
}
