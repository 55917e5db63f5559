import BeaconModel
import HCI
import Integrations
import Proximity
import RecordContract

/// A gateway's decisions on what its adapters, its remote receivers and its modules receive: what is published and
/// persisted, and which adapter is suspect. Pure.
package struct RadioCore: Sendable {
    private let configuration: Configuration
    private let boot: UInt64
    private var ingest: Ingest
    private var receivers: RemoteReceivers
    private var radios: Radios
    private var own = OwnBeacons()
    private var publications: Publications
    private var counting = CountsSchedule()
    /// When the presence is persisted; `nil`: it is not.
    private var keeping: PresenceSchedule?
    /// Periodic events for other tools; `nil`: other tools get no events.
    private var outputClock: OutputClock?
    /// Beacons published to other tools.
    private var named: Set<BeaconID> = []
    /// Results of the current input. Empty between two inputs; it keeps its memory.
    private var results = IngestOutput()

    /// - Parameters:
    ///   - adapters: names of the adapters, in the order of the configuration. A replay has one for all of its packets.
    ///   - keepsPresence: whether the presence is persisted.
    ///   - servesOtherTools: whether there are events for other tools.
    package init(
        _ configuration: Configuration, audience: Audience, boot: UInt64, adapters: [String],
        keepsPresence: Bool = false, servesOtherTools: Bool = false
    ) {
        self.configuration = configuration
        self.boot = boot
        ingest = Ingest(configuration, audience: audience)
        receivers = RemoteReceivers(configuration, audience: audience)
        radios = Radios(names: adapters)
        publications = Publications(configuration, boot: boot)
        keeping = keepsPresence ? PresenceSchedule() : nil
        outputClock = servesOtherTools ? OutputClock(configuration.outputs) : nil
        name(own.beacons)
    }

    /// Counts of what has been received so far.
    package var counts: IngestCounts { ingest.counts }

    /// Processes an input, and appends what is to be done.
    ///
    /// Most batches of packets have no output. A caller that passes the same array again avoids an allocation for the
    /// others.
    package mutating func handle(_ input: RadioInput, now: RadioTime, into outputs: inout [RadioOutput]) {
        switch input {
        case .started(let kept): start(kept, now, into: &outputs)
        case .state(let state, let source): follow(state, of: source, now, into: &outputs)
        case .packets(let batch, let source):
            radios.heard(by: source, now: now.elapsed)
            let before = ingest.counts.reports
            ingest.receive(batch, into: &results)
            radios.count(ingest.counts.reports &- before, of: source)
            deliver(now, into: &outputs)
        case .silence(let source, let time, let heardUntil):
            suspect(source, now, into: &outputs)
            pass(time, of: source, heardUntil: heardUntil, now, into: &outputs)
        case .remote(let packet):
            if let news = receivers.take(packet, now: now.elapsed) { deliver([news], now, into: &outputs) }
        case .remoteClock(let isConnected, let time):
            deliver(
                receivers.advance(isConnected: isConnected, at: time, now: now.elapsed), now, into: &outputs)
            outputs.append(.receivers(receivers.reports(at: time), modules: receivers.moduleReports(at: time)))
        case .heardByModule(let hearing):
            if let news = receivers.take(hearing, now: now.elapsed) { deliver([news], now, into: &outputs) }
        case .inventory(let inventory):
            own.set(inventory)
            listen(into: &outputs)
            deliver(receivers.setModules(inventory, at: now.wall), now, into: &outputs)
        case .signals(let isOn):
            ingest.setSignals(isOn)
            receivers.setSignals(isOn)
        case .module(let status):
            if own.update(status, now: now.elapsed) { listen(into: &outputs) }
        case .moduleEvent(let event):
            let record = publications.record(for: event, clockIsSynchronized: now.isSynchronized)
            outputs.append(.delivery(Delivery(records: [record])))
        case .learned(let phone): ingest.learn(phone)
        case .rescan(let adapter):
            let rescan = Rescan(of: adapter, radios.reports)
            outputs += rescan.sources.map { .rescan(source: $0) }
            outputs.append(.rescanned(rescan.outcome))
        case .stopped:
            ingest.endAll(at: now.wall, reason: .shutdown, into: &results)
            deliver(now, into: &outputs)
            deliver(receivers.endAll(at: now.wall, reason: .shutdown), now, into: &outputs)
            if keeping != nil { outputs.append(.delivery(Delivery(presence: kept))) }
        case .captureEnded:
            ingest.endAll(at: nil, reason: .shutdown, into: &results)
            deliver(now, into: &outputs)
        }
    }

    // MARK: Beginning

    private mutating func start(_ kept: PersistedPresence?, _ now: RadioTime, into outputs: inout [RadioOutput]) {
        var news: [RemoteReceivers.News] = []
        if let kept {
            ingest.resume(
                kept, calibration: configuration.calibration(resuming: kept.calibration), rules: configuration.rules,
                at: now.wall, into: &results)
            news = receivers.resume(kept.ears ?? [:], ofRun: kept.boot, at: now.wall)
            publications.resume(ingest.present, by: nil)
            for receiver in receivers.receivers {
                publications.resume(receiver.present, by: receiver.configuration.name)
            }
        }
        own.set(configuration.inventory)
        listen(into: &outputs)
        if kept != nil {
            deliver(now, into: &outputs)
            deliver(news, now, into: &outputs)
        }
        if keeping != nil { outputs.append(.delivery(Delivery(presence: self.kept))) }
    }

    // MARK: Modules

    /// Listens for the beacons of our own modules.
    private mutating func listen(into outputs: inout [RadioOutput]) {
        ingest.listen(for: own.intervals, modules: own.modules, into: &results)
        receivers.expect(own.beacons)
        name(own.beacons)
        handOn(into: &outputs)
    }

    /// Sets the beacons that are published to other tools: those of our own modules, and the known ones.
    private mutating func name(_ modules: Set<BeaconID>) {
        named = modules.union(configuration.knownBeacons.map(\.beacon))
        ingest.countDecodings(of: named)
    }

    // MARK: Adapters

    private mutating func follow(
        _ state: RadioState, of source: Int, _ now: RadioTime, into outputs: inout [RadioOutput]
    ) {
        let report = radios.reports[source]
        // Recovery steps are counted in `health`.
        if report.state?.condition != state.condition || report.state?.error != state.error {
            outputs.append(.notice(.adapter(name: report.name, state)))
        }
        ingest.follow(state, before: report.state, at: now.wall, into: &results)
        radios.set(state, of: source, at: now.wall, now: now.elapsed)
        if radios.haveAllSpoken { ingest.adopt(by: radios.opened) }
        if radios.hearing == .deaf { ingest.becomeDeaf(into: &results) }
        outputs.append(.adapters(radios.reports, hearing: radios.hearing))
        deliver(now, into: &outputs)
    }

    /// Requests the repair of an adapter that should hear something and does not.
    private mutating func suspect(_ source: Int, _ now: RadioTime, into outputs: inout [RadioOutput]) {
        guard let silence = radios.silence(of: source, now: now.elapsed),
            let adapter = radios.reports[source].state?.adapter,
            let suspicion = ingest.suspicion(of: adapter, silentFor: silence)
        else { return }
        switch suspicion {
        case .otherAdapter: outputs.append(.suspect(source: source, isCertain: true))
        case .ownBeacon where own.explains(silence: silence, now: now.elapsed):
            // A module that was unplugged explains the silence.
            ingest.forgetHearing(adapter)
        case .ownBeacon: outputs.append(.suspect(source: source, isCertain: true))
        case .likely:
            outputs.append(.suspect(source: source, isCertain: false))
            // The devices get one chance to come back, so that the adapter is not repaired again and again in an empty
            // building.
            ingest.forgetHearing(adapter)
        }
    }

    /// Processes a second in which one adapter heard nothing.
    ///
    /// - Parameter heardUntil: time until which the silence is known to be radio silence, not the adapter's.
    private mutating func pass(
        _ time: Timestamp, of source: Int, heardUntil: Timestamp?, _ now: RadioTime, into outputs: inout [RadioOutput]
    ) {
        ingest.passes(time, into: &results)
        if let state = radios.reports[source].state, state.mode != nil {
            if let deafness = radios.deafness(of: source, now: now.elapsed) {
                ingest.deaf(state.adapter, for: deafness, at: time, into: &results)
            } else if let heardUntil {
                ingest.heard(by: state.adapter, until: heardUntil, into: &results)
            }
        }
        deliver(now, into: &outputs)
        if radios.opened.isEmpty {
            ingest.deafEverywhere(for: now.elapsed, at: time, into: &results)
            deliver(now, into: &outputs)
        }
    }

    // MARK: Results

    /// The presence to persist.
    private var kept: PersistedPresence {
        var kept = ingest.kept(boot: boot)
        if !receivers.receivers.isEmpty { kept.ears = receivers.kept }
        return kept
    }

    /// Delivers the results of the gateway's own adapters, and what is due.
    private mutating func deliver(_ now: RadioTime, into outputs: inout [RadioOutput]) {
        if counting.isDue(now: now.elapsed) {
            var counts = ingest.counts
            counts.present = ingest.presentCount
            counts.reportsByAdapter = radios.reportCounts
            outputs.append(.counts(counts, unpublishable: publications.unpublishable))
            if let packets = counting.crowdingReport(ingest.counts.refusals.tableFull, now: now.elapsed) {
                outputs.append(.notice(.crowded(packets: packets)))
            }
        }
        var delivery = Delivery()
        switch keeping?.due(now: now.elapsed) {
        case .snapshot?: delivery.presence = kept
        case .heard?:
            let interval = PresenceSchedule.noteInterval
            delivery.ended =
                [PresenceNote(note: ingest.heard(within: interval))]
                + receivers.heard(since: now.wall + (.zero - interval))
        case nil: break
        }
        handOn(into: &outputs)
        if !results.hasNoRecords {
            let made = publications.make(
                of: results.events, results.readings, results.alerts, clockIsSynchronized: now.isSynchronized)
            (delivery.records, delivery.states) = (made.records, made.states)
            delivery.note(results.events)
        }
        if !results.signals.isEmpty {
            outputs.append(
                .signals(publications.messages(for: results.signals, clockIsSynchronized: now.isSynchronized)))
        }
        if outputClock != nil { delivery.outputs = eventsForOtherTools(now) }
        if !delivery.isEmpty { outputs.append(.delivery(delivery)) }
        results.removeAll()
    }

    /// Delivers the events, readings and signals of remote receivers.
    private mutating func deliver(_ news: [RemoteReceivers.News], _ now: RadioTime, into outputs: inout [RadioOutput]) {
        for news in news {
            let place = receivers.places[news.receiver]
            if !news.signals.isEmpty {
                outputs.append(
                    .signals(
                        publications.messages(
                            for: news.signals, at: place, clockIsSynchronized: now.isSynchronized)))
            }
            guard !news.events.isEmpty || !news.readings.isEmpty else { continue }
            let made = publications.make(
                of: news.events, news.readings, at: place, clockIsSynchronized: now.isSynchronized)
            var delivery = Delivery(records: made.records, states: made.states)
            delivery.note(news.events, by: place.ear)
            outputs.append(.delivery(delivery))
        }
    }

    /// Hands on what other services wait for.
    private mutating func handOn(into outputs: inout [RadioOutput]) {
        // The arrays are moved out: what is in an output is never copied.
        if !results.ownBeacons.isEmpty {
            outputs.append(.ownBeacons(results.ownBeacons))
            results.ownBeacons = []
        }
        if !results.phones.isEmpty {
            outputs.append(.phones(results.phones))
            results.phones = []
        }
    }

    /// Returns the events for other tools that are due.
    private mutating func eventsForOtherTools(_ now: RadioTime) -> [OutputEvent] {
        let named = named
        func isNamed(_ interaction: Interaction) -> Bool {
            if case .beacon(let beacon) = interaction.subject { named.contains(beacon) } else { false }
        }
        var events = results.events.filter { isNamed($0.interaction) }.map { OutputEvent.interaction($0) }
        for tick in outputClock?.due(now: now.elapsed) ?? [] {
            switch tick {
            case .present: events.append(.present(ingest.present.filter { isNamed($0) }))
            case .decodings: events.append(.decodings(ingest.finishDecodings()))
            }
        }
        return events
    }
}
