import BeaconModel
import Glibc
import Publishing
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import RecordContract
@testable import RecordOutbox

/// A file system of four megabytes, which only root can make.
@Suite(.timeLimit(.minutes(10))) struct FullDiskTests {
    @Test(
        "A full disk is told, loses nothing that reaches the broker, and is forgotten when there is room again",
        .enabled(if: geteuid() == 0, "mounting a file system takes root"))
    func fullDisk() async throws {
        let directory = try TemporaryDirectory()
        let mounted = try await ChildProcess.run(
            "mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", directory.path])
        try #require(mounted.status == 0, "\(mounted.errorOutput)")
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        // What somebody else has on the disk.
        try FileContents.replace(directory.path + "/other", with: Array(repeating: 0, count: 3_000_000))
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            proxy.set(.refusing)
            let configuration = BrokerConfiguration(host: "127.0.0.1", port: proxy.port, clientID: "gateway")
            try await DeliveryRig.with(configuration, store: directory.path + "/outbox.db") { rig in
                await rig.publish(1...4000)
                let trouble = await rig.outbox.status(at: .now()).trouble
                #expect(trouble?.text.contains("full") == true, "\(trouble?.text ?? "no trouble")")
                proxy.set(.passing)
                await rig.expectDelivery("disk full", 1...4000, to: consumer)
                unlink(directory.path + "/other")
                let isWell = await eventually {
                    await rig.publish(4001...4001)
                    return await rig.outbox.status(at: .now()).trouble == nil
                }
                #expect(isWell)
            }
            proxy.close()
            await consumer.disconnect()
        }
    }
}
