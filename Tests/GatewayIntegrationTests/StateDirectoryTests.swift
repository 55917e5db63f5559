import BeaconModel
import SystemIO
import TestSupport
import Testing

@testable import Gateway

@Suite struct StateDirectoryTests {
    private let now = Timestamp(microseconds: 1_605_441_600_000_000)

    private func next(_ directory: String, now: Timestamp) throws -> UInt64 {
        try StateDirectory(path: directory).nextBoot(now: now) { Issue.record("damage: \($0)") }
    }

    @Test("Numbers grow with each run, also when the clock stands still or goes back")
    func grows() throws {
        let directory = try TemporaryDirectory()
        #expect(try next(directory.path, now: now) == 1_605_441_600)
        #expect(try next(directory.path, now: now) == 1_605_441_601)
        #expect(try next(directory.path, now: .epoch) == 1_605_441_602)
    }

    @Test("A lost directory doesn't bring old numbers back")
    func lost() throws {
        let (lost, new) = (try TemporaryDirectory(), try TemporaryDirectory())
        let first = try next(lost.path, now: now)
        #expect(try next(new.path, now: now + .seconds(60)) > first)
        withExtendedLifetime((lost, new)) {}
    }

    @Test("Damage is told and doesn't stop the gateway", arguments: ["", "12x", "-1", "99999999999999999999"])
    func damage(contents: String) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("boot", contents)
        var told: [String] = []
        let number = try StateDirectory(path: directory.path).nextBoot(now: now) { told.append($0) }
        #expect(number == 1_605_441_600)
        #expect(told.count == 1 && told[0].contains("/boot holds no number"))
    }

    @Test("A directory that can't be made is an error that says what to do")
    func noDirectory() {
        let error = #expect(throws: StateDirectoryError.self) { try StateDirectory(path: "/no/such/parent").lock() }
        #expect(error?.what.hasPrefix("can't create the state directory /no/such/parent") == true)
        #expect(error?.remedy?.contains("state.directory") == true)
    }

    @Test("A second gateway with the same directory is refused")
    func inUse() throws {
        let directory = try TemporaryDirectory()
        try StateDirectory(path: directory.path).lock()
        let error = #expect(throws: StateDirectoryInUse.self) { try StateDirectory(path: directory.path).lock() }
        #expect(error?.exitStatus == .unavailable)
        withExtendedLifetime(directory) {}
    }
}
