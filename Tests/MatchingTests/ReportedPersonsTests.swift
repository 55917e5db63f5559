import Matching
import Testing

@Suite("Reports of one person") struct ReportedPersonsTests {
    private struct Contribution: RiskContribution {
        var start: Int64
        var end: Int64
        var minutes: Double
    }

    private func exposure(
        _ report: Int64, _ minutes: ClosedRange<Int64>, counts: Double = 5
    ) -> (report: Int64, exposure: Contribution) {
        (report, .init(start: at(minutes.lowerBound), end: at(minutes.upperBound), minutes: counts))
    }

    @Test func `What overlaps counts once, as the report has it that counts most`() {
        let persons = ReportedPersons(pairs: [(1, 2)])
        let distinct = persons.distinct([exposure(1, 0...10, counts: 4.8), exposure(2, 2...12, counts: 7.7)])
        #expect(distinct.map(\.minutes) == [7.7])
    }

    @Test func `What a person's badge and phone were at different times of a day both counts`() {
        let persons = ReportedPersons(pairs: [(1, 2)])
        #expect(persons.distinct([exposure(1, 0...10), exposure(2, 60...70)]).count == 2)
    }

    // A phone that ranged three times, minutes apart, beside a badge that was heard all the time.
    @Test func `Moments within what another report found count with it`() {
        let persons = ReportedPersons(pairs: [(1, 2)])
        let moments: [Int64] = [10, 20, 32]
        let distinct = persons.distinct(
            moments.map { exposure(1, $0...$0, counts: 1) } + [exposure(2, 0...60, counts: 60)])
        #expect(distinct.map(\.minutes) == [60])
        #expect(persons.distinct([exposure(1, 70...70), exposure(2, 0...60)]).count == 2)
    }

    // 16:00 to midnight and from there on, by both reports.
    @Test func `Both days count of what lasts over midnight`() {
        let persons = ReportedPersons(pairs: [(1, 2)])
        let days: [ClosedRange<Int64>] = [480...960, 960...1000]
        let distinct = persons.distinct([1, 2].flatMap { report in days.map { exposure(report, $0) } })
        #expect(distinct.map(\.start) == [at(480), at(960)])
    }

    @Test func `Two people at the same time are two`() {
        let persons = ReportedPersons(pairs: [(1, 2)])
        #expect(persons.distinct([exposure(1, 0...10), exposure(3, 0...10), exposure(4, 0...10)]).count == 3)
        #expect(ReportedPersons(pairs: []).distinct([exposure(1, 0...10), exposure(2, 0...10)]).count == 2)
    }

    // 1 has a name in common with 3, and 3 with 2.
    @Test func `What reports have in common goes on from one to the next`() {
        let persons = ReportedPersons(pairs: [(1, 3), (2, 3)])
        #expect(persons.distinct([exposure(1, 0...10), exposure(2, 5...15), exposure(3, 8...20)]).count == 1)
    }
}
