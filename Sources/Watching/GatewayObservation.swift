/// What is known of a gateway's work at one moment.
package struct GatewayObservation: Sendable, Equatable {
    /// A Bluetooth adapter of this gateway.
    package struct Radio: Sendable, Equatable {
        /// Name of the adapter in the configuration.
        package var name: String
        package var state: State

        package enum State: Sendable, Equatable {
            /// The adapter has not been opened yet.
            case starting
            /// Packets were received in the last seconds.
            case hearing
            /// Nothing is received, and the controller has confirmed that it scans. Beacons of this gateway that are
            /// on the air but not received make an adapter deaf instead.
            case quiet
            case deaf(Fault)
        }

        package init(name: String, state: State) {
            self.name = name
            self.state = state
        }

        var scans: Bool { state == .hearing || state == .quiet }
    }

    /// Why an adapter receives nothing.
    package struct Fault: Sendable, Equatable {
        package var what: String
        package var remedy: String?
        package var cure: Cure

        package init(what: String, remedy: String?, cure: Cure) {
            self.what = what
            self.remedy = remedy
            self.cure = cure
        }
    }

    /// What can end a fault.
    package enum Cure: Sendable, Equatable {
        /// The gateway itself: it has not tried all of its steps.
        case steps
        /// A new start of the program, perhaps: all steps were tried in vain.
        case restart
        /// Only a person or another program: the adapter is unplugged, blocked by rfkill, or not permitted.
        case outside
    }

    /// A receiver that is no adapter of this machine: a listening module, or a receiver of another program.
    package struct Receiver: Sendable, Equatable {
        package var name: String
        package var isHearing: Bool

        package init(name: String, isHearing: Bool) {
            self.name = name
            self.isHearing = isHearing
        }
    }

    /// The outbox: records on disk until they are delivered.
    package struct Outbox: Sendable, Equatable {
        package var bytes: Int
        package var capacityBytes: Int
        /// Why records are not on disk; `nil`: they are.
        package var trouble: String?

        package init(bytes: Int, capacityBytes: Int, trouble: String? = nil) {
            self.bytes = bytes
            self.capacityBytes = capacityBytes
            self.trouble = trouble
        }

        /// Room for this part of the capacity counts as none: records of low priority are given up already.
        static var fullAt: Double { 0.95 }

        /// The part of the capacity that is used.
        var fullness: Double { capacityBytes > 0 ? Double(bytes) / Double(capacityBytes) : 0 }
        var isFull: Bool { fullness >= Self.fullAt }
    }

    package enum Broker: Sendable, Equatable {
        case connected
        /// The broker is connected and does not accept what it is offered.
        case refusing(String)
        case notConnected

        /// - Parameter trouble: why the broker does not accept what it is offered. It counts whether or not the
        ///   connection is there: such a broker closes it.
        package init(trouble: String?, isConnected: Bool) {
            self = trouble.map { .refusing($0) } ?? (isConnected ? .connected : .notConnected)
        }
    }

    package var radios: [Radio]
    package var receivers: [Receiver]
    package var outbox: Outbox
    package var broker: Broker
    /// Time since the gateway last processed anything: it does so each second, even if nothing is received.
    package var processedAge: Duration
    /// Time since an adapter last reported packets or a second of silence.
    package var reportedAge: Duration

    package init(
        radios: [Radio], receivers: [Receiver] = [], outbox: Outbox, broker: Broker, processedAge: Duration = .zero,
        reportedAge: Duration = .zero
    ) {
        self.radios = radios
        self.receivers = receivers
        self.outbox = outbox
        self.broker = broker
        self.processedAge = processedAge
        self.reportedAge = reportedAge
    }

    /// Time after which a thread or a task that works each second has stopped.
    package static let longestPause: Duration = .seconds(15)

    /// What a new start would be good for. Records that are not on disk are in memory: a new start would lose them.
    package var vitality: Vitality {
        if let halted { return .stuck(halted) }
        if radios.contains(where: \.scans) { return outbox.trouble == nil ? .working : .waiting }
        if radios.contains(where: { $0.state == .starting }) { return .starting }
        let faults = faults.map(\.fault)
        if let fault = faults.first(where: { $0.cure == .restart }) { return .stuck(fault.what) }
        if faults.contains(where: { $0.cure == .steps }) { return .starting }
        return hears && outbox.trouble == nil ? .working : .waiting
    }

    package var liveness: Liveness {
        let (delivering, deliveryNotes) = delivery
        return Liveness(
            receiving: receiving, storing: storing, delivering: delivering, notes: radioNotes + deliveryNotes)
    }

    /// Receiving works while one receiver scans: an adapter, a listening module or a remote receiver.
    private var receiving: Working {
        if let halted { return .failing(what: halted, remedy: "restart the gateway") }
        if hears { return .working }
        let starting = radios.filter { $0.state == .starting }.map(\.name)
        if !starting.isEmpty { return .starting("first scan of \(starting.joined(separator: ", "))") }
        guard let fault = faults.first?.fault else {
            return .failing(
                what: "there is no receiver", remedy: "plug an adapter in, or name one in the table [radio]")
        }
        return .failing(what: faults.map(\.fault.what).joined(separator: ", and "), remedy: fault.remedy)
    }

    private var storing: Working {
        guard let trouble = outbox.trouble else { return .working }
        return .failing(
            what: "records are not on disk: \(trouble)",
            remedy: "free space on the disk of the state directory, or replace the disk")
    }

    /// Delivering works while records reach the broker, or can wait for it.
    private var delivery: (Working, notes: [String]) {
        switch broker {
        case .connected: return (.working, [])
        case .refusing(let reason):
            return (.failing(what: reason, remedy: "look at the rights of this gateway's user at the broker"), [])
        case .notConnected:
            let percent = Int(min(1, max(0, outbox.fullness)) * 100)
            if outbox.isFull {
                return (
                    .failing(
                        what: "the broker is not connected, and the outbox is \(percent) % full",
                        remedy: "start the broker, or mend the network to it"), []
                )
            }
            return (.working, ["the broker is not connected, the outbox is \(percent) % full"])
        }
    }

    private var hears: Bool { radios.contains(where: \.scans) || receivers.contains(where: \.isHearing) }

    /// Why nothing is processed although the adapters say that they scan; `nil`: something is.
    private var halted: String? {
        if processedAge > Self.longestPause {
            return "nothing has been processed for \(processedAge.components.seconds) s"
        }
        if radios.contains(where: \.scans), reportedAge > Self.longestPause {
            return "no adapter has reported anything for \(reportedAge.components.seconds) s, not even silence"
        }
        return nil
    }

    private var faults: [(name: String, fault: Fault)] {
        radios.compactMap { radio in
            guard case .deaf(let fault) = radio.state else { return nil }
            return (radio.name, fault)
        }
    }

    /// What is wrong with single adapters while others receive.
    private var radioNotes: [String] { hears ? faults.map { "adapter \($0.name): \($0.fault.what)" } : [] }
}
