import BeaconModel

/// Failure to listen on the API's address.
struct ListenError: OperatorError {
    var settings: APISettings
    var reason: String

    var what: String { "cannot listen on \(settings.address.text): \(reason)" }
    var remedy: String? {
        settings.address.isSocket
            ? "set another path in api.listen, in a directory that exists, or stop the program that listens there"
            : "set another address in api.listen, or stop the program that listens there"
    }
    var exitStatus: ExitStatus { .unavailable }
}
