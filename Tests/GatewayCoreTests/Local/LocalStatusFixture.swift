import BeaconModel
import HCI
import ModuleDialogues
import OperatorText
import RecordContract
import Watching

@testable import GatewayCore

/// A gateway with a module that advertises and one that is missing, whose broker is away.
enum LocalStatusFixture {
    static let time = Timestamp(microseconds: 1_780_000_000_000_000)

    static func module(
        _ name: String, _ minor: UInt16, _ condition: ModuleStatus.Condition, port: String? = nil
    ) throws -> ModuleStatus {
        let row = "\(name),/dev/ttyUSB\(minor),e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,\(minor)"
        let inventory = try Inventory.parse(Array("name,module,uuid,major,minor\n\(row)\n".utf8), path: "i.csv")
        var status = ModuleStatus(entry: inventory.entries[0], condition: condition)
        status.port = port
        return status
    }

    static func state(_ index: UInt16, _ condition: RadioState.Condition) -> RadioState {
        var state = RadioState(adapter: Adapter(index: index), path: .raw)
        state.condition = condition
        return state
    }

    static func facts(_ change: (inout LocalFacts) -> Void = { _ in }) throws -> LocalFacts {
        var radio = RadioReport(name: "hci0")
        radio.state = state(0, .hearing)
        radio.since = time
        var facts = LocalFacts(
            time: time, place: Place(site: "s", building: "b", floor: "1", gateway: "g"), version: "1.2.3",
            commit: "abc1234", boot: 7, process: 4711, startedAt: (time + .seconds(-3700)).rfc3339,
            uptime: .seconds(3700), liveness: Liveness(receiving: .working, storing: .working, delivering: .working),
            modules: [try module("door", 1, .advertising, port: "/dev/ttyUSB1"), try module("hall", 2, .absent)],
            otherPorts: [], openPorts: ["/dev/ttyUSB1"], radios: [radio], rates: [112.44],
            broker: .init(
                connection: nil, configured: ["broker.example:8883"], since: time + .seconds(-60),
                lastError: ("cannot connect to broker.example:8883: Connection refused", "start the broker")),
            outbox: OutboxStatus(
                records: 12, bytes: 4100, capacityBytes: 50_000_000, oldestEntryAt: time + .seconds(-61),
                lasts: LastRecords(), waitingForConsumer: 0, evicted: [:], expired: 0, refused: 0, damaged: 0,
                fillRate: 70, secondsLeft: 700_000),
            delivery: nil, isClockSynchronized: true, logLevel: "info",
            logProblems: [
                LogEntry(
                    time: time + .seconds(-60), level: "warning", message: "broker connection failed",
                    metadata: ["error": "Connection refused"])
            ])
        change(&facts)
        return facts
    }
}
