package import BeaconModel

/// The error with which a connection, or the attempt to open one, ended.
package enum ConnectionFailure: Error, Equatable, Sendable {
    case broker(MQTTError)
    /// The system does not provide what a connection needs.
    case system(SystemError)

    /// The error between this process and the broker, if it is one.
    package var mqttError: MQTTError? {
        switch self {
        case .broker(let error): error
        case .system: nil
        }
    }

    package var underlying: any OperatorError {
        switch self {
        case .broker(let error): error
        case .system(let error): error
        }
    }
}
