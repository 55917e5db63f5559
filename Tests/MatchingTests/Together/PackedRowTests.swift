import Matching
import TestValues
import Testing

@Suite struct PackedRowTests {
    private func vectors(_ random: inout SeededGenerator, receivers: Int = 12) -> BlockVectors {
        var vectors = BlockVectors()
        for minute in 0..<15 where random.next() % 5 > 0 {
            for receiver in 1...receivers where random.next() % 3 > 0 {
                let code = HearingCode(
                    count: Double(1 + random.next() % 100), rssi: -95 + Double(random.next() % 400) / 10)
                vectors.add(Hearing(receiver: Int64(receiver) * 977, code: code), inMinute: minute)
            }
        }
        return vectors
    }

    @Test func `A block of vectors is read as it was written`() throws {
        var random = SeededGenerator("vectors")
        for _ in 0..<200 {
            let vectors = vectors(&random)
            #expect(BlockVectors(packed: vectors.packed) == vectors, random.comment)
        }
    }

    @Test func `A minute takes 64 bytes at most, and 40 where 12 receivers hear somebody`() {
        var random = SeededGenerator("sizes")
        for receivers in [4, 8, 12, 40] {
            var vectors = BlockVectors()
            for minute in 0..<15 {
                for receiver in 0..<receivers {
                    let code = HearingCode(count: 60, rssi: -95 + Double(random.next() % 400) / 10)
                    vectors.add(Hearing(receiver: 60_000 + Int64(receiver), code: code), inMinute: minute)
                }
            }
            #expect(vectors.packed.count <= 15 * 64, random.comment)
            if receivers <= 12 { #expect(vectors.packed.count <= 15 * 40, random.comment) }
        }
    }

    @Test func `Of more than 16 receivers the strongest are kept`() {
        var vectors = BlockVectors()
        for receiver in 1...30 {
            vectors.add(
                Hearing(receiver: Int64(receiver), code: HearingCode(count: 60, rssi: -100 + Double(receiver))),
                inMinute: 3)
        }
        let kept = BlockVectors(packed: vectors.packed)?.minutes[3].hearings.map(\.receiver)
        #expect(kept == Array(15...30))
    }

    @Test func `No gateway crowds others out with its remote receivers`() {
        var vectors = BlockVectors()
        for receiver in 100..<200 {
            for minute in 0..<15 {
                vectors.add(
                    Hearing(receiver: Int64(receiver), code: HearingCode(count: 600, rssi: -10)), inMinute: minute)
            }
        }
        for receiver in 1...6 {
            vectors.add(Hearing(receiver: Int64(receiver), code: HearingCode(count: 20, rssi: -80)), inMinute: 3)
        }
        vectors.limit(
            BlockVectors.Standings(
                Dictionary(uniqueKeysWithValues: (100..<200).map { (Int64($0), .init(gateway: 1, order: Int64($0))) })))
        let kept = vectors.minutes[3].hearings.map(\.receiver)
        #expect(kept.count == 14 && kept.starts(with: [1, 2, 3, 4, 5, 6]))
        #expect(BlockVectors(packed: vectors.packed) == vectors)
    }

    @Test func `Company is read as it was written`() throws {
        var random = SeededGenerator("company")
        for _ in 0..<200 {
            var company = BlockCompany()
            for minute in 0..<15 where random.next() % 2 == 0 { company.setCompared(inMinute: minute) }
            for _ in 0..<random.next() % 40 {
                company.set(
                    SimilarityLevel(rawValue: UInt8(random.next() % 15)), with: Int64(1 + random.next() % 1_000_000),
                    inMinute: Int(random.next() % 15))
            }
            #expect(BlockCompany(packed: company.packed) == company, random.comment)
        }
    }

    @Test func `Any bytes are a row or none`() {
        var random = SeededGenerator("any rows")
        for round in 0..<20_000 {
            var bytes = (0..<random.next() % 60).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if round % 2 == 0 {
                bytes = vectors(&random).packed
                if !bytes.isEmpty {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            _ = BlockVectors(packed: bytes)
            _ = BlockCompany(packed: bytes)
            _ = BlockListening(packed: bytes)
        }
    }

    @Test func `Of two things that are said of a minute the one counts that rests on more, in any order`() {
        let few = Hearing(receiver: 7, code: HearingCode(count: 10, rssi: -50))
        let many = Hearing(receiver: 7, code: HearingCode(count: 40, rssi: -70))
        var (one, other) = (BlockVectors(), BlockVectors())
        for hearing in [few, many, few] { one.add(hearing, inMinute: 0) }
        for hearing in [many, few] { other.add(hearing, inMinute: 0) }
        #expect(one == other && one.minutes[0].hearings == [many])
        var (long, short) = (BlockListening(), BlockListening())
        long.add(seconds: 60, clockIsSynchronized: true, inMinute: 2)
        short.add(seconds: 12, clockIsSynchronized: false, inMinute: 2)
        var (first, second) = (long, short)
        first.merge(short)
        second.merge(long)
        #expect(first == second && first.seconds(inMinute: 2) == 60 && first.isSynchronized(inMinute: 2))
    }
}
