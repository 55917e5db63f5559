struct Options {
    static let usage = """
        usage: VirtualController [--extended] [--reports-per-event N] [--scenario FILE] [--air PATH]

        A Bluetooth Low Energy controller on /dev/vhci that hears the advertisements of a scenario, of emulated \
        modules, or of both.

          --extended             Bluetooth 5.0 with extended scanning instead of Bluetooth 4.2
          --scenario FILE        lines of: t_ms address addrtype eventtype rssi hexdata count period_ms
          --air PATH             a named pipe or a terminal with what `beacon-gateway emulate` prints when it has
                                 several modules; module N is heard with -50 - 3 * N dBm
          --reports-per-event N  gather up to N reports in an event (1 to 25, extended 1 to 10; default 1)

        Ends with SIGTERM or SIGINT. Logs what the host asks for to standard output.
        """

    struct Failure: Error {
        var message: String
    }

    var extended = false
    var scenario: String?
    var air: String?
    var reportsPerEvent = 1

    init(arguments: some Sequence<String>) throws(Failure) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--extended": extended = true
            case "--scenario":
                guard let value = rest.next() else { throw Failure(message: "--scenario needs a file") }
                scenario = value
            case "--air":
                guard let value = rest.next() else { throw Failure(message: "--air needs a path") }
                air = value
            case "--reports-per-event":
                guard let value = rest.next(), let number = Int(value), number >= 1 else {
                    throw Failure(message: "--reports-per-event needs a number from 1")
                }
                reportsPerEvent = number
            default: throw Failure(message: "unknown argument \(argument)")
            }
        }
        guard scenario != nil || air != nil else { throw Failure(message: "give --scenario or --air") }
        let most = ReportEvent.mostReports(extended: extended)
        guard reportsPerEvent <= most else {
            throw Failure(message: "--reports-per-event can be \(most) at most")
        }
    }
}
