import Testing

@testable import MQTTBridge

@Suite("Gaps of StoredProgress") struct StoredProgressGapTests {
    private func progress(_ stored: [UInt64], through: UInt64 = 3) -> StoredProgress {
        var progress = StoredProgress(through: .init(boot: 1, sequence: through))
        for sequence in stored { progress.stored(.init(boot: 1, sequence: sequence)) }
        return progress
    }

    @Test func `The first gap has as many records as are missing before those that came`() {
        #expect(progress([]).firstGap == 0)
        #expect(progress([4, 5]).firstGap == 0)
        #expect(progress([6, 7, 10]).firstGap == 2)
        #expect(StoredProgress().firstGap == 0)
        var later = progress([])
        later.stored(.init(boot: 2, sequence: 4))
        #expect(later.firstGap == 3)
    }

    @Test func `What a gateway doesn't hold any more and never came is missing`() {
        let progress = progress([6, 7, 10])
        #expect(progress.missing(below: .init(boot: 1, sequence: 4)) == 0)
        #expect(progress.missing(below: .init(boot: 1, sequence: 6)) == 2)
        #expect(progress.missing(below: .init(boot: 1, sequence: 9)) == 3)
        #expect(progress.missing(below: .init(boot: 1, sequence: 20)) == 13)
        #expect(progress.missing(below: .init(boot: 2, sequence: 3)) == 2)
        #expect(progress.missing(below: .init(boot: 2, sequence: 0)) == 0)
        #expect(StoredProgress().missing(below: .init(boot: 1, sequence: 9)) == 0)
        let most = RecordPosition(boot: .max, sequence: .max)
        #expect(progress.missing(below: most) == UInt64.max - 1)
        #expect(StoredProgress(through: most).missing(below: most) == 0)
        #expect(StoredProgress(through: most).firstGap == 0)
    }
}
