import Testing

@testable import HCI

@Suite struct RecencyTableTests {
    @Test("It keeps the same entries as a list that is searched through, whatever is done to it")
    func againstNaive() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var numbers = Generator(state: seed)
        var table = RecencyTable<Int, Int>(capacity: 8)
        var naive: [(key: Int, value: Int)] = []
        for step in 0..<20_000 {
            let key = Int(numbers.next() % 20)
            let place = naive.firstIndex { $0.key == key }
            if numbers.next() % 4 == 0 {
                table.remove(key)
                if let place { naive.remove(at: place) }
            } else {
                table.use(key, initially: 0) { $0 += step }
                let entry = place.map { naive.remove(at: $0) } ?? (key: key, value: 0)
                if naive.count == 8 { naive.removeFirst() }
                naive.append((key, entry.value + step))
            }
            #expect(table.count == naive.count, "seed \(seed), step \(step)")
            for entry in naive { #expect(table.value(of: entry.key) == entry.value, "seed \(seed), step \(step)") }
        }
        #expect(Set(table.entries.map(\.key)) == Set(naive.map(\.key)))
    }
}
