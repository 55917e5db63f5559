import BeaconModel

/// Failure to listen on the API's address.
struct ListenError: OperatorError {
    var settings: APISettings
    var reason: String

    var what: String { "cannot listen on \(settings.host):\(settings.port): \(reason)" }
    var remedy: String? { "set another address in api.listen, or stop the program that listens there" }
    var exitStatus: ExitStatus { .unavailable }
}
