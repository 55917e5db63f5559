import BeaconModel
import HCI
import ModuleDialogues
import RecordContract
import Watching

extension LocalStatus {
    package init(_ facts: LocalFacts) {
        time = facts.time.rfc3339
        gateway = Gateway(
            site: facts.place.site, building: facts.place.building, floor: facts.place.floor,
            gateway: facts.place.gateway)
        version = facts.version
        commit = facts.commit.isEmpty ? nil : facts.commit
        boot = facts.boot
        process = facts.process
        startedAt = facts.startedAt
        uptimeSeconds = Self.tenths(facts.uptime.inSeconds)
        receiving = Part(facts.liveness.receiving)
        storing = Part(facts.liveness.storing)
        delivering = Part(facts.liveness.delivering)
        modules = facts.modules.map { Module($0) }
        otherPorts = facts.otherPorts.map {
            OtherPort(
                port: $0.port, address: $0.address?.description, error: $0.problem.what, remedy: $0.problem.remedy)
        }
        openPorts = facts.openPorts
        adapters = facts.radios.enumerated().map { index, radio in
            Adapter(
                radio, reportsPerSecond: facts.rates.indices.contains(index) ? Self.tenths(facts.rates[index]) : nil)
        }
        broker = Broker(facts.broker)
        outbox = Outbox(facts.outbox, delivery: facts.delivery, at: facts.time)
        clock = Clock(synchronized: facts.isClockSynchronized)
        log = Log(level: facts.logLevel, problems: facts.logProblems.map { Log.Entry($0) })
        configuration = facts.configuration.map { InUse($0) }
        problems = Self.problems(facts)
        works = problems.isEmpty
    }

    fileprivate static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private static func problems(_ facts: LocalFacts) -> [Problem] {
        var problems: [Problem] = []
        for part in facts.liveness.parts {
            if case .failing(let what, let remedy) = part.state {
                problems.append(Problem(subject: part.name, what: what, remedy: remedy))
            }
        }
        let isReceiving = facts.liveness.receiving.isWorking
        for radio in facts.radios where radio.state?.condition == .deaf && isReceiving {
            let error = radio.state?.error
            problems.append(
                Problem(
                    subject: "adapter \(radio.name)", what: error?.what ?? "receives nothing", remedy: error?.remedy))
        }
        // A gateway that has only just begun to connect has no error yet.
        if facts.broker.connection == nil, facts.liveness.delivering.isWorking, let error = facts.broker.lastError {
            // The error begins with the subject and the address.
            let what = error.what.hasPrefix("broker ") ? String(error.what.dropFirst("broker ".count)) : error.what
            problems.append(Problem(subject: "broker", what: what, remedy: error.remedy))
        }
        for module in facts.modules {
            switch module.condition {
            case .failed, .notHeard: break
            case .absent where module.entry.module != .anyNew: break
            case .absent, .provisioning, .advertising, .unverified: continue
            }
            problems.append(
                Problem(
                    subject: "module \(module.entry.name)", what: module.problem?.what ?? "is not plugged in",
                    remedy: module.problem?.remedy))
        }
        return problems
    }
}

extension LocalStatus.Part {
    init(_ working: Working) {
        switch working {
        case .working: self.init(state: "working")
        case .starting(let reason): self.init(state: "starting", reason: reason)
        case .failing(let what, let remedy): self.init(state: "failing", reason: what, remedy: remedy)
        }
    }
}

extension LocalStatus.Module {
    init(_ status: ModuleStatus) {
        self.init(
            name: status.entry.name, kind: status.entry.kind.rawValue,
            port: status.port ?? status.entry.module.description, state: status.condition.rawValue,
            beacon: status.entry.configuration.beacon.description,
            measuredPower: status.entry.configuration.measuredPower, address: status.address?.description,
            firmware: status.firmware, listening: status.listening?.condition.rawValue,
            error: status.problem?.what, remedy: status.problem?.remedy)
    }
}

extension LocalStatus.Adapter {
    init(_ radio: RadioReport, reportsPerSecond: Double?) {
        self.init(
            name: radio.name, adapter: radio.adapter, path: radio.state?.path.rawValue,
            state: (radio.state?.condition ?? .starting).rawValue, since: radio.since?.rfc3339,
            reportsPerSecond: reportsPerSecond, error: radio.state?.error?.what, remedy: radio.state?.error?.remedy)
    }
}

extension LocalStatus.Broker {
    init(_ broker: LocalFacts.Broker) {
        self.init(
            connected: broker.connection != nil,
            addresses: broker.connection.map { [$0.address] } ?? broker.configured,
            version: broker.connection?.version, since: broker.since?.rfc3339, lastError: broker.lastError?.what,
            remedy: broker.lastError?.remedy)
    }
}

extension LocalStatus.Outbox {
    init(_ status: OutboxStatus, delivery: String?, at time: Timestamp) {
        let troubles = [status.trouble?.text, delivery].compactMap(\.self)
        self.init(
            records: status.records, bytes: status.bytes, capacityBytes: status.capacityBytes,
            oldestAgeSeconds: status.oldestEntryAt.map { LocalStatus.tenths(max(0, (time - $0).inSeconds)) },
            secondsLeft: status.secondsLeft.map { $0.rounded() }, waitingForConsumer: status.waitingForConsumer,
            trouble: troubles.isEmpty ? nil : troubles.joined(separator: "; "))
    }
}
