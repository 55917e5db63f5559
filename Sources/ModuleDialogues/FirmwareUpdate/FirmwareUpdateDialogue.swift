/// The dialogue that burns an image into an RS9116 in any state and verifies that the new firmware runs.
///
/// The dialogue begins with `.opened`. It emits `.found` once it knows what is in the module, and changes nothing until
/// `.confirmed`. From `.transfer` to `.transferred` the line belongs to the sender. On `.leave` it fails if the module
/// would be left without firmware that is known to work.
public struct FirmwareUpdateDialogue: LineDialogue {
    private enum Phase: Equatable {
        /// Finding the module and its firmware.
        case looking
        case awaitingConfirmation
        /// Returning to the menu in order to burn.
        case returning
        /// Waiting at the menu until it is quiet. If a key were pressed while the menu is still printing, the rest of
        /// its text would be taken for the answer.
        case quieting(before: Key)
        case awaitingImageQuestion
        case awaitingFilePrompt
        case transferring
        case upgrading
        case awaitingIntegrityQuestion
        case awaitingIntegrity
        case awaitingLoadQuestion
        /// Starting the new firmware.
        case loading
        case ended
    }

    private enum Key: Equatable {
        case burn, checkIntegrity, load
    }

    private let image: RPSImage
    private let number: UInt8
    private var session: RS9116Session
    private var phase = Phase.looking
    private var isConfirmed = false
    private var wasFound = false
    private var loadFailed = false
    private var endedOldTransfer = false
    private var quietTries = 0

    private static let promptTime: Duration = .seconds(5)
    /// Maximum time for the upgrade, in which nearly 2 MB are checked and copied within the flash.
    private static let upgradeTime: Duration = .seconds(120)
    private static let integrityTime: Duration = .seconds(60)
    private static let mostQuietTries = 20

    /// Creates a dialogue that burns `image`.
    ///
    /// - Parameter number: image slot to burn, 0 to 15. Modules are delivered to start with image 0.
    public init(image: RPSImage, number: UInt8 = 0, profile: RS9116Profile = RS9116Profile()) {
        self.image = image
        self.number = min(number, 15)
        session = RS9116Session(profile: profile)
    }

    /// Whether ending now would leave the module without firmware that is known to work.
    public var isBurning: Bool {
        switch phase {
        case .looking, .awaitingConfirmation, .returning, .quieting(.burn), .ended: false
        default: true
        }
    }

    public mutating func handle(_ input: LineInput<Request>, now: Duration) -> [LineStep<Output>] {
        guard phase != .ended else { return [] }
        switch input {
        case .opened: return opened()
        case .bytes(let bytes): return follow(session.receive(bytes))
        case .deadline: return follow(session.deadline())
        case .leave: return isBurning ? fail(.unverified) : []
        case .request(.confirmed): return confirmed()
        case .request(.transferred(let report)): return transferred(report)
        }
    }

    private mutating func follow(_ outputs: [RS9116Session.Output]) -> [LineStep<Output>] {
        var actions: [LineStep<Output>] = []
        for output in outputs {
            switch output {
            case .line(let action): actions.append(.line(action))
            case .step(let step): actions.append(.report(.module(step)))
            case .failed(let error): actions += sessionFailed(error)
            case .menu: actions += menu()
            case .ready: actions += ready()
            case .bootText: actions += said()
            case .rested: actions += waitedInVain()
            case .answer, .bluetoothLoaded, .report, .event: break
            }
        }
        return actions
    }

    private mutating func fail(_ error: FirmwareUpdateError) -> [LineStep<Output>] {
        phase = .ended
        session.end()
        return [.failed(error)]
    }

    // MARK: Finding the module

    /// Handles an opened port. A port that comes back may belong to a module that has reset itself.
    private mutating func opened() -> [LineStep<Output>] {
        switch phase {
        case .looking, .returning, .loading, .ended: break
        case .awaitingConfirmation: phase = .looking
        case .quieting(.burn), .awaitingImageQuestion, .awaitingFilePrompt, .transferring: phase = .returning
        case .quieting, .upgrading, .awaitingIntegrityQuestion, .awaitingIntegrity, .awaitingLoadQuestion:
            phase = .upgrading
        }
        return follow(session.open())
    }

    private mutating func sessionFailed(_ error: ProvisioningError) -> [LineStep<Output>] {
        switch (phase, error) {
        case (.looking, .firmwareNotLoaded) where !loadFailed, (.returning, .firmwareNotLoaded) where !loadFailed:
            loadFailed = true
            return [.report(.noFirmware)] + follow(session.findModule())
        case (.looking, .silent) where !endedOldTransfer, (.looking, .unintelligible) where !endedOldTransfer:
            endedOldTransfer = true
            return [.report(.endingOldTransfer), .send(KermitObserver().abortion)] + follow(session.findModule())
        case (.returning, .doesNotReset): return fail(.noBootLoader)
        case (.loading, _): return fail(.doesNotStart(error))
        default: return fail(.module(error))
        }
    }

    private mutating func menu() -> [LineStep<Output>] {
        switch phase {
        case .looking:
            // Only running firmware reveals the chip's family.
            return loadFailed ? found(InstalledFirmware(version: nil)) : follow(session.load())
        case .returning: return quiet(before: .burn)
        case .upgrading: return quiet(before: .checkIntegrity)
        case .loading: return fail(.doesNotStart(.firmwareNotLoaded))
        default: return []
        }
    }

    private mutating func ready() -> [LineStep<Output>] {
        switch phase {
        case .looking: return found(InstalledFirmware(version: session.firmware))
        // The module should be at its menu, but its firmware runs again: it may have been plugged in anew.
        case .returning: return follow(session.reset())
        case .upgrading, .loading:
            phase = .ended
            session.end()
            return [
                .finished(UpdatedFirmware(version: session.firmware, expectedVersion: image.firmwareVersion))
            ]
        default: return []
        }
    }

    private mutating func found(_ installed: InstalledFirmware) -> [LineStep<Output>] {
        if let family = installed.family {
            do throws(RPSImageError) {
                try image.require(family: family)
            } catch {
                return fail(.image(error))
            }
        }
        phase = .awaitingConfirmation
        let told: [LineStep<Output>] = wasFound ? [] : [.found(installed)]
        wasFound = true
        return told + (isConfirmed ? begin() : [])
    }

    // MARK: Burning

    private mutating func confirmed() -> [LineStep<Output>] {
        guard !isConfirmed else { return [] }
        isConfirmed = true
        return phase == .awaitingConfirmation ? begin() : []
    }

    private mutating func begin() -> [LineStep<Output>] {
        session.forgive()
        phase = .returning
        return session.isReady ? follow(session.reset()) : menu()
    }

    private mutating func quiet(before key: Key) -> [LineStep<Output>] {
        phase = .quieting(before: key)
        quietTries = 0
        return follow(session.listen(.milliseconds(300)))
    }

    /// Handles the boot loader's answer to a key.
    private mutating func said() -> [LineStep<Output>] {
        switch phase {
        case .quieting:
            quietTries += 1
            return quietTries <= Self.mostQuietTries ? follow(session.listen(.milliseconds(300))) : []
        case .awaitingImageQuestion where asksForNumber:
            phase = .awaitingFilePrompt
            return follow(session.press(digit, patience: Self.promptTime))
        case .awaitingFilePrompt where asksForFile:
            phase = .transferring
            return [.transfer]
        case .upgrading: return upgraded()
        case .awaitingIntegrityQuestion where asksForNumber:
            phase = .awaitingIntegrity
            return follow(session.press(digit, patience: Self.integrityTime))
        case .awaitingIntegrity:
            if session.bootText.says("integrity passed") {
                return [.report(.integrityPassed(image: number))] + quiet(before: .load)
            }
            return session.bootText.says("integrity fail") || session.bootText.says("invalid firmware")
                ? fail(.integrityFailed(image: number)) : []
        case .awaitingLoadQuestion where asksForNumber:
            phase = .loading
            return follow(session.load(key: digit))
        default: return []
        }
    }

    private mutating func waitedInVain() -> [LineStep<Output>] {
        switch phase {
        case .quieting(.burn):
            phase = .awaitingImageQuestion
            return follow(session.press(UInt8(ascii: "B"), patience: Self.promptTime))
        case .quieting(.checkIntegrity): return askForIntegrity()
        case .quieting(.load): return load()
        case .awaitingImageQuestion: return fail(.noPrompt(.imageNumber, said: words))
        case .awaitingFilePrompt: return fail(.noPrompt(.file, said: words))
        case .upgrading: return fail(.noResult(Self.upgradeTime))
        case .awaitingIntegrityQuestion, .awaitingIntegrity:
            // Unknown wording is not a failure: whether the firmware starts is better evidence.
            return [.report(.integrityUnknown(image: number))] + load()
        case .awaitingLoadQuestion: return fail(.noPrompt(.imageNumber, said: words))
        default: return []
        }
    }

    private mutating func transferred(_ report: TransferReport) -> [LineStep<Output>] {
        guard phase == .transferring else { return [] }
        switch report.outcome {
        case .ended(0, _): break
        case .ended(let status, let lastWords):
            let reason = report.complaint ?? lastWords
            return fail(.senderFailed(report.program, status: status, reason: reason, report.progress))
        case .interrupted: return fail(.interrupted(report.progress, portVanished: false))
        case .stalled: return fail(.stalled(report.progress))
        case .tookTooLong: return fail(.tookTooLong(report.progress))
        }
        phase = .upgrading
        return [.report(.sent(report.progress))] + follow(session.listen(Self.upgradeTime))
            + follow(session.receive(report.tail))
    }

    private mutating func upgraded() -> [LineStep<Output>] {
        // This includes the wording of older boot loaders.
        if session.bootText.says("upgradation succe") || session.bootText.says("firmware upgradation completed") {
            return [.report(.upgraded)] + quiet(before: .checkIntegrity)
        }
        return session.bootText.lines.lazy.filter { Self.isRefusal($0) }.first.map { fail(.refused(said: $0)) } ?? []
    }

    private static func isRefusal(_ line: String) -> Bool {
        let line = line.lowercased()
        // A menu error caused by noise is not a verdict on the image.
        return line.contains("fail") || (line.contains("invalid") && !line.contains("invalid option"))
    }

    // MARK: Verifying that the firmware runs

    private mutating func askForIntegrity() -> [LineStep<Output>] {
        phase = .awaitingIntegrityQuestion
        return follow(session.press(UInt8(ascii: "K"), patience: Self.promptTime))
    }

    /// Loads the new image. The module's default is image 0 unless another one was selected.
    private mutating func load() -> [LineStep<Output>] {
        guard number > 0 else {
            phase = .loading
            return follow(session.load())
        }
        phase = .awaitingLoadQuestion
        return follow(session.press(UInt8(ascii: "A"), patience: Self.promptTime))
    }

    // MARK: Boot loader output

    private var digit: UInt8 { number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10 }

    private var asksForNumber: Bool { session.bootText.says("enter wireless image no") }

    /// Whether the boot loader asks for the file. Its wording is known only from the successor of this chip: a line
    /// that begins with "Send" or names the files.
    private var asksForFile: Bool {
        session.bootText.says(".rps")
            || session.bootText.words.lowercased().split { $0.isNewline }.contains { $0.hasPrefix("send") }
    }

    /// The last line from the boot loader.
    private var words: String {
        session.bootText.words.split { $0.isNewline }.last { $0.contains { $0.isLetter } }.map(String.init) ?? ""
    }
}
