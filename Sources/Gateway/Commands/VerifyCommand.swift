import Advertisement
import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import GatewayDaemon
import ModuleDialogues
import RecordContract

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies that every beacon in an inventory is on the air.",
        discussion: """
            Compares UUID, major, minor and measured power, shows how strongly each beacon is received, and finds \
            identities that are transmitted by more than one device. Uses a Bluetooth adapter, or another module, as \
            the receiver.
            Exit status: 0 all beacons are as specified, 1 some are not, 69 no receiver could be used.
            """)

    @OptionGroup
    var modules: InventoryOptions

    @Option(help: "The Bluetooth adapter to scan with (default: hci0).", transform: OptionValue.adapter)
    var adapter: Adapter?

    @Option(
        help: ArgumentHelp("Scan with the RS9116 on this port instead; it does not receive itself.", valueName: "path"))
    var receiver: String?

    @Option(help: "Stop after this time (default: 30s).", transform: OptionValue.duration)
    var timeout: Duration = .seconds(30)

    @Option(
        help: "Scan for at least this time, to find duplicate identities (default: 5s).",
        transform: OptionValue.duration)
    var atLeast: Duration = .seconds(5)

    @Flag(help: "Print one JSON document per line.")
    var json = false

    func validate() throws {
        if !modules.isGiven {
            throw ValidationError("Specify the expected beacons with --config FILE or --inventory FILE.")
        }
        if adapter != nil, receiver != nil { throw ValidationError("Specify --adapter or --receiver, not both.") }
    }

    func run() async throws {
        try await Terminal.run {
            guard let files = try modules.read() else { return }
            let known = try addresses(files)
            var verification = AdvertisingVerification(files.inventory, addresses: known)
            let own = try receiver.flatMap { try ModulePorts.entry(on: $0, files.inventory) }
            let listener: any BeaconReceiver =
                if let receiver { ModuleReceiver(port: receiver) } else {
                    try AdapterReceiver(adapter ?? Adapter(index: 0))
                }
            Terminal.note("scanning with \(listener.name) for \(files.inventory.entries.count) beacons")
            var start: ContinuousClock.Instant?
            let (atLeast, timeout) = (atLeast, timeout)
            try await listener.listen { heard in
                switch heard {
                case .beacon(let hearing):
                    verification.observe(
                        hearing.beacon, measuredPower: hearing.measuredPower, address: hearing.address,
                        rssi: hearing.rssi)
                case .ownAddress(let address):
                    // The address of a row that names its module by port is known only now, before anything is
                    // received.
                    let rows = own.map { [$0.name: address] } ?? [:]
                    verification = AdvertisingVerification(
                        files.inventory, addresses: known.merging(rows, uniquingKeysWith: { $1 }))
                    verification.listener = address
                case .listening: start = start ?? .now
                case .nothing: break
                }
                // A listening module that fails to start ends the loop by itself.
                guard let start else { return true }
                let elapsed = ContinuousClock.now - start
                return elapsed < timeout && (elapsed < atLeast || !verification.isComplete)
            }
            guard start != nil else { throw DeafReceiver(name: listener.name) }
            let report = VerificationReport(verification: verification)
            if json {
                for document in report.documents { try Terminal.print(JSON.encode(document)) }
            } else {
                for line in report.lines(width: Terminal.tableWidth) { try Terminal.print(line) }
            }
            if !report.isGood { throw ExitCode(ExitStatus.negative.rawValue) }
        }
    }

    /// Returns the known module addresses: from the inventory, or recorded when the modules were provisioned.
    private func addresses(_ files: ModuleFiles) throws -> [String: BluetoothAddress] {
        var addresses: [String: BluetoothAddress] = [:]
        for entry in files.audit.entries() where entry.action == "provisioned" {
            guard let module = entry.module else { continue }
            addresses[module] = entry.address.flatMap { BluetoothAddress($0) }
        }
        for (address, name) in try files.knownBindings() { addresses[name] = address }
        for entry in files.inventory.entries {
            if case .address(let address) = entry.module { addresses[entry.name] = address }
        }
        return addresses
    }
}
