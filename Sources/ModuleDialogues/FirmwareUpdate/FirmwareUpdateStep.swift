/// What has been reached in a firmware update; each is one line for the person who waits.
public enum FirmwareUpdateStep: Equatable, Sendable {
    /// On the way to the module.
    case module(ProvisioningStep)
    /// The module doesn't answer; it may wait for the rest of a transfer that somebody gave up.
    case endingOldTransfer
    /// The firmware in the module doesn't load.
    case noFirmware
    /// The sender has begun, as this process.
    case sending(KermitSender.Program, process: Int32)
    /// Everything was sent and acknowledged.
    case sent(TransferProgress)
    /// The boot loader took the image.
    case upgraded
    case integrityPassed(image: UInt8)
    /// The boot loader said nothing that is known of the image's integrity.
    case integrityUnknown(image: UInt8)
}

/// What was in a module before.
public struct InstalledFirmware: Equatable, Sendable {
    /// `nil` when there is none that runs.
    public var version: String?
    /// `nil` when that can't be known: without firmware, or by the version.
    public var family: SiliconFamily?

    public init(version: String?) {
        self.version = version
        family = version.flatMap { SiliconFamily(firmwareVersion: $0) }
    }
}

/// What is in a module after an update.
public struct UpdatedFirmware: Equatable, Sendable {
    /// As the firmware says it.
    public var version: String
    /// As firmware of the image should say it.
    public var expectedVersion: String

    public var isAsExpected: Bool { version == expectedVersion }

    public init(version: String, expectedVersion: String) {
        self.version = version
        self.expectedVersion = expectedVersion
    }
}
