import FoundationEssentials
import Testing

extension VirtualRadioTests {
    private struct Examination: Decodable {
        struct Measurement: Decodable {
            var path: String
            var reports: Int?
            var senders: Int?
        }

        var exitStatus: Int32
        var measurements: [Measurement]
    }

    @Test("The doctor finds that the gateway would work, and counts what the raw path brings")
    func doctor() async throws {
        let results = try await VirtualMachine.shared.results()
        #expect(results.lines("doctor.status") == ["0"])
        let line = try #require(results.lines("doctor.jsonl").first)
        let examination = try JSONDecoder().decode(Examination.self, from: Data(line.utf8))
        #expect(examination.exitStatus == 0)
        let raw = examination.measurements.first { $0.path == "raw" }
        #expect((raw?.reports ?? 0) > 0, "\(line)")
        #expect((raw?.senders ?? 0) > 0)
    }

    @Test("The doctor leaves the controller with scanning off")
    func doctorLeavesNoScan() async throws {
        let log = try await VirtualMachine.shared.results().lines("doctor.controller.log")
        let scans = log.filter { $0.contains("scan on:") || $0.contains("scan off") }
        #expect(scans.last?.contains("scan off") == true, "\(log.suffix(10))")
    }
}
