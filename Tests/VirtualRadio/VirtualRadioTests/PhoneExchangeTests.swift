import Testing

/// Phones that are connected to while the same adapter scans, by legacy and by extended commands.
@Suite(.timeLimit(.minutes(20))) struct PhoneExchangeTests {
    /// The code of a phone of the emulated radio is 0xC0DE and its address.
    private static let exchanged: Set = [
        "exchange ble-proximity 4A:11:22:33:44:10 C0DE4A1122334410",
        "exchange c19x 4A:11:22:33:44:11 C0DE4A1122334411",
        "exchange ble-proximity 4A:11:22:33:44:12 C0DE4A1122334412",
    ]

    @Test("Each phone's code is read once, whichever commands connect", arguments: ["legacy", "extended"])
    func codes(run: String) async throws {
        let results = try await VirtualMachine.shared.results()
        let lines = results.lines("\(run)-exchange.txt")
        #expect(Set(lines).isSuperset(of: Self.exchanged), "\(lines)")
        #expect(lines.filter { $0.contains(" C0DE") }.count == 3, "\(lines)")
    }

    @Test("BLE-Proximity phones are given our code, in the way that each of them takes it")
    func ownCode() async throws {
        let log = try await VirtualMachine.shared.results().lines("legacy-exchange.controller.log")
        #expect(
            log.contains { $0.hasSuffix("peer 4A:11:22:33:44:10 was given 0x1122334455667788 by command") }, "\(log)")
        #expect(
            log.contains { $0.hasSuffix("peer 4A:11:22:33:44:12 was given 0x1122334455667788 by request") }, "\(log)")
    }

    @Test("A phone that asks back is answered: an MTU of 23, no services, and a confirmation")
    func answers() async throws {
        let log = try await VirtualMachine.shared.results().lines("legacy-exchange.controller.log")
        for answer in ["03 17 00", "01 10 01 00 0A", "1E"] {
            #expect(log.contains { $0.hasSuffix("peer 4A:11:22:33:44:12 was answered \(answer)") }, "\(log)")
        }
    }

    @Test("Scanning goes on afterwards, and was off for moments only", arguments: ["legacy", "extended"])
    func scanning(run: String) async throws {
        let results = try await VirtualMachine.shared.results()
        let numbers = Dictionary(
            results.lines("\(run)-exchange.txt").compactMap { line in
                line.split(separator: " ").last.flatMap { Int($0) }.map { (line.prefix { !$0.isNumber }, $0) }
            }, uniquingKeysWith: { $1 })
        print("\(run): the longest gap between two reports was \(numbers["longest gap "] ?? -1) ms")
        #expect((numbers["reports afterwards "] ?? 0) > 20, "\(numbers)")
        let log = results.lines("\(run)-exchange.controller.log")
        #expect(log.allSatisfy { !$0.contains("accepted") }, "the kernel never scanned for one phone alone: \(log)")
    }
}
