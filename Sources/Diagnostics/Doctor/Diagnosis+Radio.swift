import BeaconModel
package import HCI
import OperatorText

extension Diagnosis {
    /// Adapters that the gateway would use.
    package var chosenAdapters: [AdapterDescription] {
        guard case .success(let all) = facts.adapters else { return [] }
        let present = all.map(\.description)
        return configuration.adapters.compactMap { $0.choose(from: present, lastAddress: nil) }
    }

    /// Reason why no path can be tried; `nil` when one can.
    package var radioObstacle: String? {
        if chosenAdapters.isEmpty { return "there is no adapter to test it with" }
        let blocked = chosenAdapters.allSatisfy { adapter in
            facts.switches.contains { $0.name == adapter.adapter.description && $0.isBlocked }
        }
        return blocked ? "the radio is blocked" : nil
    }

    /// Whether another program has exclusive use of a chosen adapter.
    package var isTaken: Bool {
        guard case .success(let all) = facts.adapters else { return false }
        return all.contains { adapter in
            guard case .failure(.busy)? = adapter.features else { return false }
            return chosenAdapters.contains(adapter.description)
        }
    }

    package var radioSwitches: [Finding] {
        let names = Set(chosenAdapters.map(\.adapter.description))
        let blocked = facts.switches.filter(\.isBlocked)
        guard !blocked.isEmpty else {
            return facts.switches.isEmpty ? [] : [Finding("rfkill", .ok, "nothing is blocked")]
        }
        return blocked.map { item in
            // A machine-wide switch can be the reason why there is no adapter.
            let isInTheWay = names.contains(item.name) || names.isEmpty
            let how = item.isHardBlocked ? "by a hardware switch or the machine's firmware settings" : "by software"
            let remedy =
                item.isHardBlocked
                ? Remedy(
                    "rfkill list bluetooth", "shows it; turn on the machine's wireless switch, or the firmware setting")
                : Remedy("sudo rfkill unblock bluetooth", "unblocks the radio, now and at each boot")
            return Finding("rfkill", isInTheWay ? .failed : .warning, "\(item.name) is blocked \(how)", [remedy])
        }
    }

    package var adapters: [Finding] {
        switch facts.adapters {
        case .failure(let error): [adaptersUnknown(error)]
        case .success(let all): all.map { judge($0) } + missingAdapters(all.map(\.description))
        }
    }

    private func adaptersUnknown(_ error: ScannerError) -> Finding {
        guard case .noBluetooth = error else {
            return Finding("adapter", .failed, error.what, commands(against: error))
        }
        if facts.bluetooth.isLoaded {
            // Bluetooth sockets exist only in the first network namespace.
            return Finding(
                "adapter", .failed, "this container has its own network namespace, and therefore no Bluetooth",
                [Remedy("docker run --net=host ...", "starts the container in the host's network")])
        }
        return Finding("adapter", .failed, error.what, commands(against: error))
    }

    private func missingAdapters(_ present: [AdapterDescription]) -> [Finding] {
        let missing = configuration.adapters.filter { $0.choose(from: present, lastAddress: nil) == nil }
        let names = present.map(\.adapter.description).joined(separator: ", ")
        return missing.map { selector in
            let isOnlyOne = missing.count == configuration.adapters.count
            var remedies: [Remedy] = []
            if let path = facts.bluetooth.disabledIn {
                remedies.append(
                    Remedy(
                        "sudo sed -i 's/^dtoverlay=disable-bt/#&/' \(ShellWord.quote(path)) && sudo reboot",
                        "switches the built-in Bluetooth on, which \(path) disables"))
            }
            if let other = present.first {
                let name = other.address.bits == 0 ? other.adapter.description : other.address.description
                remedies.append(editRemedy("under [radio], set adapter = \"\(name)\", which is present"))
            } else {
                remedies.append(
                    Remedy(
                        "lsusb; sudo dmesg | grep -iE 'bluetooth|hci|firmware'",
                        "shows whether the kernel detects an adapter, and what is missing; otherwise plug one in"))
            }
            return Finding(
                "adapter", isOnlyOne ? .failed : .warning,
                present.isEmpty
                    ? "there is no Bluetooth adapter"
                    : "there is no adapter \(selector); the adapters are \(names)", remedies)
        }
    }

    private func judge(_ adapter: MachineFacts.AdapterFacts) -> Finding {
        let description = adapter.description
        let isChosen = chosenAdapters.contains(description)
        var parts = ["\(description.adapter)" + (isChosen ? "" : " (not used)")]
        let hasAddress = description.address.bits != 0
        parts.append(hasAddress ? description.address.description : "no public address")
        parts.append(description.isUp ? "on" : "off (the gateway switches it on)")
        switch adapter.features {
        case nil: return Finding("adapter", .ok, parts.joined(separator: ", "))
        case .failure(.busy)? where facts.programs.gateway != nil || !isChosen:
            return Finding("adapter", .ok, (parts + ["used exclusively by one program"]).joined(separator: ", "))
        case .failure(let error)?:
            return Finding(
                "adapter", isChosen ? .failed : .warning, (parts + [error.what]).joined(separator: ", "),
                commands(against: error))
        case .success(let features)?:
            parts += [features.manufacturerName, features.versionName]
            guard features.scans || features.scansExtended else {
                return Finding(
                    "adapter", isChosen ? .failed : .warning,
                    (parts + ["which cannot scan (no Bluetooth Low Energy)"]).joined(separator: ", "),
                    [Remedy("lsusb", "shows the adapter's type; use another adapter, with Bluetooth 4.0 or later")])
            }
            parts.append(features.scansExtended ? "scans extended advertisements" : "scans legacy advertisements only")
            if features.hearsCodedPHY == true { parts.append("long range") }
            return Finding("adapter", .ok, parts.joined(separator: ", "))
        }
    }

    package var otherPrograms: Finding {
        let programs = facts.programs
        var texts: [String] = []
        var remedies: [Remedy] = []
        if let gateway = programs.gateway {
            texts.append("\(gateway) is running already")
        }
        if let bluetoothd = programs.bluetoothd {
            if configuration.scanPath == .userChannel {
                texts.append("\(bluetoothd) would lose the adapter to path user-channel")
                remedies.append(Remedy("sudo systemctl disable --now bluetooth", "stops bluetoothd permanently"))
            } else {
                texts.append("\(bluetoothd) may scan too, which is harmless")
            }
        }
        // Programs that only observe, and those already reported.
        let harmless: Set<String> = ["bluetoothd", "btmon", "beacon-gateway", "bluetoothctl"]
        for program in programs.withHCISockets where !harmless.contains(program.name) {
            texts.append("\(program) also uses the radio, and may change its scan parameters")
            remedies.append(Remedy("sudo kill \(program.identifier)", "stops \(program.name)"))
        }
        if programs.unknownHCISockets > 0, programs.withHCISockets.isEmpty, programs.bluetoothd == nil {
            texts.append("\(programs.unknownHCISockets) sockets of other programs, which only root can identify")
        }
        return Finding(
            "programs", remedies.isEmpty ? .ok : .warning,
            texts.isEmpty ? "no other program uses the radio" : texts.joined(separator: "; "), remedies)
    }

    /// Returns the commands that remedy an error of a path or an adapter.
    package func commands(against error: ScannerError) -> [Remedy] {
        switch error {
        case .noBluetooth where facts.bluetooth.canBeLoaded:
            return [
                Remedy("sudo modprobe bluetooth", "loads the kernel's Bluetooth support"),
                Remedy("sudo modprobe btusb", "loads the driver for USB adapters"),
            ]
        case .noBluetooth:
            return [
                Remedy(
                    "sudo apt-get install linux-image-$(dpkg --print-architecture) && sudo reboot",
                    "installs Debian's kernel, which supports Bluetooth (CONFIG_BT); the present kernel does not")
            ]
        case .notPermitted: return [capabilityRemedy]
        case .blocked: return [Remedy("sudo rfkill unblock bluetooth", "unblocks the radio")]
        case .noSuchAdapter, .noAdapterWithAddress, .removed:
            return [Remedy("lsusb", "shows whether the adapter is plugged in")]
        case .down: return [Remedy("bluetoothctl power on", "switches the adapter on")]
        case .notAnswering(let adapter, _), .hardwareError(let adapter, _), .silent(let adapter):
            return [
                Remedy(
                    "sudo btmgmt --index \(adapter.index) power off; sudo btmgmt --index \(adapter.index) power on",
                    "restarts the controller; if the problem persists, unplug the adapter and plug it in again, or "
                        + "reboot"
                )
            ]
        case .nobodyScans:
            return [
                Remedy("bluetoothctl --timeout 60 scan on", "scans for a minute, so that advertisements are received")
            ]
                + (configuration.path == nil ? [] : [editRemedy("or, under [radio], set path = \"raw\"")])
        case .busy, .refused(_, _, 0x0C):
            return
                (facts.programs.gateway.map { [Remedy("sudo kill \($0.identifier)", "stops the other gateway")] } ?? [])
                + (facts.programs.bluetoothd == nil
                    ? []
                    : [Remedy("sudo systemctl disable --now bluetooth", "stops bluetoothd, which uses the adapter")])
        case .noSystemBus, .noBluetoothService, .serviceNotAnswering: return [bluetoothdRemedy]
        case .serviceNotPermitted:
            return [
                Remedy(
                    "sudo usermod -aG bluetooth \(ShellWord.quote(facts.user.name))",
                    "allows \(facts.user.name) to use bluetoothd, after the next login")
            ]
        case .poweredOff: return [Remedy("bluetoothctl power on", "switches the adapter on")]
        case .serviceRefused(_, "Set", _): return [Remedy("sudo rfkill unblock bluetooth", "unblocks the radio")]
        case .serviceRefused:
            return [
                Remedy(
                    "sudo systemctl restart bluetooth", "restarts bluetoothd, and stops the discovery of other programs"
                )
            ]
        case .refused, .system:
            return [Remedy("sudo dmesg | grep -i bluetooth", "shows the kernel's messages, for a bug report")]
        }
    }
}
