public import BeaconModel

/// The reason why firmware could not be burned.
public enum FirmwareUpdateError: OperatorError, Equatable {
    /// The image is not for this module.
    case image(RPSImageError)
    /// The module cannot be found or cannot be brought into its boot loader.
    case module(ProvisioningError)
    /// The module runs its firmware again after each reset.
    case noBootLoader
    /// No Kermit program that can send is installed.
    case noSender
    /// The boot loader did not show the expected prompt.
    case noPrompt(Prompt, said: String)
    /// The sender exited before the transfer was complete.
    case senderFailed(KermitSender.Program, status: Int32, reason: String?, TransferProgress)
    /// The transfer made no progress.
    case stalled(TransferProgress)
    /// The transfer exceeded its time limit.
    case tookTooLong(TransferProgress)
    /// The user stopped the transfer or, with `portVanished`, the port disappeared.
    case interrupted(TransferProgress, portVanished: Bool)
    /// The update ended after the transfer and before the new firmware ran.
    case unverified
    /// The boot loader received the whole image and answered with this text.
    case refused(said: String)
    /// The boot loader did not report a result for the image.
    case noResult(Duration)
    /// The boot loader found the image damaged.
    case integrityFailed(image: UInt8)
    /// The new firmware does not load or does not answer.
    case doesNotStart(ProvisioningError)

    /// A question of the boot loader.
    public enum Prompt: String, Sendable {
        /// The boot loader asks for the number of the image.
        case imageNumber = "the number of the image"
        /// The boot loader waits for the file.
        case file = "the file"
    }

    public var what: String {
        switch self {
        case .image(let error): error.what
        case .module(let error): error.what
        case .noBootLoader: "the module runs its firmware again after each reset, without its boot loader"
        case .noSender: "neither C-Kermit nor G-Kermit is installed; one of them is required to send the image"
        case .noPrompt(let prompt, let said):
            "the boot loader did not ask for \(prompt.rawValue)"
                + (said.isEmpty ? "" : "; it sent \(Self.quoted(said))")
        case .senderFailed(let program, let status, let reason, let progress):
            "\(program.rawValue) gave up after \(Self.amount(progress)), with status \(status)"
                + (reason.map { ": \($0)" } ?? "")
        case .stalled(let progress): "the boot loader stopped answering after \(Self.amount(progress))"
        case .tookTooLong(let progress):
            "the transfer was not complete after \(progress.elapsed.components.seconds / 60) min, with "
                + "\(Self.amount(progress)) sent"
        case .interrupted(let progress, let portVanished):
            (portVanished ? "the port disappeared" : "the transfer was interrupted") + " after \(Self.amount(progress))"
        case .unverified: "the update was interrupted before the new firmware ran"
        case .refused(let said): "the boot loader rejected the image: \(Self.quoted(said))"
        case .noResult(let time):
            "the boot loader received the image but reported no result within \(time.components.seconds) s"
        case .integrityFailed(let image): "the boot loader reports that image \(Self.digit(image)) is damaged"
        case .doesNotStart(let error): "the new firmware does not start: \(error.what)"
        }
    }

    public var meaning: String? {
        switch self {
        case .image(let error): error.meaning
        case .module(let error): error.meaning
        case .noSender: nil
        case .noBootLoader:
            "its boot loader is bypassed (by a GPIO), or its reset has no effect; nothing was written"
        case .noPrompt: "this boot loader has another menu, or bytes were lost; nothing was written"
        case .senderFailed, .stalled, .tookTooLong:
            "bytes were lost on the line; the module is in its boot loader, possibly without usable firmware"
        case .interrupted: "the module is in its boot loader, possibly without usable firmware"
        case .unverified: "the module may still be starting the new firmware, or be in its boot loader"
        case .refused: "the image is for another chip, needs a signature, or was damaged on the line"
        case .noResult: "it may still be busy, or the module reset itself"
        case .integrityFailed, .doesNotStart: "the module is in its boot loader, without usable firmware"
        }
    }

    public var remedy: String? {
        switch self {
        case .image(let error): error.remedy
        case .module(let error): error.remedy
        case .noBootLoader:
            "release the bypass GPIO (see the module's manual), press RESET, and run the same command again"
        case .noSender: "sudo apt-get install ckermit"
        case .noPrompt: "press RESET on the module and run the same command again"
        case .senderFailed, .stalled, .tookTooLong:
            "run the same command again, with a short, thick USB cable on a powered port"
        case .interrupted(_, let portVanished):
            (portVanished ? "plug the module in again and " : "") + "run the same command again: it starts over"
        case .unverified, .noResult, .integrityFailed, .doesNotStart:
            "run the same command again; if the module does not answer, press RESET and repeat"
        case .refused:
            "compare the image with the module's chip with `firmware inspect`, and run the command again with the "
                + "correct image"
        }
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus {
        switch self {
        case .image(let error): error.exitStatus
        case .module(let error): error.exitStatus
        case .noBootLoader, .noSender, .noPrompt, .refused, .noResult, .integrityFailed, .doesNotStart: .unavailable
        case .senderFailed, .stalled, .tookTooLong, .interrupted, .unverified: .inputOutput
        }
    }

    private static func amount(_ progress: TransferProgress) -> String {
        "\(progress.sent) of \(progress.total) bytes"
    }

    private static func quoted(_ said: String) -> String { said.prefix(80).debugDescription }

    private static func digit(_ image: UInt8) -> String { String(image, radix: 16) }
}
