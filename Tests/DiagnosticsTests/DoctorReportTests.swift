import BeaconModel
import HCI
import OperatorText
import RecordContract
import Testing

@testable import Diagnostics
@testable import Publishing

@Suite("DoctorReport") struct DoctorReportTests {
    /// A Pi on which a few things are wrong, examined as the command does it.
    private static var report: DoctorReport {
        let diagnosis = DoctorFixture.diagnosis(
            ExaminedConfiguration(path: "/etc/beacon-gateway/gateway.toml", modules: 1)
        ) {
            $0.user.capabilities = 0
            $0.clock.isSynchronized = false
            $0.serialPorts[0].isPermitted = false
        }
        let measurements =
            ScanPathKind.inOrderOfMeasuring.map { path in
                path == .dbus
                    ? DoctorFixture.heard(.dbus)
                    : PathMeasurement(
                        path: path, adapter: DoctorFixture.hci0,
                        outcome: .notTried(diagnosis.reasonNotToMeasure(path, allPaths: false) ?? ""))
            }
        let broker = BrokerConfiguration(host: "broker.example.org", port: 1883, clientID: "g")
        return DoctorReport(
            findings: diagnosis.findings + [diagnosis.finding(on: broker, .accepted(after: .milliseconds(12)))]
                + measurements.map { diagnosis.finding(on: $0) } + [diagnosis.path(measurements)],
            measurements: measurements)
    }

    private static let golden = """
        ok       machine       Raspberry Pi 4 Model B Rev 1.4, Linux 6.12.20 (aarch64)
        ok       config        /etc/beacon-gateway/gateway.toml is valid
        warning  privileges    user pi, without CAP_NET_ADMIN and CAP_NET_RAW, which
                               path raw needs
        ok       rfkill        nothing is blocked
        ok       adapter       hci0, DC:A6:32:01:02:03, on, Broadcom, Bluetooth 5.0,
                               scans legacy advertisements only
        ok       programs      bluetoothd (process 412) may scan too, which is harmless
        warning  serial        /dev/serial/by-id/usb-FTDI_A50285BI (FTDI FT232R USB
                               UART): pi does not have permission to open it
        warning  clock         not synchronized: it shows 2026-05-28T20:26:40.000Z;
                               records will be marked accordingly (`clock`)
        ok       disk          /var/lib/beacon-gateway is writable, 21000 MB free
        ok       broker        broker.example.org:1883 accepted the gateway after 12 ms
        skipped  monitor       not tested: requires CAP_NET_ADMIN and CAP_NET_RAW
        skipped  raw           not tested: requires CAP_NET_ADMIN and CAP_NET_RAW
        ok       dbus          hci0: 143.3 reports/s from 21 senders in 3.0 s, legacy
                               scan
        skipped  user-channel  not tested: requires CAP_NET_ADMIN and CAP_NET_RAW
        FAILED   path          raw, set in /etc/beacon-gateway/gateway.toml, does not
                               work: it requires CAP_NET_ADMIN and CAP_NET_RAW; dbus
                               works here

        Verdict: The gateway would not work: raw, set in
          /etc/beacon-gateway/gateway.toml, does not work: it requires CAP_NET_ADMIN and
          CAP_NET_RAW; dbus works here.

        What to do:
         1. sudo setcap cap_net_raw,cap_net_admin+ep /usr/local/bin/beacon-gateway
              allows the program to use the radio without being root; repeat after each
              update
         2. sudoedit /etc/beacon-gateway/gateway.toml
              or, under [radio], set path = "dbus": bluetoothd scans; requires no
              privileges
         3. sudo usermod -aG dialout pi
              allows pi to use serial ports, after the next login
         4. sudo timedatectl set-ntp true
              synchronizes the clock over the network; `timedatectl timesync-status`
              shows whether it works
        """

    @Test("A whole report reads as it should, within 80 columns")
    func golden() {
        let report = Self.report
        let lines =
            report.findings.flatMap { DoctorText.lines($0, width: 80, isColoured: false) } + [""]
            + report.closingLines(width: 80)
        #expect(lines.joined(separator: "\n") == Self.golden)
        #expect(lines.filter { $0.count > 80 }.isEmpty)
        #expect(report.exitStatus == 69)
    }

    private func finding(
        _ severity: DoctorFinding.Severity, _ command: String? = nil, exitStatus: BeaconModel.ExitStatus = .unavailable
    ) -> DoctorFinding {
        DoctorFinding(
            "\(severity)", severity, "something", command.map { [.init($0, "mends")] } ?? [], exitStatus: exitStatus)
    }

    @Test("Warnings and what was skipped leave the exit status 0")
    func works() {
        let report = DoctorReport(findings: [finding(.ok), finding(.warning, "w"), finding(.skipped)])
        #expect(report.exitStatus == 0)
        #expect(report.verdict == "The gateway would work. Check: warning.")
        #expect(DoctorReport(findings: [finding(.ok)]).verdict == "The gateway would work.")
        #expect(DoctorReport(findings: [finding(.ok)]).closingLines(width: 80).count == 1)
    }

    @Test("A gateway whose path wasn't tried isn't said to work")
    func untried() {
        let report = DoctorReport(findings: [DoctorFinding("path", .skipped, "raw, by default; not tried")])
        #expect(report.exitStatus == 0)
        #expect(report.verdict == "Nothing was found that prevents the gateway from working; no path was tested.")
    }

    @Test("A wrong configuration is status 78, whatever else has failed")
    func configuration() {
        let report = DoctorReport(findings: [finding(.failed), finding(.failed, exitStatus: .configuration)])
        #expect(report.exitStatus == 78)
        #expect(report.verdict == "The gateway would not work: something. One more check has failed: failed.")
    }

    @Test("Commands against failures come first, each once; those of good findings never")
    func commands() {
        let report = DoctorReport(
            findings: [
                finding(.ok, "never"), finding(.warning, "later"), finding(.failed, "first"),
                finding(.warning, "first"),
                finding(.skipped, "never either"),
            ])
        #expect(report.remedies.map(\.command) == ["first", "later"])
    }

    @Test("A command is never broken, however narrow the terminal is")
    func narrow() {
        let command = "sudo apt-get install something && sudo reboot"
        let lines = DoctorReport(findings: [finding(.failed, command)]).closingLines(width: 20)
        #expect(lines.contains(" 1. \(command)"))
    }

    @Test("Only the mark is coloured")
    func coloured() {
        let lines = DoctorText.lines(finding(.failed), width: 80, isColoured: true)
        #expect(lines == ["\u{1B}[1;31mFAILED \u{1B}[0m  failed        something"])
    }

    private struct Document: Decodable {
        struct Measurement: Decodable {
            var path: String
            var reports: Int?
            var reportsPerSecond: Double?
            var notMeasured: String?
        }

        struct Finding: Decodable {
            var subject: String
            var severity: String
        }

        var exitStatus: Int32
        var time: String
        var findings: [Finding]
        var commands: [[String: String]]
        var measurements: [Measurement]
    }

    @Test("The JSON object has all findings, commands and measurements, on one line")
    func json() throws {
        let report = Self.report
        let bytes = report.json(version: "1", time: Timestamp(microseconds: 0))
        #expect(!bytes.contains(UInt8(ascii: "\n")))
        let document = try JSON.decode(Document.self, from: bytes)
        #expect(document.exitStatus == 69)
        #expect(document.time == "1970-01-01T00:00:00.000Z")
        #expect(document.findings.map(\.subject) == report.findings.map(\.subject))
        #expect(document.findings.last?.severity == "failed")
        #expect(document.commands.compactMap { $0["command"] } == report.remedies.map(\.command))
        let dbus = document.measurements.first { $0.path == "dbus" }
        #expect(dbus?.reports == 430)
        #expect(dbus?.reportsPerSecond == 143.3)
        #expect(document.measurements.first { $0.path == "raw" }?.notMeasured?.isEmpty == false)
    }
}
