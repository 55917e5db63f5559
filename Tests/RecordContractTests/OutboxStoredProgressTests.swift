import TestValues
import Testing

@testable import RecordContract

@Suite struct OutboxStoredProgressTests {
    private func at(_ boot: UInt64, _ sequence: UInt64) -> RecordPosition {
        RecordPosition(boot: boot, sequence: sequence)
    }

    @Test("Nothing is known before the gateway has said where it begins")
    func begin() {
        var progress = StoredProgress()
        progress.stored(at(3, 1))
        #expect(progress.through == nil)
        progress.settled(below: at(3, 1))
        #expect(progress.through == at(3, 1))
    }

    @Test("It goes on while nothing is missing, whatever the order, and a second time changes nothing")
    func order() {
        var progress = StoredProgress(through: at(1, 0))
        for sequence in [2, 4, 3, 2, 6, 6] as [UInt64] { progress.stored(at(1, sequence)) }
        #expect(progress.through == at(1, 0))
        progress.stored(at(1, 1))
        #expect(progress.through == at(1, 4))
        progress.stored(at(1, 5))
        #expect(progress.through == at(1, 6))
    }

    @Test("A gap that the gateway no longer holds is passed")
    func gap() {
        var progress = StoredProgress(through: at(1, 5))
        for sequence in [9, 10, 12] as [UInt64] { progress.stored(at(1, sequence)) }
        progress.settled(below: at(1, 8))
        #expect(progress.through == at(1, 7))
        progress.settled(below: at(1, 9))
        #expect(progress.through == at(1, 10))
        progress.settled(below: at(1, 3))
        #expect(progress.through == at(1, 10))
    }

    @Test("Into another boot it goes only when the gateway has settled the one before")
    func boots() {
        var progress = StoredProgress(through: at(1, 5))
        progress.stored(at(2, 1))
        progress.stored(at(2, 2))
        #expect(progress.through == at(1, 5))
        progress.stored(at(1, 6))
        #expect(progress.through == at(1, 6))
        progress.settled(below: at(2, 1))
        #expect(progress.through == at(2, 2))
    }

    @Test("With more gaps than it remembers it forgets the highest, and asks for them again")
    func bounded() {
        var progress = StoredProgress(through: at(1, 0))
        for sequence in 1...11_000 as ClosedRange<UInt64> { progress.stored(at(1, sequence * 2)) }
        for sequence in 0...11_000 as ClosedRange<UInt64> { progress.stored(at(1, sequence * 2 + 1)) }
        #expect(progress.through == at(1, 4097))
    }

    @Test("Positions at the ends of their range are taken")
    func ends() {
        var progress = StoredProgress(through: at(.max, .max - 2))
        progress.stored(at(.max, .max))
        progress.stored(at(.max, .max - 1))
        #expect(progress.through == at(.max, .max))
        progress.stored(at(.max, .max))
        progress.settled(below: at(.max, .max))
        progress.settled(below: at(0, 0))
        #expect(progress.through == at(.max, .max))
    }

    @Test("Whatever comes, it tells what a list of all positions tells")
    func random() {
        var generator = SeededGenerator("StoredProgress")
        for _ in 0..<200 {
            var progress = StoredProgress(through: at(0, 0))
            var through = at(0, 0)
            var all: Set<RecordPosition> = []
            for _ in 0..<100 {
                let position = at(.random(in: 0...2, using: &generator), .random(in: 1...20, using: &generator))
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    progress.settled(below: position)
                    through = max(through, at(position.boot, position.sequence - 1))
                } else {
                    progress.stored(position)
                    all.insert(position)
                }
                while all.contains(at(through.boot, through.sequence + 1)) { through.sequence += 1 }
                #expect(progress.through == through, generator.comment)
            }
        }
    }
}
