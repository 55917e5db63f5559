import Matching
import TestValues
import Testing

@Suite struct ClockOffsetsTests {
    /// Badges that walk between the receivers 1 to 4 of a floor, as they are heard by clocks that are ahead by some minutes.
    private func offsets(_ ahead: [Int64: Int], badges: Int = 20, _ random: inout SeededGenerator) -> [Int64: Int] {
        let minutes = 240
        var clocks = ClockOffsets(minutes: minutes)
        for badge in 1...badges {
            var place = Int64(1 + random.next() % 4)
            var heard: [[Hearing]] = Array(repeating: [], count: minutes)
            for minute in 0..<minutes {
                if random.next() % 25 == 0 { place = Int64(1 + random.next() % 4) }
                for receiver in Int64(1)...4 {
                    let at = minute + (ahead[receiver] ?? 0)
                    guard heard.indices.contains(at) else { continue }
                    let level = -60 - 12 * abs(Double(receiver - place)) + Double(random.next() % 40) / 10
                    heard[at].append(Hearing(receiver: receiver, code: HearingCode(count: 50, rssi: level)))
                }
            }
            for minute in heard.indices {
                clocks.add(MinuteVector(heard[minute]), of: Int64(badge), inMinute: minute)
            }
        }
        return clocks.offsets(of: [1, 2, 3, 4])
    }

    @Test func `Clocks that are right aren't suspected`() {
        var random = SeededGenerator("right clocks")
        for _ in 0..<10 { #expect(offsets([:], &random) == [:], random.comment) }
    }

    @Test(arguments: [-12, -3, 2, 5, 20]) func `A clock that is off is found by people's walks`(ahead: Int) {
        var random = SeededGenerator("a wrong clock")
        #expect(offsets([3: ahead], &random) == [3: ahead], random.comment)
    }

    @Test func `A minute is too little to be told`() {
        var random = SeededGenerator("a minute")
        #expect(offsets([2: 1], &random)[2] == nil, random.comment)
    }

    @Test func `Of people who sit still nothing follows`() {
        var clocks = ClockOffsets(minutes: 120)
        var random = SeededGenerator("sitting")
        for badge in 1...10 {
            for minute in 0..<120 {
                let hearings = (Int64(1)...3).map { receiver in
                    Hearing(
                        receiver: receiver,
                        code: HearingCode(count: 50, rssi: -60 - 5 * Double(receiver) + Double(random.next() % 30) / 10)
                    )
                }
                clocks.add(MinuteVector(hearings), of: Int64(badge), inMinute: minute)
            }
        }
        #expect(clocks.offsets(of: [1, 2, 3]) == [:], random.comment)
    }
}
