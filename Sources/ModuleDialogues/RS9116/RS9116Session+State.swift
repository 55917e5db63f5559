/// What the session waits for.
extension RS9116Session {
    package enum State: Equatable {
        case idle
        /// Discarding bytes that were already on the line.
        case settling
        case handshaking(RS9116Handshake)
        /// Loading and then resetting firmware, because the module answers unintelligibly at the current speed.
        case abandoningRate
        /// Waiting for the boot loader after a reset.
        case resetting
        /// Waiting for the end of the menu after `U` was sent.
        case awaitingMenu
        case beforeKey
        case atMenu
        case loading(key: UInt8, tries: Int, hasBegun: Bool)
        case awaitingAnswer(RS9116Command)
        /// Waiting because the answer to `command` is late, or an answer to an abandoned command may still arrive. The
        /// module answers in order. A version query sent meanwhile, whose answer looks like no other, therefore
        /// separates older answers from newer ones. `hasAnswer`: an answer arrived since the query was sent.
        case synchronising(RS9116Command, Lateness, hasAnswer: Bool)
        /// Waiting for a silence, because the number of outstanding answers is unknown.
        case draining
        /// Pausing before a command is sent.
        case pausing(RS9116Command)
        case ready
        case ended
    }

    /// The part of the module that has answered since the search for it began.
    package enum Understood {
        case nothing, firmware, bootLoader
    }

    package enum Lateness: Equatable {
        /// The command was sent. Its answer counts if it arrives before that of the query.
        case awaited
        /// The command is sent once no older answer can arrive.
        case unsent
    }
}
