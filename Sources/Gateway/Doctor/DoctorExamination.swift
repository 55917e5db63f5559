import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
import GatewayCore
import GatewayDaemon
import HCI
import MQTTBridge
import ModuleDialogues
import OperatorText
import Publishing
import RecordContract
import SystemIO

/// Step-by-step examination of a machine that reports each finding as it is made.
struct DoctorExamination: Sendable {
    var configurationPath: String?
    /// Measuring time for each path; `nil` to measure nothing.
    var measuring: Duration?
    var allPaths: Bool
    var tell: @Sendable (DoctorFinding) -> Void
    /// Callback with the current step; `nil` when the step is finished.
    var progress: @Sendable (String?) -> Void

    /// Time limit for a broker to accept the connection.
    private static let brokerLimit: Duration = .seconds(5)

    func run() async throws -> DoctorReport {
        let (configuration, examined) = load()
        let withheld = examined.withheldFromBroker
        let facts = try await DedicatedThread.run(name: "doctor") {
            MachineExamination.facts(
                stateDirectory: configuration?.stateDirectory ?? Configuration.defaultStateDirectory,
                inventory: configuration?.inventory ?? Inventory())
        }
        let diagnosis = Diagnosis(facts: facts, configuration: examined)
        var report = DoctorReport(findings: [])
        func add(_ finding: DoctorFinding) {
            report.findings.append(finding)
            tell(finding)
        }
        for finding in diagnosis.findings { add(finding) }
        try Task.checkCancellation()
        let broker = withheld == nil ? configuration?.broker : nil
        for finding in await brokers(broker, configuration?.topics, diagnosis) { add(finding) }
        if diagnosis.radioObstacle != nil {
            // The finding on `path` gives the reason.
        } else if let measuring {
            for path in ScanPathKind.inOrderOfMeasuring {
                for measurement in await measure(path, diagnosis, for: measuring) where !Task.isCancelled {
                    report.measurements.append(measurement)
                    add(diagnosis.finding(on: measurement))
                }
            }
            await PathMeter.restore(facts.programs.gateway == nil ? diagnosis.chosenAdapters : [])
            try Task.checkCancellation()
            if let aftermath = diagnosis.aftermath(report.measurements) { add(aftermath) }
        }
        add(diagnosis.path(report.measurements))
        return report
    }

    private var automatic: ExaminedConfiguration {
        ExaminedConfiguration(scanPath: .automatic(), isAutomatic: true)
    }

    private func load() -> (Configuration?, ExaminedConfiguration) {
        guard let path = configurationPath else { return (nil, automatic) }
        do {
            let secrets = ConfigurationFile.secrets(isTolerant: true)
            let inUse = try ConfigurationInUse.load(path, secrets: secrets)
            let configuration = inUse.configuration
            return (
                configuration,
                ExaminedConfiguration(
                    path: path, adapters: configuration.adapters,
                    scanPath: configuration.scanPath ?? .automatic(), isAutomatic: configuration.scanPath == nil,
                    modules: configuration.inventory.entries.count,
                    listeners: configuration.inventory.entries.filter(\.listens).map(\.name),
                    warnings: configuration.warnings, withheld: secrets.withheld,
                    outboxBytes: configuration.outbox.bytes,
                    inUse: inUse.record.phase == .local ? nil : inUse.text, hasReturned: inUse.hasReturned)
            )
        } catch {
            var examined = automatic
            examined.path = path
            examined.problem = error.inOneLine
            return (nil, examined)
        }
    }

    /// Returns one finding for each broker, in order of preference.
    private func brokers(
        _ broker: BrokerConfiguration?, _ topics: Topics?, _ diagnosis: Diagnosis
    ) async -> [DoctorFinding] {
        guard let broker, let topics else { return [diagnosis.finding(on: nil, nil)] }
        defer { progress(nil) }
        var findings: [DoctorFinding] = []
        for endpoint in broker.endpoints {
            progress("connecting to the broker at \(endpoint)")
            var one = broker
            one.endpoints = [endpoint]
            findings.append(diagnosis.finding(on: one, await Self.outcome(one, topics)))
        }
        return findings
    }

    /// Connects as the gateway does, and uses topics that only it uses.
    static func outcome(_ broker: BrokerConfiguration, _ topics: Topics) async -> BrokerOutcome {
        await BrokerProbe.outcome(
            broker, publishing: topics.reply("doctor"), subscribing: [topics.commands, topics.stored],
            within: brokerLimit)
    }

    private func measure(
        _ path: ScanPathKind, _ diagnosis: Diagnosis, for duration: Duration
    ) async -> [PathMeasurement] {
        var measurements: [PathMeasurement] = []
        for adapter in diagnosis.chosenAdapters.map(\.adapter) {
            if let reason = diagnosis.reasonNotToMeasure(path, allPaths: allPaths) {
                return [PathMeasurement(path: path, adapter: adapter, outcome: .notTried(reason))]
            }
            guard !Task.isCancelled else { break }
            let what = "measuring \(path.rawValue) on \(adapter)"
            progress(what)
            measurements.append(
                await PathMeter.measure(path, adapter, for: duration) { [progress] reports, elapsed in
                    let seconds = Format.fixed(elapsed / .seconds(1), 0)
                    progress("\(what): \(seconds) of \(Format.fixed(duration / .seconds(1), 0)) s, \(reports) reports")
                })
            progress(nil)
        }
        return measurements
    }
}
