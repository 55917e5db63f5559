import Logging
import Testing

@testable import Publishing
@testable import RecordContract
@testable import RecordOutbox

/// What the log says of an outbox.
@Suite struct OutboxNoticeTests {
    private static let loss = OutboxLoss(
        count: 3, oldest: RecordPosition(boot: 1, sequence: 4), newest: RecordPosition(boot: 2, sequence: 6))

    @Test(
        "Whatever happens to records is logged: what, of which outbox, how many, and which",
        arguments: [
            (
                .unwritable(path: "/s/outbox.db", reason: "full"),
                "error outbox not writable, holding records in memory error=full path=/s/outbox.db"
                    + " remedy=free space on its file system, or repair the disk"
            ),
            (.writable(path: "/s/outbox.db"), "notice outbox writable again path=/s/outbox.db"),
            (
                .restored(path: "/s/outbox.db", records: 7),
                "error outbox removed while in use, written anew path=/s/outbox.db records=7"
                    + " remedy=if all of the state directory was removed, restart the gateway: its lock is gone too"
            ),
            (
                .expired(loss),
                "warning records expired before they were delivered count=3 newest=boot 2 sequence 6"
                    + " oldest=boot 1 sequence 4"
            ),
            (.evicted([.updated: 5]), "warning records evicted, no room left updated=5"),
            (
                .unsaved(path: "/s/outbox.db", loss),
                "error records lost, the disk did not take them count=3 newest=boot 2 sequence 6"
                    + " oldest=boot 1 sequence 4 path=/s/outbox.db"
            ),
        ] as [(OutboxNotice, String)])
    func lines(notice: OutboxNotice, line: String) {
        let log = KeptLog()
        notice.log(to: Logger(label: "test") { _ in log })
        #expect(log.lines == [line])
    }
}
