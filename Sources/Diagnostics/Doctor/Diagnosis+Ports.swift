import BeaconModel
import OperatorText
package import Publishing

extension Diagnosis {
    package var serialPorts: [Finding] {
        let ports = facts.serialPorts
        if ports.isEmpty {
            guard configuration.modules > 0 else {
                return [Finding("serial", .ok, "no module is connected, and none is needed for scanning")]
            }
            let modules = configuration.modules == 1 ? "1 module" : "\(configuration.modules) modules"
            return [
                Finding(
                    "serial", .warning, "no module is connected; the inventory has \(modules)",
                    [Remedy("lsusb; sudo dmesg | tail -n 20", "shows whether the machine detects the module")])
            ]
        }
        var findings = ports.map { judge($0) }
        if !configuration.listeners.isEmpty {
            let names = configuration.listeners.joined(separator: ", ")
            findings.append(
                Finding(
                    "serial", .ok, "also configured to scan: \(names); module/<name>/state shows whether they do"
                ))
        }
        if let manager = facts.programs.modemManager {
            findings.append(
                Finding(
                    "serial", .warning, "\(manager) probes each new port for a modem, which disturbs modules",
                    [Remedy("sudo systemctl disable --now ModemManager", "stops it, now and at each boot")]))
        }
        return findings
    }

    private func judge(_ port: MachineFacts.SerialPortFacts) -> Finding {
        let name = port.name + (port.text.map { " (\($0))" } ?? "")
        if !port.isPermitted {
            return Finding(
                "serial", .warning, "\(name): \(facts.user.name) does not have permission to open it",
                permissionRemedies(port))
        }
        guard let holder = port.holder else { return Finding("serial", .ok, "\(name): free") }
        if holder.name == "beacon-gateway" { return Finding("serial", .ok, "\(name): used by \(holder)") }
        return Finding(
            "serial", .warning, "\(name): another program has it open: \(holder)",
            [Remedy("sudo kill \(holder.identifier)", "stops \(holder.name), so that the gateway can open the port")])
    }

    /// Groups that grant access to serial ports and nothing else, on Debian and other distributions.
    private static let serialGroups = ["dialout", "uucp", "serial"]

    private func permissionRemedies(_ port: MachineFacts.SerialPortFacts) -> [Remedy] {
        func membership(_ group: String) -> Remedy {
            Remedy(
                "sudo usermod -aG \(ShellWord.quote(group)) \(ShellWord.quote(facts.user.name))",
                "allows \(facts.user.name) to use serial ports, after the next login")
        }
        if let group = port.group, Self.serialGroups.contains(group), port.isOpenToGroup { return [membership(group)] }
        let kernelName = port.device.fileName
        guard let match = udevMatch(port, kernelName) else {
            // Unknown to udev: a link, or a pseudo-terminal of another user.
            return [
                Remedy(
                    "sudo chown \(ShellWord.quote(facts.user.name)) \(ShellWord.quote(port.name))",
                    "gives the port to \(facts.user.name), until the device is plugged in again")
            ]
        }
        let rule = "SUBSYSTEM==\"tty\", \(match), GROUP=\"dialout\", MODE=\"0660\""
        return [
            Remedy(
                "echo '\(rule)' | sudo tee -a /etc/udev/rules.d/60-beacon-gateway.rules",
                "makes udev give the port to the group dialout: its present group, "
                    + "\(port.group ?? "which has no name"), is not a group for serial ports"),
            Remedy(
                "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=tty",
                "applies the rule to connected devices"),
            membership("dialout"),
        ]
    }

    /// Returns the udev rule match for a port; `nil` for a port that udev does not know.
    private func udevMatch(_ port: MachineFacts.SerialPortFacts, _ kernelName: String) -> String? {
        if let parts = port.usbID?.split(separator: ":"), parts.count == 2,
            parts.allSatisfy({ $0.allSatisfy(\.isHexDigit) })
        {
            return "ATTRS{idVendor}==\"\(parts[0])\", ATTRS{idProduct}==\"\(parts[1])\""
        }
        guard port.device.hasPrefix("/dev/tty"), kernelName.allSatisfy({ $0.isLetter || $0.isNumber }) else {
            return nil
        }
        return "KERNEL==\"\(kernelName)\""
    }

    /// Returns the finding on a broker.
    ///
    /// - Parameters:
    ///   - broker: broker of the configuration; `nil` when none was read.
    ///   - outcome: result of an attempt to connect.
    package func finding(on broker: BrokerConfiguration?, _ outcome: BrokerOutcome?) -> Finding {
        if let withheld = configuration.withheldFromBroker {
            let command =
                "\(ShellWord.quote(facts.program)) doctor --config \(ShellWord.quote(configuration.path ?? "FILE"))"
            return Finding(
                "broker", .warning,
                "not tested: \(withheld.location) is credential:\(withheld.credential), which systemd passes only to "
                    + "the service",
                [
                    Remedy(
                        "sudo systemd-run --pipe --wait --property=LoadCredential=\(withheld.credential):FILE \(command)",
                        "tests the broker with it; FILE is named in the unit: systemctl cat beacon-gateway")
                ])
        }
        guard let broker, let outcome else {
            let reason =
                configuration.problem == nil
                ? "none configured; specify --config FILE to test one" : "not tested: see config"
            return Finding("broker", .skipped, reason)
        }
        return outcome.finding(
            of: broker, accepting: "the gateway", hasMosquitto: facts.programs.hasMosquitto, edit: editRemedy)
    }
}
