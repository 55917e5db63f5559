import Testing

@testable import Publishing

@Suite struct OutboxRowTests {
    @Test("Identifiers at both ends of what is possible are deleted in ranges")
    func ranges() {
        let runs = OutboxRow.runs([.min, 1, 2, .max, .max])
        #expect(runs == [Int64.min...Int64.min, 1...2, Int64.max...Int64.max])
    }
}
