import Glibc
import TestSupport
import Testing

/// Logs in the journal. Its socket has a fixed path, so the program runs in a mount namespace; this needs root.
@Suite(.timeLimit(.minutes(2)), .enabled(if: SmallDisk.isPossible)) struct JournalTests {
    @Test("Where standard error is the journal, log lines are entries with priorities and fields")
    func entries() async throws {
        let directory = try TemporaryDirectory()
        let inbox = try DatagramInbox()
        let configuration = try directory.writeConfiguration(brokerPort: 1)
        let daemon = try ChildProcess(
            "unshare",
            [
                "--mount", "sh", "-c",
                """
                mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/journal && : >/run/systemd/journal/socket \
                && mount --bind "$1" /run/systemd/journal/socket \
                && JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$2" run --config "$3" \
                --simulated-reports 10
                """, "sh", inbox.path, BuiltProgram.path("beacon-gateway"), configuration,
            ])
        let entry = await inbox.first { $0.contains("BEACON_EVENT=starting") }
        let lines = entry?.split(separator: "\n").map(String.init) ?? []
        #expect(lines.contains("PRIORITY=6"), "\(lines)")
        #expect(lines.contains("SYSLOG_IDENTIFIER=beacon-gateway"))
        #expect(lines.contains("BEACON_TOPICS=beacons/v1/s/b/1/g/#"))
        #expect(
            lines.contains {
                $0.firstMatch(of: /^MESSAGE=starting: boot=\d+ topics=beacons\/v1\/s\/b\/1\/g\/# version=/) != nil
            })
        // The services run, and wait for the signal.
        #expect(await inbox.first { $0.contains("BEACON_EVENT=radio\n") } != nil)
        daemon.send(signal: SIGTERM)
        #expect(await daemon.errorOutput.all() == [])
        #expect(await daemon.exitStatus() == 0)
    }
}
