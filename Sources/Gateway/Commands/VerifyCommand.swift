import Advertisement
import ArgumentParser
import BeaconModel
import BlueZScanner
import CommandSupport
import UARTConfig

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Listens until every beacon of an inventory is heard as it should be.",
        discussion: """
            Compares UUID, major, minor and measured power, says how strongly each beacon is heard, and finds identities \
            that are on the air twice. Listens with a Bluetooth adapter, or with another module.
            Ends with status 0 when all is as it should be, else with 69.
            """)

    @Option(help: ArgumentHelp("The .toml or .csv file that says what should be on the air.", valueName: "file"))
    var inventory: String

    @Option(help: "The Bluetooth adapter to listen with (default: hci0).", transform: OptionValue.adapter)
    var adapter: Adapter?

    @Option(
        help: ArgumentHelp("Listen with the RS9116 on this port instead; it doesn't hear itself.", valueName: "path"))
    var ear: String?

    @Option(help: "Give up after this time (default: 30s).", transform: OptionValue.duration)
    var timeout: Duration = .seconds(30)

    @Option(
        help: "Listen at least so long, for identities that are on the air twice (default: 5s).",
        transform: OptionValue.duration)
    var atLeast: Duration = .seconds(5)

    @Option(
        help: ArgumentHelp(
            "Where it is kept which module is which (default: beside the inventory).", valueName: "directory"))
    var state: String?

    func validate() throws {
        if adapter != nil, ear != nil { throw ValidationError("Give --adapter or --ear, not both.") }
    }

    func run() async throws {
        try await Terminal.run {
            let files = try ModuleFiles(inventory: inventory, state: state, actor: Person.name)
            var verification = AirVerification(files.inventory, addresses: try addresses(files))
            let ear: any Ear = if let ear { ModuleEar(port: ear) } else { try AdapterEar(adapter ?? Adapter(index: 0)) }
            Terminal.note("listening with \(ear.name) for \(files.inventory.entries.count) beacons")
            var start: ContinuousClock.Instant?
            let (atLeast, timeout) = (atLeast, timeout)
            try await ear.listen { heard in
                switch heard {
                case .beacon(let hearing):
                    verification.observe(
                        hearing.beacon, measuredPower: hearing.measuredPower, address: hearing.address,
                        rssi: hearing.rssi)
                case .ownAddress(let address): verification.listener = address
                case .listening: start = start ?? .now
                case .nothing: break
                }
                // An ear that is still being started gives up by itself when it can't be.
                guard let start else { return true }
                let elapsed = ContinuousClock.now - start
                return elapsed < timeout && (elapsed < atLeast || !verification.isComplete)
            }
            guard start != nil else { throw DeafEar(name: ear.name) }
            let report = VerificationReport(verification: verification)
            for line in report.lines { try Terminal.print(line) }
            if !report.isGood { throw ExitCode(ExitStatus.unavailable.rawValue) }
        }
    }

    /// Of the modules whose address is known: by the inventory, or because they were provisioned.
    private func addresses(_ files: ModuleFiles) throws -> [String: BluetoothAddress] {
        var addresses: [String: BluetoothAddress] = [:]
        for entry in files.audit.entries() where entry.action == "provisioned" {
            guard let module = entry.module else { continue }
            addresses[module] = entry.address.flatMap { BluetoothAddress($0) }
        }
        for (address, name) in try files.bindings.read() { addresses[name] = address }
        for entry in files.inventory.entries {
            if case .address(let address) = entry.module { addresses[entry.name] = address }
        }
        return addresses
    }
}
