import Testing

extension VirtualRadioTests {
    @Test("A recording has every advertisement that was on the air, once, and ends by itself with scanning off")
    func record() async throws {
        let results = try await VirtualMachine.shared.results()
        #expect(results.lines("record.status") == ["0"], "\(results.lines("record.log"))")
        let sightings = try Sighting.read(results.lines("record.jsonl"))
        #expect(ExpectedBeacon.differences(in: sightings) == [], "\(results.lines("record.txt"))")
        #expect(sightings.count == 112)
        #expect(results.lines("record.controller.log").last { $0.contains("scan o") }?.contains("scan off") == true)
    }

    @Test("A recording with pseudonyms that SIGTERM ends is whole, and names nobody who was on the air")
    func recordWithPseudonyms() async throws {
        let results = try await VirtualMachine.shared.results()
        #expect(results.lines("record-sigterm.status") == ["0"], "\(results.lines("record-sigterm.log"))")
        let lines = results.lines("record-sigterm.jsonl")
        let sightings = try Sighting.read(lines)
        #expect(Set(sightings.filter { $0.kind == "ibeacon" }.map(\.address)).count == 3, "\(lines.prefix(5))")
        for known in ExpectedBeacon.all {
            #expect(!lines.contains { $0.contains(known.uuid) || $0.contains(known.address) })
        }
        let log = results.lines("record-sigterm.controller.log")
        #expect(log.last { $0.contains("scan o") }?.contains("scan off") == true, "\(log.suffix(5))")
    }
}
