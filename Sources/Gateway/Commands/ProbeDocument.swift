import BeaconModel
import ModuleDialogues

/// JSON document that `module probe --json` prints.
struct ProbeDocument: Encodable {
    var port: String
    /// USB vendor and product, `10c4:ea60`; omitted for a port without a USB interface.
    var usb: String?
    var address: String?
    var firmware: String
    var findings: [Finding]
    /// Assumptions that no experiment settled. The driver takes them to hold, and falls back if they do not.
    var unsettled: [Assumption]

    struct Finding: Encodable {
        var question: String
        /// Bytes sent to the module, with escapes; `came` has those received from it.
        var sent: String
        var came: String
        var milliseconds: Int
        var conclusion: String
        var settles: Settlement?
    }

    struct Settlement: Encodable {
        /// Key of the assumption in a profile.
        var assumption: String
        var holds: Bool
        /// Effect on the driver, in words.
        var consequence: String
    }

    struct Assumption: Encodable {
        var assumption: String
        /// Assumption in words.
        var statement: String
    }

    init(_ report: ProbeReport, port: String, usb: String?) {
        self.port = port
        self.usb = usb
        address = report.address?.description
        firmware = report.firmware
        findings = report.findings.map { finding in
            var settlement: Settlement?
            if let settles = finding.settles, let holds = finding.holds {
                settlement = Settlement(
                    assumption: settles.rawValue, holds: holds, consequence: settles.consequence(holds: holds))
            }
            return Finding(
                question: finding.question, sent: finding.sent, came: finding.came,
                milliseconds: finding.milliseconds, conclusion: finding.conclusion, settles: settlement)
        }
        unsettled = report.unsettled.map { Assumption(assumption: $0.rawValue, statement: $0.statement) }
    }
}
