/// What the session reports to its owner.
extension RS9116Session {
    package enum Output: Equatable, Sendable {
        case line(LineAction)
        /// A step for people who follow the progress.
        case step(ProvisioningStep)
        /// The session is over: the module cannot be found or used.
        case failed(ProvisioningError)
        /// The boot loader waits for a key.
        case menu
        /// The firmware accepts AT commands.
        ///
        /// - Parameter isFresh: whether it was just loaded, so that nothing is configured.
        case ready(isFresh: Bool)
        case answer(RS9116Command, Answer)
        /// The module sent `bt_loaded`: the Bluetooth stack is up.
        case bluetoothLoaded
        /// A received advertisement; `nil` for a report that could not be parsed.
        case report(ModuleReception?)
        /// Any other unsolicited line.
        case event(String)
        /// The boot loader answered a key that the owner pressed; see `bootText`.
        case bootText
        /// The time that the owner requested with `rest`, `press` or `listen` has elapsed.
        case rested
    }

    package enum Answer: Equatable, Sendable {
        case ok(String)
        case error(RS9116ErrorCode)
        /// There was no answer to any repetition.
        case none
    }
}
