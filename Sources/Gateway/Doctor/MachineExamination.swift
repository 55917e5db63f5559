import BeaconModel
import BlueZScanner
import Diagnostics
import GatewayCore
import GatewayDaemon
import Glibc
import HCI
import ModuleDialogues
import RecordOutbox
import SystemIO
import UARTConfig

/// Read-only examination of the machine. Blocks.
enum MachineExamination {
    static func facts(stateDirectory: String, inventory: Inventory) -> MachineFacts {
        let processes = ProcessTable()
        return MachineFacts(
            kernel: kernel.text, model: model, program: SystemFiles.target("/proc/self/exe") ?? "beacon-gateway",
            user: user, bluetooth: bluetooth, adapters: adapters, switches: switches,
            programs: programs(processes, stateDirectory), clock: clock, state: state(stateDirectory),
            serialPorts: serialPorts(inventory, processes),
            takeovers: TakeoversFile(stateDirectory: stateDirectory).read(),
            missingOutbox: try? OutboxFile(path: StateDirectory(path: stateDirectory).outboxPath).missing(),
            laterState: laterState(stateDirectory))
    }

    private static func laterState(_ directory: String) -> StateFormat? {
        do {
            try StateDirectory(path: directory).checkFormat()
            return nil
        } catch {
            // The check of the directory finds what else is wrong with it.
            return (error as? LaterState)?.format
        }
    }

    private static var kernel: (text: String, release: String) {
        var name = utsname()
        guard uname(&name) == 0 else { return ("an unknown kernel", "") }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let release = text(name.release)
        return ("\(text(name.sysname)) \(release) (\(text(name.machine)))", release)
    }

    private static var model: String? {
        SystemFiles.line("/proc/device-tree/model") ?? SystemFiles.line("/sys/class/dmi/id/product_name")
    }

    private static var user: MachineFacts.User {
        let name = getpwuid(geteuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
        return MachineFacts.User(
            name: name ?? "\(geteuid())", isRoot: geteuid() == 0, capabilities: ProcessCapabilities.current().effective)
    }

    private static var bluetooth: MachineFacts.BluetoothSupport {
        let modules = "/lib/modules/\(kernel.release)"
        let isBuiltIn = SystemFiles.text("\(modules)/modules.builtin")?.contains("/bluetooth.ko") == true
        return MachineFacts.BluetoothSupport(
            isLoaded: SystemFiles.exists("/sys/class/bluetooth"),
            canBeLoaded: isBuiltIn || SystemFiles.exists("\(modules)/kernel/net/bluetooth"),
            disabledIn: ["/boot/firmware/config.txt", "/boot/config.txt"].first {
                SystemFiles.text($0).map { ProcText.disablesBluetooth($0) } == true
            })
    }

    private static var adapters: Result<[MachineFacts.AdapterFacts], ScannerError> {
        do throws(ScannerError) {
            let descriptions = try Adapters.list()
            return .success(
                descriptions.map { description in
                    MachineFacts.AdapterFacts(
                        description: description,
                        features: description.isUp ? features(of: description.adapter) : nil)
                })
        } catch {
            return .failure(error)
        }
    }

    private static func features(of adapter: Adapter) -> Result<ControllerFeatures, ScannerError> {
        do throws(ScannerError) { return .success(try Adapters.features(of: adapter)) } catch { return .failure(error) }
    }

    private static var switches: [MachineFacts.RadioSwitch] {
        let directory = "/sys/class/rfkill"
        return SystemFiles.names(directory).sorted().compactMap { entry in
            let path = "\(directory)/\(entry)"
            guard SystemFiles.line("\(path)/type") == "bluetooth" else { return nil }
            return MachineFacts.RadioSwitch(
                name: SystemFiles.line("\(path)/name") ?? entry, isSoftBlocked: SystemFiles.line("\(path)/soft") == "1",
                isHardBlocked: SystemFiles.line("\(path)/hard") == "1")
        }
    }

    private static func programs(_ processes: ProcessTable, _ stateDirectory: String) -> MachineFacts.Programs {
        let sockets = SystemFiles.text("/proc/net/hci").map { ProcText.socketInodes($0) } ?? []
        let owners = sockets.map { processes.owner(ofSocket: $0) }
        let known = Set(owners.compactMap { $0 })
        return MachineFacts.Programs(
            withHCISockets: known.sorted { $0.identifier < $1.identifier },
            unknownHCISockets: owners.count { $0 == nil },
            bluetoothd: processes.first(named: "bluetoothd"),
            hasBlueZ: any("/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd"),
            // Includes a gateway with another state directory, and `scan`.
            gateway: lockHolder(stateDirectory, processes) ?? known.first { $0.name == "beacon-gateway" },
            modemManager: processes.first(named: "ModemManager"),
            hasMosquitto: any("/usr/sbin/mosquitto"))
    }

    /// Returns the process that holds the lock of the state directory. Looks it up without trying the lock, because a
    /// daemon that starts at this moment must get it.
    private static func lockHolder(_ stateDirectory: String, _ processes: ProcessTable) -> MachineFacts.Program? {
        var status = stat()
        guard stat(stateDirectory + "/lock", &status) == 0, let locks = SystemFiles.text("/proc/locks") else {
            return nil
        }
        return ProcText.lockHolder(locks, inode: UInt64(status.st_ino)).flatMap { processes.program($0) }
    }

    private static var clock: MachineFacts.Clock {
        MachineFacts.Clock(
            now: WallClock.now(), isSynchronized: WallClock.isSynchronized,
            hasKeeper: any(
                "/usr/lib/systemd/systemd-timesyncd", "/lib/systemd/systemd-timesyncd", "/usr/sbin/chronyd",
                "/usr/sbin/ntpd"))
    }

    private static func state(_ path: String) -> MachineFacts.StateDirectoryFacts {
        var status = stat()
        let exists = stat(path, &status) == 0
        let existence: MachineFacts.StateDirectoryFacts.Existence =
            exists ? (status.st_mode & S_IFMT == S_IFDIR ? .directory : .somethingElse) : .missing
        // `run` creates the directory itself, but no parents.
        let place = exists ? path : parent(of: path)
        var fileSystem = statvfs()
        let isKnown = statvfs(place, &fileSystem) == 0
        return MachineFacts.StateDirectoryFacts(
            path: path, existence: existence, isWritable: faccessat(AT_FDCWD, place, W_OK | X_OK, AT_EACCESS) == 0,
            isReadOnlyFileSystem: isKnown && fileSystem.f_flag & UInt(ST_RDONLY) != 0,
            freeBytes: isKnown
                ? UInt64(fileSystem.f_bavail).multipliedReportingOverflow(by: UInt64(fileSystem.f_frsize)).partialValue
                : nil)
    }

    private static func parent(of path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func serialPorts(_ inventory: Inventory, _ processes: ProcessTable) -> [MachineFacts.SerialPortFacts]
    {
        let assignment = ModuleAssignment(inventory: inventory)
        let ports = ((try? SerialPorts.all()) ?? []).filter { port in
            port.usb.map { USBIdentity.ofModules.contains($0.id) } == true || assignment.isOfInterest(port)
        }
        return (ports + FleetService.portsOutsideUdev(inventory)).map { port in
            var status = stat()
            let group = stat(port.device, &status) == 0 ? getgrgid(status.st_gid)?.pointee.gr_name : nil
            return MachineFacts.SerialPortFacts(
                name: port.name, text: port.usb?.text ?? port.usb?.id,
                isPermitted: faccessat(AT_FDCWD, port.device, R_OK | W_OK, AT_EACCESS) == 0,
                group: group.map { String(cString: $0) },
                holder: processes.user(ofDevice: SystemFiles.real(port.device)), device: port.device,
                usbID: port.usb?.id, isOpenToGroup: status.st_mode & 0o060 == 0o060)
        }
    }

    private static func any(_ paths: String...) -> Bool { paths.contains { SystemFiles.exists($0) } }
}
