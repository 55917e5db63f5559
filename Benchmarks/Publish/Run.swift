import BeaconModel
import Glibc
import Logging
import MQTTBridge
import PublishC
import Publishing
import RecordOutbox
import SystemIO

/// One round of one publisher.
struct Run {
    var rate: Double
    /// For each record, of this process.
    var processorMicroseconds: Double
    /// To the disk, for each record.
    var writtenBytes: Double

    /// Of each figure by itself.
    static func median(_ runs: [Run]) -> Run {
        func middle(_ figure: (Run) -> Double) -> Double { runs.map(figure).sorted()[runs.count / 2] }
        return Run(
            rate: middle(\.rate), processorMicroseconds: middle(\.processorMicroseconds),
            writtenBytes: middle(\.writtenBytes))
    }

    static func bare(_ records: SampleRecords, total: Int, window: Int, port: UInt16) throws -> Run {
        let topics = records.messages.map { strdup($0.topic) }
        let payloads = records.messages.map { message in
            let copy = UnsafeMutableRawPointer.allocate(byteCount: message.payload.count, alignment: 1)
            copy.copyMemory(from: message.payload, byteCount: message.payload.count)
            return copy
        }
        defer {
            for topic in topics { free(topic) }
            for payload in payloads { payload.deallocate() }
        }
        let messages = records.messages.indices.map {
            publish_message(
                topic: topics[$0], payload: payloads[$0], length: Int32(records.messages[$0].payload.count))
        }
        var result = publish_result()
        let status = publish_bare(
            "127.0.0.1", Int32(port), 5, messages, messages.count, total, Int32(window), &result)
        guard status == 0, result.acknowledged == total else { throw Failure(status: status) }
        return Run(
            rate: Double(total) / result.seconds,
            processorMicroseconds: result.processor_seconds * 1e6 / Double(total), writtenBytes: 0)
    }

    struct Failure: Error {
        var status: Int32
    }

    /// - Parameter path: of the outbox; `nil`: in memory.
    static func ours(
        _ records: SampleRecords, total: Int, window: Int, port: UInt16, path: String?
    ) async throws -> Run {
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: .now())
        let publisher = await Publishing.start(outbox, window: window, port: port)
        let start = ContinuousClock.now
        let processor = processor_seconds()
        let written = Process.writtenBytes
        // As many at a time as the gateway's writer finds when it is busy.
        let batch = 200
        for first in stride(from: 0, to: total, by: batch) {
            await outbox.append(
                (first..<min(total, first + batch)).map { records.record($0) }, at: .now())
            while await outbox.waiting > 10 * batch { try await Task.sleep(for: .milliseconds(1)) }
        }
        while await publisher.publisher.acknowledgedRecords < UInt64(total) {
            try await Task.sleep(for: .milliseconds(1))
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let used = processor_seconds() - processor
        await publisher.stop()
        await outbox.close()
        return Run(
            rate: Double(total) / seconds, processorMicroseconds: used * 1e6 / Double(total),
            writtenBytes: path == nil ? 0 : Double(Process.writtenBytes - written) / Double(total))
    }
}

/// A publisher at work.
struct Publishing {
    var publisher: MQTTPublisher
    private var task: Task<Void, Never>

    static func start(_ outbox: Outbox, window: Int, port: UInt16) async -> Publishing {
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "bench")
        configuration.inFlight = window
        var logger = Logger(label: "bench")
        logger.logLevel = .warning
        let publisher = MQTTPublisher(configuration: configuration, outbox: outbox, logger: logger)
        let task = Task { await publisher.run() }
        while await !publisher.isConnected { try? await Task.sleep(for: .milliseconds(1)) }
        return Publishing(publisher: publisher, task: task)
    }

    func stop() async {
        _ = await publisher.finish(within: .seconds(5))
        await task.value
    }
}
