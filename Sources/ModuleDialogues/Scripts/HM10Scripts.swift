/// Scripts for an HM-10 or HM-11: commands without a line end, each of which ends with a pause.
enum HM10Scripts {
    static let baudRate = 9600

    static func provision(_ configuration: BeaconConfiguration) -> DialogueScript {
        let values = HM10Configuration(configuration).values
        let settings = HM10Setting.allCases.filter { $0 != .measuredPowerOfClones }.compactMap { setting in
            values[setting].map { (setting, $0) }
        }
        var steps = greet
        for (setting, value) in settings {
            steps += [.tell(setting.command(value)), .exchange(set(setting, value))]
        }
        steps += [
            .tell("reset"),
            .exchange(.init(attempts: [say("AT+RESET", "OK+RESET")], patience: 2, isOptional: true)),
            .pause(.seconds(1)),
        ]
        steps += greet
        for (setting, value) in settings where !setting.mayBeMissing {
            steps += [.tell("check \(setting.rawValue)"), .exchange(check(setting, value))]
        }
        return DialogueScript(
            purpose: ["Makes an HM-10 or HM-11 advertise an iBeacon, and verifies the settings:"]
                + configuration.inWords,
            baudRate: baudRate, steps: steps, success: "The module advertises. It keeps these settings without power.")
    }

    static let read = DialogueScript(
        purpose: ["Reads the identity and the settings of an HM-10 or HM-11; changes nothing."],
        baudRate: baudRate,
        steps: greet
            + (["AT+ADDR?", "AT+VERR?"] + HM10Setting.allCases.map(\.question)).flatMap {
                [
                    .tell($0),
                    .exchange(.init(attempts: [say($0, "OK")], patience: 1, isOptional: true)),
                    .listen(seconds: 1),
                ]
            },
        success: "Done.")

    private static let greet: [DialogueScript.Step] = [
        .tell("AT"), .exchange(.init(attempts: [say("AT", "OK", times: 3)], patience: 2)),
    ]

    /// Returns an attempt that repeats its command if no answer arrives. A busy computer may pause in the middle of a
    /// command, and the module ignores the halves.
    private static func say(_ text: String, _ answer: String, times: Int = 2) -> DialogueScript.Attempt {
        .init(pause: HM10Dialogue.pauseAfterAnswer, sent: .text(text), answer: answer, times: times)
    }

    private static func set(_ setting: HM10Setting, _ value: UInt32) -> DialogueScript.Exchange {
        .init(
            attempts: setting.alternatives.map { say($0.command(value), "OK+Set:") }, patience: 2,
            isOptional: setting.mayBeMissing)
    }

    /// Returns an exchange that checks a setting. The module answers with or without `0x`.
    private static func check(_ setting: HM10Setting, _ value: UInt32) -> DialogueScript.Exchange {
        let text = setting.text(value)
        let answer = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text.utf8.count > 1 ? text : "Get:" + text
        return .init(attempts: setting.alternatives.map { say($0.question, answer) }, patience: 2)
    }
}

extension HM10Setting {
    /// Whether a module can lack the setting. Without it the module still advertises the right data, only differently;
    /// older firmware does not have it.
    fileprivate var mayBeMissing: Bool { self == .advertisingType || self == .transmitPower }

    /// The names of the setting in different modules.
    fileprivate var alternatives: [HM10Setting] {
        self == .measuredPower ? [.measuredPower, .measuredPowerOfClones] : [self]
    }
}
