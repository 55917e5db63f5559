import BeaconModel
import RecordContract

/// What follows from what the broker sends.
extension PublisherMachine {
    mutating func acknowledged(_ numbers: [Int32], _ now: Moment) -> [Output] {
        changeLink { $0.hasAnswered = true }
        var outputs: [Output] = []
        var records: [Int64] = []
        records.reserveCapacity(numbers.count)
        for number in numbers {
            switch awaited.remove(number) {
            case .record(let id, _): records.append(id)
            case .state(let topic): states.acknowledge(topic)
            case .farewell: outputs += farewellAcknowledged()
            case .announcement, .once, nil: break
            }
        }
        acknowledgedRecords += UInt64(records.count)
        if !records.isEmpty || undelivered?.hasRecords == false { undelivered = nil }
        // Progress is counted after the outbox has been updated, because callers that wait for progress check the
        // outbox.
        guard records.isEmpty else { return [.confirm(records, answers: numbers.count)] + outputs }
        return confirmed(numbers.count, now) + outputs
    }

    mutating func confirmed(_ answers: Int, _ now: Moment) -> [Output] {
        progress += answers
        self.answers += answers
        let outputs = offerStates(now)
        // Offering a few records at a time would cost a wake-up each. The rest of the window is acknowledged soon.
        guard let window = link?.window, awaited.count <= window - window / AcknowledgementBatch.shares else {
            return outputs
        }
        return outputs + fetch()
    }

    /// Handles a rejected message. A rejected record may be accepted later, and does not hold up records of other
    /// topics.
    mutating func rejected(_ number: Int32, _ reason: Int32, _ now: Moment) -> [Output] {
        guard let link else { return [] }
        let broker = link.endpoint.description
        answers += 1
        switch awaited.remove(number) {
        case .record(let id, let topic):
            let error = MQTTError(broker: broker, cause: .rejected(reason, topic: topic))
            return rejected(because: error, reason, now) + [.withhold([id])]
        case .state(let topic):
            states.refuse(topic, own: announcement?.will.topic, at: now.instant)
            return notPublished(topic, reason, broker) + offerStates(now) + fetch()
        case .once(let topic): return notPublished(topic, reason, broker) + offerStates(now) + fetch()
        case .announcement, .farewell:
            guard let topic = announcement?.will.topic else { return fetch() }
            let error = MQTTError(broker: broker, cause: .rejected(reason, topic: topic))
            return [.abandon(nil)] + ended(.broker(error), now)
        case nil: return fetch()
        }
    }

    private mutating func notPublished(_ topic: String, _ reason: Int32, _ broker: String) -> [Output] {
        progress += 1
        return [.log(.notPublished(MQTTError(broker: broker, cause: .notTaken(reason, topic: topic))))]
    }

    // MARK: Subscriptions and messages

    mutating func subscribe(_ filter: String) -> [Output] {
        filters.append(filter)
        return link == nil ? [] : [.request(.reader(filters.count - 1), filter: filter)]
    }

    mutating func requested(_ subscription: Subscription, _ number: Int32) -> [Output] {
        changeLink { $0.requests[number] = subscription }
        return []
    }

    mutating func subscribed(_ number: Int32, _ isGranted: Bool) -> [Output] {
        var subscription: Subscription?
        changeLink { subscription = $0.requests.removeValue(forKey: number) }
        guard !isGranted, let subscription else { return [] }
        let filter: String? =
            switch subscription {
            case .reader(let index): filters[index]
            case .stored: storedTopic
            }
        return filter.map { [.log(.subscriptionRejected(filter: $0))] } ?? []
    }

    mutating func received(_ message: MQTTMessage, _ dropped: UInt64, _ now: Moment) -> [Output] {
        var outputs: [Output] = []
        if let count = self.dropped.add(dropped, at: now.instant) { outputs.append(.log(.messagesDropped(count))) }
        outputs.append(.deliver(message))
        guard message.topic == storedTopic else { return outputs }
        if let position = try? JSON.decode(RecordPosition.self, from: message.payload) {
            outputs.append(.stored(through: position, isRetained: message.isRetained))
        } else if !message.payload.isEmpty, let count = malformed.add(1, at: now.instant) {
            outputs.append(.log(.progressMalformed(topic: message.topic, messages: count)))
        }
        return outputs
    }
}
