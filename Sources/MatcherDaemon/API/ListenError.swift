import BeaconModel

/// Failure to listen on the API's address.
struct ListenError: OperatorError {
    var settings: APISettings
    var reason: String

    var what: String { "can't listen on \(settings.host):\(settings.port): \(reason)" }
    var remedy: String? { "give another address in api.listen, or end what listens there" }
    var exitStatus: ExitStatus { .unavailable }
}
