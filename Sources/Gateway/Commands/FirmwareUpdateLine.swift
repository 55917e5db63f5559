import BeaconModel
import GatewayDaemon
import ModuleDialogues
import ModuleEmulator
import OperatorText

extension FirmwareUpdateStep {
    /// Progress line for the terminal, in the format of `provision`.
    var line: String {
        switch self {
        case .module(let step): step.line
        case .endingOldTransfer:
            "again      no answer; aborting any earlier transfer, and trying again"
        case .noFirmware:
            "warning    no firmware starts; returning to the boot loader (if this takes long, press RESET on the "
                + "module)"
        case .sending(let program, let process): "transfer   by \(program.rawValue), process \(process)"
        case .sent(let progress):
            "transfer   \(progress.sent) bytes in \(Format.fixed(progress.elapsed.inSeconds, 1)) s, "
                + "\(TransferBar.rate(progress))"
                + (progress.repetitions > 0 ? "; \(progress.repetitions) packets retransmitted" : "")
        case .upgraded: "upgrade    the boot loader accepted the image"
        case .integrityPassed(let image): "integrity  image \(String(image, radix: 16)) passed"
        case .integrityUnknown(let image):
            "warning    the boot loader reports no integrity check of image \(String(image, radix: 16)); loading it"
        }
    }
}

extension InstalledFirmware {
    /// Describes the installed firmware, before the user is asked for consent.
    func line(for image: RPSImage) -> String {
        let asked =
            "its family cannot be determined; make sure that it is an \(image.family.name) (silicon "
            + "\(image.family.silicon))"
        guard let version else { return "installed  no working firmware; \(asked)" }
        guard let family else { return "installed  \(version), of an unknown family; \(asked)" }
        return "installed  \(version), family \(family.name)"
    }
}

extension RPSImage {
    var updateLines: [String] {
        [
            "family     \(family.name), silicon \(family.silicon), firmware \(family.versionPrefix)...",
            "version    \(version)" + (isSigned ? ", signed" : ""),
            "size       \(bytes.count) bytes",
        ]
    }
}
