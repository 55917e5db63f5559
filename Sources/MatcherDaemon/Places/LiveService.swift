import BeaconModel
import CommandSupport
import InteractionStore
import Logging
import MQTTBridge
import MatcherCore
import Matching
import Publishing
import RecordContract
import ServiceLifecycle
import SystemIO

/// Service that receives signals while live is on, and publishes the places of subjects.
///
/// It has a connection of its own, because each matcher needs the signals of all gateways: a shared subscription would
/// divide them. The broker keeps nothing for it.
struct LiveService: NamedService {
    var places: LivePlaces
    var configuration: Reloadable<MatcherConfiguration>
    var store: SharedStore
    var secrets: SubjectSecrets
    var publisher: MQTTPublisher
    var leader: StoreLeader
    var activation: Activation
    var logger: Logger

    private static let interval: Duration = .seconds(1)
    /// Interval at which seconds that are over are looked for, so that dots follow within a part of a second.
    private static let step: Duration = .milliseconds(250)
    /// Interval at which the store is asked for positions, beacons and revoked gateways.
    private static let storeInterval: Duration = .seconds(30)
    /// Interval of comments on event streams.
    private static let beatInterval: Duration = .seconds(15)
    /// Maximum number of messages that wait to be processed.
    private static let mostWaiting = 4_000

    private struct Arrival: Sendable {
        var message: MQTTMessage
        var time: Double
    }

    func run() async throws {
        guard await activation.begun() else { return }
        let (arrivals, arrive) = AsyncStream<Arrival>.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await arrival in arrivals {
                        await places.take(
                            arrival.message, arrivedAt: arrival.time, configuration.current.signing)
                    }
                }
                group.addTask { await keepConnection(arrive) }
                group.addTask { await keepTime() }
                group.addTask { await keepMoving() }
                // The first that ends is the connection or the time, at the shutdown.
                await group.next()
                arrive.finish()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            places.streams.close()
        }
        await empty()
    }

    /// Keeps the connection while live is on.
    private func keepConnection(_ arrive: AsyncStream<Arrival>.Continuation) async {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if await places.isOn {
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { await receive(arrive) }
                        group.addTask {
                            while await places.isOn, (try? await Task.sleep(for: Self.interval)) != nil {}
                        }
                        await group.next()
                        group.cancelAll()
                    }
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func receive(_ arrive: AsyncStream<Arrival>.Continuation) async {
        let current = configuration.current
        var broker = current.broker
        // Another connection needs another client identifier.
        broker.clientID += "-live"
        let clock = places.clock
        let consumer = MQTTConsumer(
            configuration: broker, filters: current.signalFilters, session: .never, logger: logger,
            take: { messages in
                let now = clock.seconds()
                for message in messages { arrive.yield(Arrival(message: message, time: now)) }
                return .stored([])
            })
        do {
            try await consumer.run {
            } subscribed: {
                logger.notice(
                    "live positions on", metadata: ["signals": "\(current.signalFilters.joined(separator: " "))"])
                return []
            }
        } catch {
            logger.error("signals not received", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    /// Lets time pass: seconds, events, topics, and what the store knows.
    private func keepTime() async {
        try? await cancelWhenGracefulShutdown {
            var askedAt: ContinuousClock.Instant?
            var beatAt = ContinuousClock.now
            while true {
                if askedAt.map({ .now - $0 >= Self.storeInterval }) ?? true {
                    askedAt = .now
                    await learn()
                }
                await places.tick()
                if .now - beatAt >= Self.beatInterval {
                    beatAt = .now
                    places.streams.beat()
                }
                await publish()
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Sends what follows from seconds that are over, also while the store is slow.
    private func keepMoving() async {
        try? await cancelWhenGracefulShutdown {
            while true {
                await places.advance()
                try await Task.sleep(for: Self.step)
            }
        }
    }

    private func learn() async {
        guard let settings = configuration.current.localisation else { return }
        let store = store
        let now = WallClock.now().microseconds / 1_000_000
        do {
            let (positions, fixed, revoked, survey, offsets) = try await DedicatedThread.run(name: "positions") {
                Result {
                    try store.use {
                        (
                            try $0.receiverPositions(), try $0.fixedBeacons(since: now - 86_400),
                            try $0.revokedGateways(),
                            try $0.usableSurvey(withModules: settings.learnsFromModules), try $0.usedOffsets()
                        )
                    }
                }
            }.get()
            try await forgetErased()
            await places.learn(
                positions: positions.map { ($0.path, $0.position, $0.room) }, fixed: fixed, revoked: revoked,
                survey: survey, offsets: offsets)
        } catch {
            logger.error("positions of receivers not read", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    /// Forgets the tracks of subjects that were erased while they were followed.
    private func forgetErased() async throws {
        let followed = await places.followed
        if followed.isEmpty { return }
        let store = store
        let erased = try await DedicatedThread.run(name: "erasures") {
            Result { try store.use { try $0.erasures(among: Set(followed.keys)) } }
        }.get()
        await places.forget(erased.filter { subject, time in followed[subject].map { $0 <= time } ?? false }.keys)
    }

    private func publish() async {
        let subjects = await places.published
        var keys: [SubjectIdentity: String] = [:]
        var isLeader = false
        if !subjects.isEmpty {
            let (store, secrets, leader) = (store, secrets, leader)
            do {
                (keys, isLeader) = try await DedicatedThread.run(name: "locations") {
                    Result { () throws -> ([SubjectIdentity: String], Bool) in
                        let versions = try store.use { try $0.secretVersions(of: subjects) }
                        let keys = subjects.reduce(into: [SubjectIdentity: String]()) { keys, subject in
                            keys[subject] = secrets.locationKey(of: subject, version: max(0, versions[subject] ?? 0))
                        }
                        return (keys, try leader.isThis())
                    }
                }.get()
            } catch {
                logger.error("places not published", metadata: ["because": "\(error.inOneLine)"])
                // Who has left is withdrawn all the same.
                await carryOut(await places.withdrawal())
                return
            }
        }
        await carryOut(await places.topicSteps(isLeader: isLeader, keys: keys))
    }

    /// Empties the topics of places at a regular end.
    private func empty() async {
        await carryOut(await places.topicSteps(isLeader: false, keys: [:]))
    }

    private func carryOut(_ steps: [LocationTopics.Step]) async {
        for step in steps {
            switch step {
            case .publish(let topic, let position):
                await publisher.setState(
                    places.document(position), topic: topic, expiry: .seconds(LocationTopics.expiry))
            case .empty(let topic): await publisher.setState([], topic: topic)
            }
        }
    }
}
