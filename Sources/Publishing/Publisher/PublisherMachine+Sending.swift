import BeaconModel
import RecordContract

/// Messages and records that are handed over for sending. The window bounds how many messages wait for their
/// acknowledgement.
extension PublisherMachine {
    mutating func announce(_ new: Announcement, _ now: Moment) -> [Output] {
        announcement = new
        return sayOnline(now)
    }

    mutating func sayOnline(_ now: Moment) -> [Output] {
        guard let announcement, let link, !link.isFinishing else { return [] }
        return [send(announcement.online(now.wall), as: .announcement, over: link)]
    }

    mutating func publishOnce(_ message: MQTTMessage) -> [Output] {
        guard let link else { return [] }
        return switch message.qualityOfService {
        case .atMostOnce: [.sendUnawaited(message)]
        case .atLeastOnce: [send(message, as: .once(topic: message.topic), over: link)]
        }
    }

    mutating func send(
        _ message: MQTTMessage, as awaited: AwaitedMessages.Message, over link: PublisherLink
    ) -> Output {
        var message = message
        if !link.session.retainIsAvailable { message.isRetained = false }
        handedOver.messages += 1
        if case .state = awaited { handedOver.states += 1 }
        return .send(message, as: awaited)
    }

    /// Sends changed states. They take at most half of the window, and have priority over records for free places.
    mutating func offerStates(_ now: Moment) -> [Output] {
        guard let link else { return [] }
        var outputs: [Output] = []
        while awaited.states + handedOver.states < max(1, link.window / 2), occupied < link.window,
            let message = states.next(at: now.instant)
        {
            outputs.append(send(message, as: .state(message.topic), over: link))
        }
        return outputs
    }

    private var occupied: Int { awaited.count + handedOver.messages }

    private mutating func settled(_ message: AwaitedMessages.Message) {
        handedOver.messages = max(0, handedOver.messages - 1)
        if case .state = message { handedOver.states = max(0, handedOver.states - 1) }
    }

    mutating func sent(_ message: AwaitedMessages.Message, _ number: Int32) -> [Output] {
        settled(message)
        awaited.insert(number, message)
        return []
    }

    mutating func notSent(
        _ message: MQTTMessage, _ awaited: AwaitedMessages.Message, _ error: MQTTError, _ now: Moment
    ) -> [Output] {
        settled(awaited)
        var outputs = failed(error, topic: message.topic)
        if case .state(let topic) = awaited {
            states.notSent(topic)
            outputs += offerStates(now)
        }
        // The message had occupied a place of the window, which a record may need.
        return error.isAboutMessage ? outputs + fetch() : outputs
    }

    private func failed(_ error: MQTTError, topic: String) -> [Output] {
        let notice = Output.log(.publishingFailed(topic: topic, error))
        return error.isAboutMessage ? [notice] : [notice, .abandon(error.cause)]
    }

    // MARK: Records

    /// Takes waiting records from the outbox as far as the window allows.
    mutating func fetch() -> [Output] {
        if case .fetching = fetching {
            fetching = .fetching(isStale: true)
            return []
        }
        guard case .connected(let link) = phase, link.takesRecords, occupied < link.window else { return [] }
        fetching = .fetching(isStale: false)
        return [.fetch(limit: link.window - occupied, connection: link.number)]
    }

    mutating func fetched(_ offer: OutboxOffer, _ number: Int, _ now: Moment) -> [Output] {
        // The connection was lost meanwhile. The records wait again, and a new connection may need them.
        guard let link, link.number == number else { return endFetching() }
        if let time = offer.retryAfter {
            let due = now.instant + time
            changeLink { $0.resumesAt = min($0.resumesAt ?? due, due) }
        }
        if offer.entries.isEmpty { return endFetching() }
        return [.sendRecords(offer.entries, connection: number)]
    }

    private mutating func endFetching() -> [Output] {
        guard case .fetching(let isStale) = fetching else { return [] }
        fetching = .idle
        return isStale ? fetch() : []
    }

    mutating func recordsSent(
        _ entries: [OutboxEntry], _ results: [Result<Int32, MQTTError>], _ now: Moment
    ) -> [Output] {
        var outputs: [Output] = []
        var refused: [Int64] = []
        var withheld: [Int64] = []
        var isLost = false
        for (entry, result) in zip(entries, results) {
            switch result {
            case .success(let number): awaited.insert(number, .record(id: entry.id, topic: entry.topic))
            case .failure(let error) where error.isAboutSize:
                let error = MQTTError(
                    broker: error.broker, cause: .rejected(MQTTReason.packetTooLarge, topic: entry.topic))
                outputs += rejected(because: error, MQTTReason.packetTooLarge, now)
                withheld.append(entry.id)
            case .failure(let error):
                outputs += failed(error, topic: entry.topic)
                if error.isAboutMessage { refused.append(entry.id) } else { isLost = true }
            }
        }
        if !refused.isEmpty { outputs.append(.refuse(refused)) }
        // The answer to `withhold` fetches again: the next offer returns how long the records are held back.
        if !withheld.isEmpty { outputs.append(.withhold(withheld)) }
        guard isLost else { return outputs + endFetching() }
        // All records wait for the next connection.
        fetching = .idle
        return outputs
    }

    /// Records why the broker rejects a record at present.
    ///
    /// - Returns: the log message that is due, if one is.
    mutating func rejected(because error: MQTTError, _ reason: Int32, _ now: Moment) -> [Output] {
        lastError = error
        refusal = error.inOneLine
        return refusalNotes.add(reason, at: now.instant).map { [.log(.recordsRejected(error, count: $0))] } ?? []
    }
}
