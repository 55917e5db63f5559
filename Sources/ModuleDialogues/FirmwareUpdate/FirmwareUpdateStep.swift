/// A step reached in a firmware update; each is one line of progress output.
public enum FirmwareUpdateStep: Equatable, Sendable {
    /// A step in finding the module.
    case module(ProvisioningStep)
    /// The module does not answer. It may be waiting for the rest of an abandoned transfer.
    case endingOldTransfer
    /// The firmware in the module does not load.
    case noFirmware
    /// The sender has started, with this process ID.
    case sending(KermitSender.Program, process: Int32)
    /// The whole image was sent and acknowledged.
    case sent(TransferProgress)
    /// The boot loader accepted the image.
    case upgraded
    /// The boot loader has found the image undamaged.
    case integrityPassed(image: UInt8)
    /// The boot loader's statement about the image's integrity was not recognized.
    case integrityUnknown(image: UInt8)
}

/// The firmware in a module before an update.
public struct InstalledFirmware: Equatable, Sendable {
    /// Version of the firmware; `nil` when none runs.
    public var version: String?
    /// Family of the chip; `nil` when it is unknown because there is no firmware or its version does not tell.
    public var family: SiliconFamily?

    /// Creates a value; `nil` if the version is unknown.
    public init(version: String?) {
        self.version = version
        family = version.flatMap { SiliconFamily(firmwareVersion: $0) }
    }
}

/// The firmware in a module after an update.
public struct UpdatedFirmware: Equatable, Sendable {
    /// Version that the firmware reports.
    public var version: String
    /// Version that firmware from the image should report.
    public var expectedVersion: String

    /// Whether the module runs the version of the image.
    public var isAsExpected: Bool { version == expectedVersion }

    /// Creates a value from its parts.
    public init(version: String, expectedVersion: String) {
        self.version = version
        self.expectedVersion = expectedVersion
    }
}
