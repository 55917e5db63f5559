package import BeaconModel
package import Exposition
import HCI
import ModuleDialogues
import Proximity
import Publishing
package import RecordContract
package import Watching

/// What a gateway knows of itself at one moment, for its metrics. Pure.
///
/// No label holds an address, an identity that was received, or the name of a person: labels are kinds, reasons and
/// states of the program, and names that the configuration gives to the gateway's own parts.
package struct GatewayFigures: Sendable {
    package var place: Place
    package var boot: UInt64
    package var time: Timestamp
    package var clockIsSynchronized: Bool
    package var liveness: Liveness
    package var counts: IngestCounts
    package var unpublishable: UInt64
    package var droppedSignals: UInt64
    package var radios: [RadioReport]
    package var receivers: [RemoteReceiverReport]
    package var modules: [GatewayInfo.Module]
    package var commands: CommandAdmission.Counts
    package var outbox: OutboxStatus
    package var isConnected: Bool
    package var connectionAttempts: Int
    package var takeovers: Int
    package var acknowledged: UInt64

    package init(
        place: Place, boot: UInt64, time: Timestamp, clockIsSynchronized: Bool, liveness: Liveness,
        counts: IngestCounts, unpublishable: UInt64 = 0, droppedSignals: UInt64 = 0, radios: [RadioReport] = [],
        receivers: [RemoteReceiverReport] = [], modules: [GatewayInfo.Module] = [],
        commands: CommandAdmission.Counts = .init(), outbox: OutboxStatus, isConnected: Bool,
        connectionAttempts: Int = 0, takeovers: Int = 0, acknowledged: UInt64 = 0
    ) {
        self.place = place
        self.boot = boot
        self.time = time
        self.clockIsSynchronized = clockIsSynchronized
        self.liveness = liveness
        self.counts = counts
        self.unpublishable = unpublishable
        self.droppedSignals = droppedSignals
        self.radios = radios
        self.receivers = receivers
        self.modules = modules
        self.commands = commands
        self.outbox = outbox
        self.isConnected = isConnected
        self.connectionAttempts = connectionAttempts
        self.takeovers = takeovers
        self.acknowledged = acknowledged
    }

    /// Adds the metrics to a scrape.
    package func collect(into scrape: inout Scrape) {
        typealias Name = GatewayMetric
        scrape.add(Name.info, 1, place.site, place.building, place.floor, place.gateway)
        scrape.add(Name.boot, boot)
        scrape.add(Name.clock, clockIsSynchronized)
        for part in liveness.parts { scrape.add(Name.live, part.state.isWorking, part.name) }
        collectReception(&scrape)
        collectReceivers(&scrape)
        collectOutbox(&scrape)
        collectModules(&scrape)
        scrape.add(Name.brokerConnected, isConnected)
        scrape.add(Name.brokerAttempts, connectionAttempts)
        scrape.add(Name.brokerTakeovers, takeovers)
        scrape.add(Name.acknowledged, acknowledged)
        for (outcome, count) in [
            ("carried-out", commands.carriedOut), ("refused", commands.refused), ("too-many", commands.tooMany),
            ("repeated", commands.repeated),
        ] { scrape.add(Name.commands, count, outcome) }
    }

    private func collectReception(_ scrape: inout Scrape) {
        typealias Name = GatewayMetric
        scrape.add(Name.reports, counts.reports)
        for (kind, count) in counts.byKind { scrape.add(Name.reportsByKind, count, kind) }
        var drops = counts.drops
        drops["unpublishable"] = unpublishable
        drops["signals"] = droppedSignals
        for (reason, count) in drops { scrape.add(Name.drops, count, reason) }
        if let last = counts.lastReportAt { scrape.add(Name.lastReportAge, max(0, (time - last).inSeconds)) }
        scrape.add(Name.openInteractions, counts.present)
        for (index, radio) in radios.enumerated() {
            let name = radio.label(at: index)
            scrape.add(
                states: ["starting", "hearing", "quiet", "deaf"], of: Name.adapterState,
                present: (radio.state?.condition ?? .starting).rawValue, name)
            // A counter that appears with its first event has no increase.
            for fault in RadioState.Reason.allCases {
                scrape.add(Name.adapterFaults, radio.state?.faults[fault] ?? 0, name, fault.rawValue)
            }
            for step in RadioState.Step.allCases {
                scrape.add(Name.adapterSteps, radio.state?.steps[step] ?? 0, name, step.rawValue)
            }
        }
    }

    private func collectReceivers(_ scrape: inout Scrape) {
        typealias Name = GatewayMetric
        let states = ["waiting", "hearing", "offline", "silent", "disconnected"]
        for receiver in receivers {
            for state in states {
                scrape.add(
                    Name.remoteReceiverState, receiver.state == state, receiver.name, receiver.kind, state)
            }
            scrape.add(Name.remoteReceiverMessages, receiver.messages, receiver.name)
            let reasons = RemoteReceiverMessage.Refusal.allCases.map(\.rawValue) + [RemoteReceiver.Counts.tooMany]
            for reason in reasons {
                scrape.add(Name.remoteReceiverRefused, receiver.refused[reason] ?? 0, receiver.name, reason)
            }
        }
    }

    private func collectOutbox(_ scrape: inout Scrape) {
        typealias Name = GatewayMetric
        scrape.add(Name.outboxRecords, outbox.records)
        scrape.add(Name.outboxBytes, outbox.bytes)
        scrape.add(Name.outboxCapacity, outbox.capacityBytes)
        if let oldest = outbox.oldestEntryAt {
            scrape.add(Name.outboxOldestAge, max(0, (time - oldest).inSeconds))
        }
        if let left = outbox.secondsLeft { scrape.add(Name.outboxTimeLeft, left) }
        scrape.add(Name.outboxWaitingForConsumer, outbox.waitingForConsumer)
        scrape.add(Name.outboxTrouble, outbox.trouble != nil)
        for priority in OutboxPriority.allCases {
            scrape.add(Name.outboxLost, outbox.evicted[priority, default: 0], "evicted-\(priority.name)")
        }
        scrape.add(Name.outboxLost, outbox.expired, "expired")
        scrape.add(Name.outboxLost, outbox.refused, "refused")
        scrape.add(Name.outboxLost, outbox.damaged, "damaged")
    }

    private func collectModules(_ scrape: inout Scrape) {
        typealias Name = GatewayMetric
        let states = ["absent", "provisioning", "advertising", "unverified", "not-heard", "failed"]
        for state in states { scrape.add(Name.modules, modules.count { $0.state == state }, state) }
        for module in modules {
            scrape.add(states: states, of: Name.moduleState, present: module.state, module.name)
        }
    }
}

extension RadioReport {
    /// Name of the adapter in labels: its number at present, or where it is in the configuration. The configuration may
    /// name it by its address.
    fileprivate func label(at index: Int) -> String {
        if let adapter { return adapter }
        return BluetoothAddress(name) == nil ? name : "adapter-\(index + 1)"
    }
}

extension IngestCounts {
    /// Reports, packets and subjects that were dropped, by reason.
    package var drops: [String: UInt64] {
        var drops = defects
        drops["unknown"] = unknown
        drops["unlisted"] = unlisted
        drops["table-full"] = refusals.tableFull
        drops["unconfirmed"] = refusals.unconfirmed
        drops["new-interaction-rate"] = refusals.newInteractionRate
        drops["strays"] = refusals.strays
        drops["readings-full"] = forgottenReadings
        drops["too-slow"] = droppedPackets
        return drops
    }
}
