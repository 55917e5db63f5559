import BeaconModel

extension RS9116Dialogue {
    enum Phase: Equatable {
        /// Finding and identifying the module.
        case attaching(Found)
        case awaitingBluetooth(Found)
        case awaitingAssignment(Found)
        /// Configuring.
        ///
        /// - Parameter hasRestarted: whether the advertising was stopped in order to start it again.
        case applying(hasRestarted: Bool)
        case proving(Proof)
        /// Waiting, while a connectable module advertises, whether a central connects at once and stops it.
        case awaitingCentrals(isUnchanged: Bool)
        /// Waiting for a central to disconnect, then for the advertising to start again.
        case awaitingDisconnect(Departure)
        /// The module does what it should, as far as is known.
        ///
        /// - Parameter checkAt: time of the next check that it does.
        case watching(checkAt: Duration, Activity)
        case ended
    }

    /// A module that accepts AT commands and is not configured yet.
    struct Found: Equatable {
        enum Origin: Equatable {
            /// The module was found running.
            ///
            /// - Parameter isScanning: whether it reports that it scans; `nil` when unknown.
            case running(AppliedConfiguration, isScanning: Bool?)
            /// The module was reset, and its operating mode was set with this transmit power. Nothing else is set.
            case fresh(transmitPower: Int?)
        }

        var origin = Origin.running(.unknown, isScanning: nil)
        /// Whether the module sent `bt_loaded` since it was found.
        var isBluetoothLoaded = false

        var applied: AppliedConfiguration {
            switch origin {
            case .running(let applied, _): applied
            case .fresh: .none
            }
        }

        var isScanning: Bool? {
            switch origin {
            case .running(_, let isScanning): isScanning
            case .fresh: nil
            }
        }
    }

    /// What a module that does what it should is doing just now.
    enum Activity: Equatable {
        case idle
        case checking
        /// Proving that a connectable module still advertises.
        case proving(ProofStep)
        /// Waiting for the answer to a command of the listening.
        case listening(RS9116Listening.Step)
        /// Listening in a turn, without advertising.
        case hearing
        case identifying(roundsLeft: Int, questionsLeft: Int)
    }

    /// A proof that the module advertises what it should: it was stopped and then accepted a start. A start is refused
    /// both by a module that already advertises, whatever its data, and by one to which a central is connected.
    enum Proof: Equatable {
        /// The module was found with the fingerprint of its assigned configuration. Another party may have set other
        /// advertising data since.
        case found(ProofStep, wasStopped: Bool)
        /// The module was just started. A central may have connected since.
        case started(ProofStep)

        var step: ProofStep {
            switch self {
            case .found(let step, _), .started(let step): step
            }
        }
    }

    enum ProofStep: Equatable {
        /// Starting the advertising, to learn whether it had stopped.
        case asking
        case stopping
        case settingData
        case starting
    }

    enum Departure: Equatable {
        /// The central was told to disconnect, and neither the answer nor the disconnection has arrived.
        case requested
        /// One of them has arrived, or the advertising is being started again.
        case underWay
    }

    /// The centrals that connect to a connectable module.
    struct Centrals {
        /// The central that connected last and has not disconnected, as far as the module has reported.
        var connected: BluetoothAddress?
        /// Number of centrals told to disconnect since the module last worked correctly.
        var sentAway = 0
        var lastSentAway: BluetoothAddress?

        static let mostSentAway = 5
        /// Time in which a phone that connects to every beacon would connect: a few advertising intervals.
        static let timeToConnect: Duration = .milliseconds(500)
    }
}
