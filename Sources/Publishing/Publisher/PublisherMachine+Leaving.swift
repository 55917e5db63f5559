import BeaconModel
import RecordContract

/// When a connection is left: for a better one, or at the end.
extension PublisherMachine {
    // MARK: The end

    mutating func finish(within limit: Duration, _ now: Moment) -> [Output] {
        switch phase {
        case .connected(let link):
            if link.isFinishing { return [] }
            let deadlines = PublisherLink.Deadlines(within: limit, from: now.instant)
            enter(.finishing(.delivering(deadlines, answers: isAnswered ? nil : answers)))
            // A departing connection is offered no records. The timer asks for them, so that the end does not wait for
            // the outbox.
            if !link.isServing { changeLink { $0.resumesAt = now.instant } }
            return []
        case .connecting:
            phase = .over
            return [.abandon(nil)]
        case .idle, .disconnected, .waiting, .over:
            phase = .over
            return []
        }
    }

    mutating func counted(undelivered count: Int, _ now: Moment) -> [Output] {
        guard case .finishing(.delivering(let deadlines, _)) = link?.stage, count <= 0, isAnswered, states.areGiven
        else { return [] }
        return sayFarewell(deadlines, now)
    }

    private mutating func sayFarewell(_ deadlines: PublisherLink.Deadlines, _ now: Moment) -> [Output] {
        guard let announcement, let link else { return close(until: deadlines.end) }
        enter(.finishing(.farewell(deadlines)))
        return [send(announcement.farewell(now.wall), as: .farewell, over: link)]
    }

    mutating func farewellAcknowledged() -> [Output] {
        guard case .finishing(.farewell(let deadlines)) = link?.stage else { return [] }
        return close(until: deadlines.end)
    }

    private mutating func close(until deadline: Instant) -> [Output] {
        enter(.finishing(.disconnected(until: deadline)))
        return [.disconnect]
    }

    private mutating func enter(_ stage: PublisherLink.Stage) { changeLink { $0.stage = stage } }

    /// Whether nothing that was sent waits for its acknowledgement.
    private var isAnswered: Bool { awaited.isEmpty && handedOver.messages == 0 }

    /// Takes the next step of leaving a connection once the broker has answered everything.
    mutating func advance(_ now: Moment) -> [Output] {
        guard case .connected(let link) = phase else { return [] }
        switch link.stage {
        case .departing(.settling) where isAnswered:
            // Records are still being offered.
            if case .fetching = fetching { return [] }
            return disconnect(now)
        case .finishing(.delivering(let deadlines, let last)) where isAnswered && states.areGiven && last != answers:
            enter(.finishing(.delivering(deadlines, answers: answers)))
            return [.countUndelivered]
        case .serving, .departing, .finishing: return []
        }
    }

    /// Takes the step of a connection for which it is time.
    mutating func nextStep(of link: PublisherLink, _ now: Moment) -> [Output] {
        switch link.stage {
        case .serving:
            guard case .resting(let until) = link.watch, until <= now.instant else { return [] }
            return lookForBetter(now)
        case .departing(.settling(let until)) where until <= now.instant: return disconnect(now)
        case .departing(.disconnected(let until)) where until <= now.instant:
            enter(.departing(.abandoned))
            return [.abandon(nil)]
        case .finishing(.delivering(let deadlines, _)) where deadlines.delivery <= now.instant:
            return sayFarewell(deadlines, now)
        // The broker publishes the will.
        case .finishing(.farewell(let deadlines)) where deadlines.farewell <= now.instant: return abandonAtEnd()
        case .finishing(.disconnected(let until)) where until <= now.instant: return abandonAtEnd()
        case .departing, .finishing: return []
        }
    }

    private mutating func abandonAtEnd() -> [Output] {
        enter(.finishing(.abandoned))
        return [.abandon(nil)]
    }

    // MARK: A better connection

    /// Looks for renewed certificates, then for a preferred broker. The connection is left only after the other one has
    /// been seen to work.
    private mutating func lookForBetter(_ now: Moment) -> [Output] {
        guard configuration.tls != nil else { return tryPreferred(now) }
        changeLink { $0.watch = .examining }
        return [.readCertificates]
    }

    mutating func examined(_ files: CertificateFiles, _ now: Moment) -> [Output] {
        guard let link else { return [] }
        let isRenewed = link.certificates.map { $0 != files } ?? false
        guard case .examining = link.watch, link.isServing else {
            if link.certificates == nil { changeLink { $0.certificates = files } }
            return []
        }
        changeLink { $0.certificates = files }
        guard isRenewed else { return tryPreferred(now) }
        return probe(.renewedCertificates, link.endpoint, link.session.version, link)
    }

    private mutating func tryPreferred(_ now: Moment) -> [Output] {
        guard let link, !failover.isPreferred, now.instant - link.preferredTriedAt >= preferredInterval else {
            return rest(now)
        }
        changeLink { $0.preferredTriedAt = now.instant }
        return probe(.preferredBroker, failover.preferred, failover.probeVersion(at: now.wall), link)
    }

    private mutating func rest(_ now: Moment) -> [Output] {
        let time = now.instant + watchInterval
        changeLink { $0.watch = .resting(until: time) }
        return []
    }

    private mutating func probe(
        _ purpose: Probe.Purpose, _ endpoint: BrokerEndpoint, _ version: MQTTVersion?, _ link: PublisherLink
    ) -> [Output] {
        changeLink { $0.watch = .probing }
        return [.probe(Probe(purpose: purpose, endpoint: endpoint, version: version, connection: link.number))]
    }

    mutating func probed(_ probe: Probe, _ error: MQTTError?, _ now: Moment) -> [Output] {
        if let error, probe.version != .threeOneOne { failover.probeFailed(probe.endpoint, error, at: now.wall) }
        guard let link, link.number == probe.connection, link.isServing else { return [] }
        switch (probe.purpose, error) {
        case (.renewedCertificates, let error?):
            return [.log(.renewedCertificatesFailed(error))] + tryPreferred(now)
        case (.renewedCertificates, nil):
            depart(now)
            return [.log(.certificatesRenewed)]
        case (.preferredBroker, .some): return rest(now)
        case (.preferredBroker, nil):
            failover.prefer()
            depart(now)
            let notice = Output.log(.returningToPreferred(probe.endpoint))
            // Subscribers of that broker must not believe that this gateway is still connected there.
            guard let will = announcement?.will else { return [notice] }
            return [notice, send(will, as: .farewell, over: link)]
        }
    }

    private mutating func depart(_ now: Moment) {
        enter(.departing(.settling(until: now.instant + Self.settling)))
    }

    private mutating func disconnect(_ now: Moment) -> [Output] {
        enter(.departing(.disconnected(until: now.instant + Self.closing)))
        return [.disconnect]
    }
}
