import Matching
import Testing

@testable import Evidence

@Suite("What it changes that a receiver listened") struct ListeningChangeTests {
    private func listening(_ minutes: Range<Int>, synchronized: Bool = true) -> BlockListening {
        var listening = BlockListening()
        for minute in 0..<15 {
            listening.add(
                seconds: minutes.contains(minute) ? 60 : 1, clockIsSynchronized: synchronized, inMinute: minute)
        }
        return listening
    }

    /// Receivers of floor 1, each of a gateway of its own, but for those of 10 and more, which are remote ones of
    /// receiver 1's.
    private func change(_ before: [Int64: BlockListening], _ after: [Int64: BlockListening]) -> ListeningChange {
        var receivers: [Int64: BlockComputation.Receiver] = [:]
        for (receiver, listening) in after {
            receivers[receiver] = .init(.init(floor: 1, gateway: receiver < 10 ? receiver : 1), listening: listening)
        }
        return ListeningChange(from: before, to: receivers)
    }

    @Test func `A third gateway that listens changes nothing, and neither does a better clock`() {
        let two = [Int64(1): listening(0..<15, synchronized: false), 2: listening(0..<15)]
        let three = [Int64(1): listening(0..<15), 2: listening(0..<15), 3: listening(0..<15)]
        let change = self.change(two, three)
        #expect(!change.completesFloor && change.minutes.isEmpty)
    }

    @Test func `The second receiver of a floor and its second gateway do`() {
        let one = [Int64(1): listening(0..<15)]
        let remote = [Int64(1): listening(0..<15), 10: listening(3..<4)]
        #expect(change(one, remote).completesFloor)
        let second = [Int64(1): listening(0..<15), 10: listening(3..<4), 2: listening(3..<4)]
        #expect(change(remote, second).completesFloor)
        #expect(!change(remote, remote).completesFloor)
        // Where nobody listened nobody was heard.
        #expect(!change([:], second).completesFloor)
    }

    @Test func `What a receiver had heard counts when it turns out that it wasn't deaf`() {
        let before = [Int64(1): listening(0..<15), 2: listening(0..<15), 3: listening(0..<5)]
        var after = before
        after[3] = listening(0..<7)
        let change = self.change(before, after)
        #expect(!change.completesFloor && change.minutes == [3: 0b110_0000])
        var heard = BlockVectors()
        heard.add(Hearing(receiver: 3, code: HearingCode(count: 50, rssi: -60)), inMinute: 4)
        #expect(!change.concerns(heard))
        heard.add(Hearing(receiver: 3, code: HearingCode(count: 50, rssi: -60)), inMinute: 6)
        #expect(change.concerns(heard))
    }
}
