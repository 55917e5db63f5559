import OperatorText
import Pages
import Testing

@testable import InteractionStore
@testable import MatcherDaemon

@Suite("What the page says of enrolment") struct EnrolmentWordsTests {
    private static let now: Int64 = 1_793_606_400

    private func state(used: Int, left: Int, expires: Int64) -> StateTag {
        let codes = InteractionStore.Enrolment(
            label: "Physics", codes: 2, uses: 6, used: used, left: left, expires: expires)
        return EnrolmentWords(days: .utc).row(codes, now: Self.now).state
    }

    @Test("Codes are open until they are used up or expired") func states() {
        #expect(state(used: 5, left: 1, expires: Self.now + 1) == StateTag("open", .good))
        #expect(state(used: 6, left: 0, expires: Self.now + 1) == StateTag("used up", .plain))
        #expect(state(used: 5, left: 0, expires: Self.now) == StateTag("expired", .plain))
    }

    @Test("A label is not open if only codes that have expired were not used") func expiredRest() {
        #expect(state(used: 3, left: 0, expires: Self.now + 1) == StateTag("used up", .plain))
    }

    @Test("What a form says of the codes that were seen is read as it was written") func seen() {
        let seen = InteractionStore.Enrolment.Extent(codes: 2, uses: 6, expires: Self.now)
        #expect(InteractionStore.Enrolment.Extent(field: seen.field) == seen)
        for field in ["", "2 6", "2 6 x", "2 6 7 8"] {
            #expect(InteractionStore.Enrolment.Extent(field: field) == nil, "\(field)")
        }
    }

    @Test("A part of the labels says which they are") func extent() {
        #expect(EnrolmentWords.extent(TablePart(asked: nil, of: 2, most: 50)) == "Labels: 2.")
        let last = TablePart(asked: "100", of: 121, most: 50)
        #expect(EnrolmentWords.extent(last).hasPrefix("Labels 101 to 121 of 121."))
    }

    @Test("The page says whether phones need a code") func rule() {
        #expect(EnrolmentWords.rule(needsCode: true).hasPrefix("A phone enrols with a code"))
        #expect(EnrolmentWords.rule(needsCode: false).hasPrefix("Any phone enrols, without a code"))
    }
}
