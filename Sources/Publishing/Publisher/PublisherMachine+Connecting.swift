import BeaconModel
import RecordContract

/// Which broker is tried when, and what follows from the end of a connection.
extension PublisherMachine {
    mutating func connect(_ now: Moment) -> [Output] {
        connections += 1
        let version = failover.version(at: now.wall)
        phase = .connecting(until: now.instant + configuration.connectTimeout)
        let attempt = Attempt(
            number: connections, endpoint: failover.endpoint, version: version, will: announcement?.will,
            session: announcement == nil ? .never : .whereItExpires)
        return [.connect(attempt)]
    }

    /// Handles an event of the latest connection.
    mutating func heard(_ event: ConnectionEvent, _ now: Moment) -> [Output] {
        switch (phase, event) {
        case (.connecting, .accepted(let session)): accepted(session, now)
        case (.connecting, .ended(let failure)), (.connected, .ended(let failure)): ended(failure, now)
        case (.connected, .acknowledged(let numbers)): acknowledged(numbers, now)
        case (.connected, .rejected(let number, let reason)): rejected(number, reason, now)
        case (.connected, .subscribed(let number, let isGranted)): subscribed(number, isGranted)
        case (.connected, .received(let message, let dropped)): received(message, dropped, now)
        // Nothing else is sent before the broker has accepted the connection, and nothing matters after its end.
        default: []
        }
    }

    private mutating func accepted(_ session: MQTTSession, _ now: Moment) -> [Output] {
        let endpoint = failover.endpoint
        phase = .connected(
            PublisherLink(
                number: connections, endpoint: endpoint, session: session, window: session.window(of: configuration),
                since: now.instant, watch: .resting(until: now.instant + watchInterval),
                preferredTriedAt: now.instant))
        var outputs: [Output] = [.log(.connected(endpoint, session.version))]
        if failover.connected(at: now.wall) { outputs.append(.remember(failover.memory)) }
        if configuration.version == .automatic, session.version == .threeOneOne, saidToBeOld.insert(endpoint).inserted {
            outputs.append(.log(.oldVersion(endpoint)))
        }
        outputs += filters.enumerated().map { .request(.reader($0.offset), filter: $0.element) }
        if let storedTopic { outputs.append(.request(.stored, filter: storedTopic)) }
        outputs += sayOnline(now)
        states.beginAnew()
        outputs += offerStates(now)
        if configuration.tls != nil { outputs.append(.readCertificates) }
        return outputs + [.setOnline(true)]
    }

    mutating func ended(_ failure: ConnectionFailure?, _ now: Moment) -> [Output] {
        let link = link
        let connection = link.map {
            ConnectionHistory.Connection(held: now.instant - $0.since, wasAnswered: $0.hasAnswered)
        }
        // A connection that this client ended itself says nothing about the broker.
        let isOwnEnd = link.map { !$0.isServing } ?? false
        var error = failure?.mqttError
        var outputs: [Output] = []
        if !isOwnEnd, link != nil, let error { outputs += suspectStates(after: error, now) }
        let conclusion = isOwnEnd ? nil : history.ended(error?.cause, after: connection)
        if let cause = conclusion?.cause { error?.cause = cause }
        if let failure {
            lastError = error
            outputs += note(error.map(ConnectionFailure.broker) ?? failure, takeover: conclusion?.takeover, now)
        }
        (awaited, handedOver) = (AwaitedMessages(), (0, 0))
        let next = next(after: conclusion, error, link)
        guard link != nil else { return outputs + proceed(to: next, now) }
        phase = .disconnected(then: next)
        return outputs + [.setOnline(false)]
    }

    private mutating func next(
        after conclusion: ConnectionHistory.Conclusion?, _ error: MQTTError?, _ link: PublisherLink?
    ) -> Next {
        guard let conclusion else { return link?.isFinishing == true ? .end : .connect }
        backoff.heed(conclusion.pace)
        guard failover.failed(error, wasConnected: link != nil) else { return .connect }
        return .wait(backoff.next(using: &generator))
    }

    private mutating func proceed(to next: Next, _ now: Moment) -> [Output] {
        switch next {
        case .connect: return connect(now)
        case .wait(let time):
            phase = .waiting(until: now.instant + time)
            return [.log(.nextAttempt(after: time))]
        case .end:
            phase = .over
            return []
        }
    }

    mutating func outboxOffline(_ now: Moment) -> [Output] {
        guard case .disconnected(let next) = phase else { return [] }
        return proceed(to: next, now)
    }

    mutating func cancel() -> [Output] {
        defer { phase = .over }
        switch phase {
        case .connecting: return [.abandon(nil)]
        case .connected: return [.abandon(nil), .setOnline(false)]
        case .idle, .disconnected, .waiting, .over: return []
        }
    }

    private mutating func note(
        _ failure: ConnectionFailure, takeover: ConnectionHistory.Takeover?, _ now: Moment
    ) -> [Output] {
        switch failure.mqttError?.cause {
        case .unanswered, .rejected:
            undelivered = (failure.underlying.inOneLine, hasRecords: awaited.records > 0)
        default: break
        }
        guard let takeover else { return [.log(.connectionFailed(failure))] }
        let times = (takeovers?.times ?? 0) + 1
        takeovers = SessionTakeovers(
            times: times, lastAt: now.wall, isCertain: takeover == .said || takeovers?.isCertain ?? false)
        return [
            .takeoversChanged,
            .log(.takenOver(failure, clientID: configuration.clientID, times: times, takeover)),
        ]
    }

    /// Suspends a state that may have made the broker end the connection, so that it is not sent at each connection.
    private mutating func suspectStates(after error: MQTTError, _ now: Moment) -> [Output] {
        guard ConnectionHistory.mayBeRefusal(error.cause),
            let topic = states.connectionClosed(own: announcement?.will.topic, at: now.instant)
        else { return [] }
        return [.log(.topicSuspected(broker: error.broker, topic: topic))]
    }
}
