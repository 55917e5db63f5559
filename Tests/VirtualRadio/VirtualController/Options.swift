struct Options {
    static let usage = """
        usage: VirtualController [--extended] [--reports-per-event N] --scenario FILE

        A Bluetooth Low Energy controller on /dev/vhci that hears the advertisements of the scenario.

          --extended             Bluetooth 5.0 with extended scanning instead of Bluetooth 4.2
          --scenario FILE        lines of: t_ms address addrtype eventtype rssi hexdata count period_ms
          --reports-per-event N  gather up to N reports in an event (1 to 25, extended 1 to 10; default 1)

        Ends with SIGTERM or SIGINT. Logs what the host asks for to standard output.
        """

    struct Failure: Error {
        var message: String
    }

    var extended = false
    var scenario = ""
    var reportsPerEvent = 1

    init(arguments: some Sequence<String>) throws(Failure) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--extended": extended = true
            case "--scenario":
                guard let value = rest.next() else { throw Failure(message: "--scenario needs a file") }
                scenario = value
            case "--reports-per-event":
                guard let value = rest.next(), let number = Int(value), number >= 1 else {
                    throw Failure(message: "--reports-per-event needs a number from 1")
                }
                reportsPerEvent = number
            default: throw Failure(message: "unknown argument \(argument)")
            }
        }
        guard !scenario.isEmpty else { throw Failure(message: "--scenario is missing") }
        let most = ReportEvent.mostReports(extended: extended)
        guard reportsPerEvent <= most else {
            throw Failure(message: "--reports-per-event can be \(most) at most")
        }
    }
}
