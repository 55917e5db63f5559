extension FirmwareUpdateDialogue {
    /// A request to the dialogue of an update.
    public enum Request: Equatable, Sendable {
        /// Permission to burn the image.
        case confirmed
        /// The transfer program has ended.
        case transferred(TransferReport)
    }

    /// A result or an event of an update.
    public enum Output: Equatable, Sendable {
        /// A step for people who follow the progress.
        case report(FirmwareUpdateStep)
        /// The installed firmware was determined; `.confirmed` must follow.
        case found(InstalledFirmware)
        /// A request to lend the line to a sender; `.transferred` must follow.
        case transfer
        /// The update has succeeded.
        case finished(UpdatedFirmware)
        /// The update has failed.
        case failed(FirmwareUpdateError)
    }
}

extension LineStep where Output == FirmwareUpdateDialogue.Output {
    static func report(_ step: FirmwareUpdateStep) -> Self { .output(.report(step)) }
    static func found(_ firmware: InstalledFirmware) -> Self { .output(.found(firmware)) }
    static var transfer: Self { .output(.transfer) }
    static func finished(_ firmware: UpdatedFirmware) -> Self { .output(.finished(firmware)) }
    static func failed(_ error: FirmwareUpdateError) -> Self { .output(.failed(error)) }
}
