import Advertisement
package import BeaconModel
import BlueZScanner
import HCI
import ModuleDialogues
import SystemIO
import UARTConfig

/// A receiver of iBeacons.
package protocol BeaconReceiver: Sendable {
    var name: String { get }

    /// Listens until `body` returns `false`. `body` is called for every beacon heard, and at least once a second.
    func listen(_ body: (Heard) -> Bool) async throws
}

package enum Heard: Sendable {
    /// Listening has begun.
    case listening
    case nothing
    case beacon(Hearing)
    /// The receiver is itself a module, with this address.
    case ownAddress(BluetoothAddress)
}

/// An iBeacon that was heard.
package struct Hearing: Sendable {
    package var beacon: BeaconID
    package var measuredPower: Int8
    package var address: BluetoothAddress
    package var rssi: RSSI?

    /// Creates a hearing from advertising data; `nil` if the data is not that of an iBeacon.
    init?(_ data: Span<UInt8>, from address: BluetoothAddress, rssi: RSSI?) {
        guard case .iBeacon(let beacon, let power)? = AdvertisingData.decode(data).identity else { return nil }
        self.beacon = beacon
        measuredPower = power
        self.address = address
        self.rssi = rssi
    }
}

/// The Bluetooth adapter as a receiver.
package struct AdapterReceiver: BeaconReceiver {
    private let scanner: AdapterScanner
    package let name: String

    package init(_ adapter: Adapter) throws {
        scanner = try AdapterScanner(.index(adapter), path: .automatic(), endsWhenNotOpened: true)
        name = adapter.description
    }

    package func listen(_ body: (Heard) -> Bool) async throws {
        let events = try scanner.events()
        try await withTaskCancellationHandler {
            var isEnough = false
            var isListening = false
            var reader = ReportReader()
            // The loop runs until the stream ends, when the controller no longer scans.
            for try await event in events {
                guard !isEnough else { continue }
                if case .state(let state) = event {
                    // An error is thrown at once, so that a command waiting for a beacon learns that the adapter is not
                    // listening.
                    if let error = state.error { throw error }
                    if state.condition != .starting, !isListening {
                        isListening = true
                        _ = body(.listening)
                    }
                }
                if case .packets(let batch) = event {
                    _ = reader.forEachAdvertisement(in: batch) { report, data in
                        // A device that sends anonymously cannot be told from another.
                        guard !isEnough, report.addressKind != .anonymous,
                            let hearing = Hearing(data, from: report.address, rssi: report.rssi)
                        else { return }
                        isEnough = !body(.beacon(hearing))
                    }
                }
                if !isEnough { isEnough = !body(.nothing) }
                if isEnough { scanner.stop() }
            }
        } onCancel: {
            scanner.stop()
        }
    }
}

/// A module that listens to the others.
package struct ModuleReceiver: BeaconReceiver {
    package var port: String

    package init(port: String) {
        self.port = port
    }

    package var name: String { "the module on \(port)" }

    package func listen(_ body: (Heard) -> Bool) async throws {
        let link = try LineLink(port: port, dialogue: RS9116ReceiverDialogue(), limit: TimedModuleDialogue.defaultLimit)
        // The module sends nothing when it hears nothing.
        let clock = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                link.post(.check)
            }
        }
        defer { clock.cancel() }
        try await withTaskCancellationHandler {
            var isEnough = false
            var isEnding = false
            for try await event in link.events {
                switch event {
                case .failed(let error): throw error
                case .received(let reception) where !isEnough:
                    if let hearing = Hearing(reception.data.span, from: reception.address, rssi: reception.rssi) {
                        isEnough = !body(.beacon(hearing))
                    }
                case .address(let address): _ = body(.ownAddress(address))
                case .listening: _ = body(.listening)
                case .stillListening where !isEnough: isEnough = !body(.nothing)
                default: break
                }
                if isEnough, !isEnding {
                    isEnding = true
                    link.post(.stop)
                }
            }
        } onCancel: {
            link.close()
        }
    }
}

/// Nothing was heard because the receiver was not listening.
package struct DeafReceiver: OperatorError {
    package var name: String

    package init(name: String) {
        self.name = name
    }

    package var what: String { "\(name) stopped before it was listening" }
    package var remedy: String? { "check it with `beacon-gateway scan`, or use another receiver" }
    package var exitStatus: ExitStatus { .unavailable }
}
