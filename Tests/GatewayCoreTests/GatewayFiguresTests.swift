import BeaconModel
import Exposition
import HCI
import ModuleDialogues
import Publishing
import RecordContract
import Testing
import Watching

@testable import GatewayCore

@Suite("The metrics of a gateway") struct GatewayFiguresTests {
    private static let time = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let live = Liveness(receiving: .working, storing: .working, delivering: .working)

    private static func figures(
        liveness: Liveness = live, counts: IngestCounts = IngestCounts(), radios: [RadioReport] = [],
        receivers: [RemoteReceiverReport] = [], modules: [GatewayInfo.Module] = [],
        oldest: Timestamp? = nil, trouble: OutboxStatus.Trouble? = nil
    ) -> GatewayFigures {
        GatewayFigures(
            place: Place(site: "campus", building: "main", floor: "1", gateway: "east"), boot: 7, time: time,
            clockIsSynchronized: true, liveness: liveness, counts: counts, unpublishable: 2, radios: radios,
            receivers: receivers, modules: modules,
            outbox: OutboxStatus(
                records: 3, bytes: 900, capacityBytes: 1000, oldestEntryAt: oldest, lasts: LastRecords(),
                waitingForConsumer: 1, evicted: [.updated: 5], expired: 1, refused: 0, damaged: 0, fillRate: 0,
                secondsLeft: 60, trouble: trouble),
            isConnected: false, connectionAttempts: 4, takeovers: 0, acknowledged: 9)
    }

    private static func text(_ figures: GatewayFigures) -> String {
        var scrape = Scrape()
        figures.collect(into: &scrape)
        #expect(scrape.leftOut == 0)
        return scrape.text(.prometheus)
    }

    private static func lines(_ figures: GatewayFigures) -> Set<String> {
        Set(text(figures).split(separator: "\n").map(String.init))
    }

    @Test("What is counted already is exposed under its names")
    func counts() {
        var counts = IngestCounts(
            reports: 100, unknown: 10, unlisted: 20, droppedPackets: 3, defects: ["truncated-event": 4],
            lastReportAt: Timestamp(microseconds: Self.time.microseconds - 2_500_000))
        counts.kinds[.iBeacon] = 70
        counts.present = 6
        let lines = Self.lines(Self.figures(counts: counts, oldest: Timestamp(microseconds: 1_799_999_990_000_000)))
        for line in [
            "beacon_gateway_info{site=\"campus\",building=\"main\",floor=\"1\",gateway=\"east\"} 1",
            "beacon_gateway_boot 7", "beacon_gateway_reports_total 100",
            "beacon_gateway_reports_by_kind_total{kind=\"ibeacon\"} 70",
            "beacon_gateway_drops_total{reason=\"truncated-event\"} 4",
            "beacon_gateway_drops_total{reason=\"unlisted\"} 20", "beacon_gateway_drops_total{reason=\"too-slow\"} 3",
            "beacon_gateway_drops_total{reason=\"unpublishable\"} 2", "beacon_gateway_last_report_age_seconds 2.5",
            "beacon_gateway_open_interactions 6", "beacon_gateway_outbox_records 3",
            "beacon_gateway_outbox_oldest_age_seconds 10", "beacon_gateway_outbox_time_left_seconds 60",
            "beacon_gateway_outbox_lost_records_total{reason=\"evicted-updated\"} 5",
            "beacon_gateway_outbox_lost_records_total{reason=\"expired\"} 1", "beacon_gateway_outbox_trouble 0",
            "beacon_gateway_broker_connected 0", "beacon_gateway_broker_connection_attempts_total 4",
            "beacon_gateway_acknowledged_records_total 9", "beacon_gateway_clock_synchronized 1",
            "beacon_gateway_live{part=\"receiving\"} 1",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test("An age is absent before there is anything that has one")
    func absentAges() {
        let text = Self.text(Self.figures())
        #expect(!text.contains("beacon_gateway_last_report_age_seconds"))
        #expect(!text.contains("beacon_gateway_outbox_oldest_age_seconds"))
    }

    @Test("A part that was not measured yet does not work")
    func unknown() {
        let lines = Self.lines(Self.figures(liveness: .unknown))
        for part in ["receiving", "storing", "delivering"] {
            #expect(lines.contains("beacon_gateway_live{part=\"\(part)\"} 0"))
        }
    }

    @Test("States of adapters and modules are exposed one by one, and modules by state")
    func states() {
        var state = RadioState(adapter: Adapter(index: 1), path: .raw)
        state.condition = .deaf
        state.faults = [.notAnswering: 2]
        state.steps = [.powerCycle: 1]
        let lines = Self.lines(
            Self.figures(
                radios: [RadioReport(name: "hci1", state: state)],
                modules: [
                    .init(name: "door", port: "/dev/ttyUSB0", beacon: "x", state: "advertising"),
                    .init(name: "hall", port: "/dev/ttyUSB1", beacon: "y", state: "not-heard"),
                ]))
        for line in [
            "beacon_gateway_adapter_state{adapter=\"hci1\",state=\"deaf\"} 1",
            "beacon_gateway_adapter_state{adapter=\"hci1\",state=\"hearing\"} 0",
            "beacon_gateway_adapter_faults_total{adapter=\"hci1\",fault=\"not-answering\"} 2",
            "beacon_gateway_adapter_recovery_steps_total{adapter=\"hci1\",step=\"power-cycle\"} 1",
            "beacon_gateway_modules{state=\"advertising\"} 1", "beacon_gateway_modules{state=\"failed\"} 0",
            "beacon_gateway_module_state{module=\"hall\",state=\"not-heard\"} 1",
            "beacon_gateway_module_state{module=\"hall\",state=\"advertising\"} 0",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test("An adapter that the configuration names by its address has no address in its label")
    func adapterByAddress() {
        let address = "00:1A:7D:DA:71:13"
        let absent = Self.text(Self.figures(radios: [RadioReport(name: address, state: nil)]))
        #expect(!absent.contains(address))
        #expect(absent.contains("adapter=\"adapter-1\",state=\"starting\"} 1"))
        var state = RadioState(adapter: Adapter(index: 3), path: .raw)
        state.mode = .legacy
        state.address = BluetoothAddress(address)
        let present = Self.text(Self.figures(radios: [RadioReport(name: address, state: state)]))
        #expect(!present.contains(address))
        #expect(present.contains("adapter=\"hci3\""))
    }

    @Test("More modules than an exposition takes are left out, and counted")
    func manyModules() {
        var scrape = Scrape(most: 12)
        let modules = (0..<5).map { GatewayInfo.Module(name: "m\($0)", port: "p", beacon: "b", state: "failed") }
        Self.figures(modules: modules).collect(into: &scrape)
        #expect(scrape.leftOut >= 18)
    }
}
