import BeaconModel
import DequeModule
package import Integrations
import Logging
import MQTTBridge
import RecordContract
import ServiceLifecycle
import SystemIO

/// Publishes the messages of the outputs to the broker.
package actor OutputService: Service {
    private var outputs: Outputs
    private let publisher: MQTTPublisher
    /// Connection that carries Homie's last will.
    private let homie: MQTTPublisher?
    private let file: RetainedTopicsFile
    private let logger: Logger
    /// Batches not yet handed over. They keep the order of events, because handing over suspends.
    private var batches: Deque<OutputBatch> = []
    private var isDelivering = false
    private var hasWritingFailed = false

    /// - Parameter homie: the connection for Homie; not `nil` where the settings name Homie.
    init(
        outputs: Outputs, publisher: MQTTPublisher, homie: MQTTPublisher?, file: RetainedTopicsFile, logger: Logger
    ) {
        self.outputs = outputs
        self.publisher = publisher
        self.homie = homie
        self.file = file
        self.logger = logger
    }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for filter in outputs.subscriptions {
                group.addTask {
                    await cancelWhenGracefulShutdown {
                        for await message in await self.publisher.subscribe(to: filter) {
                            // A random delay, because all gateways of a building are asked at once.
                            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...1000)))
                            await self.take(.message(message))
                        }
                    }
                }
            }
            group.addTask {
                try? await gracefulShutdown()
                await self.take(.stopping)
            }
            await group.waitForAll()
        }
    }

    /// Handles an event and publishes the messages that follow from it.
    package func take(_ event: OutputEvent) async {
        let (batch, hasRetainedChanged) = outputs.handle(event)
        if hasRetainedChanged { remember() }
        guard !batch.isEmpty else { return }
        batches.append(batch)
        guard !isDelivering else { return }
        isDelivering = true
        while let next = batches.popFirst() { await deliver(next) }
        isDelivering = false
    }

    private func deliver(_ batch: OutputBatch) async {
        for message in batch.gateway { await deliver(message, by: publisher) }
        if let homie {
            for message in batch.homie { await deliver(message, by: homie) }
        }
        if !batch.again.isEmpty { await publisher.publishAgain { batch.again.contains($0) } }
    }

    private func deliver(_ message: MQTTMessage, by publisher: MQTTPublisher) async {
        if message.isRetained {
            await publisher.setState(message.payload, topic: message.topic)
        } else {
            await publisher.publishOnce(message)
        }
    }

    /// Saves the retained topics before they are published, so that no topic retained by the broker is forgotten.
    private func remember() {
        do throws(SystemError) {
            try file.write(outputs.retained)
            hasWritingFailed = false
        } catch {
            if !hasWritingFailed {
                logger.error(
                    "removed devices may remain in other tools",
                    metadata: ["because": "\(error.what)"])
            }
            hasWritingFailed = true
        }
    }
}
