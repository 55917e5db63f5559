import Testing

@testable import RecordContract

@Suite("Gaps of StoredProgress") struct StoredProgressGapTests {
    private func progress(_ stored: [UInt64], through: UInt64 = 3) -> StoredProgress {
        var progress = StoredProgress(through: .init(boot: 1, sequence: through))
        for sequence in stored { progress.stored(.init(boot: 1, sequence: sequence)) }
        return progress
    }

    private func at(_ boot: UInt64, _ sequence: UInt64) -> RecordPosition {
        RecordPosition(boot: boot, sequence: sequence)
    }

    @Test func `Between what came all is missing that didn't, in each boot`() {
        #expect(progress([]).missing == 0)
        #expect(progress([4, 5]).missing == 0)
        #expect(progress([6, 7, 10]).missing == 4)
        #expect(StoredProgress().missing == 0)
        var later = progress([6])
        later.stored(at(2, 4))
        #expect(later.missing == 2 + 3)
    }

    @Test func `What a gateway doesn't hold any more and never came is missing`() {
        let progress = progress([6, 7, 10])
        #expect(progress.missing(below: at(1, 4)) == 0)
        #expect(progress.missing(below: at(1, 6)) == 2)
        #expect(progress.missing(below: at(1, 9)) == 3)
        #expect(progress.missing(below: at(1, 20)) == 13)
        #expect(progress.missing(below: at(2, 3)) == 2 + 4)
        #expect(progress.missing(below: at(2, 0)) == 4)
        #expect(StoredProgress().missing(below: at(1, 9)) == 0)
        let most = at(.max, .max)
        #expect(progress.missing(below: most) == UInt64.max)
        #expect(StoredProgress(through: most).missing(below: most) == 0)
        #expect(StoredProgress(through: most).missing == 0)
    }

    // A gateway whose outbox is empty whenever it says so settles nothing.
    @Test func `Gaps are known of a gateway of which nothing is settled, but not what was before its first record`() {
        var progress = StoredProgress()
        for sequence: UInt64 in [100, 101, 104] { progress.stored(at(7, sequence)) }
        #expect(progress.missing == 2)
        progress.stored(at(8, 2))
        #expect(progress.missing == 2 + 1)
    }

    // The last ones of a boot have none after them.
    @Test func `The end of a boot is known from what the gateway says of it, for four boots`() {
        var progress = progress([])
        progress.given([at(1, 9)])
        #expect(progress.missing == 6)
        progress.given([at(1, 9), at(2, 5), at(3, 1)])
        #expect(progress.missing == 6 + 5 + 1)
        progress.settled(below: at(3, 1))
        #expect(progress.missing == 1)
        progress.stored(at(3, 1))
        #expect(progress.missing == 0 && progress.through == at(3, 1))
        progress.given((4...20).map { at($0, 1) })
        #expect(progress.missing == UInt64(StoredProgress.mostEnds))
        progress.given([at(20, 1), at(20, 3), at(20, 2)])
        #expect(progress.missing == UInt64(StoredProgress.mostEnds) + 2)
    }

    @Test func `What was kept by an earlier version is read`() throws {
        let text = #"{"through":{"boot":1,"sequence":3},"ranges":[{"boot":1,"first":6,"last":7}]}"#
        #expect(try JSON.decode(StoredProgress.self, from: Array(text.utf8)) == progress([6, 7]))
    }
}
