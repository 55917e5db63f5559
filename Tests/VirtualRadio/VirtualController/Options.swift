struct Options {
    static let usage = """
        usage: VirtualController [--extended] [--reports-per-event N] [--public-address ADDRESS] [--scenario FILE]
                                 [--air PATH] [--synthetic COUNT RATE SECONDS] [--random-addresses RATE]
                                 [--control PATH]

        A Bluetooth Low Energy controller on /dev/vhci that hears the advertisements of a scenario, of emulated \
        modules, of made-up advertisers, or of all of them; and that fails when it is told to.

          --extended             Bluetooth 5.0 with extended scanning instead of Bluetooth 4.2
          --public-address A     its own address, by default 00:00:5E:00:53:01
          --scenario FILE        lines of: t_ms address addrtype eventtype rssi hexdata count period_ms [loss]
                                 rssi: -60, or -80:-50 from the first to the last of count, or with noise of 4 dB:
                                 -60~4; loss: 50% of count aren't heard, and all have the random delay of advertisers
          --air PATH             a named pipe or a terminal with what `beacon-gateway emulate` prints when it has
                                 several modules; module N is heard with -50 - 3 * N dBm
          --synthetic COUNT RATE SECONDS
                                 COUNT iBeacons that send RATE * SECONDS advertisements in turn, RATE a second in
                                 all, from the first time that the host scans
          --random-addresses RATE
                                 after the command `flood`: RATE advertisements a second, each an iBeacon with an
                                 identity and an address that were never there before
          --control PATH         a named pipe or a terminal with a command on each line:
                                     unplug, plug     removes the adapter; brings it back, without a memory
                                     hang, recover    answers nothing and reports nothing; goes on
                                     hardware-error   sends a Hardware Error event
                                     mute, unmute     answers all, and reports nothing; reports again
                                     wedge            mute until the host resets the controller
                                     quiet, loud      nobody transmits; everybody does
                                     flood, calm      as many strangers as --random-addresses says; none
          --reports-per-event N  gather up to N reports in an event (1 to 25, extended 1 to 10; default 1)

        Ends with SIGTERM or SIGINT. Logs what the host asks for to standard output.
        """

    struct Failure: Error {
        var message: String
    }

    /// Made-up advertisers.
    struct Synthetic: Equatable {
        var count: Int
        /// Of all of them, a second.
        var rate: Int
        var seconds: Int
    }

    var extended = false
    var publicAddress: Address?
    var scenario: String?
    var air: String?
    var synthetic: Synthetic?
    var floodRate: Int?
    var control: String?
    var reportsPerEvent = 1

    private static let highestRate = 1_000_000

    init(arguments: some Sequence<String>) throws(Failure) {
        var rest = arguments.makeIterator()
        func value(_ option: String, _ kind: String) throws(Failure) -> String {
            guard let value = rest.next() else { throw Failure(message: "\(option) needs \(kind)") }
            return value
        }
        func number(_ option: String, upTo most: Int) throws(Failure) -> Int {
            guard let number = Int(try value(option, "a number")), (1...most).contains(number) else {
                throw Failure(message: "\(option) needs a number from 1 to \(most)")
            }
            return number
        }
        while let argument = rest.next() {
            switch argument {
            case "--extended": extended = true
            case "--public-address":
                guard let address = Address(type: 0, text: try value(argument, "an address")) else {
                    throw Failure(message: "--public-address needs an address such as 00:00:5E:00:53:02")
                }
                publicAddress = address
            case "--scenario": scenario = try value(argument, "a file")
            case "--air": air = try value(argument, "a path")
            case "--synthetic":
                synthetic = Synthetic(
                    count: try number(argument, upTo: SyntheticTraffic.mostAdvertisers),
                    rate: try number(argument, upTo: Self.highestRate), seconds: try number(argument, upTo: 86400))
            case "--random-addresses": floodRate = try number(argument, upTo: Self.highestRate)
            case "--control": control = try value(argument, "a path")
            case "--reports-per-event": reportsPerEvent = try number(argument, upTo: 25)
            default: throw Failure(message: "unknown argument \(argument)")
            }
        }
        guard scenario != nil || air != nil || synthetic != nil || control != nil else {
            throw Failure(message: "give --scenario, --air, --synthetic or --control")
        }
        guard floodRate == nil || control != nil else {
            throw Failure(message: "--random-addresses waits for a command: give --control too")
        }
        let most = ReportEvent.mostReports(extended: extended)
        guard reportsPerEvent <= most else {
            throw Failure(message: "--reports-per-event can be \(most) at most")
        }
    }
}
