import ModuleEmulator
import SystemIO
import TestValues

@testable import ModuleDialogues
@testable import UARTConfig

/// An update as the command does it, confirmed at once, with what it says.
struct FirmwareUpdateRun: Sendable {
    private(set) var steps: [FirmwareUpdateStep] = []
    private(set) var found: InstalledFirmware?
    private(set) var progress: [TransferProgress] = []
    private(set) var updated: UpdatedFirmware?
    private(set) var error: (any Error)?
    private(set) var sender: Int32?

    /// About 60 kB of all byte values, with what looks like Kermit's prefixes.
    static let file = Task {
        try await DedicatedThread.run(name: "image") {
            var generator = SeededGenerator(seed: 9116)
            let noise = (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            return RPSFile(body: noise + Array("###&&&~~~#&~##$$\r\n\u{1A}\u{3}AAAAAAAAAAAAAAAAAAAA".utf8)).bytes
        }
    }

    var failure: FirmwareUpdateError? { error as? FirmwareUpdateError }

    /// - Parameters:
    ///   - silence: as in `KermitTransfer`.
    ///   - halfWay: what happens when half of the image is sent; told the sender's process.
    init(
        port: String, file: [UInt8]? = nil, sender: KermitSender, silence: Duration = .seconds(7),
        halfWay: (FirmwareUpdateLink, Int32) -> Void = { _, _ in }
    ) async throws {
        let standard = try await Self.file.value
        let image = try RPSImage(file ?? standard)
        let link = try FirmwareUpdateLink(
            port: port, transfer: KermitTransfer(sender: sender, image: image.bytes, silence: silence),
            dialogue: FirmwareUpdateDialogue(image: image))
        var isHalfWay = false
        do {
            for try await event in link.events {
                switch event {
                case .step(let step):
                    steps.append(step)
                    if case .sending(_, let process) = step { self.sender = process }
                case .found(let installed):
                    found = installed
                    link.confirm()
                case .progress(let progress):
                    self.progress.append(progress)
                    guard progress.percent >= 50, !isHalfWay else { continue }
                    isHalfWay = true
                    halfWay(link, self.sender ?? 0)
                case .finished(let firmware): updated = firmware
                }
            }
        } catch {
            self.error = error
        }
    }
}
